"""What hosts use, where a cluster has the metrics API (measurement.md §3: optional, short, failure tolerated)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import ApiError, Forbidden, NotFound, api_error
from kubectl_c9s.cluster.kinds import Resource
from kubectl_c9s.measurement.run import Usage
from kubectl_c9s.resources import quantity
from kubectl_c9s.resources.errors import C9sError
from kubectl_c9s.resources.live import Meta  # noqa: TC001 - msgspec reads the annotations

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection

HOST_METRICS: Final = Resource(
    "metrics.k8s.io", "v1beta1", "nodes", "NodeMetrics", namespaced=False
)
LIMIT: Final = 5.0
"""Seconds to wait for an answer: a sample that comes late is of no use."""
_ERROR: Final = 300


class _HostMetrics(msgspec.Struct):
    metadata: Meta
    usage: dict[str, quantity.Quantity] = {}


class _List(msgspec.Struct):
    items: list[_HostMetrics] | None = None


class HostUsage:
    """Reads what hosts use, once for each sample, over sockets of its own.

    ``note`` says why there is none, from the first failure on. Without the API or the right it is not asked again. The
    right ``list`` on ``nodes.metrics.k8s.io`` is needed.
    """

    def __init__(self, connection: Connection, limit: float = LIMIT) -> None:
        self._connection = connection
        self._limit = limit
        self._pool = connection.new_pool()
        self._given_up = False
        self.note = ""

    def read(self) -> dict[str, Usage] | None:
        """Give cores and bytes of memory by host; None when that cannot be had now."""
        if self._given_up:
            return None
        try:
            found = msgspec.json.decode(self._body(), type=_List)
        except (C9sError, msgspec.DecodeError) as error:
            self._given_up = isinstance(error, Forbidden | NotFound)
            why = "the cluster has no metrics API" if isinstance(error, NotFound) else str(error)
            self.note = self.note or f"what hosts use is not sampled: {why}"
            return None
        usages = ((one.metadata.name, _usage(one)) for one in found.items or ())
        return {name: usage for name, usage in usages if usage is not None}

    def close(self) -> None:
        """Close the idle sockets."""
        self._pool.clear()

    def _body(self) -> bytes:
        what = f"list {HOST_METRICS.full_name}"
        request = Request("GET", HOST_METRICS.path(), what)
        response = self._connection.open(self._pool, request, self._limit)
        if response.status >= _ERROR:
            error: ApiError = api_error(response.status, response.data, what)
            raise error
        body: bytes = response.data
        return body


def _usage(host: _HostMetrics) -> Usage | None:
    """Read the two quantities of a host; None when one is missing or is none."""
    try:
        cpu, memory = (quantity.parse(host.usage.get(name)) for name in ("cpu", "memory"))
    except quantity.QuantityError:
        return None
    return Usage(cpu / quantity.parse(1), memory / quantity.parse(1))
