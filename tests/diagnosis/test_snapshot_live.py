"""``snapshot`` on a real API server: pages, rights, what is asked for, and the diagnosis of what was saved."""

from __future__ import annotations

import json
import tarfile
from typing import TYPE_CHECKING

import pytest
from audit_reader import AuditLog
from bed_client import path_of
from bed_objects import until
from live_tools import AGENT, c9s, link
from rights_tools import Person, printed, without
from snapshot_live_tools import FAST, archived, at_one_moment, in_trouble, placed, told, view
from snapshot_server import loaded
from split_lab import command

from kubectl_c9s.cluster.reading import PAGE
from kubectl_c9s.diagnosis.dump import WANTED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from audit_reader import Entry
    from bed_client import Json
    from bed_own import OwnBed
    from split_lab import Answer
    from standin_lab_tools import Labs


@pytest.fixture
def person(device_bed: OwnBed, tmp_path: Path) -> Iterator[Person]:
    """Give somebody who has no right at all, in a namespace of their own."""
    with device_bed.namespace("snap") as namespace:
        one = Person(device_bed, namespace, tmp_path)
        try:
            yield one
        finally:
            one.leave()


def saved(bed: OwnBed, *args: str) -> tuple[Json, list[Json]]:
    """Take a snapshot as administrator."""
    answer = c9s(bed, "snapshot", "--output-file", "-", *args)
    assert answer.code == 0, answer.err
    return loaded(answer.out)


def lists(log: AuditLog) -> list[Entry]:
    return [one for one in log.entries() if one.agent.startswith(AGENT)]


def test_a_list_of_several_pages_is_whole_and_of_one_version(device_bed: OwnBed) -> None:
    with device_bed.namespace("many") as namespace, device_bed.client() as client:
        wanted = {f"l{number}" for number in range(PAGE + 20)}
        for name in wanted:
            client.create(
                path_of("c9s.run/v1alpha1", "links", namespace), link(name, "a", "b")
            ).ok()
        log = AuditLog(device_bed.audit_log)
        header, items = saved(device_bed, "-n", namespace)
        log.catch_up(client)
        asked = [one for one in lists(log) if one.resource == "links.c9s.run"]
        found = [one for one in items if one["kind"] == "Link"]
        assert {one["metadata"]["name"] for one in found} == wanted
        assert len(found) == len(wanted)
        assert [one.verb for one in asked] == ["list", "list"]
        assert "continue=" in asked[1].line["requestURI"]
        token = client.get(path_of("c9s.run/v1alpha1", "links", namespace), limit="1").ok()
        assert int(header["resourceVersions"]["links.c9s.run"]) <= int(
            token["metadata"]["resourceVersion"]
        )
        assert header["namespace"] == namespace


def test_every_kind_is_listed_once_and_nothing_else_is_asked(
    device_bed: OwnBed, labs: Labs
) -> None:
    labs.node("r1")
    secret = {"kind": "Secret", "metadata": {"name": "s"}, "stringData": {"key": "hunter2-secret"}}
    labs.client.create(
        path_of("v1", "secrets", labs.namespace), {"apiVersion": "v1", **secret}
    ).ok()
    log = AuditLog(device_bed.audit_log)
    header, items = saved(device_bed, "-A")
    log.catch_up(labs.client)
    asked = lists(log)
    assert {one.verb for one in asked if one.resource} == {"list"}
    addresses = [(one.resource, one.line["requestURI"]) for one in asked]
    assert len(set(addresses)) == len(addresses)
    begun = [resource for resource, address in addresses if "continue=" not in address]
    assert sorted(begun) == ["", *sorted(WANTED)]
    assert ("", "/version") in addresses
    assert "hunter2" not in json.dumps(items)
    assert set(header["collected"]) == set(WANTED)
    assert header["serverVersion"].startswith("v1.")
    kinds = {(one["apiVersion"], one["kind"]) for one in items}
    assert kinds >= {("c9s.run/v1alpha1", "Node"), ("v1", "Node")}


