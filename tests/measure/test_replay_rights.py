"""What a replay needs rights for, and what it says without them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from bed_client import path_of
from live_tools import c9s
from replay_tools import Program, drop, is_going, schedule_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_client import ApiClient
    from bed_own import OwnBed

RBAC = "rbac.authorization.k8s.io/v1"
Stranger: TypeAlias = Callable[..., Path]


@pytest.fixture
def stranger(own_bed: OwnBed, tmp_path: Path) -> Iterator[Stranger]:
    """Give a maker of kubeconfigs of somebody with some rights in the whole cluster, and no others."""
    made: list[str] = []
    with own_bed.namespace("stranger") as home, own_bed.client() as client:

        def make(*rules: dict[str, Any]) -> Path:
            made.append(f"{home}-{len(made)}")
            token = own_bed.service_account(home, made[-1])
            _allow(client, home, made[-1], list(rules))
            path = tmp_path / made[-1]
            path.write_text(own_bed.access.as_token(token).kubeconfig(), "utf-8")
            return path

        yield make
        for name in made:
            for plural in ("clusterrolebindings", "clusterroles"):
                client.delete(path_of(RBAC, plural, name=name))


def _allow(client: ApiClient, home: str, name: str, rules: list[dict[str, Any]]) -> None:
    head = {"apiVersion": RBAC, "metadata": {"name": name}}
    role = {**head, "kind": "ClusterRole", "rules": rules}
    client.create(path_of(RBAC, "clusterroles"), role).ok()
    binding = {
        **head,
        "kind": "ClusterRoleBinding",
        "roleRef": {"apiGroup": RBAC.partition("/")[0], "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": home}],
    }
    client.create(path_of(RBAC, "clusterrolebindings"), binding).ok()


def rule(resource: str, *verbs: str) -> dict[str, Any]:
    return {"apiGroups": [""], "resources": [resource], "verbs": list(verbs)}


def test_without_rights_a_replay_says_so_and_makes_nothing(
    own_bed: OwnBed, stranger: Stranger, tmp_path: Path
) -> None:
    program = Program(stranger(), tmp_path, schedule_of(2))
    code, said = program.run("--cleanup")
    assert code == 3
    assert "list nodes" in said
    assert "forbidden" in said
    assert is_going(own_bed, program.namespace)
    assert not program.folder.exists()


def test_without_the_right_to_make_pods_it_says_so_and_takes_its_namespace_away(
    own_bed: OwnBed, stranger: Stranger, tmp_path: Path
) -> None:
    rules = [rule("nodes", "list"), rule("namespaces", "create", "delete")]
    program = Program(stranger(*rules), tmp_path, schedule_of(2))
    try:
        code, said = program.run("--cleanup")
        assert code == 3
        assert "create pod" in said
        assert is_going(own_bed, program.namespace)
    finally:
        drop(own_bed, program.namespace)


def test_a_schedule_of_a_cluster_needs_pods_alone(own_bed: OwnBed, stranger: Stranger) -> None:
    rules = [rule("pods", "list")]
    allowed, refused = (
        c9s(
            own_bed,
            *("measure", "schedule", "-n", "default", "--output-file", "-"),
            kubeconfig=stranger(*rights),
        )
        for rights in (rules, [])
    )
    # There are no devices in that namespace, which only those know who may look.
    assert (allowed.code, refused.code) == (1, 3)
    assert "there is no Pod with the label" in allowed.err
    assert "list pods" in refused.err


RIGHTS = [
    rule("nodes", "list"),
    rule("namespaces", "create", "get", "delete"),
    rule("pods", "create", "get", "list", "watch"),
    rule("configmaps", "create", "get"),
]


def test_few_rights_are_enough_and_what_they_leave_out_is_said(
    own_bed: OwnBed, stranger: Stranger, tmp_path: Path
) -> None:
    program = Program(stranger(*RIGHTS), tmp_path, schedule_of(2))
    try:
        code, said = program.run("--cleanup")
        assert code == 0, said
        assert is_going(own_bed, program.namespace)
    finally:
        drop(own_bed, program.namespace)
    assert "/metrics" in said
    assert "Events" in said
    assert program.read("run.json")["churn"]["void"]
