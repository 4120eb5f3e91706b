"""Of the causes that fit one workload: which one is its cause (causes.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.finding import STATES
from kubectl_c9s.resources.causes import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.diagnosis.finding import Finding


def choose(findings: Iterable[Finding]) -> Finding | None:
    """Take the first that is reported; ``findings`` come in the order of the table.

    What is quiet is no entry, so it does not hide a lower row that has something to show: a host that fell silent
    ten seconds ago is not why a network plugin has refused a sandbox for ten minutes. But it explains what has no
    explanation of its own, and a Pod that is paced has no cause at all (row 2).
    """
    first = None
    for one in findings:
        if one.state != "quiet" and (first is None or not _is_guess(one)):
            return one
        first = first or one
        if one.code == "pacer-down":
            break
    return first


def _is_guess(finding: Finding) -> bool:
    """Tell whether a cause only says that nothing else was found."""
    return finding.code == "no-pod-unknown" or finding.sub == "unexplained"


def first_of_each(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Keep the cause with the lowest number of each unit, what is quiet only if there is nothing else."""
    best: dict[str, Finding] = {}
    for one in findings:
        known = best.get(one.unit)
        if known is None or _rank(one) < _rank(known):
            best[one.unit] = one
    yield from best.values()


def _rank(finding: Finding) -> tuple[bool, int]:
    return finding.state == "quiet", NUMBERS[finding.code]


def merge(findings: Iterable[Finding]) -> Finding | None:
    """Make one of several findings of a code about one workload: of the gravest state, with the objects of all."""
    ranked = sorted(findings, key=lambda one: STATES.index(one.state))
    if not ranked:
        return None
    alike = [one for one in ranked if one.state == ranked[0].state]
    known = [one.since for one in alike if one.since is not None]
    return ranked[0]._replace(
        objects=tuple(dict.fromkeys(ref for one in alike for ref in one.objects)),
        evidence=tuple(dict.fromkeys(said for one in alike for said in one.evidence)),
        since=min(known) if known else None,
    )
