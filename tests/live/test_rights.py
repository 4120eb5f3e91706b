"""Each command works with exactly the Role that ``rights`` prints, and says what is missing when it is less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_objects import until
from live_tools import c9s, node, path_to, small_lab, written
from rights_tools import Person, printed, without
from split_lab import command

from kubectl_c9s.cluster.rights import RIGHTS, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_base import Bed
    from split_lab import Answer

# Those of rollout are in tests/rollout/test_rollout_rights.py.
COMMANDS = sorted(name for name in RIGHTS if name.split()[0] in {"apply", "check", "diff", "split"})
LESS = [
    (name, rule.group, rule.resource, verb)
    for name in COMMANDS
    for rule in rules_of(name.replace("--", "").split())
    for verb in rule.verbs
]
# With all rights: how each command ends here. Nobody makes the Nodes ready, and nobody is the manager.
ENDS = {"apply --wait": 5, "diff": 1, "diff --create-namespace": 1, "check": 1}


class Worker(Person):
    """Somebody who runs the commands of a lab."""

    def run(self, name: str) -> Answer:
        """Run the command once so that it does all that it needs rights for."""
        if name == "check":
            self._manager()
            return self.call("check", "--manager-namespace", self.namespace)
        if name == "split --from-cluster":
            return self.call("split", "--from-cluster", "old")
        objects = small_lab()
        if "create-namespace" in name:
            space = {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {"name": self.new_namespace},
            }
            objects.append(space)
        if name == "apply --prune":
            self._leave_something_over()
        lab = written(self.folder, objects)
        flags = {"apply --prune": ["--prune"], "apply --wait": ["--wait", "--timeout=1s"]}.get(
            name, []
        )
        return self.call(name.partition(" ")[0], "-f", lab, *flags)

    def _manager(self) -> None:
        """Make a Pod that looks like a manager's: only then its Lease and its Config are looked for."""
        labels = {"c9s.run/component": "manager", "c9s.run/app": "rights"}
        pod = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "rights-manager", "namespace": self.namespace, "labels": labels},
            "spec": {"containers": [{"name": "manager", "image": "manager:1"}]},
        }
        with self.bed.client() as client:
            client.create(path_of("v1", "pods", self.namespace), pod).ok()

    def _leave_something_over(self) -> None:
        """Apply a lab that has more of every kind, as administrator."""
        more = small_lab()
        for one in more:
            one["metadata"]["name"] = f"old-{one['metadata']['name']}"
        more[-1]["spec"].pop("profileRef", None)
        answer = c9s(
            self.bed, "apply", "-f", written(self.folder, more, "more.json"), "-n", self.namespace
        )
        assert answer.code == 0, answer.err


@pytest.fixture
def person(bed: Bed, tmp_path: Path) -> Iterator[Worker]:
    with bed.namespace("rights") as namespace:
        topology = {
            "apiVersion": "c9s.run/v1alpha1",
            "kind": "Topology",
            "metadata": {"name": "old", "namespace": namespace},
            "spec": {
                "definition": {
                    "containerlab": "name: old\ntopology: {nodes: {x9: {kind: linux}}}\n"
                }
            },
        }
        with bed.client() as client:
            client.create(path_of("c9s.run/v1alpha1", "topologies", namespace), topology).ok()
        one = Worker(bed, namespace, tmp_path)
        try:
            yield one
        finally:
            one.leave()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_printed_role_is_enough(person: Worker, name: str) -> None:
    person.may(printed(name, person.namespace))
    until("the role has effect", lambda: person.missing(name) == [])
    answer = person.run(name)
    assert answer.code == ENDS.get(name, 0), answer.err + answer.out
    assert "orbidden" not in answer.err + answer.out
    assert "right is missing" not in answer.out


@pytest.mark.parametrize(("name", "group", "resource", "verb"), LESS)
def test_a_right_less_is_named(
    person: Worker, name: str, group: str, resource: str, verb: str
) -> None:
    person.may(without(printed(name, person.namespace), group, resource, verb))
    full = f"{resource}.{group}" if group else resource
    until("the role has effect", lambda: person.missing(name) == [f"missing: {verb} {full}"])
    answer = person.run(name)
    assert answer.code == (1 if name == "check" else 3), answer.err + answer.out
    said = answer.out if name == "check" else answer.err
    assert f'cannot {verb} resource "{resource}" in API group "{group}"' in said
    assert "kubectl c9s rights" in said


def test_rights_of_flags_add_up() -> None:
    (role,) = printed("apply --prune --wait", "ns")
    verbs = {rule["resources"][0]: set(rule["verbs"]) for rule in role["rules"]}
    assert verbs["nodes"] == {"list", "create", "patch", "delete", "watch"}
    assert verbs["topologies"] == {"list"}
    assert role["metadata"] == {"name": "kubectl-c9s-apply", "namespace": "ns"}


def test_an_unknown_command_is_a_usage_error() -> None:
    answer = command("rights", "destroy")
    assert answer.code == 2
    assert "known: apply" in answer.err


def test_an_administrator_misses_nothing(bed: Bed) -> None:
    answer = c9s(bed, "rights", "apply", "prune", "--check")
    assert (answer.code, answer.out) == (0, "all rights for apply prune are there\n")


def test_a_node_that_is_not_ours_needs_no_right_more(person: Worker) -> None:
    person.may(printed("apply", person.namespace))
    until("the role has effect", lambda: person.missing("apply") == [])
    with person.bed.client() as client:
        theirs = node("r1", lab="other")
        client.apply(path_to(theirs, person.namespace), theirs).ok()
    assert person.run("apply").code == 4
