"""A real kubectl offers names of a real cluster, to somebody with a token and few rights."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from bed_client import Json, path_of, read_kubeconfig
from installed import environment
from kubectl_tools import completed
from live_tools import C9S
from rights_tools import RBAC, Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bed_base import Bed

MANY = 1000
PATIENT = {"C9S_COMPLETION_SECONDS": "60"}  # a busy machine must not decide
ROLE: Json = {
    "apiVersion": f"{RBAC}/v1",
    "kind": "Role",
    "metadata": {"name": "reads-labs"},
    "rules": [
        {"apiGroups": ["c9s.run"], "resources": ["topologies", "nodeprofiles"], "verbs": ["list"]}
    ],
}


@pytest.fixture
def person(bed: Bed, tmp_path: Path) -> Iterator[Person]:
    """Give somebody who may list labs in one namespace, where there is a Topology and a split lab."""
    with bed.namespace("complete") as namespace:
        person = Person(bed, namespace, tmp_path)
        person.may([{**ROLE, "metadata": dict(ROLE["metadata"])}])
        with bed.client() as client:
            client.create(path_of(C9S, "topologies", namespace), topology("metro")).ok()
            profile = {
                "apiVersion": C9S,
                "kind": "NodeProfile",
                "metadata": {"name": "any", "labels": {"c9s.run/topologyOwner": "split-lab"}},
                "spec": {},
            }
            client.create(path_of(C9S, "nodeprofiles", namespace), profile).ok()
        yield person
        person.leave()


def topology(name: str) -> Json:
    lab = f"name: {name}\ntopology:\n  nodes:\n    r1: {{kind: linux, image: 'x:1'}}\n"
    spec = {"definition": {"containerlab": lab}}
    return {"apiVersion": C9S, "kind": "Topology", "metadata": {"name": name}, "spec": spec}


@pytest.fixture
def offered(
    kubectl: str, installation: Path, person: Person
) -> Callable[..., tuple[list[str], str]]:
    """Give the values and the directive that kubectl prints for a line, typed by that person."""

    def ask(*words: str, namespace: str = "") -> tuple[list[str], str]:
        variables = environment(installation, **PATIENT, KUBECONFIG=str(person.kubeconfig))
        where = ["-n", namespace or person.namespace]
        *values, directive = completed(kubectl, [*where, *words], variables)
        return values, directive

    return ask


def test_names_of_labs_are_offered_by_kubectl(
    offered: Callable[..., tuple[list[str], str]],
) -> None:
    assert offered("status", "") == (["metro", "split-lab"], ":4")
    assert offered("measure", "verify", "s") == (["split-lab"], ":4")
    assert offered("diagnose", "--topology", "") == (["metro"], ":4")
    assert offered("rollout", "set", "") == (["config", "topology/metro"], ":4")
    assert offered("split", "--from-cluster=m") == (["metro"], ":4")


def test_what_may_not_be_seen_is_passed_over_in_silence(
    offered: Callable[..., tuple[list[str], str]],
) -> None:
    assert offered("-n", "") == ([], ":4")
    assert offered("rollout", "set", "", namespace="kube-system") == (["config"], ":4")


def test_the_administrator_is_offered_namespaces(
    kubectl: str, installation: Path, bed: Bed, person: Person
) -> None:
    variables = environment(installation, **PATIENT, KUBECONFIG=str(person.kubeconfig))
    words = ["--kubeconfig", str(bed.kubeconfig), "-n", person.namespace]
    assert completed(kubectl, words, variables) == [person.namespace, ":4"]


def test_a_token_and_a_server_on_the_line_are_obeyed(
    kubectl: str, installation: Path, bed: Bed, person: Person, tmp_path: Path
) -> None:
    access, authority = bed.access, tmp_path / "ca.crt"
    authority.write_text(access.ca or "", encoding="utf-8")
    with_rights = read_kubeconfig(person.kubeconfig).token or ""
    without = bed.service_account(person.namespace, "nobody")
    line = ["--server", access.server, "--certificate-authority", str(authority)]
    line += ["-n", person.namespace, "split", "--from-cluster"]
    variables = environment(installation, **PATIENT, KUBECONFIG="/nonexistent")
    assert completed(kubectl, ["--token", with_rights, *line, ""], variables) == ["metro", ":4"]
    assert completed(kubectl, ["--token", without, *line, ""], variables) == [":4"]
    line[2:4] = ["--insecure-skip-tls-verify"]
    assert completed(kubectl, ["--token", with_rights, *line, ""], variables) == ["metro", ":4"]
    line[2:3] = []
    assert completed(kubectl, ["--token", with_rights, *line, ""], variables) == [":4"]


def test_a_thousand_topologies(
    offered: Callable[..., tuple[list[str], str]], bed: Bed, person: Person
) -> None:
    names = [f"lab-{number:04}" for number in range(MANY)]
    path = path_of(C9S, "topologies", person.namespace)

    def create(part: list[str]) -> None:
        with bed.client() as client:
            for name in part:
                client.create(path, topology(name)).ok()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(create, [names[start::4] for start in range(4)]))
    assert offered("split", "--from-cluster", "") == (names[:100], ":4")
    assert offered("split", "--from-cluster", "lab-0995") == (["lab-0995"], ":4")
