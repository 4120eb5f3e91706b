"""What a start cost and had: addresses, requests to the API server, objects; and how true a replay was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.measuretables import NOTHING, Table, facts, number, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.measurement.run import Churn
    from kubectl_c9s.measurement.statistics import Distribution

_SHOWN: Final = 15


def addresses_table(one: StartReport) -> Table:
    """Count devices by address families."""
    rows = [(name, str(count)) for name, count in one.addresses.families.items()]
    rows += [
        (f"repeated {address}", ", ".join(names))
        for address, names in one.addresses.repeated.items()
    ]
    return Table("Addresses", ("families", "devices"), rows)


def churn_tables(one: StartReport) -> Iterator[Table]:
    """Say what a start cost the API server; other clients of the time are in it."""
    churn = one.churn
    if churn is None:
        return
    yield facts("API server", _server(churn, one.devices))
    yield _requests(churn, one.devices)
    yield Table(
        "Objects as watched",
        ("kind", "created", "revisions", "deleted", "bytes", "breaks", "lists anew"),
        [
            (kind, str(had.created), str(had.revisions), str(had.deleted), number(had.bytes), str(had.breaks),
             str(had.relists))
            for kind, had in sorted(churn.kinds.items())
        ],
    )  # fmt: skip
    yield Table(
        "Events by reporter",
        ("reporter", "events"),
        [(name, str(count)) for name, count in sorted(churn.events.items())],
    )


def _requests(churn: Churn, devices: int) -> Table:
    ordered = sorted(
        churn.requests, key=lambda each: (-each.count, each.resource, each.verb, each.code)
    )
    rows = [
        (each.verb, each.resource, each.code, number(each.count),
         number(each.count / devices) if devices else NOTHING)
        for each in ordered[:_SHOWN]
    ]  # fmt: skip
    return Table(
        "Most requests",
        ("verb", "resource", "code", "requests", "per device"),
        rows,
        "Differences of the server's counters: those of every other client of the time are in them.",
    )


def _server(churn: Churn, devices: int) -> Iterator[tuple[str, str | None]]:
    yield "cannot be used", churn.void
    if churn.void:
        return
    requests = sum(each.count for each in churn.requests)
    yield "requests", number(requests) if churn.requests else None
    yield "requests per device", number(requests / devices) if churn.requests and devices else None
    yield "answers 429", number(churn.too_many) if churn.too_many is not None else None
    for reason, count in sorted(churn.rejected.items()):
        yield f"rejected: {reason}", number(count)
    for resource, mean in sorted(churn.latency.items()):
        yield f"mean POST of {resource}", f"{mean * 1000:.0f} ms"
    for operation, mean in sorted(churn.etcd.items()):
        yield f"mean etcd {operation}", f"{mean * 1000:.1f} ms"
    yield "between readings", seconds(churn.seconds) if churn.seconds is not None else None


def replay_table(one: StartReport) -> Table:
    """Say how true a replay was to its schedule."""
    replay = one.replay
    if replay is None:
        return facts("Replay", [])
    rows = [("schedule", replay.source)]
    rows += [("late by our clock", _error(replay.submission_error))]
    rows += [("off by stamps", _error(replay.arrival_error))]
    return facts("Replay", [*rows, ("does not count", "; ".join(replay.invalid))])


def _error(found: Distribution) -> str:
    if not found.count:
        return NOTHING
    figures = (found.min, found.p50, found.p95, found.max)
    low, middle, high, most = (seconds(value) for value in figures)
    return f"{low} to {most}, median {middle}, p95 {high}"
