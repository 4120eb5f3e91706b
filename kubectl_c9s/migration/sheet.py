"""One object while it is looked at: its fields, what is to be changed in it, and what is to be said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s.topology import data
from kubectl_c9s.yamlio.fieldedits import Add, Drop, Put, Rename, Wrap
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.scalars import NotFinite, resolve

if TYPE_CHECKING:
    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.fieldedits import Edit, Path
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document


class Sheet:
    """An object of a document; ``edits`` collects its changes, ``findings`` what is to be said.

    A field is changed once: where two rules want it, the first one has it.
    """

    def __init__(self, document: Document, root: Mapping, findings: Findings) -> None:
        self.document = document
        self.root = root
        self.findings = findings
        self.edits: list[Edit] = []
        self._gone: set[Path] = set()

    def at(self, *path: str | int) -> Node | None:
        """Give the value of a field, None where there is none."""
        return data.find(self.root, path, exact=True)

    def has(self, *path: str | int) -> bool:
        """Tell whether there is a field that no rule has taken out so far."""
        return path not in self._gone and self.at(*path) is not None

    def keys(self, *path: str | int) -> list[str]:
        """Give the keys of a mapping, none where there is none."""
        found = self.at(*path)
        return list(found.entries) if isinstance(found, Mapping) else []

    def text(self, *path: str | int) -> str:
        """Give the text of a scalar as it was written, ``""`` where there is none."""
        return data.find_text(self.root, path)

    def value(self, *path: str | int) -> Any:
        """Give what kubectl takes a scalar for; None where there is no scalar."""
        found = self.at(*path)
        if not isinstance(found, Scalar):
            return None
        try:
            return resolve(found.text, "kubectl") if found.plain else found.text
        except NotFinite:
            return found.text

    def is_null(self, *path: str | int) -> bool:
        """Tell whether a field is there and says nothing at all."""
        return isinstance(self.at(*path), Scalar) and self.value(*path) is None

    def is_empty(self, *path: str | int) -> bool:
        """Tell whether a field says nothing: it is missing, null, or empty."""
        found = self.at(*path)
        if isinstance(found, Scalar):
            return self.value(*path) in {None, ""}
        if isinstance(found, Mapping):
            return not found.entries
        return not (isinstance(found, Sequence) and found.items)

    def put(self, path: Path, text: str) -> None:
        """Give a scalar another text."""
        self.edits.append(Put(path, text))

    def add(self, keys: tuple[str, ...], field: str, text: str) -> None:
        """Add a field."""
        self.edits.append(Add(keys, field, text))

    def drop(self, path: Path, *, holder: bool = False) -> None:
        """Take out a field; ``holder`` with the mapping around it, if nothing is left there."""
        self._gone.add(path)
        self.edits.append(Drop(path, holder))

    def rename(self, path: Path, key: str) -> None:
        """Call a field by another name."""
        self._gone.add(path)
        self.edits.append(Rename(path, key))

    def wrap(self, path: Path, outer: str, inner: str) -> None:
        """Put a field into a new mapping."""
        self._gone.add(path)
        self.edits.append(Wrap(path, outer, inner))

    def error(self, code: str, path: Path, message: str) -> None:
        """Say what keeps the object from being migrated."""
        where = self.document.position(data.find(self.root, path))
        self.findings.error(code, data.dotted(path), message, where)

    def warning(self, code: str, path: Path, message: str) -> None:
        """Say what deserves a look."""
        where = self.document.position(data.find(self.root, path))
        self.findings.warning(code, data.dotted(path), message, where)
