"""What a run cost the API server: its own counters of two moments compared (measurement.md §6).

A delta is void as a whole when the server changed in between, or the controller-manager's leader: §6 names its Lease
beside the start of the process. The counters themselves outlive a change of leader, but the new one lists every kind
anew and works off its queues from the beginning, so what they rose by is not the cost of the start any more. Only the
deltas are concerned: Events and objects that were watched, which the churn of a run has besides, stay as they are.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.measurement.metrics import START, Scrape, Void, delta
from kubectl_c9s.measurement.run import Churn, RequestDelta

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUESTS: Final = "apiserver_request_total"
REJECTED: Final = "apiserver_flowcontrol_rejected_requests_total"
LATENCY: Final = "apiserver_request_duration_seconds"
ETCD: Final = "etcd_request_duration_seconds"
WANTED: Final = (
    REQUESTS, REJECTED, f"{LATENCY}_sum", f"{LATENCY}_count", f"{ETCD}_sum", f"{ETCD}_count",
)  # fmt: skip
"""What is read of /metrics; the buckets of histograms, most of its lines, are not."""

_TOO_MANY: Final = "429"
_PARTS: Final = ("group", "resource", "subresource")
_SLACK: Final = 2.0  # seconds: clocks of several servers differ, and a Date is in whole seconds


class Leader(NamedTuple):
    """Who leads the controller-manager, and how often that has changed."""

    holder: str
    transitions: int


class PressureSnapshot(NamedTuple):
    """The server's counters at a moment.

    ``server`` is the address that was asked, ``moment`` that of a monotonic clock here, ``at`` the server's clock
    (seconds since 1970; None if it did not say). ``scrape`` has the families of :data:`WANTED`, None when they could
    not be read. ``servers`` counts the API servers behind the address, None when that is not known.
    """

    server: str
    moment: float
    at: float | None = None
    scrape: Scrape | None = None
    leader: Leader | None = None
    servers: int | None = None
    notes: tuple[str, ...] = ()


class Pressure(NamedTuple):
    """What rose, as far as it can be compared, and what must be said of it."""

    churn: Churn
    notes: tuple[str, ...]


def pressure(before: PressureSnapshot, after: PressureSnapshot) -> Pressure:
    """Compare two moments of one server; ``churn.void`` says why its figures are left out.

    Requests are counted by verb, resource and code over all versions and scopes, dry runs too. A watch is counted when
    it ends. Latencies are means over all codes of POST without dry runs, so that each stands for an attempt to write.
    """
    notes = tuple(dict.fromkeys((*before.notes, *after.notes)))
    seconds = after.moment - before.moment
    if before.scrape is None or after.scrape is None:
        when = "at the beginning" if before.scrape is None else "at the end"
        void = f"the API server's counters could not be read {when}"
        return Pressure(Churn(seconds=seconds, void=void), notes)
    risen = delta(before.scrape, after.scrape)
    void = _server_changed(before, after, risen) or _leader_changed(before.leader, after.leader)
    if void or isinstance(risen, Void):
        return Pressure(Churn(seconds=seconds, void=void), notes)
    churn = Churn(
        requests=tuple(_requests(risen)),
        too_many=_finite(risen.total(REQUESTS, code=_TOO_MANY)),
        rejected=dict(_rejected(risen)),
        latency=_means(risen, LATENCY, _PARTS, verb="POST", dry_run=""),
        etcd=_means(risen, ETCD, ("operation",)),
        seconds=seconds,
    )
    return Pressure(churn, (*notes, *_cautions(risen, before, after)))


def resource_name(group: str, resource: str, subresource: str) -> str:
    """Give ``plural.group/subresource``; a path for what is no resource. ``nodes.c9s.run`` is not ``nodes``."""
    if not resource:
        return f"/{subresource.lstrip('/')}"
    name = f"{resource}.{group}" if group else resource
    return f"{name}/{subresource}" if subresource else name


def _server_changed(before: PressureSnapshot, after: PressureSnapshot, risen: Scrape | Void) -> str:
    if before.server != after.server:
        return f"another server was asked: {before.server}, then {after.server}"
    if not isinstance(risen, Void):
        return ""
    old, new = (_start(one.scrape) for one in (before, after))
    if old is None or new is None or old == new:
        return risen.reason
    # One that was there already when the first of them was asked did not begin in between.
    if new < old or (before.at is not None and new < before.at - _SLACK):
        return "another API server behind the same address answered at the end: each counts its own requests"
    return "the API server began anew in between, and its counters with it"


def _leader_changed(before: Leader | None, after: Leader | None) -> str:
    """Say that the leader changed; when it could not be seen, a note of the snapshot says so."""
    if before is None or after is None or before == after:
        return ""
    who = f"{before.holder or 'nobody'}, then {after.holder or 'nobody'}"
    return f"the leader of the controller-manager changed in between ({who}): the new one lists everything anew"


def _start(scrape: Scrape | None) -> float | None:
    return scrape.total(START) if scrape else None


def _requests(risen: Scrape) -> Iterator[RequestDelta]:
    """Give what was asked at all, the most frequent first."""
    counts = risen.by(REQUESTS, "verb", *_PARTS, "code")
    found = [
        RequestDelta(verb, resource_name(*parts), code, count)
        for (verb, *parts, code), count in counts.items()
        if _is_some(count)
    ]
    yield from sorted(found, key=lambda one: (-one.count, one.resource, one.verb, one.code))


def _rejected(risen: Scrape) -> Iterator[tuple[str, float]]:
    for key, count in risen.by(REJECTED, "priority_level", "reason").items():
        if _is_some(count):
            yield "/".join(key), count


def _means(risen: Scrape, family: str, labels: tuple[str, ...], **where: str) -> dict[str, float]:
    sums = risen.by(f"{family}_sum", *labels, **where)
    found = {}
    for key, count in risen.by(f"{family}_count", *labels, **where).items():
        total = sums.get(key, math.nan)
        if _is_some(count) and math.isfinite(total) and total >= 0:
            found[resource_name(*key) if len(key) == len(_PARTS) else key[0]] = total / count
    return found


def _is_some(count: float) -> bool:
    return count > 0 and math.isfinite(count)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _cautions(risen: Scrape, *moments: PressureSnapshot) -> Iterator[str]:
    if not risen.has(REQUESTS):
        yield f"the server does not count its requests: there is no {REQUESTS}"
    servers = max((one.servers or 0 for one in moments), default=0)
    if servers > 1:
        yield f"there are {servers} API servers: the requests counted are those of one of them"
