"""What the gates take out of live objects (admission.md §§1, 2, 4.4, 5.2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kubectl_c9s.resources.live import LabNode, Pod
from kubectl_c9s.rollout.views import NodeView, PodView, node_view, pod_view

META = {"namespace": "n", "name": "a", "uid": "u"}
DEVICE = {"c9s.run/app": "clabernetes", "c9s.run/direct-workload": ""}
MAIN = {"kubectl.kubernetes.io/default-container": "main"}


def node(**body: Any) -> NodeView:
    meta = META | body.pop("metadata", {})
    return node_view(msgspec.convert({"metadata": meta, **body}, LabNode))


def pod(app: str = "clabernetes", **body: Any) -> PodView | None:
    meta = META | {"labels": DEVICE} | body.pop("metadata", {})
    return pod_view(msgspec.convert({"metadata": meta, **body}, Pod), app)


def owner(**fields: Any) -> dict[str, Any]:
    known = {"apiVersion": "c9s.run/v1alpha1", "kind": "Topology", "name": "t", "uid": "t"}
    return known | {"controller": True} | fields


def test_an_object_without_anything_is_read() -> None:
    assert node() == NodeView("n", "a", "u")
    assert pod() == PodView("n", "a", "u", phase="")


@pytest.mark.parametrize(
    ("mode", "shares"),
    [("container:x", "x"), ("container:", ""), ("Container:x", None), (" container:x", None),
     ("container", None), ("host", None), ("", None), (None, None)],
)  # fmt: skip
def test_only_the_exact_prefix_shares_a_pod(mode: str | None, shares: str | None) -> None:
    assert node(spec={"network-mode": mode}).shares == shares


def test_a_node_is_read() -> None:
    annotations = {"c9s.run/startup-hold": "h", "c9s.run/startup-admitted": "m"}
    found = node(
        metadata={
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "deletionTimestamp": "2026-01-01T00:00:01Z",
            "labels": {"c9s.run/ignoreReconcile": ""},
            "annotations": annotations,
            "ownerReferences": [owner()],
        },
        spec={"network-mode": "container:p"},
    )
    time = "2026-01-01T00:00:00Z"
    assert found == NodeView(
        "n", "a", "u", time, deleting=True, ignored=True, shares="p", hold="h", mark="m",
        topology="t", owners=("t",),
    )  # fmt: skip
    assert found.full_name == "n/a"


@pytest.mark.parametrize(
    "other",
    [owner(controller=False), owner(kind="Node"), owner(apiVersion="apps/v1"),
     {key: value for key, value in owner().items() if key != "controller"}],
)  # fmt: skip
def test_the_topology_of_a_node_is_its_controlling_one(other: dict[str, Any]) -> None:
    other = other | {"uid": "other"}
    assert node(metadata={"ownerReferences": [other]}).topology == ""
    both = node(metadata={"ownerReferences": [other, owner()]})
    assert (both.topology, both.owners) == ("t", ("other", "t"))


@pytest.mark.parametrize("version", ["v1alpha1", "v1"])
def test_the_version_of_an_owner_does_not_matter(version: str) -> None:
    assert node(metadata={"ownerReferences": [owner(apiVersion=f"c9s.run/{version}")]}).topology


@pytest.mark.parametrize(
    "labels",
    [None, {"c9s.run/app": "clabernetes"}, {"c9s.run/direct-workload": "a"},
     {**DEVICE, "c9s.run/app": "other"}],
)  # fmt: skip
def test_a_pod_without_both_labels_is_no_device(labels: dict[str, str] | None) -> None:
    assert pod(metadata={"labels": labels}) is None


def test_a_pod_of_another_installation_is_seen_by_that_one() -> None:
    assert pod("other", metadata={"labels": {**DEVICE, "c9s.run/app": "other"}})
    assert pod("other") is None


def test_a_pod_is_read() -> None:
    annotations = {
        **MAIN,
        "c9s.run/direct-node-uid": "node",
        "c9s.run/startup-host-admitted": "g",
    }
    time = "2026-01-01T00:00:00Z"
    found = pod(
        metadata={
            "creationTimestamp": time,
            "deletionTimestamp": time,
            "labels": DEVICE,
            "annotations": annotations,
        },
        spec={"nodeName": "h", "initContainers": [{"name": "startup-gate"}, {"name": "planner"}]},
        status={
            "phase": "Running",
            "conditions": [
                {"type": "Ready", "status": "False"},
                {"type": "PodReadyToStartContainers", "status": "True"},
            ],
            "containerStatuses": [{"name": "main", "started": True}],
        },
    )
    assert found == PodView(
        "n", "a", "u", time, deleting=True, node_uid="node", host="h", phase="Running",
        sandbox=True, gated=True, grant="g", started=True,
    )  # fmt: skip
    assert found.full_name == "n/a"


@pytest.mark.parametrize("status", ["False", "Unknown", "true", ""])
def test_a_sandbox_is_there_when_its_condition_is_true_and_not_otherwise(status: str) -> None:
    ready = {"type": "Ready", "status": "True"}
    condition = {"type": "PodReadyToStartContainers", "status": status}
    found = pod(status={"conditions": [ready, condition]})
    assert found is not None
    assert not found.sandbox


@pytest.mark.parametrize(
    ("annotations", "statuses"),
    [
        ({}, [{"name": "main", "started": True}]),
        (MAIN, [{"name": "other", "started": True}, {"name": "main", "started": False}]),
        (MAIN, [{"name": "main"}]),
        (MAIN, [{"name": "main", "started": None}]),
        (MAIN, [{"name": "mainly", "started": True}]),
        (MAIN, []),
        (MAIN, None),
    ],
)
def test_only_the_primary_container_starts_a_pod(
    annotations: dict[str, str], statuses: list[dict[str, Any]] | None
) -> None:
    found = pod(metadata={"annotations": annotations}, status={"containerStatuses": statuses})
    assert found is not None
    assert not found.started


def test_init_containers_start_no_pod_and_containers_are_no_gate() -> None:
    found = pod(
        metadata={"annotations": MAIN},
        spec={"containers": [{"name": "startup-gate"}], "initContainers": [{"name": "planner"}]},
        status={"initContainerStatuses": [{"name": "main", "started": True}]},
    )
    assert found is not None
    assert (found.started, found.gated) == (False, False)


def test_a_gate_is_found_wherever_it_stands() -> None:
    found = pod(spec={"initContainers": [{"name": "planner"}, {"name": "startup-gate"}]})
    assert found is not None
    assert found.gated
