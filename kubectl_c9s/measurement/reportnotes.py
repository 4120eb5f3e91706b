"""What must be known to read the figures of a start right: their resolution, what is missing, what is odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement.addresses import NONE
from kubectl_c9s.measurement.run import READY
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.measurement.run import Run
    from kubectl_c9s.measurement.stages import Clock

_ENDS: Final = {
    "deadline": "the time was up before all were ready",
    "interrupted": "the recording was interrupted",
    "recording": "the recording was still going on",
}
_SHOWN: Final = 5


def report_notes(run: Run, found: StartReport) -> tuple[str, ...]:
    """Give the notes of a start: those of its recording last."""
    return (
        *_end(run, found),
        *_negative(found),
        *_times(run, found),
        *_oddities(run, found),
        *run.notes,
    )


def _end(run: Run, found: StartReport) -> Iterator[str]:
    if run.verdict in _ENDS:
        ready = sum(READY in one.stamps or READY in one.observed for one in run.devices)
        yield f"not a whole start: {_ENDS[run.verdict]}; {ready} of {run.expected} devices were ready"
    if not run.devices:
        yield "no device was recorded: there is nothing to measure"
    elif len(run.devices) != run.expected:
        yield f"{len(run.devices)} devices were recorded, {run.expected} were expected"
    if run.replay and run.replay.invalid:
        yield f"the replay does not count: {'; '.join(run.replay.invalid)}"
    if found.churn and found.churn.void:
        yield f"what the API server counted cannot be used: {found.churn.void}"


def _negative(found: StartReport) -> Iterator[str]:
    """Say what was left out because it ended before it began."""
    clocks: tuple[tuple[Clock, str], ...] = (
        ("stamped", "the clocks that stamped them differ"),
        ("observed", "it went, or two watches told it, in another order"),
    )
    for clock, why in clocks:
        wrong = [
            (timing.negative, one.name)
            for one in (*found.stages, *found.since_start)
            if (timing := one.by(clock)).negative
        ]
        if wrong:
            names = some((f"{name} of {number} device(s)" for number, name in wrong), _SHOWN)
            yield f"negative by {clock} times, counted and left out: {names}; {why}, or a clock jumped"


def _times(run: Run, found: StartReport) -> Iterator[str]:
    stamped, observed = (any(found.reached[clock]) for clock in ("stamped", "observed"))
    if stamped:
        yield "stamps are whole seconds, so a stage by stamps is right to one second up or down"
    if observed:
        yield "observed times are later than what they tell of, by the way of a watch; they are never mixed with stamps"
    if stamped or observed:
        yield "stages of different devices overlap: neither medians nor percentiles may be added up"
    if stamped and not observed and run.clock == "observed":
        yield "nothing was observed: marks, plans and grants are not known"
    if found.unseen and run.clock == "observed":
        yield (
            f"{found.unseen} device(s) were there before the recording began: their beginnings were not seen, so "
            "observed times since the start are too short"
        )
    if found.anchor and not run.anchor:
        yield f"no anchor was recorded: stamped times count from the {found.anchor.kind} of {found.anchor.name}"


def _oddities(run: Run, found: StartReport) -> Iterator[str]:
    yield from _counted(
        "had a Pod replaced", (one.full_name for one in run.devices if one.replaced)
    )
    yield from _counted("restarted", (one.full_name for one in run.devices if one.restarts))
    if found.addresses.repeated_addresses:
        names = some(
            (
                f"{address} ({', '.join(whose)})"
                for address, whose in found.addresses.repeated.items()
            ),
            _SHOWN,
        )
        yield f"{found.addresses.repeated_addresses} address(es) of several devices: {names}"
    families = {name for name in found.addresses.families if name != NONE}
    if len(families) > 1:
        yield f"not all devices have the same address families: {', '.join(sorted(families))}"
    limits = run.manifest.limits
    for clock, batches in found.batches.items():
        sizes = {one.devices for one in batches.batches} if batches else set()
        if limits and limits.batch_size and sizes and max(sizes) > limits.batch_size:
            yield (
                f"a batch of {max(sizes)} was found by {clock} times, and the batch size is {limits.batch_size}: "
                "two may have followed each other without a pause"
            )


def _counted(what: str, names: Iterable[str]) -> Iterator[str]:
    found = sorted(names)
    if found:
        yield f"{len(found)} device(s) {what}: {some(found, _SHOWN)}"
