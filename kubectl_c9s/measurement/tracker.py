"""A start while it happens: fed with what watches show, it knows at any moment how far everybody is (measurement.md).

Pure: the seconds of each event, by a monotonic clock from the beginning of the recording on, come with it. What broke
off is taken up by a new list: who is not in it any more is gone, and no milestone is lost.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kubectl_c9s.measurement import reached, watched
from kubectl_c9s.measurement.hostcounts import HostCounts, place_of
from kubectl_c9s.measurement.labs import Labs
from kubectl_c9s.measurement.overall import LASTS, Overall
from kubectl_c9s.measurement.primaries import Primaries
from kubectl_c9s.measurement.run import KindChurn, Manifest, Run, Sample
from kubectl_c9s.measurement.watched import DELETED, DEVICES, LISTED, MODIFIED
from kubectl_c9s.measurement.ways import Part, PodPart, Way
from kubectl_c9s.resources import devicepods

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kubectl_c9s.measurement.hostcounts import Place
    from kubectl_c9s.measurement.overall import Goal
    from kubectl_c9s.measurement.primaries import Key
    from kubectl_c9s.measurement.reached import Step
    from kubectl_c9s.measurement.run import Usage, Verdict
    from kubectl_c9s.measurement.watched import WatchedPod, Workloads


class _Seen:
    """An object that is there: whose it is, what it has reached, and where it counts when it is a Pod."""

    __slots__ = ("key", "part", "place")

    def __init__(self, key: Key, part: Part | None) -> None:
        self.key = key
        self.part = part
        self.place: Place | None = None


class Tracker:
    """Keeps a start. ``expected`` devices are waited for, or as many as the Nodes seen so far have.

    ``workloads`` says which Pods count. One thread feeds it. ``before`` counts the Pods of the first list: of what they
    had reached by then the stamps alone are known.
    """

    def __init__(self, expected: int | None = None, workloads: Workloads = DEVICES) -> None:
        self.hosts = HostCounts()
        self.overall = Overall()
        self.churn = {kind: KindChurn() for kind in watched.TYPES}
        self.labs = Labs()
        self._given = expected
        self._workloads = workloads
        self._live: dict[str, dict[str, _Seen]] = {kind: {} for kind in watched.TYPES}
        self._listed: set[str] = set()
        self._ways: dict[Key, Way] = {}
        self._primaries = Primaries()
        self.before = 0
        self._with_pods = 0
        self._samples: list[Sample] = []

    def take(self, kind: str, event: str, items: Sequence[Any], elapsed: float) -> None:
        """Take an event of a watch: ``LISTED`` with everything there is, ``ADDED``, ``MODIFIED`` or ``DELETED``."""
        first = event == LISTED and kind not in self._listed
        expected = self.expected
        if event == LISTED:
            self._listed.add(kind)
            there = {one.metadata.uid for one in items}
            for uid in [uid for uid in self._live[kind] if uid not in there]:
                self._drop(kind, uid)
        for one in items:
            self._see(kind, one, None if first else elapsed, new=event != DELETED)
            if event == DELETED:
                self._drop(kind, one.metadata.uid)
            elif event == MODIFIED:
                self.churn[kind].revisions += 1
        self.hosts.note_peaks(elapsed)
        self._note(kind, expected, elapsed)

    @property
    def expected(self) -> int:
        """Give the number of devices that are waited for."""
        if self._given is not None:
            return self._given
        return len(self._primaries) if watched.NODES in self._listed else self._with_pods

    @property
    def complete(self) -> bool:
        """Tell whether the number of devices is final: it was given, or all Nodes of all Topologies are there."""
        return self._given is not None or self.labs.complete(self._primaries.nodes)

    def reached(self, goal: Goal) -> bool:
        """Tell whether so many Pods were there, started or ready at once."""
        return goal in self.overall.times

    def sample(self, elapsed: float, usage: Mapping[str, Usage] | None = None) -> Sample:
        """Keep the counts of all hosts as they are now, and what the hosts used if that is known."""
        found = Sample(elapsed, self.hosts.now(), dict(usage or {}))
        self._samples.append(found)
        return found

    def run(self, verdict: Verdict, elapsed: float, manifest: Manifest | None = None) -> Run:
        """Give the recording as it is now."""
        devices = tuple(self._ways[key].device() for key in sorted(self._ways) if self._is_one(key))
        return Run(
            verdict=verdict,
            expected=self.expected,
            elapsed=elapsed,
            manifest=manifest or Manifest(),
            anchor=self.labs.anchor(devices),
            overall=dict(self.overall.times),
            devices=devices,
            peaks=dict(sorted(self.hosts.peaks.items())),
            samples=tuple(self._samples),
            notes=tuple(self._notes()),
        )

    def _see(self, kind: str, item: Any, observed: float | None, *, new: bool) -> None:
        """Take one object as it is; ``new`` is false for one that goes, which is of no interest if it was not known."""
        uid = item.metadata.uid
        seen = self._live[kind].get(uid)
        if seen is None:
            seen = self._new(kind, item, first=observed is None) if new else None
            if seen is None:
                return
            self._live[kind][uid] = seen
        if kind == watched.TOPOLOGIES:
            self.labs.put(item)
        elif kind == watched.PODS:
            self._see_pod(item, seen, observed)
        elif kind == watched.NODES:
            self._primaries.put(item)
            self._take(kind, seen, reached.by_node(item), observed)
        else:
            self._take(kind, seen, [(LASTS[kind][1], reached.created(item.metadata))], observed)

    def _new(self, kind: str, item: Any, *, first: bool) -> _Seen | None:
        """Take note of an object that was not seen before; None for one that is no device's."""
        meta = item.metadata
        name = meta.name
        if kind == watched.PODS:
            name = self._workloads.device(item)
        elif kind == watched.REPLICA_SETS:
            name = meta.label(devicepods.WORKLOAD) or ""
        if not name:
            return None
        self.churn[kind].created += not first
        key = meta.namespace, name
        if kind == watched.TOPOLOGIES:
            return _Seen(key, None)
        at = reached.created(meta)
        part = PodPart(at, name=meta.name) if kind == watched.PODS else Part(at)
        way = self._ways.get(key)
        if way is None:
            way = self._ways[key] = Way(*key)
        if kind == watched.PODS:
            self._with_pods += not way.pods
            self.before += first
        way.follow(kind, part)
        return _Seen(key, part)

    def _see_pod(self, pod: WatchedPod, seen: _Seen, observed: float | None) -> None:
        primary = self._workloads.primary(pod)
        if isinstance(seen.part, PodPart):
            seen.part.take(reached.by_pod(pod, primary), observed)
            seen.part.describe(pod, primary)
        place = place_of(pod, primary)
        self.hosts.move(seen.place, place)
        seen.place = place

    def _take(self, kind: str, seen: _Seen, steps: Iterable[Step], observed: float | None) -> None:
        part, last = seen.part, LASTS[kind][1]
        if part is None:
            return
        before = last in part.reached
        part.take(steps, observed)
        if last in part.reached and not before:
            self.overall.count(kind)

    def _drop(self, kind: str, uid: str) -> None:
        """Let go of an object; what its device has reached stays."""
        seen = self._live[kind].pop(uid, None)
        if seen is None:
            return
        self.churn[kind].deleted += 1
        if kind == watched.PODS:
            self.hosts.move(seen.place, None)
        elif kind == watched.NODES:
            self._primaries.drop(seen.key)
        elif kind == watched.TOPOLOGIES:
            self.labs.drop(uid)

    def _note(self, kind: str, before: int, elapsed: float) -> None:
        """Note what is reached over all after an event; ``before`` devices were expected until then."""
        expected = self.expected
        if expected > before:
            self.overall.grow(elapsed)
        changed = expected != before
        if changed or kind == watched.PODS:
            self.overall.note_goals(self.hosts.total, expected, elapsed)
        for one in LASTS if changed else LASTS.keys() & {kind}:
            self.overall.note_last(one, expected, elapsed, partial(self._count, one))
        if self.labs.ready:
            self.overall.note_topology(elapsed)

    def _count(self, kind: str) -> int:
        """Count the devices whose newest object of a kind has reached its milestone."""
        milestone = LASTS[kind][1]
        return sum(
            self._is_one(key) and way.has(kind, milestone) for key, way in self._ways.items()
        )

    def _is_one(self, key: Key) -> bool:
        """Tell whether there is a device: it has a Pod, or a Node that is no other one's member."""
        parts = self._ways[key].parts
        return watched.PODS in parts or (
            watched.NODES in parts and not self._primaries.is_member(key)
        )

    def _notes(self) -> Iterator[str]:
        if self._given is None and watched.NODES in self._listed:
            yield f"no number of devices was given: the {self.expected} that the Nodes seen make were waited for"
        elif self._given is None:
            yield "neither a number of devices was given nor may Nodes be seen: devices are those with Pods"
