"""``status --watch`` and ``--for``: drawn anew on a terminal, appended in a pipe, events as JSON lines."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.connecting import connect, only_namespace
from kubectl_c9s.cli.dumps import Taken, check_seen
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.status import tree_of
from kubectl_c9s.cluster.capture import RESOURCES
from kubectl_c9s.cluster.following import Follower
from kubectl_c9s.cluster.recording import Feed
from kubectl_c9s.cluster.serverclock import ServerClock
from kubectl_c9s.diagnosis.dump import FIELDS, dump_of
from kubectl_c9s.diagnosis.place import find_place
from kubectl_c9s.output.status import changes, lines, summary
from kubectl_c9s.output.structured import json_line
from kubectl_c9s.resources.errors import Undecided, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.live import Live


_CALM: Final = (
    0.5  # seconds between two drawings at least; a drawing costs the diagnosis of everything
)
_PULSE: Final = 5.0  # ages and verdicts change by themselves, too
_AHEAD: Final = 4.0  # times its own cost a drawing waits


def follow(flags: Mapping[str, Any], name: str | None, given: dict[str, Any], limit: float) -> int:
    """Show every change until the goal is reached, the start is stalled, or the time is over."""
    connection = connect(flags)
    namespace = only_namespace(flags)
    follower = Follower(
        connection,
        [Feed(resource, FIELDS[resource.full_name][1]) for resource in RESOURCES],
        namespace,
    )
    click.get_current_context().call_on_close(follower.stop)
    follower.start()
    check_seen(follower.now())
    print_notes(follower.unseen.values())
    clock = ServerClock(connection)
    end = time.monotonic() + limit if limit else float("inf")
    view = _View(given["output"])
    goal = given["goal"]
    with view:
        seen = -1
        while True:
            begun = time.monotonic()
            dump = dump_of(follower.now(), namespace)
            place = find_place(dump, flags.get("manager_namespace"))
            tree = _tree(Taken(dump, place, clock.now()), name, goal or "ready")
            view.show(tree)
            if goal and tree["labs"] and tree["reached"]:
                return 0
            if goal and tree["verdict"] == "stalled":
                return 1
            if time.monotonic() >= end:
                return _out_of_time(goal, tree)
            pause = max(_CALM, _AHEAD * (time.monotonic() - begun))
            time.sleep(min(pause, max(0.0, end - time.monotonic())))
            seen = follower.wait(seen, min(_PULSE, max(0.0, end - time.monotonic())))


def _tree(taken: Taken, name: str | None, goal: str) -> dict[str, Any]:
    """Give the tree; a lab that is not there yet may still come."""
    try:
        return tree_of(taken, name, goal)
    except UsageError:
        return tree_of(taken, None, goal) | {"labs": [], "reached": False}


def _out_of_time(goal: str | None, tree: dict[str, Any]) -> int:
    if goal is None:
        return 0
    raise Undecided(f"not {goal} in time: {summary(tree)}")


class _View:
    """Where the tree goes: a terminal, where it is drawn over; a pipe, where lines are appended; JSON lines."""

    def __init__(self, form: str) -> None:
        self._form = form
        self._live: Live | None = None
        self._before: dict[str, str] = {}
        self._last = ""
        self._tree: dict[str, Any] | None = None

    def __enter__(self) -> None:
        if self._form == "tree" and sys.stdout.isatty():
            from rich.console import Console  # noqa: PLC0415 - only at a terminal
            from rich.live import Live  # noqa: PLC0415 - only at a terminal

            console = Console(highlight=False, markup=False, emoji=False)
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()

    def __exit__(self, *exc: object) -> None:
        """Leave the last tree behind, and the cursor as it was."""
        if self._live is not None:
            self._live.stop()
            if self._tree is not None:
                sys.stdout.writelines(f"{line}\n" for line in lines(self._tree))
        if self._tree is not None and self._form == "jsonl":
            verdict = {
                key: self._tree[key] for key in ("at", "verdict", "primaryCause", "reached", "goal")
            }
            sys.stdout.write(json_line({"type": "end"} | verdict))
        sys.stdout.flush()

    def show(self, tree: dict[str, Any]) -> None:
        """Show a tree."""
        self._tree = tree
        if self._form == "jsonl":
            self._before, events = changes(self._before, tree)
            for event in events:
                sys.stdout.write(json_line(event))
        elif self._live is not None:
            from rich.text import Text  # noqa: PLC0415 - only at a terminal

            height = shutil.get_terminal_size().lines
            room = max(1, (height - 2) // max(1, len(tree["labs"])) - 2)
            shown = list(lines(tree, room))
            self._live.update(Text("\n".join(shown[-height:])), refresh=True)
        elif (line := summary(tree)) != self._last:
            self._last = line
            sys.stdout.write(f"{tree['at']} {line}\n")
        sys.stdout.flush()
