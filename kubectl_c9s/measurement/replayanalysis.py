"""What a replay was worth: how well it kept its schedule, and whether it may be compared (measurement.md §4)."""

from __future__ import annotations

from collections import defaultdict
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from kubectl_c9s.measurement.run import POD, Replayed
from kubectl_c9s.measurement.statistics import distribution, nearest_rank
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kubectl_c9s.measurement.run import Device
    from kubectl_c9s.measurement.schedule import Entry, Schedule

MOST_SUBMISSION_ERROR: Final = 0.25
"""Seconds that a request may begin before or after its time, at p99."""
MOST_ARRIVAL_ERROR: Final = 2.0
"""Seconds that a stamp may be off; stamps are right to a second (measurement.md §4)."""
_TAIL: Final = 0.99
_NAMED: Final = 3

Wish = Literal["dual", "ipv4", "ipv6"]
FAMILIES: Final[Mapping[Wish, tuple[int, ...]]] = {"dual": (4, 6), "ipv4": (4,), "ipv6": (6,)}
"""Which families a Pod must have, each once."""


class Submission(msgspec.Struct, rename="camel", omit_defaults=True):
    """One Pod that was asked for: seconds on the monotonic clock since the clock of the replay began.

    ``request_started`` is the beginning of the attempt that made the Pod, so that being told to come later makes it
    late. ``error`` says why there was none.
    """

    name: str
    offset: float
    request_started: float
    request_finished: float
    attempts: int = 1
    error: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """Everything a replay has brought: what was asked for and when, and what came of it.

    ``devices`` are the Pods that are there at the end; ``anchor`` is the stamp at which the clock began.
    """

    schedule: Schedule
    submissions: Sequence[Submission]
    devices: Sequence[Device]
    anchor: float
    families: Wish
    strangers: Sequence[str] = ()


def judge(outcome: Outcome) -> Replayed:
    """Sum up the errors and say why the run does not count, if it does not."""
    by_name = {one.name: one for one in outcome.devices}
    late = submission_errors(outcome.submissions)
    off = arrival_errors(outcome.schedule.entries, by_name, outcome.anchor)
    return Replayed(
        source=outcome.schedule.source,
        submission_error=distribution(late.values()),
        arrival_error=distribution(off.values()),
        invalid=tuple(_reasons(outcome, by_name, late, off)),
    )


def submission_errors(submissions: Iterable[Submission]) -> dict[str, float]:
    """Give how late each request began, in seconds, by name; of those that were answered with a Pod."""
    return {one.name: one.request_started - one.offset for one in submissions if not one.error}


def arrival_errors(
    entries: Iterable[Entry], devices: Mapping[str, Device], anchor: float
) -> dict[str, float]:
    """Give how far each Pod's stamp is behind its time, in seconds, by name."""
    found = ((one, devices[one.name]) for one in entries if one.name in devices)
    return {
        one.name: (device.stamps[POD] - anchor) - one.offset
        for one, device in found
        if POD in device.stamps
    }


def _reasons(
    outcome: Outcome,
    devices: Mapping[str, Device],
    late: Mapping[str, float],
    off: Mapping[str, float],
) -> Iterator[str]:
    entries = outcome.schedule.entries
    yield from _submission_reasons(entries, late)
    yield from _arrival_reasons(entries, off)
    if missing := [one.name for one in entries if one.name not in devices]:
        yield f"{len(missing)} of {len(entries)} Pods are missing: {some(missing, _NAMED)}"
    if replaced := [one.name for one in devices.values() if one.replaced]:
        yield f"{len(replaced)} Pods were replaced by others: {some(replaced, _NAMED)}"
    if outcome.strangers:
        strangers = outcome.strangers
        yield f"{len(strangers)} Pods are not of the schedule: {some(strangers, _NAMED)}"
    yield from _placement_reasons(entries, devices)
    yield from _address_reasons(devices.values(), FAMILIES[outcome.families])


def _submission_reasons(entries: Sequence[Entry], late: Mapping[str, float]) -> Iterator[str]:
    if absent := [one.name for one in entries if one.name not in late]:
        yield f"{len(absent)} of {len(entries)} Pods were not asked for: {some(absent, _NAMED)}"
    if not late:
        return
    worst = nearest_rank(sorted(map(abs, late.values())), _TAIL)
    if worst > MOST_SUBMISSION_ERROR:
        most = MOST_SUBMISSION_ERROR
        yield f"requests began off their time: p99 is {worst:.3f} s, and {most:.2f} s is the most"


def _arrival_reasons(entries: Sequence[Entry], off: Mapping[str, float]) -> Iterator[str]:
    wrong = {name: error for name, error in off.items() if abs(error) > MOST_ARRIVAL_ERROR}
    if wrong:
        names = sorted(wrong, key=lambda name: (-abs(wrong[name]), name))
        worst = f"{wrong[names[0]]:+.0f} s"
        yield (
            f"{len(wrong)} of {len(entries)} Pods were created more than {MOST_ARRIVAL_ERROR:.0f} s off their time, "
            f"at most {worst}: {some(names, _NAMED)}"
        )


def _placement_reasons(entries: Sequence[Entry], devices: Mapping[str, Device]) -> Iterator[str]:
    wrong = [
        f"{one.name} ({devices[one.name].host or 'none'} and not {one.host})"
        for one in entries
        if one.name in devices and devices[one.name].host != one.host
    ]
    if wrong:
        yield f"{len(wrong)} Pods are on another host: {some(wrong, _NAMED)}"


def _address_reasons(devices: Iterable[Device], wanted: tuple[int, ...]) -> Iterator[str]:
    holders: dict[str, list[str]] = defaultdict(list)
    wrong = []
    for device in devices:
        found = family_of(device.addresses)
        for address in device.addresses:
            holders[_normal(address)].append(device.name)
        if found != wanted:
            wrong.append(f"{device.name} ({_families_in_words(found)})")
    if wrong:
        words = _families_in_words(wanted)
        yield f"{len(wrong)} Pods have not exactly the addresses {words}: {some(wrong, _NAMED)}"
    shared = {address: names for address, names in holders.items() if len(names) > 1}
    if shared:
        texts = [
            f"{address} ({', '.join(sorted(names))})" for address, names in sorted(shared.items())
        ]
        yield f"{len(shared)} addresses are given twice: {some(texts, _NAMED)}"


def family_of(addresses: Iterable[str]) -> tuple[int, ...]:
    """Give the families of addresses in ascending order, 4 or 6 for each; 0 for a text that is no address."""
    return tuple(sorted(_version(one) for one in addresses))


def _families_in_words(families: Iterable[int]) -> str:
    words = {4: "IPv4", 6: "IPv6", 0: "unreadable"}
    return " and ".join(words[one] for one in families) or "none"


def _version(address: str) -> int:
    try:
        return ip_address(address).version
    except ValueError:
        return 0


def _normal(address: str) -> str:
    try:
        return str(ip_address(address))
    except ValueError:
        return address
