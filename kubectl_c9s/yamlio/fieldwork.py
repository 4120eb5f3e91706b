"""Changing fields of a file in place: what ``migrate`` does to manifests.

Comments, order, quoting, indentation, line ends, a byte order mark and a missing line break at the end stay as they
are; only the characters of the changed fields change.
"""

from __future__ import annotations

import codecs
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources.findings import Finding, Position
from kubectl_c9s.yamlio.fieldedits import Add, Drop, Rename, Wrap, edited, in_order, with_items
from kubectl_c9s.yamlio.fieldsplices import leaves_nothing, splices_of
from kubectl_c9s.yamlio.nodes import Mapping, Sequence
from kubectl_c9s.yamlio.readback import content, fault, says
from kubectl_c9s.yamlio.refusals import Misplaced
from kubectl_c9s.yamlio.splices import spliced
from kubectl_c9s.yamlio.spots import BREAK
from kubectl_c9s.yamlio.spottree import read_spots

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as SequenceType
    from typing import TypeAlias

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.fieldedits import Edit, Path
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document

    Placed: TypeAlias = tuple[Path, Edit]


class Change(NamedTuple):
    """The edits of one object; ``path`` leads to it from the root of its document."""

    path: Path
    edits: SequenceType[Edit]


def edit_fields(
    data: bytes,
    documents: SequenceType[Document],
    changes: SequenceType[SequenceType[Change]],
    findings: Findings,
) -> bytes:
    """Give the bytes of a file with the changes of each of its documents made.

    ``documents`` are what was read of ``data``. What cannot be changed in place goes to ``findings``, and the
    result is then of no use. C9sError if reading the result back shows another change than was meant.
    """
    if not any(changes):
        return data
    file, text = documents[0].file, documents[0].text
    parts = [text[: documents[0].start]]
    expected: list[Node | None] = []
    line, at = 0, 0
    for document, wanted in zip(documents, changes, strict=True):
        line += sum(1 for _ in BREAK.finditer(text, at, document.start))
        at = document.start
        part, root = _edited_document(document, line, wanted, findings)
        parts.append(part)
        expected.append(root)
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    result = mark + "".join(parts).encode()
    if not findings.has_errors() and not says(result, file, [content(one) for one in expected]):
        raise fault(file)
    return result


def migrated(root: Node | None, changes: Iterable[Change]) -> Node | None:
    """Give the root of a document with the changes made in its nodes."""
    items: dict[Path, dict[int, Mapping]] = defaultdict(dict)
    for path, edits in changes:
        assert root  # noqa: S101 - there is something to change in it
        changed = edited(_mapping_at(root, path), edits)
        if path:
            items[path[:-1]][int(path[-1])] = changed
        else:
            root = changed
    for path, found in items.items():
        assert root  # noqa: S101 - it has items
        root = with_items(root, path, found)
    return root


def _mapping_at(node: Node, path: Path) -> Mapping:
    for step in path:
        if isinstance(node, Mapping):
            node = node.entries[str(step)][1]
        elif isinstance(node, Sequence):
            node = node.items[int(step)]
    assert isinstance(node, Mapping)  # noqa: S101 - an object
    return node


def _edited_document(
    document: Document, line: int, changes: SequenceType[Change], findings: Findings
) -> tuple[str, Node | None]:
    text = document.text[document.start : document.end]
    if not changes:
        return text, document.root
    try:
        changes = _decided(text, line, changes)
        root = migrated(document.root, changes)
        placed = [(path, edit) for path, edits in changes for edit in in_order(edits)]
        return _written(text, line, placed, root), root
    except Misplaced as error:
        place = Position(document.file, error.line + 1, error.column + 1)
        findings.add(Finding("error", error.code, "", error.message, place))
    except ValueError:
        raise fault(document.file) from None
    return text, document.root


def _written(text: str, line: int, placed: SequenceType[Placed], root: Node | None) -> str:
    """Make all changes, many at a time; one after the other, should they stand in each other's way."""
    together = _in_rounds(text, line, placed)
    if says(together.encode(), "", [content(root)]):
        return together
    for one in placed:
        text = _in_rounds(text, line, [one])
    return text


def _decided(text: str, line: int, changes: SequenceType[Change]) -> list[Change]:
    """Settle which mappings go as a whole: those of which nothing would be left, not even a comment."""
    doc = read_spots(text, line)
    decided = []
    for path, edits in changes:
        drops: dict[Path, list[Drop]] = defaultdict(list)
        for edit in edits:
            if isinstance(edit, Drop) and edit.holder:
                drops[edit.path[:-1]].append(edit)
        wholes = [holder for holder, found in drops.items() if leaves_nothing(doc, path, found)]
        kept = [one for one in edits if not (isinstance(one, Drop) and one.path[:-1] in wholes)]
        decided.append(Change(path, [*kept, *map(Drop, wholes)]))
    return decided


def _in_rounds(text: str, line: int, placed: SequenceType[Placed]) -> str:
    """Make changes in as few readings of the text as possible: entries of one mapping come and go one a round."""
    for new_keys in (False, True):
        waiting = [one for one in placed if isinstance(one[1], Rename | Wrap) is new_keys]
        while waiting:
            doc = read_spots(text, line)
            touched: set[Path] = set()
            later: list[Placed] = []
            found = []
            for home, edit in waiting:
                place = (*home, *edit.path[:-1])
                if isinstance(edit, Add | Drop | Wrap):
                    if place in touched:
                        later.append((home, edit))
                        continue
                    touched.add(place)
                found += splices_of(doc, home, edit)
            text, waiting = spliced(text, found), later
    return text
