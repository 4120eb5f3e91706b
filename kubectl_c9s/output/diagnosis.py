"""A diagnosis for people: the verdict first, then causes with evidence and remedy, then the counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Iterator

_OBJECTS: Final = 5
_EVIDENCE: Final = 3
_BLOCKERS: Final = 10
_VERDICTS: Final = {
    "stalled": "STALLED: the start does not go on by itself",
    "misconfigured": "MISCONFIGURED: something is set where it has no effect",
    "slow": "SLOW: something takes long and may still go on",
    "healthy": "HEALTHY: nothing stands in the way",
}
_STATES: Final = {
    "stuck": "stuck",
    "config": "set wrong",
    "slow": "slow",
    "waits": "waiting",
    "note": "note",
}


def lines(report: dict[str, Any]) -> Iterator[str]:
    """Give the lines."""
    yield f"{_VERDICTS[report['verdict']]} (at {report['at']})"
    for cause in report["causes"]:
        yield ""
        yield from _cause(cause)
    if report["blockers"]:
        yield ""
        yield from _blockers(report["blockers"])
    yield ""
    yield from _counts(report)
    if report["notCollected"]:
        yield f"not looked at: {safe_text(', '.join(report['notCollected']))}; what they could tell is left open"


def name_of(obj: dict[str, str]) -> str:
    """Name an object as kubectl would: ``node.c9s.run/lab/r1``, ``pod/lab/x``, ``node/host``."""
    group = obj["apiVersion"].rpartition("/")[0]
    kind = obj["kind"].lower() + (f".{group}" if group and group != "apps" else "")
    place = f"{obj['namespace']}/" if obj.get("namespace") else ""
    return safe_text(f"{kind}/{place}{obj['name']}")


def _cause(cause: dict[str, Any]) -> Iterator[str]:
    sub = f" ({safe_text(cause['sub'])})" if cause.get("sub") else ""
    scope = "" if cause["scope"] == ["info"] else f", holds up {' and '.join(cause['scope'])}"
    blocks = f", {cause['blocks']} workload(s) wait" if cause["blocks"] else ""
    since = f", since {cause['since']}" if cause["since"] else ""
    yield f"{cause['code']}{sub}: {_STATES[cause['state']]}{scope}{blocks}{since}"
    if cause["objects"]:
        yield f"  {some(map(name_of, cause['objects']), _OBJECTS)}"
    for evidence in cause["evidence"][:_EVIDENCE]:
        times = f" ({evidence['count']} times)" if evidence["count"] > 1 else ""
        when = f" [{evidence['time']}]" if evidence["time"] else ""
        yield f"  seen: {safe_text(evidence['text'])}{times}{safe_text(when)}"
    if len(cause["evidence"]) > _EVIDENCE:
        yield f"  and {len(cause['evidence']) - _EVIDENCE} more; -o json has them all"
    remedy = cause["remedy"]
    if remedy:
        yield f"  remedy ({remedy['risk']}): {remedy['text']}"
        for command in remedy["commands"]:
            yield f"    {safe_text(command)}"


def _blockers(blockers: list[dict[str, Any]]) -> Iterator[str]:
    yield "blockers:"
    for one in blockers[:_BLOCKERS]:
        yield f"  {safe_text(one['barrier'])}: {safe_text(one['text'])}"
    if len(blockers) > _BLOCKERS:
        yield f"  and {len(blockers) - _BLOCKERS} more; -o json has them all"


def _counts(report: dict[str, Any]) -> Iterator[str]:
    counts = report["counts"]["global"]
    numbers = ", ".join(
        f"{counts[key]} {key}" for key in ("admitted", "blocking", "pending", "held")
    )
    yield f"global batch {counts['limit'] or 'off'}: {numbers}"
    for name, one in report["counts"]["topologies"].items():
        if one["heldNodes"] or not one["complete"]:
            text = f"Topology {name}: {one['nodes']} of {one['expected']} Nodes, {one['heldNodes']} held"
            yield safe_text(text)
    hosts = report["counts"]["hosts"]
    busy = {host: one for host, one in hosts.items() if one["booting"] or one["queued"]}
    for host, one in busy.items():
        limit = one["limit"] or "off"
        numbers = ", ".join(f"{one[key]} {key}" for key in ("booting", "queued", "started"))
        yield f"host {safe_text(host)}: {numbers}, limit {limit}"
