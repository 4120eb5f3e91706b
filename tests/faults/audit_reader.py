"""Reads the API server's audit log: who asked for what, in which order, and what the server said.

The log has one JSON object a line. A request is written when it ends, perhaps a moment after the client has its
answer: :meth:`AuditLog.when` waits for what must come, :meth:`AuditLog.catch_up` for all there is. A file is read from
a mark on, so that a test sees what happened since it began, in a log that others write to as well.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import secrets
import time
import urllib.parse
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from bed_client import ApiClient

Json: TypeAlias = dict[str, Any]
WRITES: Final = ("create", "update", "patch", "delete", "deletecollection")
# Of the stages of a request, those that say how it ended: a watch is written when it starts, too.
ENDED: Final = ("ResponseComplete", "Panic")
# Written as a create, and changes nothing.
QUESTIONS: Final = (
    "selfsubjectaccessreviews.authorization.k8s.io",
    "selfsubjectrulesreviews.authorization.k8s.io",
    "subjectaccessreviews.authorization.k8s.io",
    "localsubjectaccessreviews.authorization.k8s.io",
    "selfsubjectreviews.authentication.k8s.io",
    "tokenreviews.authentication.k8s.io",
)
WITHIN: Final = 30.0  # seconds


@dataclasses.dataclass(frozen=True)
class Entry:
    """One request that has ended. ``resource`` is ``plural`` or ``plural.group``; times as RFC 3339.

    ``user`` is who sent it, also under impersonation. ``code`` is 0 when the server has not given one. ``line`` is all
    that is written.
    """

    id: str
    verb: str
    user: str
    agent: str
    resource: str
    subresource: str
    namespace: str
    name: str
    code: int
    received: str
    ended: str
    dry_run: bool
    line: Json = dataclasses.field(repr=False, compare=False)

    @property
    def accepted(self) -> bool:
        """Tell whether the server did what was asked."""
        return 200 <= self.code < 300

    @property
    def writes(self) -> bool:
        """Tell whether this asked for a change: a write verb, no dry run, and no mere question."""
        return self.verb in WRITES and not self.dry_run and self.resource not in QUESTIONS

    @property
    def object(self) -> tuple[str, str, str]:
        """Give resource, namespace and name."""
        return self.resource, self.namespace, self.name


def read_entry(line: Json) -> Entry:
    """Read one line of the log."""
    at = line.get("objectRef") or {}
    plural, group = at.get("resource", ""), at.get("apiGroup", "")
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(line.get("requestURI", "")).query)
    return Entry(
        id=line["auditID"],
        verb=line["verb"],
        user=line.get("user", {}).get("username", ""),
        agent=line.get("userAgent", ""),
        resource=f"{plural}.{group}" if group else plural,
        subresource=at.get("subresource", ""),
        namespace=at.get("namespace", ""),
        name=at.get("name", ""),
        code=int((line.get("responseStatus") or {}).get("code", 0)),
        received=line.get("requestReceivedTimestamp", ""),
        ended=line.get("stageTimestamp", ""),
        dry_run="All" in query.get("dryRun", []),
        line=line,
    )


class AuditLog:
    """The log of a server from a mark on; at first from its end as it is now."""

    def __init__(self, path: Path, mark: int | None = None) -> None:
        self._path = path
        self._mark = path.stat().st_size if mark is None else mark

    def entries(self) -> Iterator[Entry]:
        """Give the requests that have ended since the mark, in the order in which they ended."""
        with self._path.open("rb") as file:
            file.seek(self._mark)
            for raw in file:
                if not raw.endswith(b"\n"):
                    return  # still being written
                line = json.loads(raw)
                if line.get("stage") in ENDED:
                    yield read_entry(line)

    def writes(self, **wanted: Any) -> list[Entry]:
        """Give what asked for a change (:attr:`Entry.writes`), narrowed as :func:`select` does."""
        return [one for one in select(self.entries(), **wanted) if one.writes]

    def catch_up(self, client: ApiClient) -> None:
        """Wait until all that was answered before this call is in the log: for what must not be there."""
        marker = f"audit-marker-{secrets.token_hex(8)}"
        client.get(f"/api/v1/namespaces/default/configmaps/{marker}")
        self.when(bool, name=marker)

    def when(
        self, holds: Callable[[list[Entry]], bool], within: float = WITHIN, **wanted: Any
    ) -> list[Entry]:
        """Wait until the selected entries are as they must be, and give them; AssertionError with them otherwise."""
        end = time.monotonic() + within
        while True:
            found = list(select(self.entries(), **wanted))
            if holds(found):
                return found
            assert time.monotonic() < end, f"waited {within:.0f} s in vain, there is {found}"
            time.sleep(0.02)


def select(entries: Iterable[Entry], **wanted: Any) -> Iterator[Entry]:
    """Narrow down, by fields of :class:`Entry` and its properties; a value is equal, in a collection, or a function.

    For example ``select(entries, verb="patch", code=range(200, 300), agent=lambda text: "c9s" in text)``.
    """
    return (one for one in entries if all(_fits(getattr(one, key), wanted[key]) for key in wanted))


def _fits(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return bool(wanted(value))
    return value in wanted if isinstance(wanted, range | set | list) else bool(value == wanted)


def count(entries: Iterable[Entry], *by: str) -> dict[tuple[Any, ...], int]:
    """Count by fields, for example ``count(entries, "verb", "resource", "code")``."""
    return dict(collections.Counter(tuple(getattr(one, key) for key in by) for one in entries))


def accepted_twice(entries: Iterable[Entry]) -> dict[tuple[str, str, str], int]:
    """Give the objects for which more than one write was accepted, and how many were."""
    done = collections.Counter(one.object for one in entries if one.writes and one.accepted)
    return {what: number for what, number in done.items() if number > 1}
