"""What ``measure watch`` shows: progress on stderr, a bar on a terminal and lines elsewhere; the result on stdout."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from kubectl_c9s.measurement.runfile import write_run
from kubectl_c9s.output.startrun import end_event, progress_line, run_lines, sample_event
from kubectl_c9s.output.structured import json_line, structured

if TYPE_CHECKING:
    from kubectl_c9s.measurement.run import HostCount, Run, Sample

REDRAW: Final = 0.2
"""Seconds between two drawings at least: five a second (conventions.md §3)."""

_BAR: Final = 12  # columns; the words beside it matter more


class View:
    """Progress of a recording; ``goal`` is what the bar counts."""

    def __init__(self, goal: str, form: str) -> None:
        self._goal = goal
        self._form = form
        self._bar: Any = None
        self._task: Any = None
        self._drawn = 0.0

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console  # noqa: PLC0415 - only at a terminal
            from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415 - likewise
            from rich.table import Column  # noqa: PLC0415 - likewise

            console = Console(stderr=True, highlight=False, markup=False, emoji=False)
            line = Column(no_wrap=True)
            text = TextColumn("{task.description}", markup=False, table_column=line)
            bar = BarColumn(bar_width=_BAR)
            self._bar = Progress(bar, text, console=console, auto_refresh=False, transient=True)
            self._task = self._bar.add_task("", total=None)
            self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def pulse(self) -> float:
        """Give the seconds after which it wants to be shown anew."""
        return REDRAW if self._bar is not None else 1.0

    def show(self, elapsed: float, total: HostCount, expected: int) -> None:
        """Draw the bar, unless it has just been drawn."""
        now = time.monotonic()
        if self._bar is None or now - self._drawn < REDRAW:
            return
        self._drawn = now
        self._bar.update(
            self._task,
            description=progress_line(elapsed, total, expected),
            total=expected or None,
            completed=min(getattr(total, self._goal), expected),
        )
        self._bar.refresh()

    def sample(self, sample: Sample, total: HostCount, expected: int) -> None:
        """Show a sample: an event on stdout, and a line where there is no bar."""
        if self._form == "jsonl":
            sys.stdout.write(json_line(sample_event(sample)))
            sys.stdout.flush()
        if self._bar is None:
            print(progress_line(sample.elapsed, total, expected), file=sys.stderr)


def write_result(run: Run, form: str) -> None:
    """Write a run to stdout."""
    if form in {"json", "yaml"}:
        sys.stdout.write(structured(msgspec.json.decode(write_run(run)), form))
    elif form == "jsonl":
        sys.stdout.write(json_line(end_event(run)))
    else:
        sys.stdout.writelines(f"{line}\n" for line in run_lines(run))
    sys.stdout.flush()
