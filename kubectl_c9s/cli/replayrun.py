"""``measure replay`` once its flags are known: a namespace, Pods on schedule, what they did, whether it counts."""

from __future__ import annotations

import secrets
import shlex
import sys
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.cli.connecting import connect
from kubectl_c9s.cli.measureschedule import told
from kubectl_c9s.cli.replaychecks import check_reader, probe, read_addresses
from kubectl_c9s.cli.replayrecord import Record
from kubectl_c9s.cluster.replaying import Replay
from kubectl_c9s.cluster.replaysite import hostnames, make_site, remove_site
from kubectl_c9s.measurement.schedule import write_schedule
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError, Undecided

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cli.replayfiles import Folder
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.replaysite import Site
    from kubectl_c9s.measurement.run import Run, Verdict
    from kubectl_c9s.measurement.schedule import Schedule

_TICK: Final = 5.0  # seconds between two lines of progress
_SAVE: Final = 15.0  # seconds between two times that the run is written
_GLANCE: Final = 1.0  # seconds until it is noticed that a Pod was refused
_INTERRUPTED: Final = 130
"""As in cli/main.py."""


def run_replay(
    flags: Mapping[str, Any],
    schedule: Schedule,
    folder: Folder,
    given: Mapping[str, Any],
    limit: float,
) -> int:
    """Make a namespace, replay the schedule in it, write what came of it, and give the exit code."""
    check_reader(given["cni"])
    connection = connect(flags)
    with told():
        names = hostnames(connection, schedule.hosts)
    folder.make()
    folder.write("schedule.json", write_schedule(schedule))
    try:
        site = make_site(connection, str(flags["namespace"]), secrets.token_hex(4))
    except C9sError:
        folder.forget()
        raise
    try:
        replay = Replay(connection, site, schedule, names, given["workers"])
        record = Record(connection, replay, folder, given)
        run = _run(replay, record, limit)
        record.tell(run)
        failed = _failed_checks(connection, replay, folder, given, run.verdict)
        return _code(run, failed)
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        _leave(connection, site, clean=given["cleanup"])


def _run(replay: Replay, record: Record, limit: float) -> Run:
    """Replay, and give the run; what went wrong is raised when all that was gathered is written."""
    verdict: Verdict = "interrupted"
    failure: C9sError | KeyboardInterrupt | None = None
    try:
        replay.prepare()
        record.before()
        replay.start()
        verdict = _follow(replay, record, limit)
    except (C9sError, KeyboardInterrupt) as error:
        failure = error
    replay.stop()
    run = record.after(verdict, failure)
    if failure is not None or run is None:
        raise failure or AssertionError("a clock that began has a run")
    return run


def _failed_checks(
    connection: Connection,
    replay: Replay,
    folder: Folder,
    given: Mapping[str, Any],
    verdict: Verdict,
) -> int:
    """Look at what was asked for besides; give how many Pods did not reach the next one."""
    read_addresses(connection, replay, folder, given["cni"])
    if given["probe"] and verdict == "reached":
        return probe(connection, replay, folder)
    return 0


def _code(run: Run, failed: int) -> int:
    if run.verdict == "deadline":
        raise Undecided("not all Pods were ready in time")
    invalid = run.replay is None or run.replay.invalid
    return 1 if invalid or failed else 0


def _follow(replay: Replay, record: Record, limit: float) -> Verdict:
    """Wait for the Pods; give how that ended."""
    end = limit or float("inf")
    tick = save = 0.0
    while not replay.reached:
        if replay.elapsed >= end:
            return "deadline"
        if replay.elapsed >= tick:
            record.tick()
            tick = replay.elapsed + _TICK
        if replay.elapsed >= save:
            record.save()
            save = replay.elapsed + _SAVE
        replay.wait(min(replay.elapsed + _GLANCE, tick, save, end) - replay.elapsed)
    replay.submitter.finish()  # an answer may come later than the Pod is ready
    return "reached"


def _leave(connection: Connection, site: Site, *, clean: bool) -> None:
    """Delete the namespace, or say how."""
    name = safe_text(site.namespace)
    if not clean:
        command = shlex.join(["kubectl", "delete", "namespace", site.namespace])
        print(f"namespace {name} stays: {safe_text(command)}", file=sys.stderr)
        return
    try:
        gone = remove_site(connection, site)
    except C9sError as error:
        print(f"warning: namespace {name} stays: {safe_text(error.message)}", file=sys.stderr)
        return
    words = "is being deleted" if gone else "is not ours any more and stays as it is"
    print(f"namespace {name} {words}", file=sys.stderr)
