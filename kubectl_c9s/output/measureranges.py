"""Plots of figures side by side: the distribution of each stage, and how two sides of a comparison lie."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.measuretables import seconds
from kubectl_c9s.output.svgplots import TICKS, picture, round_step, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kubectl_c9s.measurement.compare import Compared
    from kubectl_c9s.measurement.stages import Clock, StageTiming

_WIDTH: Final = 760
_LABEL: Final = 176
_FIGURES: Final = 150
_PLOT: Final = _WIDTH - _LABEL - _FIGURES
_ROW: Final = 22
_TOP: Final = 44
_FOOT: Final = 24
_COLUMNS: Final = (_WIDTH - 72, _WIDTH - 6)
"""Right edges of the figures beside the plot."""


def stages_plot(name: str, title: str, stages: Iterable[StageTiming], clock: Clock) -> str:
    """Draw each stage as a line from its shortest to its longest, a bar from the median to p95."""
    rows = [one for one in stages if one.by(clock).seconds.count]
    if not rows:
        return ""
    longest = max(one.by(clock).seconds.max or 0.0 for one in rows) or 1.0
    body = chain(
        _axis(longest, len(rows)),
        (_head(x, word) for x, word in zip(_COLUMNS, ("median", "p95"), strict=True)),
        *(_stage(index, one, clock, longest) for index, one in enumerate(rows)),
    )
    told = (
        f"For each stage by {clock} times a line from the shortest to the longest, and a bar from the median to "
        "the 95th percentile. Stages overlap between devices."
    )
    return _framed(name, f"{title}, {clock}", told, len(rows), body)


def sides_plot(name: str, title: str, figures: Sequence[Compared]) -> str:
    """Draw the range of each figure on both sides, one above the other; A is the upper one."""
    if not figures:
        return ""
    longest = max(max(one.a.high, one.b.high) for one in figures) or 1.0
    body = chain(
        _axis(longest, len(figures)),
        [_head(_COLUMNS[0], "B less A"), *(_key(*key) for key in zip((0, 40), "AB", strict=True))],
        *(_sides(index, one, longest) for index, one in enumerate(figures)),
    )
    told = "For each stage the range of the runs of side A, above, and of side B, below; a dot is the median run."
    return _framed(name, title, told, len(figures), body)


def _framed(name: str, title: str, told: str, rows: int, body: Iterable[str]) -> str:
    head = f'<text class="title" x="0" y="14">{text(title)}</text>'
    inside = f'<g transform="translate(0,{_TOP})">{"".join(body)}</g>'
    return picture(name, title, told, (_WIDTH, _TOP + rows * _ROW + _FOOT), [head, inside])


def _head(x: float, word: str) -> str:
    return f'<text class="faint" x="{x}" y="-8" text-anchor="end">{word}</text>'


def _key(x: int, side: str) -> str:
    name, at = f"side-{side.lower()}", _LABEL + x
    return f'<circle class="{name}" cx="{at}" cy="-12" r="3.5"/><text x="{at + 8}" y="-8">{side}</text>'


def _axis(longest: float, rows: int) -> Iterator[str]:
    step, bottom = round_step(longest / TICKS), rows * _ROW
    for number in range(int(longest / step) + 1):
        x = _x(number * step, longest)
        yield f'<path class="grid" d="M{x:.1f} 0V{bottom}"/>'
        yield f'<text class="faint" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{number * step:g} s</text>'


def _x(value: float, longest: float) -> float:
    return _LABEL + _PLOT * value / longest


def _stage(index: int, one: StageTiming, clock: Clock, longest: float) -> Iterator[str]:
    found, y = one.by(clock).seconds, index * _ROW + _ROW / 2
    low, middle, high, most = (
        _x(value or 0.0, longest) for value in (found.min, found.p50, found.p95, found.max)
    )
    yield f'<text x="{_LABEL - 8}" y="{y + 4:g}" text-anchor="end">{text(one.name)}</text>'
    yield f'<path class="whisker" d="M{low:.1f} {y:g}H{most:.1f}"/>'
    yield f'<path class="box {one.group}" d="M{middle:.1f} {y - 6:g}H{max(high, middle + 1):.1f}v12H{middle:.1f}z"/>'
    yield f'<path class="middle" d="M{middle:.1f} {y - 8:g}v16"/>'
    figures = zip(_COLUMNS, (found.p50, found.p95), strict=True)
    for x, value in figures:
        yield f'<text class="figure" x="{x}" y="{y + 4:g}" text-anchor="end">{seconds(value, clock)}</text>'


def _sides(index: int, one: Compared, longest: float) -> Iterator[str]:
    y = index * _ROW + _ROW / 2
    yield f'<text x="{_LABEL - 8}" y="{y + 4:g}" text-anchor="end">{text(one.name)}</text>'
    for name, side, up in (("side-a", one.a, -4), ("side-b", one.b, 4)):
        low, middle, high = (_x(max(at, 0.0), longest) for at in (side.low, side.value, side.high))
        yield f'<path class="{name}" d="M{low:.1f} {y + up:g}H{high:.1f}"/>'
        yield f'<circle class="{name}" cx="{middle:.1f}" cy="{y + up:g}" r="3.5"/>'
    clock = one.clock or "observed"
    sign = "+" if round(one.difference, 2) > 0 else ""
    yield (
        f'<text class="figure {one.verdict}" x="{_COLUMNS[0]}" y="{y + 4:g}" text-anchor="end">'
        f"{sign}{seconds(one.difference, clock)}</text>"
    )
    yield f'<text class="figure {one.verdict}" x="{_COLUMNS[0] + 10}" y="{y + 4:g}">{one.verdict}</text>'
