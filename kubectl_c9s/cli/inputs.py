"""Reading what ``-f`` names: files, directories, stdin; documents and the items of Lists."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.resources.objects import API_VERSION, TOOLKIT_API_VERSION
from kubectl_c9s.topology.recognise import is_bare, may_be_bare
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.reader import LABS, MAX_BYTES, Document, decode, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.yamlio.compose import Budget
    from kubectl_c9s.yamlio.nodes import Node

_SUFFIXES: Final = frozenset({".yaml", ".yml", ".json"})
_LISTS: Final = frozenset({"v1", API_VERSION, TOOLKIT_API_VERSION})
STDIN: Final = "-"


class Item(NamedTuple):
    """One object of the input.

    ``directory`` is that of its file (the current one for stdin); ``own_text`` tells whether the document's text
    is this object alone, and not a List's; ``bare`` whether it is a containerlab file.
    """

    document: Document
    directory: str
    own_text: bool = True
    bare: bool = False


def read_inputs(
    paths: tuple[str, ...], findings: Findings, *, recursive: bool, budget: Budget = LABS
) -> list[Item]:
    """Read every document of every path; what is wrong in a file goes to ``findings``, the rest is read on.

    Raises UsageError for a path that is missing or cannot be read.
    """
    items: list[Item] = []
    for path in paths:
        for file in input_files(path, recursive=recursive):
            name = "<stdin>" if file == STDIN else file
            directory = "." if file == STDIN else os.path.dirname(file) or "."  # noqa: PTH120 - as written
            for document in read_document_texts(read_bytes(file), name, findings, budget):
                items.extend(items_of_document(document, directory))
    return items


def read_document_texts(
    data: bytes, name: str, findings: Findings, budget: Budget = LABS
) -> list[Document]:
    """Read the documents of one file; what is wrong with it goes to ``findings``."""
    text = ""
    try:
        text = decode(data, name)
        return read_text(text, name, budget)
    except RefusedInput as refused:
        if may_be_bare(text):
            # Not yet YAML, perhaps: variables are replaced in the text of a containerlab file first.
            return [Document(name, None, text, 0, len(text))]
        for finding in refused.findings:
            findings.add(finding)
        return []


def input_files(path: str, *, recursive: bool) -> list[str]:
    """Give the files that a path stands for; UsageError for a directory without any."""
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


def read_bytes(path: str) -> bytes:
    """Read a regular file, or stdin; raises UsageError for what is missing or cannot be read."""
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


def items_of_document(document: Document, directory: str) -> Iterator[Item]:
    """Give the document, or for a List its items; an empty document gives nothing."""
    root = document.root
    if root is None:
        if may_be_bare(document.text[document.start : document.end]):
            yield Item(document, directory, bare=True)
        return
    listed = root.get("items") if isinstance(root, Mapping) and _is_list(root) else None
    if isinstance(listed, Sequence):
        for one in listed.items:
            yield Item(document._replace(root=one), directory, own_text=False)
    else:
        yield Item(document, directory, bare=is_bare(root))


def _is_list(root: Mapping) -> bool:
    kind, api = root.get("kind"), root.get("apiVersion")
    return _text(kind).endswith("List") and _text(api) in _LISTS


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
