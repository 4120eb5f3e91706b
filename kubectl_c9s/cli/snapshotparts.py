"""From a cluster to the parts of a snapshot, with names or without."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_c9s.cli.connecting import connect, only_namespace
from kubectl_c9s.cli.dumps import dump_of_lists, server_time
from kubectl_c9s.cli.oneline import OneLine
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cluster.capture import capture, server_version
from kubectl_c9s.diagnosis.dump import SNAPSHOT_VERSION, SnapshotHeader
from kubectl_c9s.diagnosis.redact import redact as without_names
from kubectl_c9s.diagnosis.snapshot import Pages
from kubectl_c9s.resources.errors import C9sError
from kubectl_c9s.resources.moments import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.cluster.capture import Captured
    from kubectl_c9s.cluster.kinds import Resource


def take_snapshot(
    flags: Mapping[str, Any], *, redact: bool
) -> tuple[SnapshotHeader, Mapping[str, Iterable[bytes]]]:
    """Read a cluster and give the header, and by kind the objects as JSON. Raises C9sError if nothing may be read."""
    namespace = only_namespace(flags)
    connection = connect(flags)
    with Progress() as progress:
        captured = capture(connection, namespace, flags.get("manager_namespace"), progress.page)
    if not any(not one.namespace for one in captured.seen):
        hint = "'kubectl c9s rights snapshot' prints the Role"
        hint += "" if namespace else "; -n NAMESPACE looks at one namespace only"
        raise C9sError(f"nothing may be read: {captured.collections[0].unseen}", hint=hint)
    now, doubt = server_time(captured)
    print_notes(doubt)
    header = SnapshotHeader(
        version=SNAPSHOT_VERSION,
        at=text_of(now),
        collected=[one.resource.full_name for one in captured.seen if not one.namespace],
        namespace=namespace,
        manager_namespace=flags.get("manager_namespace"),
        server_version=server_version(connection),
        unseen={one.label: one.unseen for one in captured.collections if one.unseen},
        resource_versions={one.label: one.resource_version for one in captured.seen},
    )
    return _redacted(captured, header) if redact else (header, _plain(captured))


def _plain(captured: Captured) -> dict[str, Pages]:
    """Give the objects as they came."""
    found: dict[str, Pages] = {}
    for one in captured.seen:
        kind = one.resource
        pages = found.setdefault(kind.full_name, Pages(kind.api_version, kind.kind))
        pages.pages.extend(one.pages)
    return found


def _redacted(
    captured: Captured, header: SnapshotHeader
) -> tuple[SnapshotHeader, dict[str, list[bytes]]]:
    """Give header and objects under other names."""
    dump = dump_of_lists(captured)
    dump.namespace = header.namespace
    objects, names = without_names(dump, header.manager_namespace, header.unseen.values())

    def label(text: str) -> str:
        kind, at, place = text.partition("@")
        return kind + at + names.name(place)

    renamed = msgspec.structs.replace(
        header,
        namespace=header.namespace and names.name(header.namespace),
        manager_namespace=header.manager_namespace and names.name(header.manager_namespace),
        unseen={label(kind): names.text(reason) for kind, reason in header.unseen.items()},
        resource_versions={label(kind): at for kind, at in header.resource_versions.items()},
        redacted=True,
    )
    seen = {one.resource.full_name for one in captured.seen}
    lists = {kind: found for kind, found in objects.items() if kind in seen}
    return renamed, {kind: list(map(msgspec.json.encode, found)) for kind, found in lists.items()}


class Progress(OneLine):
    """What is being read."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._pages = 0

    def page(self, resource: Resource, number: int) -> None:
        """Take note of a page that was read."""
        with self._lock:
            self._pages += 1
            self(f"{self._pages} pages read, {resource.full_name} up to {number}")
