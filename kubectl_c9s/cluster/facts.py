"""What a check of a cluster reports: facts, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kubectl_c9s.cluster.reading import list_objects

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

Level = Literal["ok", "warning", "failed", "unknown"]


class Fact(NamedTuple):
    """One line: a stable name, how it is, what was seen, what helps."""

    name: str
    level: Level
    text: str
    hint: str = ""


def read_all(
    connection: Connection,
    resource: Resource,
    namespace: str | None = None,
    selectors: dict[str, str] | None = None,
) -> list[KubeObject]:
    """List whole objects; there are few of the kinds that a check reads."""
    item: type[dict[str, Any]] = dict
    return list_objects(connection, resource, item, namespace=namespace, selectors=selectors).items
