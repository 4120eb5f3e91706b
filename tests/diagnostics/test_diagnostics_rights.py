"""Both commands work with little rights in the manager's namespace, and name the one that is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bed_objects import until
from gometrics_process import Process
from rights_tools import Person

from kubectl_c9s.cluster.rights import rules_of

if TYPE_CHECKING:
    from pathlib import Path

    from bed_client import Json
    from manager_site import Site
    from split_lab import Answer

NEEDED = [
    ("", "pods", "list"),
    ("coordination.k8s.io", "leases", "get"),
    # A socket is opened by a GET, which older servers take for "get"; newer ones want "create" besides.
    ("", "pods/portforward", "get"),
    ("", "pods/portforward", "create"),
]


def role(*left_out: tuple[str, str, str]) -> list[Json]:
    rules = [
        {"apiGroups": [one[0]], "resources": [one[1]], "verbs": [one[2]]}
        for one in NEEDED
        if one not in left_out
    ]
    metadata = {"name": "diagnostics"}
    kind = "rbac.authorization.k8s.io/v1"
    return [{"apiVersion": kind, "kind": "Role", "metadata": metadata, "rules": rules}]


class Reader(Person):
    """Somebody in the manager's namespace."""

    def capture(self, name: str) -> Answer:
        where = ("--manager-namespace", self.namespace, "--output-dir", str(self.folder / name))
        return self.call("diagnostics", "capture", *where, "--seconds", "1", "--profiles", "heap")


@pytest.fixture
def person(site: Site, tmp_path: Path) -> Reader:
    """Give somebody in a namespace in which a manager leads."""
    site.make_pod("m-0")
    site.lead("m-0")
    return Reader(site.bed, site.namespace, tmp_path)


@pytest.mark.parametrize("command", ["diagnostics capture", "diagnostics port-forward"])
def test_the_printed_role_has_these_rights_in_the_managers_namespace(command: str) -> None:
    found = [
        (rule.group, rule.resource, verb)
        for rule in rules_of(command.split())
        for verb in rule.verbs
        if not rule.cluster
    ]
    assert sorted(found) == sorted(NEEDED)


def test_these_rights_are_enough(person: Reader, site: Site, gometrics: Path) -> None:
    person.may(role())
    with Process(gometrics, "it") as process, site.doors({"m-0": process}):
        until("the role has effect", lambda: person.capture("first").code == 0)


@pytest.mark.parametrize(("group", "resource", "verb"), NEEDED)
def test_a_right_that_is_missing_is_named(
    person: Reader, group: str, resource: str, verb: str
) -> None:
    person.may(role((group, resource, verb)))
    words = f'cannot {verb} resource "{resource}" in API group "{group}"'
    until("the role has effect", lambda: words in person.capture("none").err)
    forward = (
        "port-forward",
        "--manager-namespace",
        person.namespace,
        "--metrics-port=0",
        "--pprof-port=0",
    )
    for answer in (person.capture("none"), person.call("diagnostics", *forward)):
        assert (answer.code, answer.out) == (3, "")
        assert words in answer.err
        assert "hint: 'kubectl c9s rights' prints the Role a command needs" in answer.err
    assert not (person.folder / "none").exists()
