"""Two judges of a recorded start that share nothing with it: the API server's audit log, and a watch of their own."""

from __future__ import annotations

import collections
import contextlib
import math
import threading
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import standin_names as names
from bed_client import path_of
from standin_views import view_pod
from watch_lines import LineWriter
from watch_stream import Follower

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from audit_reader import Entry
    from bed_base import Bed
    from standin_views import Json

    from kubectl_c9s.measurement.run import Run

KWOK = "kwok"
SILENCE = 90.0
GATED = ("sandbox", "passed", "prepared", "started", "ready")
UNGATED = ("sandbox", "prepared", "started", "ready")
ORDERS = {len(order): order for order in (GATED, UNGATED)}
"""What the fake hosts report of a Pod with a startup probe, one patch of its status after the other."""


class Span(NamedTuple):
    """Whole seconds from when a request came to when it was answered; a stamp of it lies in between."""

    begin: float
    end: float

    def off(self, stamp: float) -> float:
        """Give the seconds by which a stamp lies outside."""
        return max(self.begin - stamp, stamp - self.end, 0.0)


def span_of(entry: Entry) -> Span:
    """Read when a request came and was answered."""
    begin, end = (
        datetime.fromisoformat(text).timestamp() for text in (entry.received, entry.ended)
    )
    return Span(math.floor(begin), math.floor(end))


class Audited:
    """What the audit log says of a namespace: by device and milestone, and of objects without a name only when."""

    def __init__(self, entries: Iterable[Entry], namespace: str) -> None:
        self.devices: dict[str, dict[str, Span]] = collections.defaultdict(dict)
        self.pods: list[Span] = []
        self.replica_sets: list[Span] = []
        patches: dict[str, list[Span]] = collections.defaultdict(list)
        for one in entries:
            if one.namespace != namespace or not one.accepted:
                continue
            what = (one.verb, one.resource, one.subresource)
            if what == ("create", "nodes.c9s.run", ""):
                self.devices[one.name]["created"] = span_of(one)
            elif what == ("create", "deployments.apps", ""):
                self.devices[one.name]["deployment"] = span_of(one)
            elif what == ("create", "replicasets.apps", ""):
                self.replica_sets.append(span_of(one))
            elif what == ("create", "pods", ""):
                self.pods.append(span_of(one))
            elif what == ("create", "pods", "binding"):
                self.devices[device_of(one.name)]["scheduled"] = span_of(one)
            elif what == ("patch", "pods", "status") and one.user == KWOK:
                patches[device_of(one.name)].append(span_of(one))
        self.unclear: list[str] = []
        self._name_patches(patches)

    def _name_patches(self, patches: dict[str, list[Span]]) -> None:
        for name, spans in patches.items():
            # On a busy machine KWOK sometimes reports a step twice, and which one the log does not say.
            if order := ORDERS.get(len(spans)):
                self.devices[name] |= dict(zip(order, spans, strict=True))
            else:
                self.unclear.append(name)

    def judge(self, run: Run) -> dict[str, float]:
        """Give by milestone the seconds by which the worst stamp is off."""
        worst: dict[str, float] = collections.defaultdict(float)
        for one in run.devices:
            for milestone, span in self.devices[one.name].items():
                if milestone != "started":  # behind a startup probe it has no stamp
                    off = span.off(one.stamps[milestone])
                    worst[milestone] = max(worst[milestone], off)
        for milestone, spans in (("pod", self.pods), ("replicaSet", self.replica_sets)):
            stamps = sorted(one.stamps[milestone] for one in run.devices)
            # Which request made which object is not written: in ascending order each must have its own.
            begins, ends = (sorted(column) for column in zip(*spans, strict=True))
            pairs = zip(stamps, begins, ends, strict=True)
            worst[milestone] = max(Span(begin, end).off(stamp) for stamp, begin, end in pairs)
        return dict(worst)


def device_of(pod: str) -> str:
    """Give the device of a Pod by the name that a Deployment's Pod has."""
    return pod.rsplit("-", 2)[0]


class PeakWatch(LineWriter):
    """Counts boots by host after every event of Pods, as the rule says and from their JSON; ``peaks`` are the most."""

    def __init__(self) -> None:
        self.peaks: dict[str, int] = {}
        self.gaps = 0
        self._booting: dict[str, str] = {}

    def note(self, kind: str, note: str, version: str, why: str = "") -> None:  # noqa: ARG002 - as the writer is asked
        """Count what was missed."""
        self.gaps += note == "GAP"

    def close(self) -> None:
        """Have no file."""

    def seen(self, kind: str, event: str, obj: Json, when: tuple[float, float]) -> None:  # noqa: ARG002 - likewise
        """Take an event."""
        uid = obj["metadata"]["uid"]
        self._booting.pop(uid, None)
        labels = obj["metadata"].get("labels") or {}
        if event in {"DELETED", "VANISHED"} or names.WORKLOAD not in labels:
            return
        view = view_pod(obj)
        if not view.started and (view.grant == uid or not view.gated):
            host = self._booting[uid] = view.host or "unscheduled"
            now = sum(one == host for one in self._booting.values())
            self.peaks[host] = max(self.peaks.get(host, 0), now)


@contextlib.contextmanager
def watching_peaks(bed: Bed, namespace: str) -> Iterator[PeakWatch]:
    """Watch the Pods of a namespace for as long as the block lasts."""
    found = PeakWatch()
    follower = Follower(bed.access, path_of("v1", "pods", namespace), found, SILENCE)
    thread = threading.Thread(target=follower.run, daemon=True)
    thread.start()
    try:
        assert follower.synced.wait(60), follower.trouble
        yield found
    finally:
        follower.stop()
        thread.join()
