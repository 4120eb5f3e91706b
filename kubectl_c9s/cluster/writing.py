"""Writes: server-side apply and delete, read back when it is not known whether they happened."""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import (
    ApiError,
    Conflict,
    FieldConflict,
    NotFound,
    Unreachable,
    is_field_conflict,
    is_final,
)
from kubectl_c9s.cluster.patience import backoff
from kubectl_c9s.cluster.reading import list_objects, read_object
from kubectl_c9s.resources.ownership import is_applied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

FIELD_MANAGER: Final = "kubectl-c9s"
WORKERS: Final = 16
_CREATED: Final = 201
_WHOLE: Final = "application/json"
_METADATA: Final = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
_AMBIGUOUS: Final = frozenset({500, 502, 503, 504})
_AMBIGUOUS_TRIES: Final = 4
Result = Literal["created", "configured", "unchanged"]


class Applied(NamedTuple):
    """What became of one object; ``live`` has its metadata, and all of it only for ``Options.whole``."""

    resource: Resource
    namespace: str | None
    name: str
    result: Result
    live: KubeObject


class Options(NamedTuple):
    """How to write: ``dry_run`` asks the server only, ``force`` takes fields from other managers.

    ``whole`` wants the whole object back and not its metadata alone, which is less work for both sides.
    """

    manager: str = FIELD_MANAGER
    force: bool = False
    dry_run: bool = False
    whole: bool = False


def apply_object(
    connection: Connection, resource: Resource, obj: KubeObject, options: Options
) -> Applied:
    """Apply one object; an answer that got lost is looked up before the request is repeated.

    Raises FieldConflict (fields of another manager) and ApiErrors; Unreachable when nothing is known in the end.
    """
    name, namespace = obj["metadata"]["name"], obj["metadata"].get("namespace")
    request = _apply_request(resource, obj, options)
    for attempt in range(_AMBIGUOUS_TRIES):
        try:
            reply = connection.call(request)
        except (ApiError, Unreachable) as error:
            _raise_unless_ambiguous(error, attempt)
            live = None if options.dry_run else _read_back(connection, resource, obj)
            if live is not None and is_applied(obj, live, options.manager):
                return Applied(resource, namespace, name, "configured", live)
            time.sleep(backoff(attempt))
            continue
        result: Result = "created" if reply.status == _CREATED else "configured"
        return Applied(resource, namespace, name, result, msgspec.json.decode(reply.body))
    raise AssertionError  # pragma: no cover - the loop ends by return or raise


def _apply_request(resource: Resource, obj: KubeObject, options: Options) -> Request:
    name, namespace = obj["metadata"]["name"], obj["metadata"].get("namespace")
    query = {
        "fieldManager": options.manager,
        "fieldValidation": "Strict",
        "force": "true" if options.force else "false",
        "dryRun": "All" if options.dry_run else None,
    }
    what = f"apply {resource.kind.lower()} {name}"
    path, body = resource.path(namespace, name), msgspec.json.encode(obj)
    accept = _WHOLE if options.whole else _METADATA
    return Request("PATCH", path, what, query, body, "application/apply-patch+yaml", accept)


def _raise_unless_ambiguous(error: ApiError | Unreachable, attempt: int) -> None:
    """Let go on only what may have been carried out, or met another writer; apply may be said twice."""
    if isinstance(error, Conflict) and is_field_conflict(error):
        raise FieldConflict(error) from None
    if attempt + 1 == _AMBIGUOUS_TRIES:
        raise error
    if isinstance(error, Unreachable):
        again = error.sent
    else:
        again = isinstance(error, Conflict) or (error.status in _AMBIGUOUS and not is_final(error))
    if not again:
        raise error


def _read_back(connection: Connection, resource: Resource, obj: KubeObject) -> KubeObject | None:
    """Read one object with the right to list, which the command has anyway."""
    name, namespace = obj["metadata"]["name"], obj["metadata"].get("namespace")
    if not resource.namespaced:
        try:
            return read_object(connection, resource, None, name)
        except NotFound:
            return None
    item: type[dict[str, Any]] = dict
    selectors = {"fieldSelector": f"metadata.name={name}"}
    found = list_objects(connection, resource, item, namespace=namespace, selectors=selectors)
    return found.items[0] if found.items else None


def delete_object(
    connection: Connection, resource: Resource, live: KubeObject, *, dry_run: bool
) -> bool:
    """Delete exactly the object that was read (by UID); False when it is gone already."""
    metadata = live["metadata"]
    options: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "preconditions": {"uid": metadata["uid"]},
        "propagationPolicy": "Background",
    }
    if dry_run:
        options["dryRun"] = ["All"]
    path = resource.path(metadata.get("namespace"), metadata["name"])
    what = f"delete {resource.kind.lower()} {metadata['name']}"
    for attempt in range(_AMBIGUOUS_TRIES):
        try:
            connection.call(
                Request(
                    "DELETE", path, what, None, msgspec.json.encode(options), "application/json"
                )
            )
        except NotFound:
            return attempt > 0  # a lost answer of ours may be why it is gone
        except Unreachable as error:
            if not error.sent or attempt + 1 == _AMBIGUOUS_TRIES:
                raise
        else:
            return True
    return False  # pragma: no cover - the loop ends before


def in_parallel(tasks: Iterable[Callable[[], Applied]], done: Callable[[Applied], None]) -> None:
    """Run tasks on a bounded number of threads; the first error stops what has not begun, and is raised.

    ``done`` is called in this thread for each result, also for those that come in after the error.
    """
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="c9s-write") as pool:
        waiting: set[Future[Applied]] = {pool.submit(task) for task in tasks}
        try:
            for future in as_completed(set(waiting)):
                waiting.discard(future)
                done(future.result())
        except BaseException:
            running = [future for future in waiting if not future.cancel()]
            for future in running:
                with contextlib.suppress(ApiError, Unreachable, FieldConflict):
                    done(future.result())
            raise
