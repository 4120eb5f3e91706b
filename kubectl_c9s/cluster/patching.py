"""Patches that never overwrite what was not read (config-and-chart.md §3)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import ApiError, Unreachable, is_final
from kubectl_c9s.cluster.patience import backoff
from kubectl_c9s.cluster.reading import read_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

_TRIES: Final = 4
_AMBIGUOUS: Final = frozenset({500, 502, 503, 504})
_CONFLICT: Final = 409
_FAILED_TEST: Final = 422
_UNKNOWN_FIELD: Final = 'unknown field "spec.rollout'


class Patch(NamedTuple):
    """A patch of the object that was read: a merge patch that carries its resourceVersion, or a JSON patch (a list)."""

    resource: Resource
    read: KubeObject
    body: dict[str, Any] | list[dict[str, Any]]
    manager: str


def send_patch(
    connection: Connection,
    patch: Patch,
    is_done: Callable[[KubeObject], bool],
    *,
    dry_run: bool = False,
) -> KubeObject:
    """Send a patch and give the object as it is then.

    An answer that got lost is looked up: ``is_done`` tells whether a live object shows the change. Raises the error for
    which :func:`is_outdated` holds when the object has changed since it was read, and the one that left it in doubt
    whether the change was written.
    """
    request = _request(patch, dry_run=dry_run)
    doubt: ApiError | Unreachable | None = None
    for attempt in range(_TRIES):
        try:
            return _decoded(connection.call(request).body)
        except (ApiError, Unreachable) as error:
            doubt = doubt or (error if _is_ambiguous(error) else None)
            if doubt is None or (dry_run and not _is_ambiguous(error)):
                raise
            if attempt + 1 == _TRIES:
                raise doubt from None
            if not dry_run and (live := _moved(connection, patch, doubt)) is not None:
                if is_done(live):
                    return live
                if is_outdated(error, patch):
                    raise
        time.sleep(backoff(attempt))
    raise AssertionError  # pragma: no cover - the loop ends by return or raise


def is_outdated(error: ApiError | Unreachable, patch: Patch) -> bool:
    """Tell whether a patch may have failed because the object is not as it was read: 409, for a failed test 422."""
    outdated = (_CONFLICT, _FAILED_TEST) if isinstance(patch.body, list) else (_CONFLICT,)
    return isinstance(error, ApiError) and error.status in outdated


def _moved(
    connection: Connection, patch: Patch, doubt: ApiError | Unreachable
) -> KubeObject | None:
    """Read the object; None when nobody has written it since it was read for the patch."""
    try:
        live = read_object(connection, patch.resource, *_place(patch))
    except (ApiError, Unreachable):
        # It says nothing about the write: that stays in doubt.
        raise doubt from None
    read = patch.read["metadata"]["resourceVersion"]
    return None if live["metadata"]["resourceVersion"] == read else live


def _place(patch: Patch) -> tuple[str, str]:
    meta = patch.read["metadata"]
    return meta["namespace"], meta["name"]


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
    namespace, name = _place(patch)
    what = f"patch {patch.resource.kind.lower()} {name}"
    path = patch.resource.path(namespace, name)
    media = f"application/{'json' if isinstance(patch.body, list) else 'merge'}-patch+json"
    return Request("PATCH", path, what, query, msgspec.json.encode(patch.body), media)


def _decoded(body: bytes) -> KubeObject:
    found: KubeObject = msgspec.json.decode(body)
    return found


def lacks_rollout(error: ApiError) -> bool:
    """Tell whether a strict write failed because the kind has no ``spec.rollout`` in this release."""
    return _UNKNOWN_FIELD in error.answer.message
