"""Timelines of a simulation as one SVG picture that needs nothing else, for light and dark surroundings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from kubectl_c9s.output.simulation import title
from kubectl_c9s.output.svgplots import count_axis, legend, line, time_axis

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.resources.simulated import Combination, Moment, Simulation

# Name, class: told apart by dashes as well as by colour.
_LINES: Final = ("admitted", "sandboxes", "started", "ready", "booting", "queued")
_STYLE: Final = """
svg { color-scheme: light dark; background: #ffffff; font: 12px system-ui, sans-serif; }
text { fill: #1f2328; }
.faint { fill: #59636e; }
.grid { stroke: #d1d9e0; stroke-width: 1; }
path { fill: none; stroke-width: 2; stroke-linejoin: round; }
.admitted { stroke: #6e7781; stroke-dasharray: 2 3; }
.sandboxes { stroke: #0969da; }
.started { stroke: #9a6700; stroke-dasharray: 7 3; }
.ready { stroke: #1a7f37; stroke-width: 3; }
.booting { stroke: #cf222e; stroke-dasharray: 4 2; }
.queued { stroke: #8250df; stroke-dasharray: 1 3; }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; }
  text { fill: #e6edf3; }
  .faint { fill: #9198a1; }
  .grid { stroke: #3d444d; }
  .admitted { stroke: #9198a1; }
  .sandboxes { stroke: #58a6ff; }
  .started { stroke: #d29922; }
  .ready { stroke: #3fb950; }
  .booting { stroke: #f85149; }
  .queued { stroke: #bc8cff; }
}
"""
_WIDTH: Final = 760
_LEFT: Final = 60
_RIGHT: Final = 20
_PANEL: Final = 190
_PLOT: Final = 130
_TOP: Final = 70
_LEGEND: Final = 42


def svg_text(found: Simulation) -> str:
    """Give the picture: a panel for each combination, all on one scale of time."""
    height = _TOP + _PANEL * max(len(found.combinations), 1)
    return "".join(_parts(found, height))


def _parts(found: Simulation, height: int) -> Iterator[str]:
    longest = max((one.timeline[-1].seconds for one in found.combinations), default=0.0) or 1.0
    heading = escape(f"{found.devices} devices on {found.hosts} hosts: forecast")
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">\n'
    yield f"<title>{heading}</title>\n<style>{_STYLE}</style>\n"
    yield f'<text x="{_LEFT}" y="22" font-size="15">{heading}</text>\n'
    yield from legend(_LINES, _LEFT, _LEGEND, 110)
    for number, one in enumerate(found.combinations):
        yield f'<g transform="translate({_LEFT},{_TOP + number * _PANEL})">\n'
        yield from _panel(one, longest, found.devices)
        yield "</g>\n"
    yield "</svg>\n"


def _panel(one: Combination, longest: float, devices: int) -> Iterator[str]:
    width = _WIDTH - _LEFT - _RIGHT
    end = one.until["ready"]
    outcome = f"{end.middle:.1f} s" if end else "never"
    yield f'<text x="0" y="-6">{escape(title(one))}: {outcome}</text>\n'
    highest = max([devices, 1, *(max(moment[1:]) for moment in one.timeline)])
    yield from count_axis(width, _PLOT, highest)
    yield from time_axis(width, _PLOT, longest)
    for name in _LINES:
        path = _path(one.timeline, name, width / longest, _PLOT / highest)
        if any(getattr(moment, name) for moment in one.timeline):
            yield f'<path class="{name}" d="{path}"><title>{name}</title></path>\n'


def _path(timeline: Sequence[Moment], name: str, wide: float, high: float) -> str:
    return line(
        (moment.seconds * wide, _PLOT - getattr(moment, name) * high) for moment in timeline
    )
