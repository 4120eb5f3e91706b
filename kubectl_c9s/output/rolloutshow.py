"""The report of ``rollout show`` as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN: Final = 5


def lines(report: dict[str, Any]) -> Iterator[str]:
    """Give the lines; each part that the report has, in its order."""
    if config := report.get("config"):
        yield from _config(config)
    for topology in report.get("topologies", ()):
        yield from _topology(topology)
    if hosts := report.get("hosts"):
        yield ""
        rows = [("HOST", "BOOTING", "QUEUED", "STARTED", "LIMIT")]
        for host, count in hosts.items():
            booting, queued, started = (str(count[key]) for key in ("booting", "queued", "started"))
            rows.append((safe_text(host), booting, queued, started, _limit(count["limit"])))
        yield from columns(rows)
    if orphans := report.get("orphanBoots"):
        yield f"nobody is granted a slot while Pods of unknown Nodes boot: {_some(orphans)}"


def _config(config: dict[str, Any]) -> Iterator[str]:
    yield f"Config in {safe_text(config['namespace'])}: {_limits(config)}"
    if not config["exists"]:
        yield "  there is none: no limit applies"
    yield from _owners(config)
    counts = config["counts"]
    if not counts["limit"]:
        yield "  the global batch is off"
        return
    numbers = ", ".join(
        f"{counts[key]} {key}" for key in ("admitted", "blocking", "pending", "held")
    )
    yield f"  workloads: {numbers}"
    if counts["blockingGroups"]:
        yield f"  blocked by: {_some(counts['blockingGroups'])}"
    if counts["nextBatch"]:
        yield f"  next: {_some(counts['nextBatch'])}"


def _topology(topology: dict[str, Any]) -> Iterator[str]:
    name = safe_text(f"{topology['namespace']}/{topology['name']}")
    yield f"Topology {name}: {_limits(topology)}"
    yield from _owners(topology)
    counts = topology["counts"]
    if counts["heldNodes"]:
        yield f"  {counts['heldNodes']} of {counts['nodes']} Nodes held"
        if counts["blocking"]:
            yield f"  blocked by: {_some(counts['blocking'])}"
        if topology["waits"]:
            yield f"  waits: {safe_text(topology['waits'])}"


def _limits(part: dict[str, Any]) -> str:
    return ", ".join(f"{key} {_limit(part[key])}" for key in ("batchSize", "maxConcurrentPerHost"))


def _limit(value: int | None) -> str:
    return "off" if value is None else "0 (off)" if value == 0 else str(value)


def _owners(part: dict[str, Any]) -> Iterator[str]:
    for owner in part["owners"]:
        fields = ", ".join(owner["fields"]) or "the block alone"
        text = f"{fields} set by {owner['manager']} ({owner['operation']}) at {owner['time']}"
        yield f"  {safe_text(text)}"


def _some(names: list[str]) -> str:
    return safe_text(some(names, _SHOWN))
