"""What a run cost the API server, in words and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.output.columns import columns
from kubectl_c9s.output.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kubectl_c9s.measurement.run import Churn

CAUTION: Final = "The requests of every client of that time are counted: fewer of them do not prove what became faster."
SHOWN: Final = 15
"""Rows of a table that are shown; how many more there are is said."""
_MILLI: Final = 1000


def lines(churn: Churn, shown: int = SHOWN) -> Iterator[str]:
    """Give the tables: requests, refusals in words, latencies, Events by reporter; a delta that is void says why."""
    if churn.void:
        yield f"Requests cannot be told: {safe_text(churn.void)}"
    elif churn.too_many is not None:
        yield from _requests(churn, shown)
        yield refusals(churn)
        yield from _means("POST of", churn.latency, shown)
        yield from _means("ETCD", churn.etcd, shown)
        yield CAUTION
    yield from _events(churn, shown)


def rows(churn: Churn) -> list[list[str]]:
    """Give a row for each verb, resource and code, the most frequent first."""
    return [
        [safe_text(one.verb), safe_text(one.resource), safe_text(one.code), f"{one.count:.0f}"]
        for one in churn.requests
    ]


def refusals(churn: Churn) -> str:
    """Say in a sentence how many requests the server turned away, and from which queues."""
    if not churn.too_many and not churn.rejected:
        return "No request was turned away (429)."
    queues = ", ".join(
        f"{count:.0f} by {safe_text(name)}" for name, count in _largest(churn.rejected)
    )
    by = f"; queues rejected {queues}" if queues else ""
    return f"{churn.too_many or 0:.0f} requests were turned away (429){by}: their clients had to wait and ask again."


def _requests(churn: Churn, shown: int) -> Iterator[str]:
    total = sum(one.count for one in churn.requests)
    over = f" in {churn.seconds:.0f} s" if churn.seconds is not None else ""
    yield f"{total:.0f} requests were answered{over}"
    if churn.requests:
        yield from _table(["VERB", "RESOURCE", "CODE", "REQUESTS"], rows(churn), shown)


def _means(head: str, means: Mapping[str, float], shown: int) -> Iterator[str]:
    found = [[safe_text(name), f"{mean * _MILLI:.1f} ms"] for name, mean in _largest(means)]
    if found:
        yield from _table([head, "MEAN"], found, shown)


def _events(churn: Churn, shown: int) -> Iterator[str]:
    found = [[safe_text(name), str(count)] for name, count in _largest(churn.events)]
    if found:
        yield from _table(["EVENTS BY", "COUNT"], found, shown)


def _table(head: list[str], found: list[list[str]], shown: int) -> Iterator[str]:
    yield from columns([head, *found[:shown]])
    if len(found) > shown:
        yield f"and {len(found) - shown} more"


def _largest(values: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
