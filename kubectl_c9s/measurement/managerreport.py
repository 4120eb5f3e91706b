"""The report of a manager's metrics: figures, and judgements in words (config-and-chart.md §5).

From two scrapes come rates; when the process restarted in between they are void, and what the last scrape says of the
moment is reported all the same.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from kubectl_c9s.measurement.managerjudge import Judgement, Moments, Unjudged, judge
from kubectl_c9s.measurement.managermetrics import RECONCILES
from kubectl_c9s.measurement.managerreading import figures_of
from kubectl_c9s.measurement.managerrules import SHORTEST
from kubectl_c9s.measurement.metrics import START, Scrape, Void, delta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.managerfigures import Figures

KIND: Final = "DiagnosticsReport"
FORMAT: Final = 1
SINGLE: Final = "there is only one scrape, and rates want two"


class Facts(msgspec.Struct, rename="camel", frozen=True, kw_only=True):
    """What is known besides the scrapes. ``source`` is what the user named; ``elapsed`` seconds lie between the two.

    ``restarts`` and ``leader_changes`` are how often the container restarted and leadership moved meanwhile; None when
    nobody looked. ``notes`` say what was missing or wrong.
    """

    source: str
    pod: str = ""
    image: str = ""
    image_id: str = ""
    taken: str = ""
    elapsed: float | None = None
    restarts: int | None = None
    leader_changes: int | None = None
    notes: tuple[str, ...] = ()


class Report(msgspec.Struct, rename="camel", frozen=True, kw_only=True):
    """What one capture shows. ``void`` says why there are no rates, empty when there are."""

    format: Literal[1] = FORMAT
    kind: Literal["DiagnosticsReport"] = KIND
    facts: Facts
    void: str
    figures: Figures
    judgements: tuple[Judgement, ...]
    unjudged: tuple[Unjudged, ...]
    notes: tuple[str, ...]

    @property
    def warned(self) -> bool:
        """Tell whether a judgement is a warning."""
        return any(one.level == "warning" for one in self.judgements)


def report_of(before: Scrape | None, after: Scrape, facts: Facts) -> Report:
    """Report on two scrapes of a manager, or on one (``before`` is None); ``after`` is the newer one."""
    risen = Void(SINGLE) if before is None else delta(before, after)
    restarts = facts.restarts if before is None else _restarts(before, risen, facts.restarts)
    void = _void(risen, facts) if before is not None else SINGLE
    rose = Scrape() if void or isinstance(risen, Void) else risen
    figures = figures_of(after, rose, facts.elapsed)
    judgements, unjudged = judge(
        figures, after, Moments(void, restarts, facts.leader_changes, before is not None)
    )
    return Report(
        facts=facts,
        void=void,
        figures=figures,
        judgements=tuple(judgements),
        unjudged=tuple(unjudged),
        notes=(*facts.notes, *_notes(after, facts, void)),
    )


def _restarts(before: Scrape, risen: Scrape | Void, told: int | None) -> int | None:
    """Give what the Pod tells, or what the scrapes do; None when neither does."""
    if isinstance(risen, Void):
        return max(told or 0, 1)
    return 0 if told is None and before.has(START) else told


def _void(risen: Scrape | Void, facts: Facts) -> str:
    if isinstance(risen, Void):
        return risen.reason
    if facts.restarts:
        return "the manager's container restarted between the scrapes"
    if facts.elapsed is None:
        return "it is not known how many seconds lie between the scrapes"
    if not math.isfinite(facts.elapsed) or facts.elapsed <= 0:
        return f"{facts.elapsed:g} seconds between the scrapes cannot be: a clock was set"
    return ""


def _notes(after: Scrape, facts: Facts, void: str) -> Iterator[str]:
    if not after.has(RECONCILES):
        yield f"there is no {RECONCILES}: no controller has begun, or this is not the manager that leads"
    if not void and facts.elapsed is not None and facts.elapsed < SHORTEST:
        yield f"{facts.elapsed:.1f} s lie between the scrapes: rates of less than {SHORTEST:.0f} s are rough"
