from __future__ import annotations

from typing import Any

import pytest

from kubectl_c9s.resources import labels


def link(**metadata: Any) -> dict[str, Any]:
    return {"kind": "Link", "metadata": {"name": "a", **metadata}}


@pytest.mark.parametrize(
    ("obj", "place"),
    [
        (
            link(labels={"c9s.run/app": "clabernetes", "c9s.run/topologyOwner": "lab"}),
            "metadata.labels.c9s.run/app",
        ),
        (
            link(labels={"c9s.run/topologyKind": "containerlab"}),
            "metadata.labels.c9s.run/topologyKind",
        ),
        (
            link(annotations={"c9s.run/startup-hold": "u"}),
            "metadata.annotations.c9s.run/startup-hold",
        ),
        (
            link(annotations={"c9s.run/startup-admitted": "u"}),
            "metadata.annotations.c9s.run/startup-admitted",
        ),
        (
            link(ownerReferences=[{"apiVersion": "c9s.run/v1alpha1", "kind": "Topology"}]),
            "metadata.ownerReferences[0]",
        ),
        (link(uid="u"), "metadata.uid"),
        (link(resourceVersion="1"), "metadata.resourceVersion"),
        (link(creationTimestamp="2026-01-01T00:00:00Z"), "metadata.creationTimestamp"),
        (link(managedFields=[]), "metadata.managedFields"),
        (link() | {"status": {}}, "status"),
    ],
)
def test_what_a_standalone_object_must_not_carry_is_found(obj: dict[str, Any], place: str) -> None:
    (found,) = labels.forbidden_metadata(obj)
    assert found.startswith(f"{place}: ")


@pytest.mark.parametrize(
    "obj",
    [
        {},
        link(),
        link(labels={"c9s.run/topologyOwner": "lab", "c9s.run/name": "a"}),
        link(labels={"c9s.run/topologyNode": "a", "c9s.run/topologyGroup": "g", "role": "edge"}),
        link(labels={"c9s.run/app": "clabernetes"}),
        link(ownerReferences=[{"apiVersion": "c9s.run/v1alpha1", "kind": "Node", "name": "a"}]),
        link(ownerReferences=[{"apiVersion": "example.com/v1", "kind": "Topology"}]),
        link(creationTimestamp=None, labels=None) | {"status": None},
        link(labels=7, annotations=[1], ownerReferences="x"),
        {"metadata": "x"},
    ],
)
def test_what_it_may_carry_is_not_reported(obj: dict[str, Any]) -> None:
    assert labels.forbidden_metadata(obj) == []


def test_all_that_is_forbidden_is_reported_at_once() -> None:
    obj = link(uid="u", annotations={"c9s.run/startup-hold": "u"}) | {"status": {"a": 1}}
    assert len(labels.forbidden_metadata(obj)) == 3
