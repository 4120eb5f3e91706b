"""Merge patches that never overwrite what was not read (config-and-chart.md §3)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import ApiError, Conflict, Unreachable, is_final
from kubectl_c9s.cluster.patience import backoff
from kubectl_c9s.cluster.reading import read_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

_TRIES: Final = 4
_AMBIGUOUS: Final = frozenset({500, 502, 503, 504})
_UNKNOWN_FIELD: Final = 'unknown field "spec.rollout'


class Patch(NamedTuple):
    """A merge patch of one object; ``body`` carries the resourceVersion that was read."""

    resource: Resource
    namespace: str
    name: str
    body: dict[str, Any]
    manager: str


def send_patch(
    connection: Connection,
    patch: Patch,
    is_done: Callable[[KubeObject], bool],
    *,
    dry_run: bool = False,
) -> KubeObject:
    """Send a patch and give the object as it is then.

    An answer that got lost is looked up: ``is_done`` tells whether a live object shows the change. Raises Conflict when
    the object has changed since it was read.
    """
    request = _request(patch, dry_run=dry_run)
    unsure = False
    for attempt in range(_TRIES):
        try:
            return _decoded(connection.call(request).body)
        except (Conflict, ApiError, Unreachable) as error:
            unsure = unsure or _is_ambiguous(error)
            if not unsure or dry_run or attempt + 1 == _TRIES:
                raise
            live = read_object(connection, patch.resource, patch.namespace, patch.name)
            read = patch.body["metadata"]["resourceVersion"]
            if live["metadata"]["resourceVersion"] != read:
                if is_done(live):
                    return live
                if isinstance(error, Conflict):
                    raise
        time.sleep(backoff(attempt))
    raise AssertionError  # pragma: no cover - the loop ends by return or raise


def _is_ambiguous(error: ApiError | Unreachable) -> bool:
    if isinstance(error, Unreachable):
        return error.sent
    return error.status in _AMBIGUOUS and not is_final(error)


def _request(patch: Patch, *, dry_run: bool) -> Request:
    query = {
        "fieldManager": patch.manager,
        "fieldValidation": "Strict",
        "dryRun": "All" if dry_run else None,
    }
    what = f"patch {patch.resource.kind.lower()} {patch.name}"
    path = patch.resource.path(patch.namespace, patch.name)
    body = msgspec.json.encode(patch.body)
    return Request("PATCH", path, what, query, body, "application/merge-patch+json")


def _decoded(body: bytes) -> KubeObject:
    found: KubeObject = msgspec.json.decode(body)
    return found


def lacks_rollout(error: ApiError) -> bool:
    """Tell whether a strict write failed because the kind has no ``spec.rollout`` in this release."""
    return _UNKNOWN_FIELD in error.answer.message
