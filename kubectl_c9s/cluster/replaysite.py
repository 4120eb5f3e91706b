"""Where a replay takes place: a namespace of its own, its clock, the hosts of its schedule (measurement.md §4)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import ApiError, Conflict, Forbidden, NotFound, Unreachable
from kubectl_c9s.cluster.patience import backoff
from kubectl_c9s.cluster.reading import list_objects, read_object
from kubectl_c9s.cluster.writing import FIELD_MANAGER, delete_object
from kubectl_c9s.measurement import plainpods
from kubectl_c9s.measurement.schedule import Unusable
from kubectl_c9s.resources.errors import C9sError, GuardRefusal
from kubectl_c9s.resources.live import Meta  # noqa: TC001 - msgspec reads the annotations
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

AMBIGUOUS: Final = frozenset({500, 502, 503, 504})
"""Answers after which a write may have been carried out or not."""
_TRIES: Final = 4
_ACCOUNT_WITHIN: Final = 60.0
_NO_ACCOUNT: Final = "error looking up service account"


class Site(NamedTuple):
    """The namespace of a replay: its name, UID, and the id of the replay, which everything in it carries."""

    namespace: str
    uid: str
    replay: str


class Clock(NamedTuple):
    """The two clocks of a replay: ``begun`` is monotonic here, ``at`` the server's stamp, in seconds."""

    begun: float
    at: float

    def elapsed(self) -> float:
        """Give the seconds since it began, by the monotonic clock."""
        return time.monotonic() - self.begun


class _Host(msgspec.Struct):
    metadata: Meta


def hostnames(connection: Connection, wanted: Iterable[str]) -> dict[str, str]:
    """Give the label ``kubernetes.io/hostname`` of each host that is wanted; it may differ from the host's name.

    Raises Unusable for hosts that the cluster has not, or that cannot be told apart by the label.
    """
    listed = list_objects(connection, kinds.CORE_NODES, _Host, metadata_only=True).items
    labels = {one.metadata.name: one.metadata.label(plainpods.HOSTNAME) for one in listed}
    values = list(labels.values())
    problems, found = [], {}
    for host in sorted(set(wanted)):
        value = labels.get(host)
        if host not in labels:
            problems.append(f"there is no host {host!r} in this cluster")
        elif not value:
            problems.append(f"host {host!r} has no label {plainpods.HOSTNAME}")
        elif values.count(value) > 1:
            problems.append(f"host {host!r} shares its label {plainpods.HOSTNAME} with another")
        else:
            found[host] = value
    if problems:
        raise Unusable("the hosts of the schedule cannot be used", problems)
    return found


def make_site(connection: Connection, namespace: str, replay: str) -> Site:
    """Create the namespace; raises GuardRefusal when there is one of that name already."""
    body = plainpods.namespace_body(namespace, replay)
    try:
        made, _ = create(connection, kinds.NAMESPACES, body, replay)
    except Conflict:
        raise GuardRefusal(
            f"namespace {namespace!r} exists already, and a replay wants one of its own",
            hint="give --namespace another name; nothing was changed",
        ) from None
    return Site(namespace, made["metadata"]["uid"], replay)


def start_clock(connection: Connection, site: Site) -> Clock:
    """Create the ConfigMap whose stamp is the anchor; both clocks begin with the attempt that made it."""
    body = plainpods.clock_body(site.namespace, site.replay)
    made, begun = create(connection, kinds.CONFIG_MAPS, body, site.replay)
    at = seconds_of(made["metadata"].get("creationTimestamp"))
    if at is None:
        raise C9sError(f"the server gave the ConfigMap {plainpods.CLOCK} no creation time")
    return Clock(begun, at)


def create(
    connection: Connection, resource: Resource, body: KubeObject, replay: str
) -> tuple[KubeObject, float]:
    """Create an object that carries the id of a replay; give it and when the attempt that made it began.

    An answer that got lost is looked up before the request is repeated. Raises Conflict for one of somebody else.
    """
    request = create_request(resource, body)
    first = begun = time.monotonic()
    for attempt in range(_TRIES):
        begun = time.monotonic()
        try:
            return msgspec.json.decode(connection.call(request).body), begun
        except (ApiError, Unreachable) as error:
            if not is_ambiguous(error) or attempt + 1 == _TRIES:
                raise
            live = _read_back(connection, resource, body, error)
            if live is not None and plainpods.is_of(live["metadata"].get("labels"), replay):
                return live, first
            if live is not None:
                raise
        time.sleep(backoff(attempt))
    raise AssertionError  # pragma: no cover - the loop ends by return or raise


def _read_back(
    connection: Connection, resource: Resource, body: KubeObject, error: C9sError
) -> dict[str, Any] | None:
    """Read what may be there; raises what came before when that may not be read."""
    try:
        return find(
            connection, resource, body["metadata"].get("namespace"), body["metadata"]["name"]
        )
    except Forbidden:
        raise error from None


def create_request(resource: Resource, body: KubeObject, *, dry_run: bool = False) -> Request:
    """Give the request that creates an object."""
    name, namespace = body["metadata"]["name"], body["metadata"].get("namespace")
    query = {"fieldManager": FIELD_MANAGER, "fieldValidation": "Strict"}
    query |= {"dryRun": "All"} if dry_run else {}
    what = f"create {resource.kind.lower()} {name}"
    data = msgspec.json.encode(body)
    return Request("POST", resource.path(namespace), what, query, data, "application/json")


def is_ambiguous(error: ApiError | Unreachable) -> bool:
    """Tell whether the object may be there although no answer says so.

    AlreadyExists is so, too: an attempt of ours may have been carried out after its answer was given up.
    """
    if isinstance(error, Unreachable):
        return error.sent
    return error.status in AMBIGUOUS or error.reason == "AlreadyExists"


def find(
    connection: Connection, resource: Resource, namespace: str | None, name: str
) -> dict[str, Any] | None:
    """Read one object; None when it is not there."""
    try:
        return read_object(connection, resource, namespace, name)
    except NotFound:
        return None


def try_out(connection: Connection, body: KubeObject) -> None:
    """Ask the server whether it would take the Pods, without making one, before the clock begins.

    A namespace that has just been made has no ServiceAccount for a moment, and takes none until then. Raises what
    would keep the Pods out: rights, quotas, policies.
    """
    request = create_request(kinds.PODS, body, dry_run=True)
    end = time.monotonic() + _ACCOUNT_WITHIN
    attempt = 0
    while True:
        try:
            connection.call(request)
        except Forbidden as error:
            if _NO_ACCOUNT not in error.message or time.monotonic() > end:
                raise
        except Unreachable as error:
            if not error.sent or attempt + 1 == _TRIES:
                raise
        except ApiError as error:
            if error.status not in AMBIGUOUS or attempt + 1 == _TRIES:
                raise
        else:
            return
        time.sleep(min(backoff(attempt), 1.0))
        attempt += 1


def remove_site(connection: Connection, site: Site) -> bool:
    """Delete the namespace with everything in it; False when it is gone, or another has taken its name since."""
    live = {"metadata": {"name": site.namespace, "uid": site.uid}}
    try:
        return delete_object(connection, kinds.NAMESPACES, live, dry_run=False)
    except Conflict:
        return False
