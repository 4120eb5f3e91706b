"""The watches of a recording: refusals of a server that comes up are waited out, lasting ones are named."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from kubectl_c9s.cluster import recording as room
from kubectl_c9s.cluster.errors import Forbidden, NotFound, Unauthorized
from kubectl_c9s.cluster.labfeeds import lab_feeds
from kubectl_c9s.cluster.recording import Recording, Traffic
from kubectl_c9s.cluster.watching import Event
from kubectl_c9s.measurement.watched import NODES, PODS, TYPES
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Iterator

NO = Forbidden(403, b"", "watch pods")


class Scripted:
    """Stands in for a watch: what each of a kind gives, one script after the other; then empty lists."""

    def __init__(self, scripts: dict[str, list[list[Any]]], resource: Any) -> None:
        self.bytes, self.breaks, self.lists = 100, 1, 1
        mine = scripts.get(resource.full_name)
        self._script = mine.pop(0) if mine else [Event("LISTED", [])]

    def events(self) -> Iterator[Event]:
        for one in self._script:
            if isinstance(one, Exception):
                raise one
            yield one

    def end(self) -> None:
        """Have no stream."""


def recorded(
    monkeypatch: pytest.MonkeyPatch, **scripts: list[list[Any]]
) -> tuple[Recording, list[str]]:
    """Make a recording of scripts by kind, with ``_`` for dots; give it, and what it is told of Pods and Nodes."""
    named = {name.replace("_", "."): script for name, script in scripts.items()}

    def watcher(_connection: object, resource: Any, _type: object, **_rest: object) -> Scripted:
        return Scripted(named, resource)

    monkeypatch.setattr(room, "Watcher", watcher)
    monkeypatch.setattr(room, "_AGAIN", 0.001)
    told: list[str] = []

    def take(kind: str, event: Event, elapsed: float) -> None:
        assert elapsed >= 0
        if kind in (PODS, NODES):
            told.append(f"{kind} {event.type}")

    connection: Any = None
    return Recording(connection, lab_feeds("lab"), None, take), told


LISTED, ADDED = Event("LISTED", []), Event("ADDED", [])
ENDED = [LISTED, Unauthorized(401, b"", "the test ends here")]


def wait(recording: Recording) -> C9sError:
    """Wait until something fails for good."""
    with recording._changed:  # noqa: SLF001 - the test waits for what the threads do
        recording._changed.wait_for(lambda: recording.failure, 30)  # noqa: SLF001 - likewise
    assert recording.failure is not None
    return recording.failure


def test_a_refusal_after_the_first_list_is_waited_out(monkeypatch: pytest.MonkeyPatch) -> None:
    recording, told = recorded(monkeypatch, pods=[[LISTED, ADDED, NO], [NO], [NO], ENDED])
    recording.start()
    assert "the test ends here" in wait(recording).message
    recording.stop()
    assert [one for one in told if one.startswith("pods")] == [
        "pods LISTED",
        "pods ADDED",
        "pods LISTED",
    ]
    assert recording.traffic()[PODS] == Traffic(bytes=400, breaks=4, relists=3)


def test_pods_that_are_refused_for_good_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    recording, _ = recorded(monkeypatch, pods=[[LISTED, NO], *([NO] for _ in range(50))])
    recording.start()
    failure = wait(recording)
    recording.stop()
    assert failure.exit_code == 3
    assert failure.hint is not None
    assert "list and watch pods" in failure.hint


def test_pods_that_are_refused_at_once_keep_it_from_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording, told = recorded(monkeypatch, pods=[[NO]])
    with pytest.raises(C9sError, match="watch pods"):
        recording.start()
    recording.stop()
    assert "pods LISTED" not in told


def test_another_kind_that_is_refused_or_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = NotFound(404, b"", "list nodes.c9s.run")
    recording, _ = recorded(monkeypatch, nodes_c9s_run=[[missing]], deployments_apps=[[NO]])
    recording.start()
    recording.stop()
    assert set(recording.unseen) == {NODES, "deployments.apps"}
    assert set(recording.seen) == set(TYPES) - set(recording.unseen)


def test_an_own_fault_is_told_and_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    recording, _ = recorded(monkeypatch, pods=[[LISTED, ValueError("odd")]])
    with contextlib.suppress(C9sError):
        recording.start()  # it may be told here already
    assert wait(recording).message == "cannot watch pods: ValueError: odd"
    recording.stop()


def test_nothing_is_told_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    recording, told = recorded(monkeypatch)
    recording.start()
    recording.stop()
    before = list(told)
    assert not recording._feed(PODS, ADDED)  # noqa: SLF001 - a thread that was late
    assert told == before


def test_a_lab_is_asked_for_by_its_labels() -> None:
    selectors = {one.resource.full_name: one.selectors for one in lab_feeds("spine")}
    device, owner = "c9s.run/direct-workload", "c9s.run/topologyOwner=spine"
    assert selectors == {
        "topologies.c9s.run": {"fieldSelector": "metadata.name=spine"},
        "nodes.c9s.run": {"labelSelector": owner},
        "deployments.apps": {"labelSelector": device},
        "replicasets.apps": {"labelSelector": device},
        "pods": {"labelSelector": f"{device},{owner}"},
    }
    assert [one.resource.full_name for one in lab_feeds(None) if one.needed] == ["pods"]
