"""A replay from its clock to its end: Pods asked for by a schedule, and followed by a watch (measurement.md §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.cluster.recording import Feed, Recording
from kubectl_c9s.cluster.replaysite import Clock, start_clock, try_out
from kubectl_c9s.cluster.submitting import Submitter
from kubectl_c9s.measurement import plainpods
from kubectl_c9s.measurement.replayrun import progress
from kubectl_c9s.measurement.run import Churn
from kubectl_c9s.measurement.tracker import Tracker
from kubectl_c9s.measurement.watched import DELETED, LISTED, PODS, WatchedPod

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.replaysite import Site
    from kubectl_c9s.cluster.watching import Event
    from kubectl_c9s.measurement.replayrun import Progress
    from kubectl_c9s.measurement.run import Manifest, Run, Verdict
    from kubectl_c9s.measurement.schedule import Schedule

WORKERS: Final = 16


class Replay:
    """A replay in a namespace that was made for it; ``hostnames`` has a label's value for each host of the schedule.

    Use: :meth:`prepare`, :meth:`start`, then :meth:`wait` until :attr:`reached`, at last :meth:`stop`.
    """

    def __init__(
        self,
        connection: Connection,
        site: Site,
        schedule: Schedule,
        hostnames: Mapping[str, str],
        workers: int = WORKERS,
    ) -> None:
        self.site = site
        self.schedule = schedule
        self.clock: Clock | None = None
        self._connection = connection
        self._pods = [
            (one, plainpods.pod_body(one, site.namespace, hostnames[one.host], site.replay))
            for one in schedule.entries
        ]
        self.submitter = Submitter(connection, site, self._pods, workers)
        self._tracker = Tracker(len(schedule.entries), plainpods.workloads(schedule))
        pods = Feed(kinds.PODS, WatchedPod, needed="measure replay")
        self._recording = Recording(connection, [pods], site.namespace, self._take)
        self._there: dict[str, WatchedPod] = {}

    def prepare(self) -> None:
        """Find out whether the server takes such Pods, open sockets, and begin to watch.

        Raises what keeps Pods out, or keeps them from being seen.
        """
        body = self._pods[0][1]
        name = f"try-{self.site.replay}"
        trial = {**body, "metadata": {**body["metadata"], "name": name}}
        try_out(self._connection, trial)
        self.submitter.warm_up(trial)
        self._recording.start()

    def start(self) -> None:
        """Begin the clock, and ask for Pods from then on."""
        self.clock = start_clock(self._connection, self.site)
        self.submitter.start(self.clock)

    @property
    def elapsed(self) -> float:
        """Give the seconds since the clock began."""
        return self.clock.elapsed() if self.clock else 0.0

    def _take(self, kind: str, event: Event, elapsed: float) -> None:  # noqa: ARG002 - our clock begins later
        self._note(event.type, event.items)

    def _note(self, change: str, pods: list[WatchedPod]) -> None:
        if change == LISTED:
            self._there.clear()
        for one in pods:
            if change == DELETED:
                self._there.pop(one.metadata.name, None)
            else:
                self._there[one.metadata.name] = one
        self._tracker.take(PODS, change, pods, self.elapsed)

    @property
    def reached(self) -> bool:
        """Tell whether all Pods of the schedule were ready at once."""
        return self._tracker.reached("ready")

    def wait(self, seconds: float) -> None:
        """Wait so long at most, until all are ready; raises what makes waiting of no use."""
        self._recording.wait(lambda: self.reached, max(0.0, seconds))
        if self.submitter.failure:
            raise self.submitter.failure

    def stop(self) -> None:
        """Ask for nothing more, neither Pods nor changes; waits for requests that are under way."""
        self._recording.stop()
        self.submitter.stop()

    def read_pods(self) -> list[msgspec.Raw]:
        """Read all Pods of the namespace, whole, and take what a watch may not have shown yet."""
        namespace = self.site.namespace
        found = list_objects(self._connection, kinds.PODS, msgspec.Raw, namespace=namespace).items
        with self._recording.lock:
            self._note(LISTED, [msgspec.json.decode(one, type=WatchedPod) for one in found])
        return found

    def there(self) -> dict[str, WatchedPod]:
        """Give the Pods that are there, as they were seen last, by name."""
        with self._recording.lock:
            return dict(self._there)

    def sample(self) -> None:
        """Keep how the hosts are now."""
        with self._recording.lock:
            self._tracker.sample(self.elapsed)

    def progress(self) -> Progress:
        """Count how far the Pods are now."""
        with self._recording.lock:
            recorded = self._tracker.run("recording", self.elapsed)
            total = self._tracker.hosts.total
            return progress(recorded, self.submitter.count, total.pods, total.ready)

    def run(self, verdict: Verdict, manifest: Manifest) -> Run:
        """Give the recording of the Pods as it is now, with what their watch has cost."""
        traffic = self._recording.traffic()[PODS]
        with self._recording.lock:
            recorded = self._tracker.run(verdict, self.elapsed, manifest)
            kind = msgspec.structs.replace(
                self._tracker.churn[PODS], **msgspec.structs.asdict(traffic)
            )
        return msgspec.structs.replace(recorded, churn=Churn(kinds={PODS: kind}))
