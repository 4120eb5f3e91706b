"""How full each host was over time, as a field of cells: a row for each host, darker where there is more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.measureplots import RIGHT, WIDTH
from kubectl_c9s.output.svgplots import picture, text, time_axis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kubectl_c9s.measurement.hosttimes import HostTimes, Timelines

LEVELS: Final = 6
MOST_ROWS: Final = 110
_NAMES: Final = 150
_PLOT: Final = WIDTH - _NAMES - RIGHT
_TOP: Final = 46
_FOOT: Final = 26
_TALL, _SMALL = 16, 9
_MANY: Final = 30
_LONGEST: Final = 22


def seen_heat(name: str, found: Timelines) -> str:
    """Draw how many Pods were seen to boot on each host."""
    rows = [(one, one.seen.booting) for one in found.hosts if one.seen]
    return _heat(name, "Boots at once on each host, observed", rows, found.seen_width)


def stamped_heat(name: str, found: Timelines) -> str:
    """Draw how many Pods of each host had been scheduled and were not yet ready, by stamps."""
    rows = [
        (
            one,
            [
                came - done
                for came, done in zip(one.stamped.scheduled, one.stamped.ready, strict=True)
            ],
        )
        for one in found.hosts
        if one.stamped
    ]
    return _heat(
        name, "Scheduled and not yet ready on each host, stamped", rows, found.stamped_width
    )


def _heat(
    name: str, title: str, rows: Sequence[tuple[HostTimes, Sequence[int]]], width: float
) -> str:
    most = max((max(counts, default=0) for _, counts in rows), default=0)
    if not most:
        return ""
    shown = _fullest(rows)
    more = f" (the {len(shown)} fullest of {len(rows)})" if len(shown) < len(rows) else ""
    tall = _TALL if len(shown) <= _MANY else _SMALL
    number = len(shown[0][1])
    parts = [f'<text class="title" x="0" y="14">{text(title + more)}</text>', *_key(most)]
    parts.append(f'<g transform="translate({_NAMES},{_TOP})">')
    parts += time_axis(_PLOT, tall * len(shown), width * number)
    parts += _names(shown, tall)
    parts += _cells([counts for _, counts in shown], _PLOT / number, tall, most)
    parts.append("</g>")
    told = f"{title}: a row for each of {len(shown)} hosts, {number} times of {width:g} seconds; at most {most}."
    size = (WIDTH, _TOP + tall * len(shown) + _FOOT)
    return picture(name, title, told, size, parts)


def _fullest(
    rows: Sequence[tuple[HostTimes, Sequence[int]]],
) -> list[tuple[HostTimes, Sequence[int]]]:
    """Give all rows, or of too many those with the highest counts, by name."""
    chosen = sorted(rows, key=lambda row: (-max(row[1], default=0), row[0].name))[:MOST_ROWS]
    return sorted(chosen, key=lambda row: row[0].name)


def level(count: int, most: int) -> int:
    """Give the shade of a count from 1 to LEVELS, 0 for none."""
    return -(-count * LEVELS // most) if count > 0 else 0


def _names(rows: Iterable[tuple[HostTimes, Sequence[int]]], tall: int) -> Iterator[str]:
    small = ' class="tiny"' if tall < _TALL else ""
    for index, (host, _) in enumerate(rows):
        name = host.name if len(host.name) <= _LONGEST else f"{host.name[: _LONGEST - 1]}…"
        y = index * tall + tall * 0.75
        yield f'<text{small} x="-8" y="{y:g}" text-anchor="end">{text(name)}</text>'


def _cells(rows: Sequence[Sequence[int]], wide: float, tall: int, most: int) -> Iterator[str]:
    """Draw the cells of each shade as one path: a thousand elements would make a page slow."""
    paths: dict[int, list[str]] = {}
    for index, counts in enumerate(rows):
        for begin, length, shade in _runs([level(count, most) for count in counts]):
            if shade:
                cells = f"M{begin * wide:.1f} {index * tall}h{length * wide:.1f}v{tall - 1}h-{length * wide:.1f}z"
                paths.setdefault(shade, []).append(cells)
    for shade, cells_of in sorted(paths.items()):
        yield f'<path class="heat h{shade}" d="{"".join(cells_of)}"/>'


def _runs(shades: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    begin = 0
    for index in range(1, len(shades) + 1):
        if index == len(shades) or shades[index] != shades[begin]:
            yield begin, index - begin, shades[begin]
            begin = index


def _key(most: int) -> Iterator[str]:
    """Say which counts each shade stands for; shades that no count has are left out."""
    x = float(_NAMES)
    for shade in range(1, LEVELS + 1):
        low, high = (shade - 1) * most // LEVELS + 1, shade * most // LEVELS
        if low > high:
            continue
        said = str(low) if low == high else f"{low}-{high}"
        yield f'<path class="heat h{shade}" d="M{x:g} 26h16v11h-16z"/><text x="{x + 20:g}" y="36">{said}</text>'
        x += 44 + 7 * len(said)
