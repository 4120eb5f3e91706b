"""Timelines of a simulation as small charts of text: a row for each count, high and low by blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.simulation import title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.resources.simulated import Moment, Simulation

SHOWN: Final = ("created", "admitted", "pods", "sandboxes", "booting", "queued", "started", "ready")
_BLOCKS: Final = " ▁▂▃▄▅▆▇█"


def plot_lines(found: Simulation) -> Iterator[str]:
    """Give a chart for each combination; all share one scale of time, so that lengths compare."""
    longest = max((one.timeline[-1].seconds for one in found.combinations), default=0.0)
    for number, one in enumerate(found.combinations):
        if number:
            yield "\n"
        end = one.until["ready"]
        yield f"{title(one)}: {f'{end.middle:.1f} s' if end else 'never'}\n"
        columns = _columns(one.timeline, longest)
        for name in SHOWN:
            values = [getattr(moment, name) for moment in columns]
            peak = max((getattr(moment, name) for moment in one.timeline), default=0)
            if peak:
                yield f"  {name:<9} {_row(values, peak)} {peak}\n"
        yield f"  {'seconds':<9} 0{longest:>{len(_WIDTH)}.0f}\n"


_WIDTH: Final = range(60)


def _columns(timeline: Sequence[Moment], longest: float) -> list[Moment]:
    """Give the moment that each column shows: the last one not later than its end; none behind the end."""
    found, index = [], 0
    for column in _WIDTH:
        until = longest * (column + 1) / len(_WIDTH)
        while index + 1 < len(timeline) and timeline[index + 1].seconds <= until:
            index += 1
        found.append(timeline[index])
        if timeline[index] is timeline[-1]:
            break
    return found


def _row(values: Sequence[int], peak: int) -> str:
    top = len(_BLOCKS) - 1
    cells = (_BLOCKS[-(-value * top // peak)] for value in values)
    return "".join(cells).ljust(len(_WIDTH))
