"""What a request to an API server asks for: verb, resource and object, as the server's own audit log names them."""

from __future__ import annotations

import base64
import dataclasses
import json
import urllib.parse
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

VERBS: Final = {
    "POST": "create",
    "PUT": "update",
    "PATCH": "patch",
    "DELETE": "delete",
    "GET": "get",
}
# Everything else below /namespaces/NAME/ is a resource in that namespace.
NAMESPACE_PARTS: Final = ("status", "finalize")
TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})


@dataclasses.dataclass(frozen=True)
class Asked:
    """One request. ``resource`` is ``plural`` or ``plural.group``, empty for paths such as ``/version``.

    ``path`` is without query. ``user`` is the subject of a ServiceAccount token, empty for anything else: the
    proxy reads it to tell clients apart, and trusts nothing by it.
    """

    method: str
    path: str
    verb: str
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    agent: str = ""
    user: str = ""

    @property
    def key(self) -> str:
        """Name what is asked by whom, the same in every run.

        Without the namespace, whose name tests draw by lot, and without the version of the program.
        """
        what = f"{self.resource}/{self.subresource}" if self.subresource else self.resource
        program = self.agent.partition("/")[0]
        return " ".join((program, self.verb, *((what, self.name) if what else (self.path,))))

    @property
    def main_path(self) -> str:
        """Give the path of the object itself, of which a subresource may be asked."""
        return self.path.removesuffix(f"/{self.subresource}") if self.subresource else self.path


def describe(method: str, target: str, fields: Mapping[str, str], body: bytes = b"") -> Asked:
    """Read a request: its target with query, its headers by lower-case name, and its body.

    The body gives the name of an object to be created; one that is not JSON has none.
    """
    path, _, query = target.partition("?")
    asked = urllib.parse.parse_qs(query)
    who = {"agent": fields.get("user-agent", ""), "user": _subject(fields)}
    parts = [urllib.parse.unquote(one) for one in path.strip("/").split("/")]
    group, rest = _group(parts)
    if not rest:
        return Asked(method, path, method.lower(), **who)
    namespace, rest = _namespace(rest)
    plural, name, *more = [*rest, ""]
    resource = f"{plural}.{group}" if group else plural
    verb = _verb(method, asked, named=bool(name))
    if verb == "create" and not name:
        name = _name_in(body)
    if verb in {"list", "watch"}:
        name = _selected(asked)
    where = {"namespace": namespace, "name": name, "subresource": more[0] if more else ""}
    return Asked(method, path, verb, resource, **where, **who)


def _group(parts: list[str]) -> tuple[str, list[str]]:
    """Split off group and version; the rest is empty for what is no resource."""
    if parts[0] == "api" and len(parts) > 2:
        return "", parts[2:]
    if parts[0] == "apis" and len(parts) > 3:
        return parts[1], parts[3:]
    return "", []


def _namespace(rest: list[str]) -> tuple[str, list[str]]:
    within = rest[0] == "namespaces" and len(rest) > 2
    if within and rest[2] not in NAMESPACE_PARTS:
        return rest[1], rest[2:]
    if rest[0] == "namespaces" and len(rest) > 1:
        return rest[1], rest  # a Namespace is in itself, as the server sees it
    return "", rest


def _verb(method: str, query: Mapping[str, list[str]], *, named: bool) -> str:
    verb = VERBS.get(method, method.lower())
    if named:
        return verb
    if verb == "get":
        return "watch" if query.get("watch", [""])[0] in TRUE else "list"
    return "deletecollection" if verb == "delete" else verb


def _selected(query: Mapping[str, list[str]]) -> str:
    """Give the one name that a list or watch is for."""
    for term in query.get("fieldSelector", [""])[0].split(","):
        field, equals, value = term.partition("=")
        if field == "metadata.name" and equals:
            return value.removeprefix("=")
    return ""


def _name_in(body: bytes) -> str:
    try:
        return str(json.loads(body)["metadata"]["name"])
    except (ValueError, KeyError, TypeError):
        return ""


def _subject(fields: Mapping[str, str]) -> str:
    """Give the subject of a bearer token that is a JWT."""
    _, _, token = fields.get("authorization", "").partition(" ")
    parts = token.split(".")
    if len(parts) != 3:
        return ""
    try:
        claims: Any = json.loads(base64.urlsafe_b64decode(parts[1] + "=="))
        return str(claims["sub"])
    except (ValueError, KeyError, TypeError):
        return ""
