"""The commands of ``rollout`` work with exactly the Roles that ``rights`` prints, and say what is missing with less."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from bed_objects import until
from rights_tools import Person, printed, without
from rollout_live_tools import CONFIG, LAB, TARGETS, Place, written_policy

from kubectl_c9s.cluster.rights import RIGHTS, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_client import ApiClient
    from bed_own import OwnBed
    from split_lab import Answer

# simulate has tests of its own.
COMMANDS = sorted(
    name for name in RIGHTS if name.startswith("rollout ") and name != "rollout simulate"
)
LESS = [
    (name, rule.group, rule.resource, verb)
    for name in COMMANDS
    for rule in rules_of(name.split())
    for verb in rule.verbs
    if not (rule.resource == "configs" and verb == "get" and rule.cluster)
]
# What a Topology's limits need not know, and what its Role has no right to see.
BEYOND = (
    "note: limits of the Config are not known",
    "note: slots that other namespaces take are not known",
)


class Setter(Person):
    """Somebody who looks after limits, in a namespace that is the manager's as well."""

    def __init__(self, bed: OwnBed, client: ApiClient, namespace: str, folder: Path) -> None:
        super().__init__(bed, namespace, folder)
        self.place = Place(bed, client, namespace, namespace, folder / "state")

    def run(self, name: str, *, found: bool = True) -> list[Answer]:
        """Run a command so that it does all it needs rights for; once more where the manager has to be ``found``."""
        places = [self.place, *([dataclasses.replace(self.place, own="")] if found else [])]
        return [self._run(name, place) for place in places]

    def _run(self, name: str, place: Place) -> Answer:
        for target in TARGETS:
            self.place.client.delete(self.place.path(target))
            self.place.make(target, {"batchSize": 1})
        _, verb, *kind = name.split()
        words = [verb, CONFIG if kind == ["config"] else LAB] if kind else [verb]
        if verb == "set":
            words.append("--batch-size=2")
        if verb == "undo":
            self.place.set(words[1], "--batch-size=3")
        if verb in {"diff", "apply"}:
            words += ["-f", self._policy()]
        return place.run(*words, kubeconfig=self.kubeconfig)

    def _policy(self) -> str:
        rules = [{"match": {}, "batchSize": {"min": 2}}]
        return written_policy(self.folder, config={"batchSize": 2}, topologies=rules)


@pytest.fixture
def setter(device_bed: OwnBed, tmp_path: Path) -> Iterator[Setter]:
    """Give somebody without any rights, in an otherwise empty bed."""
    with device_bed.namespace("c9s") as namespace, device_bed.client() as client:
        one = Setter(device_bed, client, namespace, tmp_path)
        one.place.wait_alone()
        try:
            yield one
        finally:
            one.leave()
            one.place.clear()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_printed_role_is_enough(setter: Setter, name: str) -> None:
    setter.may(printed(name, setter.namespace))
    until("the role has effect", lambda: setter.missing(name) == [])
    for answer in setter.run(name):
        assert answer.code == (1 if name == "rollout diff" else 0), answer.err
        notes = [line for line in answer.err.splitlines() if line.startswith(BEYOND)]
        assert bool(notes) == name.endswith("topology")
        assert answer.err.count("orbidden") == sum(line.count("orbidden") for line in notes)


@pytest.mark.parametrize(("name", "group", "resource", "verb"), LESS)
def test_a_right_less_is_named(
    setter: Setter, name: str, group: str, resource: str, verb: str
) -> None:
    setter.may(without(printed(name, setter.namespace), group, resource, verb))
    full = f"{resource}.{group}" if group else resource
    until("the role has effect", lambda: set(setter.missing(name)) == {f"missing: {verb} {full}"})
    answers = setter.run(name, found=resource == "configs")
    if resource == "nodeprofiles":  # only warnings are made of them
        assert all(f"note: {full} may not be read" in one.err for one in answers)
        assert {one.code for one in answers} == {1 if name == "rollout diff" else 0}
        return
    said = f'cannot {verb} resource "{resource}" in API group "{group}"'
    failed = [one for one in answers if said in one.err]
    assert failed, [one.err for one in answers]
    # What may not be looked for can be named, and what may not be asked is refused.
    assert {one.code for one in failed} <= {2, 3}
    assert all(
        "kubectl c9s rights" in one.err or "--manager-namespace" in one.err for one in failed
    )
    for one in failed:
        written = verb == "get" and "was written, but cannot be read back" in one.err
        assert one.out == "" or verb == "patch" or written


def test_who_may_not_look_for_the_manager_can_name_its_namespace(setter: Setter) -> None:
    role = without(printed("rollout set config", setter.namespace), "c9s.run", "configs", "list")
    setter.may(role)
    missing = ["missing: list configs.c9s.run"]
    until("the role has effect", lambda: setter.missing("rollout set config") == missing)
    named, looked_for = setter.run("rollout set config")
    assert (named.code, looked_for.code) == (0, 3)
    assert "--manager-namespace" in looked_for.err
