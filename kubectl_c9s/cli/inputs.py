"""Reading what ``-f`` names: files, directories, stdin; documents and the items of Lists."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.reader import MAX_BYTES, Document, read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.nodes import Node

_SUFFIXES: Final = frozenset({".yaml", ".yml", ".json"})
STDIN: Final = "-"


def read_inputs(paths: tuple[str, ...], findings: Findings, *, recursive: bool) -> list[Document]:
    """Read every document of every path; what is wrong in a file goes to ``findings``, the rest is read on.

    Raises UsageError for a path that is missing or cannot be read.
    """
    documents: list[Document] = []
    for path in paths:
        for file in _files(path, recursive=recursive):
            name = "<stdin>" if file == STDIN else file
            try:
                documents.extend(read_documents(_read(file), name))
            except RefusedInput as refused:
                for finding in refused.findings:
                    findings.add(finding)
    return documents


def _files(path: str, *, recursive: bool) -> list[str]:
    if path in {STDIN, "/dev/stdin"}:
        return [STDIN]
    if not os.path.isdir(path):  # noqa: PTH112 - bytes and odd names pass unchanged
        return [path]
    found = Path(path).rglob("*") if recursive else Path(path).iterdir()
    files = sorted(str(file) for file in found if file.suffix in _SUFFIXES and file.is_file())
    if not files:
        hint = None if recursive else "use -R to look in its directories too"
        raise UsageError(f"directory {path} has no .yaml, .yml or .json file", hint=hint)
    return files


def _read(path: str) -> bytes:
    if path == STDIN:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        # Not blocking: opening a pipe without a writer must not hang. Looked at before anything is read.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a usable path"
        raise UsageError(f"cannot read {path}: {reason}") from None
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UsageError(f"cannot read {path}: not a regular file", hint="pipe it into '-f -'")
        return stream.read(MAX_BYTES + 1)


def flattened(documents: list[Document]) -> Iterator[tuple[Document, bool]]:
    """Give each document, and for a v1 List its items; the flag tells whether the text is the object's own."""
    for document in documents:
        root = document.root
        if root is None:
            continue
        items = root.get("items") if isinstance(root, Mapping) and _is_list(root) else None
        if isinstance(items, Sequence):
            for item in items.items:
                yield document._replace(root=item), False
        else:
            yield document, True


def _is_list(root: Mapping) -> bool:
    kind, api = root.get("kind"), root.get("apiVersion")
    return _text(kind).endswith("List") and _text(api) in {"v1", "c9s.run/v1alpha1"}


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
