"""The result of network checks: what came of each check of each device, the sum, and the verdict."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from kubectl_c9s.measurement import netscript as script
from kubectl_c9s.measurement.netanswers import (
    ERROR,
    FAILED,
    PASSED,
    RESULTS,
    UNAVAILABLE,
    UNDECIDED,
    Result,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

KIND: Final = "NetworkChecks"
FORMAT: Final = 1
Verdict = Literal["passed", "failed", "undecided", "error", "empty"]
NonNegative = Annotated[int, msgspec.Meta(ge=0)]


class Check(msgspec.Struct, frozen=True, rename="camel"):
    """What came of one check of a device; ``subject`` is an address, a name or a family, where there are several."""

    name: str
    result: Result
    subject: str = ""
    detail: str = ""


class Checked(msgspec.Struct, frozen=True, rename="camel"):
    """A device that was asked: its checks, and whether its neighbour is on another host."""

    namespace: str
    name: str
    pod: str
    host: str
    neighbour: str
    cross_host: bool
    checks: tuple[Check, ...]


class Pairs(msgspec.Struct, frozen=True, rename="camel"):
    """Pairs of neighbours: all, those over two hosts, and of each how many passed what was asked between them."""

    all: NonNegative = 0
    passed: NonNegative = 0
    cross_host: NonNegative = 0
    cross_host_passed: NonNegative = 0


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """Network checks of a set of devices (docs/schemas/measure-verify.json).

    ``counts`` has the results of each check that was wanted; ``elapsed`` is how long the checks took, in seconds.
    """

    kind: Literal["NetworkChecks"]
    format: Literal[1]
    verdict: Verdict
    elapsed: float
    counts: dict[str, dict[Result, NonNegative]]
    pairs: Pairs
    devices: tuple[Checked, ...]
    not_ready: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def report(
    devices: Sequence[Checked],
    wanted: Collection[str],
    elapsed: float,
    not_ready: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Report:
    """Sum up the checks of all devices."""
    counts: Mapping[str, collections.Counter[Result]] = {
        name: collections.Counter() for name in script.CHECKS if name in wanted
    }
    for device in devices:
        for check in device.checks:
            counts[check.name][check.result] += 1
    total: collections.Counter[Result] = sum(counts.values(), collections.Counter())
    return Report(
        KIND,
        FORMAT,
        verdict(total),
        round(elapsed, 3),
        {name: {one: count[one] for one in RESULTS} for name, count in counts.items()},
        _pairs(devices),
        tuple(devices),
        tuple(not_ready),
        tuple(notes),
    )


def verdict(total: Mapping[Result, int]) -> Verdict:
    """Say what all results together mean: what failed outweighs what could not be asked, that what was not done.

    Where nothing passed because nothing could be checked, nothing is decided.
    """
    if not any(total.values()):
        return "empty"
    if total.get(FAILED, 0):
        return "failed"
    if total.get(ERROR, 0):
        return "error"
    if total.get(UNDECIDED, 0):
        return "undecided"
    return "passed" if total.get(PASSED, 0) else "undecided"


def _pairs(devices: Iterable[Checked]) -> Pairs:
    found = [one for one in devices if one.neighbour]
    across = [one for one in found if one.cross_host]
    return Pairs(len(found), *map(len, (_met(found), across, _met(across))))


def _met(devices: Iterable[Checked]) -> list[Checked]:
    return [one for one in devices if is_met(one)]


def is_met(device: Checked) -> bool:
    """Tell whether a device has reached its neighbour, in each way that was asked and available."""
    results = [
        one.result
        for one in device.checks
        if one.name in {script.NEIGHBOUR_ADDRESS, script.NEIGHBOUR_NAME}
    ]
    return PASSED in results and set(results) <= {PASSED, UNAVAILABLE}
