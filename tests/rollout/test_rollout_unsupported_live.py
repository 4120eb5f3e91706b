"""``rollout set`` on a release whose kinds have no ``spec.rollout``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_objects import CRDS, until
from rollout_live_tools import CONFIG, LAB, TARGETS

from kubectl_c9s.resources.crd import crd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rollout_live_tools import Place


@pytest.fixture
def older(place: Place) -> Iterator[Place]:
    """Give a place where Config and Topology have no ``spec.rollout``, as in releases before it."""
    kinds = {CONFIG: crd("Config"), LAB: crd("Topology")}
    try:
        for target, whole in kinds.items():
            place.make(target)
            schema = whole["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
            fields = schema["properties"]["spec"]["properties"]
            rollout = fields.pop("rollout")
            load(place, whole, target, knows=False)
            fields["rollout"] = rollout
        yield place
    finally:
        for target, whole in kinds.items():
            load(place, whole, target, knows=True)


def load(place: Place, definition: dict[str, object], target: str, *, knows: bool) -> None:
    path = path_of(
        *CRDS, name=crd("Config" if target == CONFIG else "Topology")["metadata"]["name"]
    )
    place.client.apply(path, definition).ok()
    probe = {"spec": {"rollout": {"batchSize": 1}}}

    def seen() -> bool:
        query = {"dryRun": "All", "fieldValidation": "Strict"}
        return (place.client.patch(place.path(target), probe, **query).status == 200) == knows

    until(f"the definition of {target} has effect", seen)


def test_a_release_without_limits_is_told_apart(older: Place) -> None:
    for target in TARGETS:
        before, asked = older.read(target), older.asked()
        for mode in ((), ("--dry-run=server",)):
            answer = older.run("set", target, "--batch-size=2", *mode)
            assert answer.code == 4, answer.err
            assert "has no spec.rollout: nothing written [rollout-unsupported]" in answer.err
        assert all(dry_run for _, dry_run, _ in asked.patches())
        assert (older.read(target), older.records()) == (before, {})
        # Nothing to say about what needs no write.
        assert older.run("set", target, "--unset=batchSize").code == 0
