"""Texts of an API server's metrics, as small as a test wants them, and snapshots with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.measurement.metrics import read_scrape
from kubectl_c9s.measurement.pressure import WANTED, Leader, PressureSnapshot

if TYPE_CHECKING:
    from collections.abc import Mapping

BEGUN = 1_700_000_000.25
"""When the server of the tests began, in seconds since 1970."""
KINDS = {
    "apiserver_request_total": "counter",
    "apiserver_flowcontrol_rejected_requests_total": "counter",
    "apiserver_request_duration_seconds": "histogram",
    "etcd_request_duration_seconds": "histogram",
    "process_start_time_seconds": "gauge",
}
"""The type of each family, as a server gives it."""


class Asked(NamedTuple):
    """Labels of a counter of requests, with those that tell nothing of ours."""

    verb: str = "GET"
    resource: str = "pods"
    code: str = "200"
    group: str = ""
    subresource: str = ""
    scope: str = "resource"
    dry_run: str = ""
    version: str = "v1"

    @property
    def labels(self) -> dict[str, str]:
        """Give them by name."""
        return {**self._asdict(), "component": "apiserver"}


def line(name: str, value: float | str, **labels: str) -> str:
    """Give a sample."""
    inside = ",".join(f'{key}="{labels[key]}"' for key in sorted(labels))
    return f"{name}{{{inside}}} {value}" if inside else f"{name} {value}"


def text(*lines: str, begun: float = BEGUN) -> str:
    """Give a whole text, with the types of what is in it and the start of the process."""
    every = [*lines, line("process_start_time_seconds", begun)]
    present = {kind for kind in KINDS for one in every if one.startswith(kind)}
    types = [f"# TYPE {kind} {KINDS[kind]}" for kind in sorted(present)]
    return "\n".join([*types, *every, ""])


def requests(counts: Mapping[Asked, float]) -> list[str]:
    """Give the samples of counted requests."""
    return [
        line("apiserver_request_total", count, **asked.labels) for asked, count in counts.items()
    ]


def latency(asked: Asked, total: float, count: float) -> list[str]:
    """Give sum and count of how long requests took."""
    labels = {key: value for key, value in asked.labels.items() if key != "code"}
    name = "apiserver_request_duration_seconds"
    return [line(f"{name}_sum", total, **labels), line(f"{name}_count", count, **labels)]


def etcd(operation: str, kind: str, total: float, count: float) -> list[str]:
    """Give sum and count of how long etcd took."""
    name, labels = "etcd_request_duration_seconds", {"operation": operation, "type": kind}
    return [line(f"{name}_sum", total, **labels), line(f"{name}_count", count, **labels)]


def rejected(level: str, reason: str, schema: str, count: float) -> str:
    """Give the sample of requests that a queue rejected."""
    labels = {"priority_level": level, "reason": reason, "flow_schema": schema}
    return line("apiserver_flowcontrol_rejected_requests_total", count, **labels)


def moment(  # noqa: PLR0913 - parts of a snapshot, each with a default
    *lines: str,
    at: float = 100.0,
    begun: float = BEGUN,
    clock: float | None = BEGUN + 1000,
    server: str = "https://one",
    leader: Leader | None = None,
    servers: int | None = None,
    notes: tuple[str, ...] = (),
) -> PressureSnapshot:
    """Give a snapshot; ``at`` is the monotonic moment, ``clock`` the server's."""
    scrape = read_scrape(text(*lines, begun=begun), WANTED)
    return PressureSnapshot(server, at, clock, scrape, leader, servers, notes)
