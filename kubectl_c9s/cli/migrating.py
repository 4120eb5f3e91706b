"""The work of ``migrate``: files in, their new bytes out, and what there is to say about them."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cli.inputs import STDIN, input_files, read_bytes, read_document_texts
from kubectl_c9s.migration.manifests import Migration
from kubectl_c9s.resources.findings import Finding
from kubectl_c9s.validation.run import Input, Options, look_at
from kubectl_c9s.yamlio.fieldwork import edit_fields, migrated
from kubectl_c9s.yamlio.listed import objects_of
from kubectl_c9s.yamlio.reader import OBJECTS
from kubectl_c9s.yamlio.writer import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from kubectl_c9s.resources.findings import Findings, Position
    from kubectl_c9s.resources.verdicts import Issue
    from kubectl_c9s.yamlio.fieldwork import Change
    from kubectl_c9s.yamlio.reader import Document

# A patch of kustomize is a part of an object: what it lacks, the object has.
_OF_A_PATCH: Final = frozenset({"no-definition"})
_REQUIRED: Final = "is required"


class Result(NamedTuple):
    """A file: its path, its name in findings, its bytes as they were and as they are to be."""

    path: str
    name: str
    data: bytes
    changed: bytes


class _Source(NamedTuple):
    path: str
    name: str
    data: bytes
    documents: list[Document]


def migrate_all(paths: Iterable[str], findings: Findings, *, recursive: bool) -> list[Result]:
    """Migrate every file of every path; nothing of the result is of use when there are errors.

    Raises UsageError for a path that is missing or cannot be read.
    """
    sources = [
        _read(path, findings) for one in paths for path in input_files(one, recursive=recursive)
    ]
    migration = Migration(findings)
    changes = [[migration.changes(one) for one in source.documents] for source in sources]
    migration.finish()
    # What a rule has said already, the schema need not say again.
    said = {(one.path, one.position) for one in findings.errors}
    results = []
    for source, wanted in zip(sources, changes, strict=True):
        changed = edit_fields(source.data, source.documents, wanted, findings)
        results.append(Result(source.path, source.name, source.data, changed))
        for document, edits in zip(source.documents, wanted, strict=True):
            _check(document, edits, said, findings)
    return results


def _read(path: str, findings: Findings) -> _Source:
    name = "<stdin>" if path == STDIN else path
    data = read_bytes(path)
    return _Source(path, name, data, read_document_texts(data, name, findings, OBJECTS))


def _check(
    document: Document,
    edits: Sequence[Change],
    said: AbstractSet[tuple[str, Position]],
    findings: Findings,
) -> None:
    """Report what today's API server, or the manager, would refuse in what became of a document."""
    root = migrated(document.root, edits)
    for _, node in objects_of(root):
        thing = look_at(Input(document._replace(root=node)), Options())
        for issue in thing.verdict().issues if thing.ours else ():
            if _counts(issue) and (issue.path, issue.position) not in said:
                findings.add(
                    Finding("error", issue.code, issue.path, issue.message, issue.position)
                )


def _counts(issue: Issue) -> bool:
    return (
        issue.level == "error"
        and issue.code not in _OF_A_PATCH
        and not issue.message.endswith(_REQUIRED)
    )


def stream(texts: Sequence[bytes]) -> bytes:
    """Join files into one stream of documents; one file alone stays as it is."""
    if len(texts) == 1:
        return texts[0]
    parts = [text.removeprefix(codecs.BOM_UTF8) for text in texts]
    ended = [part if part.endswith(b"\n") else part + b"\n" for part in parts if part.strip()]
    return SEPARATOR.encode().join(ended)
