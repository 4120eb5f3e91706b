"""From what was read to what is to be changed: every object of every document, and what they are to each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.migration import fields, gone, metadata
from kubectl_c9s.migration.nodes import migrate_node
from kubectl_c9s.migration.sheet import Sheet
from kubectl_c9s.resources.objects import API_VERSION, OLD_API_VERSION
from kubectl_c9s.topology.recognise import is_bare
from kubectl_c9s.yamlio.fieldwork import Change
from kubectl_c9s.yamlio.listed import is_list, objects_of
from kubectl_c9s.yamlio.members import text_at
from kubectl_c9s.yamlio.nodes import Mapping, Scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document

_RULES: Final[dict[str, Callable[[Sheet], None]]] = {
    "Config": fields.migrate_config,
    "LauncherProfile": fields.migrate_profile,
    "Link": fields.migrate_link,
    "Node": migrate_node,
    "NodeProfile": fields.migrate_profile,
    "Topology": fields.migrate_topology,
}
_STANDALONE: Final = frozenset({"LauncherProfile", "Link", "Node", "NodeProfile"})
_VERSIONS: Final = frozenset({API_VERSION, OLD_API_VERSION})
_OLD_GROUPS: Final = ("c9s.run", "clabernetes.containerlab.dev", "topology.clabernetes")
_OLD_NAMES: Final = re.compile(
    r"\bLauncherProfile\b|\blauncherProfileRef\b|\blauncherprofiles\b|\bclabernetes\.containerlab\.dev\b"
)


class Migration:
    """The migration of one input: documents go in one after the other, ``finish`` looks at all of them together."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._profiles: dict[tuple[str, str, str], Sheet] = {}

    def changes(self, document: Document) -> list[Change]:
        """Give what is to be changed in a document; what is to be said is in the findings."""
        root = document.root
        if not isinstance(root, Mapping) or is_bare(root):
            return []
        sheets = self._sheets(document, root)
        return [Change(path, sheet.edits) for path, sheet in sheets if sheet.edits]

    def finish(self) -> None:
        """Report profiles that would be there twice: once as it was, once as somebody has written it anew."""
        for (kind, namespace, name), sheet in self._profiles.items():
            other = self._profiles.get((metadata.NODE_PROFILE, namespace, name))
            if kind == metadata.LAUNCHER_PROFILE and other:
                at = other.document.position(other.root)
                message = f"the NodeProfile {name!r} is there already, in {at.file}:{at.line}: keep one of them"
                sheet.error("duplicate-object-name", ("metadata", "name"), message)

    def _sheets(
        self, document: Document, root: Mapping
    ) -> Iterator[tuple[tuple[str | int, ...], Sheet]]:
        if is_list(root):
            whole = Sheet(document, root, self._findings)
            metadata.migrate_identity(whole)
            yield (), whole
        for path, node in objects_of(root):
            sheet = Sheet(document, node, self._findings)
            self._migrate(sheet)
            yield path, sheet

    def _migrate(self, sheet: Sheet) -> None:
        api, kind = sheet.text("apiVersion"), sheet.text("kind")
        if api in _VERSIONS and kind in _RULES:
            metadata.migrate_identity(sheet)
            metadata.strip_server_fields(sheet)
            if kind in _STANDALONE:
                metadata.refuse_generated(sheet)
                metadata.migrate_labels(sheet)
            _RULES[kind](sheet)
            self._note_profile(sheet, kind)
        elif kind in gone.KINDS and api.partition("/")[0] in _OLD_GROUPS:
            sheet.error("unknown-kind", ("kind",), f"{kind} left the API; {gone.KINDS[kind]}")
        else:
            self._look_for_names(sheet)

    def _note_profile(self, sheet: Sheet, kind: str) -> None:
        if kind in {metadata.LAUNCHER_PROFILE, metadata.NODE_PROFILE}:
            name = text_at(sheet.root, "metadata", "name")
            self._profiles.setdefault(
                (kind, text_at(sheet.root, "metadata", "namespace"), name), sheet
            )

    def _look_for_names(self, sheet: Sheet) -> None:
        """Point at what names an older API in documents that are nobody's manifest of a lab."""
        for node in _scalars(sheet.root):
            if found := _OLD_NAMES.search(node.text):
                message = f"{found[0]} is of an older release; this document is not changed: look at it yourself"
                self._findings.warning("old-reference", "", message, sheet.document.position(node))


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
        return
    children: Iterable[Node] = (
        [part for entry in node.entries.values() for part in entry]
        if isinstance(node, Mapping)
        else node.items
    )
    for child in children:
        yield from _scalars(child)
