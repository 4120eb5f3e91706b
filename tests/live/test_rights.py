"""Each command works with exactly the Role that ``rights`` prints, and says what is missing when it is less."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import pytest
import yaml
from bed_client import Json, path_of
from bed_objects import until
from live_tools import c9s, node, path_to, small_lab, written
from split_lab import command

from kubectl_c9s.cluster.rights import RIGHTS, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_base import Bed
    from split_lab import Answer

RBAC = "rbac.authorization.k8s.io"
COMMANDS = sorted(RIGHTS)
LESS = [
    (name, rule.group, rule.resource, verb)
    for name in COMMANDS
    for rule in rules_of(name.replace("--", "").split())
    for verb in rule.verbs
]
# With all rights: how each command ends here. Nobody makes the Nodes ready, and nobody is the manager.
ENDS = {"apply --wait": 5, "diff": 1, "diff --create-namespace": 1, "check": 1}


class Person:
    """Somebody with a ServiceAccount in a namespace of their own, and the roles they are given."""

    def __init__(self, bed: Bed, namespace: str, folder: Path) -> None:
        self.bed, self.namespace, self.folder = bed, namespace, folder
        self.new_namespace = f"{namespace}-new"
        self.kubeconfig = folder / "kubeconfig"
        token = bed.service_account(namespace, "person")
        self.kubeconfig.write_text(bed.access.as_token(token).kubeconfig(), encoding="utf-8")
        self.cluster_role = f"{namespace}-{secrets.token_hex(3)}"

    def may(self, roles: list[Json]) -> None:
        """Give these roles, as ``rights`` prints them."""
        with self.bed.client() as client:
            for role in roles:
                wide = role["kind"] == "ClusterRole"
                where = "" if wide else self.namespace
                name = self.cluster_role if wide else role["metadata"]["name"]
                role["metadata"] = {"name": name} | ({} if wide else {"namespace": where})
                plural = "clusterroles" if wide else "roles"
                client.apply(path_of(f"{RBAC}/v1", plural, where, name), role).ok()
                account = {"kind": "ServiceAccount", "name": "person", "namespace": self.namespace}
                binding = {
                    "apiVersion": f"{RBAC}/v1",
                    "kind": f"{role['kind']}Binding",
                    "metadata": role["metadata"],
                    "roleRef": {"apiGroup": RBAC, "kind": role["kind"], "name": name},
                    "subjects": [account],
                }
                path = path_of(f"{RBAC}/v1", f"{plural[:-1]}bindings", where, name)
                client.apply(path, binding).ok()

    def leave(self) -> None:
        """Take away what is not in the namespace."""
        with self.bed.client() as client:
            for plural in ("clusterroles", "clusterrolebindings"):
                client.delete(path_of(f"{RBAC}/v1", plural, name=self.cluster_role))
            client.delete(path_of("v1", "namespaces", name=self.new_namespace))

    def missing(self, name: str) -> list[str]:
        answer = self.call("rights", *name.replace("--", "").split(), "--check")
        return [line for line in answer.out.splitlines() if line.startswith("missing: ")]

    def call(self, *args: str) -> Answer:
        return c9s(self.bed, *args, "-n", self.namespace, kubeconfig=self.kubeconfig)

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
def person(bed: Bed, tmp_path: Path) -> Iterator[Person]:
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
        one = Person(bed, namespace, tmp_path)
        try:
            yield one
        finally:
            one.leave()


def words_of(name: str) -> list[str]:
    """Give the words for ``rights``: flags of a command need the command's own rights, too."""
    return name.replace("--", "").split()


def printed(name: str, namespace: str) -> list[Json]:
    answer = command("rights", *words_of(name), "-n", namespace)
    assert answer.code == 0, answer.err
    return list(yaml.safe_load_all(answer.out))


def without(roles: list[Json], group: str, resource: str, verb: str) -> list[Json]:
    """Take one verb of one rule away."""
    for role in roles:
        for rule in role["rules"]:
            if (rule["apiGroups"], rule["resources"]) == ([group], [resource]):
                rule["verbs"] = [one for one in rule["verbs"] if one != verb]
        role["rules"] = [rule for rule in role["rules"] if rule["verbs"]]
    return roles


@pytest.mark.parametrize("name", COMMANDS)
def test_the_printed_role_is_enough(person: Person, name: str) -> None:
    person.may(printed(name, person.namespace))
    until("the role has effect", lambda: person.missing(name) == [])
    answer = person.run(name)
    assert answer.code == ENDS.get(name, 0), answer.err + answer.out
    assert "orbidden" not in answer.err + answer.out
    assert "right is missing" not in answer.out


@pytest.mark.parametrize(("name", "group", "resource", "verb"), LESS)
def test_a_right_less_is_named(
    person: Person, name: str, group: str, resource: str, verb: str
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


def test_a_node_that_is_not_ours_needs_no_right_more(person: Person) -> None:
    person.may(printed("apply", person.namespace))
    until("the role has effect", lambda: person.missing("apply") == [])
    with person.bed.client() as client:
        theirs = node("r1", lab="other")
        client.apply(path_to(theirs, person.namespace), theirs).ok()
    assert person.run("apply").code == 4
