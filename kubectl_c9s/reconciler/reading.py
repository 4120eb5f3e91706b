"""From a diagnosis to the rows and words of a status (policy.md "Reporting")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.diagnosis.blockers import blockers
from kubectl_c9s.resources.moments import text_of
from kubectl_c9s.rollout.policyfacts import BlockerRow, HostRow, HostVerdict, Start

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.report import Diagnosis, Entry

_LOUD: Final = ("stuck", "config", "slow")
_HOST_VERDICTS: Final[dict[str, HostVerdict]] = {"stuck": "stalled", "slow": "slow"}


class Reading(NamedTuple):
    """What a diagnosis says, in the form of a status."""

    start: Start
    blockers: tuple[BlockerRow, ...]
    hosts: tuple[HostRow, ...]


def read(diagnosis: Diagnosis) -> Reading:
    """Take out of a diagnosis what a status tells."""
    return Reading(_start(diagnosis), tuple(_blockers(diagnosis)), tuple(_hosts(diagnosis)))


def _start(diagnosis: Diagnosis) -> Start:
    first = next((one for one in diagnosis.entries if one.state != "note"), None)
    if first is None:
        return Start(diagnosis.verdict)
    blamed = first.objects[0].full_name if first.objects else ""
    return Start(diagnosis.verdict, first.code, blamed, first.blocks)


def _blockers(diagnosis: Diagnosis) -> list[BlockerRow]:
    """Give those that stand in the way of others and for which there is a cause; each once, the oldest first."""
    world = diagnosis.world
    causes: dict[str, tuple[Entry, float | None]] = {}
    for entry in diagnosis.entries:
        if entry.state in _LOUD:
            for finding in entry.findings:
                causes.setdefault(finding.unit, (entry, finding.since))
    found: dict[str, BlockerRow] = {}
    for one in blockers(world):
        if one.unit in causes and one.unit not in found:
            entry, since = causes[one.unit]
            moment = "" if since is None else text_of(since)
            row = BlockerRow(one.ref.full_name, entry.code, one.barrier, moment, entry.blocks)
            found[one.unit] = row
    return sorted(found.values(), key=lambda row: (row.since or "9", row.workload))


def _hosts(diagnosis: Diagnosis) -> list[HostRow]:
    world = diagnosis.world
    worst = _worst(diagnosis)
    cap = world.snapshot.per_host
    return [
        HostRow(
            host,
            len(count.booting),
            len(count.queued),
            len(count.started),
            cap,
            worst.get(host, "healthy"),
        )
        for host, count in sorted(world.host_gate.hosts.items())
    ]


def _worst(diagnosis: Diagnosis) -> dict[str, HostVerdict]:
    """Give the verdict of each host that has a Pod for which there is a cause."""
    found: dict[str, HostVerdict] = {}
    for entry in diagnosis.entries:
        verdict = _HOST_VERDICTS.get(entry.state)
        if verdict is None:
            continue
        for finding in entry.findings:
            for pod in diagnosis.world.pods_of(finding.unit):
                if pod.host and found.get(pod.host) != "stalled":
                    found[pod.host] = verdict
    return found