def test_the_printed_role_is_enough(person: Person) -> None:
    person.may(printed("snapshot", person.namespace))
    until("the role has effect", lambda: person.missing("snapshot") == [])
    answer = c9s(person.bed, "snapshot", "--output-file", "-", kubeconfig=person.kubeconfig)
    assert (answer.code, answer.err) == (0, "")
    assert loaded(answer.out)[0]["unseen"] == {}


def test_a_right_less_is_recorded(person: Person) -> None:
    person.may(without(printed("snapshot", person.namespace), "apps", "replicasets", "list"))
    until(
        "the role has effect",
        lambda: person.missing("snapshot") == ["missing: list replicasets.apps"],
    )
    answer = c9s(person.bed, "snapshot", "--output-file", "-", kubeconfig=person.kubeconfig)
    header, _ = loaded(answer.out)
    assert answer.code == 0
    assert list(header["unseen"]) == ["replicasets.apps"]
    assert "replicasets.apps is forbidden" in answer.err
    assert set(header["collected"]) == set(WANTED) - {"replicasets.apps"}


def test_nobody_without_rights_gets_a_snapshot(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "it.json"
    answer = c9s(person.bed, "snapshot", "--output-file", str(path), kubeconfig=person.kubeconfig)
    assert answer.code == 3
    assert "kubectl c9s rights snapshot" in answer.err
    assert not path.exists()


def test_a_viewer_of_one_namespace_has_what_may_be_seen_there(
    person: Person, tmp_path: Path
) -> None:
    view(person)
    path = tmp_path / "it.tar.gz"
    flags = ("-n", person.namespace)
    until(
        "the role has effect", lambda: person.call("snapshot", "--output-file", str(path)).code == 0
    )
    with tarfile.open(path) as archive:
        file = archive.extractfile("snapshot/header.json")
        assert file is not None
        header = json.load(file)["c9sSnapshot"]
    seen = {"pods", "events", "deployments.apps", "replicasets.apps"}
    assert set(header["collected"]) == seen
    assert set(header["unseen"]) == set(WANTED) - seen
    assert header["namespace"] == person.namespace
    live = c9s(person.bed, "diagnose", "-o", "json", *flags, kubeconfig=person.kubeconfig)
    found = command("diagnose", "-o", "json", "-f", str(path))
    assert found.code == live.code
    missing = json.loads(found.out)["notCollected"]
    assert missing == json.loads(live.out)["notCollected"]
    assert set(missing) == (set(WANTED) - seen) | {"other namespaces"}


def test_the_diagnosis_of_a_snapshot_is_that_of_the_same_moment(
    device_bed: OwnBed, labs: Labs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_trouble(device_bed, labs)
    at_one_moment(monkeypatch)

    def run(*args: str) -> Answer:
        return c9s(device_bed, *args, *placed(labs))

    live = run("diagnose", "-o", "json", *FAST)
    report = json.loads(live.out)
    assert {"plan-failed", "sandbox-failed"} <= {one["code"] for one in report["causes"]}
    for name in ("it.json", "it.tar.gz"):
        assert run("snapshot", "--output-file", str(tmp_path / name)).code == 0
        found = command("diagnose", "-o", "json", *FAST, "-f", str(tmp_path / name))
        assert (found.code, json.loads(found.out)) == (live.code, report)
    path = tmp_path / "hidden.tar.gz"
    assert run("snapshot", "--redact", "--output-file", str(path)).code == 0
    hidden = json.loads(command("diagnose", "-o", "json", *FAST, "-f", str(path)).out)
    assert told(hidden) == told(report)
    text = b"".join(archived(path))
    assert [
        one
        for one in (labs.namespace, labs.standin.namespace, "leaf1", "spine1")
        if one.encode() in text
    ] == []
