"""Parts of plots as SVG: axes, lines, legends, and a picture with words for those who do not see it.

Colours and dashes are classes, so that a page or the picture's own style gives them for light, dark and paper.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TICKS: Final = 5
_UNDER: Final = 16
_LETTER, _LINE = 7.5, 44.0


def text(content: str) -> str:
    """Give untrusted text for an element or an attribute."""
    return escape(safe_text(content), {'"': "&quot;"})


def picture(name: str, title: str, told: str, size: tuple[int, int], body: Iterable[str]) -> str:
    """Give a whole picture of a size; ``name`` is its id on the page, ``told`` says in words what it shows."""
    width, height = size
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{text(title)}</title><desc id="{name}-d">{text(told)}</desc>'
        f"{''.join(body)}</svg>"
    )


def round_step(least: float) -> float:
    """Give 1, 2 or 5 times a power of ten, at least so much."""
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)


def count_axis(width: float, height: float, highest: int) -> Iterator[str]:
    """Draw lines for none, half and the highest count."""
    for value in (0, highest // 2, highest):
        y = height - height * value / highest
        yield f'<path class="grid" d="M0 {y:.1f}H{width}"/>'
        yield f'<text class="faint" x="-8" y="{y + 4:.1f}" text-anchor="end">{value}</text>\n'


def time_axis(width: float, height: float, longest: float) -> Iterator[str]:
    """Draw a line for each round number of seconds."""
    step = round_step(longest / TICKS)
    for number in range(int(longest / step) + 1):
        x = width * number * step / longest
        yield f'<path class="grid" d="M{x:.1f} 0V{height}"/><text class="faint" x="{x:.1f}" y="{height + _UNDER}" '
        yield f'text-anchor="middle">{number * step:g} s</text>\n'


def line(points: Iterable[tuple[float, float]]) -> str:
    """Give the path of a line through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def legend(
    names: Sequence[str], left: float, top: float, apart: float | None = None
) -> Iterator[str]:
    """Draw a short line of each class with its name, side by side, so far apart or as their names need."""
    x = left
    for name in names:
        yield (
            f'<path class="{name}" d="M{x:g} {top:g}h24"/>'
            f'<text x="{x + 30:g}" y="{top + 4:g}">{name}</text>\n'
        )
        x += apart or _LETTER * len(name) + _LINE
