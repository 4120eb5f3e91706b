"""What a replay leaves behind: files that are written while it goes on, and words at its end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.cli.oneline import OneLine
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cluster import pressure
from kubectl_c9s.cluster.eventcounts import read_event_counts
from kubectl_c9s.cluster.optional import optional
from kubectl_c9s.cluster.runmanifest import Scope, collect_plain
from kubectl_c9s.measurement.plainpods import strangers
from kubectl_c9s.measurement.pressure import pressure as compared
from kubectl_c9s.measurement.replayrun import Gathered, as_replay, with_pods
from kubectl_c9s.measurement.run import Churn, Replayed
from kubectl_c9s.measurement.runfile import write_run
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.cli.replayfiles import Folder
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.replaying import Replay
    from kubectl_c9s.measurement.pressure import PressureSnapshot
    from kubectl_c9s.measurement.replayrun import Progress
    from kubectl_c9s.measurement.run import Manifest, Run, Verdict
    from kubectl_c9s.measurement.statistics import Distribution

RUN: Final = "run.json"
SUBMISSIONS: Final = "submissions.json"
PODS: Final = "pods.json"
PROGRESS: Final = "progress.jsonl"


class Record:
    """Keeps the files of a replay; ``given`` has the flags of the command."""

    def __init__(
        self, connection: Connection, replay: Replay, folder: Folder, given: Mapping[str, Any]
    ) -> None:
        self._connection = connection
        self._replay = replay
        self._folder = folder
        self._given = given
        self._manifest: Manifest | None = None
        self._pressure: PressureSnapshot | None = None
        self._notes: list[str] = []
        self._line = OneLine()

    def before(self) -> None:
        """Take down how things are before the clock begins."""
        scope = Scope(self._replay.site.namespace, local_start=self._given["local_start"])
        schedule = self._replay.schedule
        found = collect_plain(self._connection, scope, definition=schedule.digest)
        self._manifest = msgspec.structs.replace(found.manifest, hosts=len(schedule.hosts))
        self._notes += found.notes
        self._pressure = pressure.take(self._connection)

    def tick(self) -> None:
        """Take a sample, note the progress and print it."""
        self._replay.sample()
        now = self._replay.progress()
        self._folder.append(PROGRESS, now.line())
        self._print(now)

    def _print(self, now: Progress) -> None:
        total = len(self._replay.schedule.entries)
        text = f"{now.elapsed:.0f} s: {now.asked} of {total} Pods asked for"
        text += f", {now.sandbox} with a sandbox, {now.ready} ready"
        if self._line.live:
            self._line(text)
        else:
            print(text, file=sys.stderr, flush=True)

    def save(self) -> None:
        """Write what there is so far."""
        self._write(self._run("recording", Churn(), []))

    def after(self, verdict: Verdict, failure: BaseException | None) -> Run | None:
        """Read what has become of the Pods, write everything, and give the run; None when its clock never began."""
        self._line("")
        clock = self._replay.clock
        if clock is None or self._manifest is None:
            return None
        elapsed = self._replay.elapsed
        self._replay.sample()
        self._folder.append(PROGRESS, self._replay.progress().line())
        # First what is there already: reading may take long, and be interrupted.
        notes = [failure.message] if isinstance(failure, C9sError) else []
        self._write(self._run(verdict, Churn(), notes))
        read = optional(
            "the last state of the Pods is as watched", self._replay.read_pods, self._notes
        )
        if read is not None:
            self._write_pods(read)
            self._manifest = with_pods(self._manifest, read)
        churn = self._churn(clock.at)
        run = msgspec.structs.replace(
            self._run(verdict, churn, [*self._notes, *notes]), elapsed=elapsed
        )
        self._write(run)
        return run

    def _churn(self, since: float) -> Churn:
        """Give what the run cost the server, as far as it can be known."""
        churn = Churn()
        if self._pressure is not None:
            found = compared(self._pressure, pressure.take(self._connection))
            churn = found.churn
            self._notes += found.notes
        namespace = self._replay.site.namespace
        events = read_event_counts(self._connection, [namespace], since)
        self._notes += events.notes
        if self._manifest is not None:
            self._manifest = msgspec.structs.replace(
                self._manifest, image_state=events.counts.images
            )
        return msgspec.structs.replace(churn, events=events.counts.reporters)

    def _run(self, verdict: Verdict, churn: Churn, notes: Iterable[str]) -> Run:
        replay, clock = self._replay, self._replay.clock
        assert clock is not None  # noqa: S101 - nothing is written before
        assert self._manifest is not None  # noqa: S101 - likewise
        there = replay.there()
        found = Gathered(
            replay.schedule,
            replay.submitter.submissions(),
            set(there),
            strangers(there.values(), replay.schedule, replay.site.replay),
            clock.at,
            self._given["families"],
        )
        return as_replay(replay.run(verdict, self._manifest), found, churn, notes)

    def _write(self, run: Run) -> None:
        submissions = msgspec.json.encode(self._replay.submitter.submissions())
        self._folder.write(SUBMISSIONS, msgspec.json.format(submissions, indent=1) + b"\n")
        self._folder.write(RUN, write_run(run))

    def _write_pods(self, pods: list[msgspec.Raw]) -> None:
        # A server leaves out what the items of a list are; in a List of anything nobody knows it without.
        kind = {"apiVersion": "v1", "kind": "Pod"}
        items = [kind | msgspec.json.decode(pod) for pod in pods]
        whole = {"apiVersion": "v1", "kind": "List", "items": items}
        self._folder.write(PODS, msgspec.json.encode(whole) + b"\n")

    def tell(self, run: Run) -> None:
        """Print what came of it."""
        print_notes(run.notes)
        replayed = run.replay or Replayed()
        ready = self._replay.progress().ready
        path = safe_text(str(self._folder.path / RUN))
        hosts = run.manifest.hosts
        print(f"{ready} of {run.expected} Pods ready after {run.elapsed:.1f} s on {hosts} hosts")
        print(f"requests off their time: {_words(replayed.submission_error)}")
        print(f"Pods off their time, by stamps: {_words(replayed.arrival_error)}")
        print(f"recorded in {path}", flush=True)
        for reason in replayed.invalid:
            print(f"invalid: {safe_text(reason)}", file=sys.stderr)


def _words(found: Distribution) -> str:
    if not found.count:
        return "nothing to tell"
    figures = (("min", found.min), ("p50", found.p50), ("p95", found.p95), ("max", found.max))
    return ", ".join(f"{name} {value:+.3f} s" for name, value in figures if value is not None)
