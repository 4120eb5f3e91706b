"""A small API server that has lists, in pages, and says no where it is told to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from silent_server import Reply, Request, Scripted, status

if TYPE_CHECKING:
    from collections.abc import Iterable

Json = dict[str, Any]
DATE = "Mon, 21 Sep 2026 10:10:00 GMT"
AT = "2026-09-21T10:10:00Z"
PLURALS = {
    ("c9s.run/v1alpha1", "Config"): "configs", ("c9s.run/v1alpha1", "Topology"): "topologies",
    ("c9s.run/v1alpha1", "Node"): "nodes", ("c9s.run/v1alpha1", "Link"): "links",
    ("c9s.run/v1alpha1", "NodeProfile"): "nodeprofiles", ("apps/v1", "Deployment"): "deployments",
    ("apps/v1", "ReplicaSet"): "replicasets", ("v1", "Pod"): "pods", ("v1", "Node"): "nodes", ("v1", "Event"): "events",
    ("events.k8s.io/v1", "Event"): "events", ("coordination.k8s.io/v1", "Lease"): "leases",
}  # fmt: skip


class Lists:
    """Answers lists of objects; ``no`` are plurals with the status to refuse them with, once a page was given.

    ``gone_after`` pages a list is too old to go on, once for each kind.
    """

    def __init__(self, objects: Iterable[Json], *, page: int = 3, date: str = DATE) -> None:
        self.page, self.date = page, date
        self.no: dict[str, int] = {}
        self.gone_after: int | None = None
        self._gone: set[str] = set()
        self._found: dict[str, list[Json]] = {}
        for one in objects:
            self._found.setdefault(_path(one["apiVersion"], one["kind"]), []).append(one)

    def answer(self, request: Request) -> Reply:
        """Answer one request."""
        where = urlsplit(request.path)
        if where.path == "/version":
            return Reply(200, {"gitVersion": "v1.37.2"})
        if code := self._refused(where.path):
            return Reply(code, status(code, f"{where.path} is forbidden to User acme-jane"))
        path, namespace = _whole(where.path)
        query = {key: values[0] for key, values in parse_qs(where.query).items()}
        begin = int(query.get("continue", "0"))
        if (
            self.gone_after is not None
            and path not in self._gone
            and begin >= self.gone_after * self.page
        ):
            self._gone.add(path)
            return Reply(410, status(410, "too old", "Expired"))
        found = [
            one
            for one in self._found.get(path, [])
            if namespace in ("", one["metadata"].get("namespace"))
        ]
        size = self.page if "limit" in query else len(found) + 1
        rest = {"continue": str(begin + size)} if begin + size < len(found) else {}
        body = {
            "metadata": {"resourceVersion": "4711"} | rest,
            "items": list(map(_bare, found[begin : begin + size])),
        }
        return Reply(200, _typed(path, body))

    def _refused(self, path: str) -> int:
        return next((code for part, code in self.no.items() if path.endswith(f"/{part}")), 0)


def _path(version: str, kind: str) -> str:
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    if version == "events.k8s.io/v1":
        root = "/api/v1"  # the server gives both APIs in one
    return f"{root}/{PLURALS[version, kind]}"


def _whole(path: str) -> tuple[str, str]:
    """Give the path for all namespaces, and the one that was asked for."""
    before, found, after = path.partition("/namespaces/")
    if not found:
        return path, ""
    namespace, _, plural = after.partition("/")
    return f"{before}/{plural}", namespace


def _bare(one: Json) -> Json:
    """Give an object as it stands in a list: of built-in kinds nothing says what they are."""
    if one["apiVersion"].startswith("c9s.run"):
        return one
    return {key: value for key, value in one.items() if key not in ("apiVersion", "kind")}


def _typed(path: str, body: Json) -> Json:
    for (version, kind), plural in PLURALS.items():
        if path == _path(version, kind) and path.endswith(plural):
            return {"kind": f"{kind}List", "apiVersion": version, **body}
    raise AssertionError(path)


def asked(server: Scripted) -> list[str]:
    """Give the paths that were asked for, without queries."""
    return [urlsplit(one.path).path for one in server.requests]


def loaded(text: str) -> tuple[Json, list[Json]]:
    """Give header and objects of a snapshot."""
    found = json.loads(text)
    return found["c9sSnapshot"], found["items"]
