"""Records when the devices of a namespace reached what, as watches of its own show it, by one clock."""

from __future__ import annotations

import contextlib
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.append(str(Path(__file__).parents[1] / "faults"))

import standin_names as names
from bed_client import path_of
from standin_views import view_node, view_pod
from watch_lines import LineWriter
from watch_stream import Follower

from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.recording import DeviceTimes, LimitsThen, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed
    from standin_views import Json

SILENCE = 90.0
MADE = {"Deployment": ms.DEPLOYMENT, "ReplicaSet": ms.REPLICA_SET, "Pod": ms.POD}


class StageWatch(LineWriter):
    """Takes what the followers see; every milestone counts when it is first seen."""

    def __init__(self) -> None:
        self._times: dict[str, dict[str, float]] = {}
        self._hosts: dict[str, str] = {}
        self._lock = threading.Lock()

    def note(self, kind: str, note: str, version: str, why: str = "") -> None:
        """Do without notes: a watch that broke goes on from where it was."""

    def close(self) -> None:
        """Have no file."""

    def seen(self, kind: str, event: str, obj: Json, when: tuple[float, float]) -> None:
        if event in {"DELETED", "VANISHED"}:
            return
        with self._lock:
            for device, milestone in self._reached(kind, obj):
                self._times.setdefault(device, {}).setdefault(milestone, when[0])

    def _reached(self, kind: str, obj: Json) -> Iterator[tuple[str, str]]:
        meta = obj["metadata"]
        if kind == "Node":
            yield meta["name"], ms.CREATED
            if view_node(obj).mark == meta["uid"]:
                yield meta["name"], ms.ADMITTED
            return
        device = (meta.get("labels") or {}).get(names.WORKLOAD)
        if device is None:
            return
        yield device, MADE[kind]
        if kind == "Pod":
            for milestone, there in self._pod(device, obj).items():
                if there:
                    yield device, milestone

    def _pod(self, device: str, obj: Json) -> dict[str, bool]:
        view, status = view_pod(obj), obj.get("status") or {}
        if view.host:
            self._hosts[device] = view.host
        gates = [
            one for one in status.get("initContainerStatuses") or [] if one["name"] == names.GATE
        ]
        ready = [one for one in status.get("conditions") or [] if one["type"] == "Ready"]
        return {
            ms.SCHEDULED: bool(view.host),
            ms.SANDBOX: view.sandbox,
            ms.GRANTED: view.grant == view.uid,
            ms.PASSED: any("terminated" in one["state"] for one in gates),
            ms.STARTED: view.started,
            ms.READY: any(one["status"] == "True" for one in ready),
        }

    def count(self, milestone: str) -> int:
        """Count the devices that have reached a milestone."""
        with self._lock:
            return sum(milestone in times for times in self._times.values())

    def record(self, namespace: str, **limits: int) -> Record:
        """Give the record, in seconds from the first Node."""
        with self._lock:
            first = min(times[ms.CREATED] for times in self._times.values())
            devices = [
                DeviceTimes(
                    namespace,
                    name,
                    self._hosts.get(name, ""),
                    {one: times[one] - first for one in ms.MILESTONES if one in times},
                )
                for name, times in sorted(self._times.items())
            ]
        return Record(rollout=LimitsThen(**limits), devices=tuple(devices))


@contextlib.contextmanager
def watching(bed: Bed, namespace: str) -> Iterator[StageWatch]:
    """Watch a namespace for as long as the block lasts."""
    writer = StageWatch()
    kinds: list[tuple[str, Any]] = [
        (names.VERSION, "nodes"),
        ("apps/v1", "deployments"),
        ("apps/v1", "replicasets"),
        ("v1", "pods"),
    ]
    paths = [path_of(version, plural, namespace) for version, plural in kinds]
    followers = [Follower(bed.access, path, writer, SILENCE) for path in paths]
    threads = [threading.Thread(target=one.run, daemon=True) for one in followers]
    for thread in threads:
        thread.start()
    try:
        for one in followers:
            assert one.synced.wait(60), one.trouble
        yield writer
    finally:
        for one in followers:
            one.stop()
        for thread in threads:
            thread.join()
