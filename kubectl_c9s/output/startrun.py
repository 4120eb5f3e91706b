"""A recorded start in a few lines, for who has watched it; ``measure report`` tells the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.run import HostCount, Run, Sample

_NAMES: Final = {
    "plans": "last plan",
    "deployments": "last Deployment",
    "replicaSets": "last ReplicaSet",
    "pods": "all Pods",
    "started": "all started",
    "ready": "all ready",
    "topology": "Topology ready",
}
_ENDS: Final = {
    "reached": "reached",
    "deadline": "not reached in time",
    "interrupted": "interrupted",
    "recording": "not reached",
}


def progress_line(elapsed: float, total: HostCount, expected: int) -> str:
    """Say in one line how far a start is."""
    now = f"{total.started} started, {total.ready} ready; {total.booting} booting, {total.queued} queued"
    return f"{elapsed:.1f} s: {total.pods} of {expected} Pods, {now}"


def run_lines(run: Run) -> Iterator[str]:
    """Give the end of a run: what was reached when, and the peaks of all hosts."""
    clock = "observed" if run.clock == "observed" else "by stamps, from the anchor on"
    yield f"{_ENDS[run.verdict]} after {run.elapsed:.1f} s, {run.expected} devices expected; seconds are {clock}"
    if run.anchor:
        yield safe_text(f"anchor: {run.anchor.kind} {run.anchor.name}")
    if run.overall:
        yield ""
        rows = [(_NAMES[key], f"{run.overall[key]:.1f}") for key in _NAMES if key in run.overall]
        yield from columns([("MILESTONE", "SECONDS"), *rows])
    if run.peaks:
        yield ""
        yield from columns(
            [
                ("HOST", "PEAK OF BOOTS", "AT"),
                *(
                    (safe_text(host), str(one.booting), f"{one.elapsed:.1f}")
                    for host, one in sorted(run.peaks.items())
                ),
            ]
        )


def sample_event(sample: Sample) -> dict[str, Any]:
    """Give the event of a sample."""
    return {"type": "sample", **msgspec.to_builtins(sample)}


def end_event(run: Run) -> dict[str, Any]:
    """Give the last event: verdict, and what was reached when."""
    whole = msgspec.to_builtins(run)
    kept = ("verdict", "expected", "elapsed", "anchor", "overall", "peaks", "notes")
    return {"type": "end", **{key: whole[key] for key in kept if key in whole}}
