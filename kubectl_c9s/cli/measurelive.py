"""A start recorded live: watches feed the tracker, samples are kept, and it ends when the goal is reached."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from kubectl_c9s.cli.connecting import connect
from kubectl_c9s.cli.measuresurroundings import Surroundings
from kubectl_c9s.cli.measureview import View, write_result
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.runtarget import RunTarget
from kubectl_c9s.cluster.labfeeds import lab_feeds
from kubectl_c9s.cluster.recording import Recording
from kubectl_c9s.measurement.tracker import Tracker
from kubectl_c9s.resources.errors import Undecided

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.watching import Event
    from kubectl_c9s.measurement.overall import Goal
    from kubectl_c9s.measurement.run import Run, Verdict

SETTLE: Final = 5.0
"""Seconds without a new device after which those that were seen count as all, where nothing says how many there are."""
_INTERRUPTED: Final = 130


def record(
    flags: Mapping[str, Any], name: str | None, given: Mapping[str, Any], limit: float, every: float
) -> int:
    """Record until the goal is reached, the time is up, or somebody interrupts; give the exit code."""
    connection = connect(flags)
    namespace = None if flags.get("all_namespaces") else connection.namespace
    start = Start(connection, namespace, name, given)
    with _interruptible():
        verdict = start.run(flags.get("manager_namespace"), limit, every)
    return start.exit_code(verdict, given["timeout"])


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Take a request to end as Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Start:
    """A recording that goes on: who is fed, where it is written, what is shown."""

    def __init__(
        self,
        connection: Connection,
        namespace: str | None,
        lab: str | None,
        given: Mapping[str, Any],
    ) -> None:
        self._goal: Goal = given["goal"]
        self._form: str = given["output"]
        self._tracker = Tracker(given["count"])
        self._near = threading.Event()
        self._recording = Recording(connection, lab_feeds(lab), namespace, self._take)
        now = datetime.now(UTC).astimezone().isoformat(timespec="seconds")
        self._around = Surroundings(connection, namespace, lab, now)
        self._target = RunTarget(given["target"])
        self._view = View(self._goal, self._form)

    def run(self, manager_namespace: str | None, limit: float, every: float) -> Verdict:
        """Record; give how it ended. What keeps it from beginning is raised, what ends it early is kept as a part."""
        click.get_current_context().call_on_close(self._recording.stop)
        self._recording.start()
        self._target.begin(self._now("recording"))
        verdict: Verdict = "interrupted"
        try:
            self._around.begin(manager_namespace)
            print(
                f"recording {', '.join(self._recording.seen)}; now apply the lab", file=sys.stderr
            )
            with self._view:
                verdict = self._follow(limit or float("inf"), every)
        except KeyboardInterrupt:
            pass
        finally:
            self._end(verdict)
        if self._recording.failure:
            raise self._recording.failure
        return verdict

    def exit_code(self, verdict: Verdict, timeout: str) -> int:
        """Give the exit code of an end; raises Undecided, with what is missing, when the time was up."""
        total, expected = self._tracker.hosts.total, self._tracker.expected
        if verdict == "deadline" and not total.pods:
            raise Undecided(
                f"no Pod of a device was seen within {timeout}{self._target.kept}",
                hint="is this the namespace of the lab, and does a manager lead? 'kubectl c9s check' looks",
            )
        if verdict == "deadline":
            done = getattr(total, self._goal)
            raise Undecided(
                f"{done} of {expected} {self._goal} after {timeout}{self._target.kept}",
                hint="'kubectl c9s diagnose' says what holds the rest up",
            )
        return 0 if verdict == "reached" else _INTERRUPTED

    def _take(self, kind: str, event: Event, elapsed: float) -> None:
        self._tracker.take(kind, event.type, event.items, elapsed)
        if self._tracker.reached(self._goal):
            self._near.set()

    def _follow(self, limit: float, every: float) -> Verdict:
        """Wait for the end, and take samples meanwhile; they do not decide when it comes."""
        due = every
        while self._recording.failure is None:
            elapsed = self._recording.elapsed
            with self._recording.lock:
                self._near.clear()
                wait = self._wait(elapsed)
                total, expected = self._tracker.hosts.total, self._tracker.expected
            if wait <= 0:
                return "reached"
            if elapsed >= limit:
                return "deadline"
            if elapsed >= due:
                self._sample()
                due += every * max(1, int((elapsed - due) // every) + 1)
            self._view.show(elapsed, total, expected)
            pause = min(wait, limit - elapsed, due - elapsed, self._view.pulse)
            self._near.wait(max(pause, 0.0))
        return "interrupted"

    def _wait(self, elapsed: float) -> float:
        """Give the seconds after which the goal may count as reached; 0 when it does now."""
        if not self._tracker.reached(self._goal):
            return float("inf")
        if self._tracker.complete:
            return 0.0
        return max(self._tracker.overall.grown + SETTLE - elapsed, 0.0)

    def _sample(self) -> None:
        usage = self._around.usage()
        with self._recording.lock:
            sample = self._tracker.sample(self._recording.elapsed, usage)
            total = msgspec.structs.replace(self._tracker.hosts.total)
            expected = self._tracker.expected
        self._target.keep(self._now("recording"))
        self._view.sample(sample, total, expected)

    def _now(self, verdict: Verdict) -> Run:
        """Give the recording as it is now."""
        recording = self._recording
        with recording.lock:
            run = self._tracker.run(verdict, recording.elapsed, self._around.manifest)
            churn = self._tracker.churn
            kinds = {
                kind: msgspec.structs.replace(
                    churn[kind], bytes=cost.bytes, breaks=cost.breaks, relists=cost.relists
                )
                for kind, cost in recording.traffic().items()
                if kind not in recording.unseen
            }
            notes = [*run.notes, *recording.unseen.values(), *self._around.notes]
            if self._tracker.before:
                notes.append(
                    f"{self._tracker.before} Pods were there before the recording began: of what they had reached by "
                    "then the stamps alone are known"
                )
            if recording.failure:
                notes.append(f"the recording broke off: {recording.failure.message}")
        around = msgspec.structs.replace(self._around.churn, kinds=kinds)
        return msgspec.structs.replace(run, churn=around, notes=tuple(dict.fromkeys(notes)))

    def _end(self, verdict: Verdict) -> None:
        """Keep and show the end: at once, and again with what is only known afterwards."""
        with self._recording.lock:
            self._tracker.sample(self._recording.elapsed)
        run = self._now(verdict)
        self._recording.stop()
        self._target.keep(run)
        if self._recording.failure is None:
            with contextlib.suppress(KeyboardInterrupt):
                self._around.end(run.anchor)
                run = msgspec.structs.replace(self._now(verdict), elapsed=run.elapsed)
        self._target.end(run)
        print_notes(run.notes)
        write_result(run, self._form)
