"""Plots of a start over time: milestones, Pods as they came, and what was going on at once."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.svgplots import (
    count_axis,
    legend,
    line,
    picture,
    text,
    time_axis,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kubectl_c9s.measurement.arrivals import Arrivals, Progress
    from kubectl_c9s.measurement.batches import Batches
    from kubectl_c9s.measurement.hosttimes import Timelines
    from kubectl_c9s.measurement.stages import Clock

WIDTH: Final = 760
LEFT: Final = 56
RIGHT: Final = 24
_TOP: Final = 46
_HEIGHT: Final = 230
_LOW: Final = 120
_FOOT: Final = 26
_DRAWN: Final[tuple[str, ...]] = (
    "created",
    "admitted",
    "deployment",
    "pod",
    "sandbox",
    "started",
    "ready",
)
_NUMBERED: Final = 40
_PLOT: Final = WIDTH - LEFT - RIGHT


def progress_plot(name: str, went: Progress, clock: Clock, found: Batches | None) -> str:
    """Draw how many devices had reached each milestone; batches are marked by bands behind it."""
    lines = {one: (0, *went.reached[one]) for one in _DRAWN if one in went.reached}
    longest = went.width * max(len(counts) - 1 for counts in lines.values()) if lines else 1.0
    highest = max(max(counts) for counts in lines.values()) if lines else 1
    body = chain(
        legend(list(lines), 0, -16),
        _bands(found, longest, _HEIGHT),
        _axes(_HEIGHT, longest, highest),
        _lines(lines, went.width, longest, highest, _HEIGHT),
    )
    told = f"Devices that had reached each milestone, by {clock} times, over {longest:g} seconds since {went.origin}."
    return _framed(name, f"Progress by {clock} times", told, _HEIGHT, body)


def arrivals_plot(name: str, came: Arrivals, clock: Clock, found: Batches | None) -> str:
    """Draw the Pods of each bin as bars."""
    highest, longest = max(came.bins), came.width * len(came.bins)
    wide = _PLOT / len(came.bins)
    bars = "".join(
        f"M{index * wide:.1f} {_LOW}V{_LOW - _LOW * count / highest:.1f}h{max(wide - 1, 0.6):.1f}V{_LOW}"
        for index, count in enumerate(came.bins)
        if count
    )
    body = chain(
        _bands(found, longest, _LOW),
        _axes(_LOW, longest, highest),
        [f'<path class="bars" d="{bars}"/>'],
    )
    told = f"Pods made in each {came.width:g} s by {clock} times: {came.pods}, at most {came.peak:.1f} a second."
    return _framed(name, f"Pods that came in each {came.width:g} s, {clock}", told, _LOW, body)


def crowd_plot(name: str, all_hosts: Timelines) -> str:
    """Draw how many Pods of all hosts booted, waited for a slot, had started, were ready."""
    seen = all_hosts.seen
    if seen is None:
        return ""
    lines = {one: getattr(seen, one) for one in ("started", "ready", "queued", "booting")}
    longest = all_hosts.width * len(seen.ready)
    highest = max([1, *(max(counts) for counts in lines.values())])
    body = chain(
        legend(list(lines), 0, -16),
        _axes(_LOW, longest, highest),
        _lines(lines, all_hosts.width, longest, highest, _LOW, 0.5),
    )
    most = max(seen.booting)
    told = f"Pods of all hosts by state, observed over {longest:g} seconds; at most {most} booted at once."
    return _framed(name, "At once on all hosts, observed", told, _LOW, body)


def _framed(name: str, title: str, told: str, height: int, body: Iterable[str]) -> str:
    head = f'<text class="title" x="0" y="14">{text(title)}</text>'
    inside = f'<g transform="translate({LEFT},{_TOP})">{"".join(body)}</g>'
    return picture(name, title, told, (WIDTH, _TOP + height + _FOOT), [head, inside])


def _axes(height: int, longest: float, highest: int) -> Iterator[str]:
    yield from count_axis(_PLOT, height, max(highest, 1))
    yield from time_axis(_PLOT, height, longest)


def _lines(
    lines: Mapping[str, Sequence[int]],
    width: float,
    longest: float,
    highest: int,
    height: int,
    middle: float = 0.0,
) -> Iterator[str]:
    """Draw counts; each is put so many bins behind the beginning of its own."""
    wide, high = _PLOT / longest, height / max(highest, 1)
    for name, counts in lines.items():
        points = _bends(
            [
                ((index + middle) * width * wide, height - count * high)
                for index, count in enumerate(counts)
            ]
        )
        yield f'<path class="{name}" d="{line(points)}"><title>{name}</title></path>\n'


def _bends(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Leave out points on a level with both neighbours."""
    inner = zip(points, points[1:], points[2:], strict=False)
    kept = [here for before, here, after in inner if not before[1] == here[1] == after[1]]
    return [points[0], *kept, points[-1]] if len(points) > 1 else list(points)


def _bands(found: Batches | None, longest: float, height: int) -> Iterator[str]:
    """Mark each batch from its first to its last device, and number it where there is room."""
    if found is None:
        return
    step = max(1, len(found.batches) // _NUMBERED + 1)
    for index, batch in enumerate(found.batches, 1):
        x = max(batch.first, 0.0) * _PLOT / longest
        wide = max((batch.last - batch.first) * _PLOT / longest, 2.0)
        yield (
            f'<path class="band" d="M{x:.1f} 0h{wide:.1f}V{height}h-{wide:.1f}z">'
            f"<title>batch {index}: {batch.devices} devices</title></path>"
        )
        if index % step == 0:
            yield f'<text class="tiny" x="{x + wide / 2:.1f}" y="9" text-anchor="middle">{index}</text>'
