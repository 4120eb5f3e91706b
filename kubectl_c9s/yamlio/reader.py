"""YAML in: bytes → documents of positioned nodes, within budgets, or a refusal that points at the place.

The grammar is libyaml's, through PyYAML's event interface: go-yaml, which reads these files in the cluster,
is a port of the same parser. Composing is ours, because positions, duplicate keys, foreign tags, cyclic and
exploding aliases must be seen before anything is built (conventions.md §8; figures in docs/performance.md).
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import yaml

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Finding, Position
from kubectl_c9s.yamlio.compose import Budget, Composer
from kubectl_c9s.yamlio.refusals import Misplaced

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node

LABS: Final = Budget()
"""For labs: twice what 10,000 devices need."""
OBJECTS: Final = Budget(nodes=1_000_000)
"""For streams of objects: what 10,000 devices become."""
MAX_BYTES: Final = 32 * 1024 * 1024
_ASCII_FORBIDDEN: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@functools.cache
def _unicode_forbidden() -> re.Pattern[str]:
    """Made on first use: a class over all of Unicode takes milliseconds to compile, and most files are ASCII."""
    return re.compile(
        "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    )


def _forbidden(text: str) -> re.Match[str] | None:
    return (_ASCII_FORBIDDEN if text.isascii() else _unicode_forbidden()).search(text)


class Document(NamedTuple):
    """One document of a stream.

    ``root`` is None when it is empty. ``text`` is the whole input as decoded text (shared by its documents);
    ``start`` and ``end`` are character offsets of this document in it, the ``---`` line included.
    """

    file: str
    root: Node | None
    text: str
    start: int
    end: int

    def position(self, node: Node | None) -> Position:
        """Give the place of a node of this document."""
        return Position(self.file, node.line + 1, node.column + 1) if node else Position(self.file)


def decode(data: bytes, file: str) -> str:
    """Turn bytes into text: UTF-8, with or without a byte order mark.

    Raises RefusedInput with the position of the first bad byte.
    """
    if len(data) > MAX_BYTES:
        _refuse(
            "input-too-large",
            f"the input has {len(data)} bytes; at most {MAX_BYTES} are read",
            Position(file),
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse("invalid-encoding", "the input is UTF-16; only UTF-8 is read", Position(file, 1, 1))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _place(data[: error.start].decode("utf-8-sig", "replace"))
        _refuse(
            "invalid-encoding",
            f"byte 0x{data[error.start]:02x} is not valid UTF-8",
            Position(file, line, column),
        )
    return text


def read_documents(data: bytes, file: str) -> list[Document]:
    """Read every document of a YAML (or JSON) stream.

    Raises RefusedInput: bad encoding, bad YAML, duplicate keys, foreign tags, aliases or nesting over budget.
    """
    return read_text(decode(data, file), file)


def read_text(text: str, file: str = "", budget: Budget = LABS) -> list[Document]:
    """Read every document of a text that was decoded already; raises as ``read_documents`` does."""
    if found := _forbidden(text):
        line, column = _place(text[: found.start()])
        shown = f"character U+{ord(found.group()):04X} is not allowed in YAML"
        _refuse("invalid-yaml", shown, Position(file, line, column))
    try:
        return _documents(text, file, budget)
    except Misplaced as error:
        _refuse(error.code, error.message, Position(file, error.line + 1, error.column + 1))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = _mark_place(text, file, mark) if mark else Position(file)
        words = " ".join(part for part in (error.context, error.problem) if part)
        _refuse("invalid-yaml", f"not valid YAML: {words}", place)
    except yaml.YAMLError as error:
        _refuse("invalid-yaml", f"not valid YAML: {error}", Position(file))
    except RecursionError:
        _refuse("yaml-budget", "the input is nested too deeply", Position(file))


def _documents(text: str, file: str, budget: Budget) -> list[Document]:
    loader = _LOADER(text)
    composer = Composer(loader.get_event, budget)
    try:
        found = list(composer.documents())
    finally:
        loader.dispose()
    starts = [start for _, start in found] + [len(text)]
    # Comments and blank lines before the first document belong to it.
    starts[0] = 0
    return [
        Document(file, root, text, starts[index], starts[index + 1])
        for index, (root, _) in enumerate(found)
    ]


def _place(before: str) -> tuple[int, int]:
    line = before.count("\n")
    return line + 1, len(before) - (before.rfind("\n") + 1) + 1


def _mark_place(text: str, file: str, mark: yaml.Mark) -> Position:
    """Give the place of a parser's mark; the end of the text counts as the end of its last line."""
    if mark.line > text.count("\n"):
        return Position(file, *_place(text))
    return Position(file, mark.line + 1, mark.column + 1)


def _refuse(code: str, message: str, position: Position) -> NoReturn:
    raise RefusedInput(message, [Finding("error", code, "", message, position)])
