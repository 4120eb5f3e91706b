"""Each command works with exactly the Role that ``rights`` prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of
from bed_objects import until
from live_tools import c9s
from rights_tools import Person, printed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from split_lab import Answer

DEVICE = {
    "labels": {"c9s.run/direct-workload": "r1", "c9s.run/app": "clabernetes"},
    "annotations": {"kubectl.kubernetes.io/default-container": "r1"},
}


@pytest.fixture
def person(own_bed: OwnBed, tmp_path: Path) -> Iterator[Person]:
    with own_bed.namespace("rights") as namespace, own_bed.client() as client:
        body = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "r1", **DEVICE},
            "spec": {"containers": [{"name": "r1", "image": "alpine:3"}]},
        }
        path = path_of("v1", "pods", namespace)
        client.create(path, body).ok()
        until("the device is ready", lambda: is_ready(client.get(f"{path}/r1").json()))
        one = Person(own_bed, namespace, tmp_path)
        try:
            yield one
        finally:
            one.leave()


def is_ready(pod: dict[str, Any]) -> bool:
    conditions = pod.get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def let(person: Person, name: str) -> None:
    """Give somebody the printed Role; wait until the server knows of it."""
    person.may(printed(name, person.namespace))
    until("the role has effect", lambda: person.missing(name) == [])


def nothing_is_forbidden(answer: Answer) -> None:
    assert "orbidden" not in answer.err
    assert "cannot list" not in answer.err


def test_watch(person: Person) -> None:
    let(person, "measure watch")
    where = ("--manager-namespace", person.namespace)
    answer = person.call("measure", "watch", "--once", "--count", "1", "-o", "json", *where)
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["devices"][0]["name"] == "r1"
    nothing_is_forbidden(answer)


def test_verify(person: Person) -> None:
    let(person, "measure verify")
    answer = person.call("measure", "verify", "-o", "json")
    assert answer.out, answer.err
    nothing_is_forbidden(answer)


def test_schedule_and_replay(person: Person) -> None:
    let(person, "measure schedule")
    schedule = str(person.folder / "schedule.json")
    answer = person.call("measure", "schedule", "--output-file", schedule)
    assert answer.code == 0, answer.err
    nothing_is_forbidden(answer)
    let(person, "measure replay cleanup")
    target = ("-n", person.new_namespace, "--output-dir", str(person.folder / "out"), "--cleanup")
    asked = ("measure", "replay", schedule, "--ip-family", "ipv4", *target)
    answer = c9s(person.bed, *asked, kubeconfig=person.kubeconfig)
    assert answer.code == 0, answer.err
    nothing_is_forbidden(answer)
