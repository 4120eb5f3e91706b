"""The API server's own counters, and who leads its controller-manager, at a moment (measurement.md §§4, 6)."""

from __future__ import annotations

import functools
import re
import time
from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import Forbidden
from kubectl_c9s.cluster.optional import Reads
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.measurement.metrics import START, Scrape, read_scrape
from kubectl_c9s.measurement.pressure import WANTED, Leader, PressureSnapshot
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.resources.surroundings import Lease

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection

PATH: Final = "/metrics"
LARGEST: Final = 32 << 20
"""Bytes of the wanted lines beyond which they are not parsed; an API server has about 200 kB of them."""

_SYSTEM: Final = "kube-system"
_CONTROLLERS: Final = "kube-controller-manager"
_IDENTITY: Final = {"labelSelector": "apiserver.kubernetes.io/identity=kube-apiserver"}
_RENEWED: Final = 60.0  # seconds
_NAMES: Final = "|".join(
    re.sub("_(sum|count)$", "", name) for name in (*dict.fromkeys(WANTED), START)
)
# Most of the text are buckets: a search is three times as fast as taking every line apart.
_LINES: Final = re.compile(
    rf"^(?:# TYPE )?(?:{_NAMES})(?:_sum|_count)?[ {{].*\n".encode(), re.MULTILINE
)


def take(connection: Connection) -> PressureSnapshot:
    """Read the counters; what may not be read is a note, and no error ends the run that is measured.

    Three requests, the first of which brings some megabytes. The right ``get`` on the nonResourceURL ``/metrics`` is
    needed; with ``get`` and ``list`` on Leases in kube-system changes of the leader and the number of servers are seen.
    """
    reads = Reads()
    scrape, at = reads.read(
        "what the run costs the API server is not counted", functools.partial(_scrape, connection)
    ) or (None, None)
    moment = time.monotonic()
    leader = reads.read(
        "whether the leader of the controller-manager changes is not seen",
        functools.partial(_leader, connection),
    )
    # Where that may not be seen, nothing is said: nearly always there is a note about the leader then.
    servers = reads.read("servers", functools.partial(_servers, connection, at), silent=True)
    notes = tuple(reads.notes)
    return PressureSnapshot(connection.server, moment, at, scrape, leader, servers, notes)


def _scrape(connection: Connection) -> tuple[Scrape, float | None]:
    request = Request("GET", PATH, f"get {PATH}", accept="text/plain")
    try:
        reply = connection.call(request)
    except Forbidden as error:
        text = f"{error.message} (the right 'get' on the nonResourceURL {PATH} is missing)"
        raise RefusedInput(text) from None
    lines = b"".join(found[0] for found in _LINES.finditer(reply.body))
    if not lines:
        raise RefusedInput(f"{PATH} has none of them: it is not an API server's")
    if len(lines) > LARGEST:
        raise RefusedInput(f"{PATH} has {len(lines)} bytes of them, and {LARGEST} is the most")
    return read_scrape(lines, WANTED, PATH), reply.at


def _leader(connection: Connection) -> Leader:
    path = kinds.LEASES.path(_SYSTEM, _CONTROLLERS)
    body = connection.get(path, f"get {kinds.LEASES.full_name} {_SYSTEM}/{_CONTROLLERS}")
    spec = msgspec.json.decode(body, type=Lease).spec
    return Leader(spec.holder_identity or "", spec.lease_transitions or 0)


def _servers(connection: Connection, at: float | None) -> int | None:
    """Count the API servers that renew their own Leases; None without any, or without the server's time.

    Such a Lease is renewed every ten seconds, but holds for an hour: too long to tell who is still there.
    """
    leases = list_objects(
        connection, kinds.LEASES, Lease, namespace=_SYSTEM, selectors=_IDENTITY
    ).items
    renewed = [seconds_of(lease.spec.renew_time) for lease in leases]
    if at is None:
        return None
    return sum(moment is not None and at - moment <= _RENEWED for moment in renewed) or None
