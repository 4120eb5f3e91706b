"""Environment variables in a bare containerlab file, and the way back to the text the user wrote (staging.md A1)."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.resources.findings import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kubectl_c9s.yamlio.nodes import Node

_NAME: Final = r"[^\W\d]\w*"
# $$, $NAME, or ${ up to its } on the same line. A $ before anything else stays as it is.
_EXPRESSION: Final = re.compile(
    rf"\$(?:(?P<dollar>\$)|(?P<name>{_NAME})|(?P<open>\{{)(?:(?P<body>[^}}\n]*)(?P<close>\}}))?)"
)
_BODY: Final = re.compile(rf"(?P<name>{_NAME})(?:(?P<operator>:-|:=|:\+|-|=|\+)(?P<default>.*))?", re.DOTALL)
_REFERENCE: Final = re.compile(rf"\$({_NAME})")
_NESTED: Final = re.compile(r"\$[\w{$]")
_SHELL_ONLY: Final = "_"


class Expanded:
    """An expanded text that knows where each of its characters came from.

    ``used`` has the names that were replaced, ``kept`` those that stay as ``$NAME`` because nothing sets them.
    """

    def __init__(self, original: str, file: str, first_line: int) -> None:
        self.text = original
        self.used: set[str] = set()
        self.kept: set[str] = set()
        self._file = file
        self._first_line = first_line
        self._original = original
        # Starts of stretches: offset in the expanded text, offset in the original, whether copied as it was.
        self._starts: list[int] = [0]
        self._sources: list[tuple[int, bool]] = [(0, True)]

    def keep(self, expanded: int, source: int, *, copied: bool) -> None:
        """Note that a stretch begins at ``expanded`` and comes from ``source``."""
        self._starts.append(expanded)
        self._sources.append((source, copied))

    def locate(self, line: int, column: int) -> Position:
        """Give the place in the file of a line and column (from 0) of the expanded text."""
        lines = self._expanded_lines
        offset = lines[min(line, len(lines) - 1)] + column
        index = bisect_right(self._starts, offset) - 1
        source, copied = self._sources[index]
        return self.place(source + (offset - self._starts[index] if copied else 0))

    def of(self, node: Node | None) -> Position:
        """Give the place of a node of the expanded text."""
        return self.locate(node.line, node.column) if node else Position(self._file)

    def place(self, source: int) -> Position:
        """Give the place of a character of the original text."""
        line = bisect_right(self._original_lines, source) - 1
        column = source - self._original_lines[line]
        return Position(self._file, self._first_line + line + 1, column + 1)

    @cached_property
    def _expanded_lines(self) -> list[int]:
        return _line_starts(self.text)

    @cached_property
    def _original_lines(self) -> list[int]:
        return _line_starts(self._original)


class Problem(NamedTuple):
    """Something in the text that cannot be expanded."""

    code: str
    message: str
    position: Position


def expand(
    original: str, variables: Mapping[str, str], file: str, report: Callable[[Problem], None], first_line: int = 0
) -> Expanded:
    """Replace the variables of a text; ``first_line`` is the line (from 0) at which the text begins in the file.

    Problems are reported one by one: a ``{{`` of a template, a ``${`` without ``}``, a nested default.
    """
    expanded = Expanded(original, file, first_line)
    if (at := original.find("{{")) >= 0:
        message = (
            "templates are not executed; write a plain file with "
            "'containerlab --runtime c9s deploy --emit-crs --export-rendered FILE'"
        )
        report(Problem("template", message, expanded.place(at)))
    parts: list[str] = []
    length, done = 0, 0
    for found in _EXPRESSION.finditer(original):
        value = _value(found, variables, expanded, report)
        if value is None:
            continue
        parts += original[done : found.start()], value
        length += found.start() - done
        expanded.keep(length, found.start(), copied=False)
        length += len(value)
        done = found.end()
        expanded.keep(length, done, copied=True)
    parts.append(original[done:])
    expanded.text = "".join(parts)
    return expanded


def _value(
    found: re.Match[str], variables: Mapping[str, str], expanded: Expanded, report: Callable[[Problem], None]
) -> str | None:
    """Give what an expression becomes; None leaves it as it is."""
    if found["dollar"]:
        return "$"
    if name := found["name"]:
        return None if name == _SHELL_ONLY else _variable(name, variables, expanded)
    if found["close"] is None:
        message = "'${' has no '}' on its line; write '$${' for the two characters"
        report(Problem("unclosed-variable", message, expanded.place(found.start())))
        return None
    body = _BODY.fullmatch(found["body"])
    if body is None or body["name"] == _SHELL_ONLY:
        return _odd_body(found, expanded, report)
    return _with_default(body, variables, expanded, report, found.start())


def _odd_body(found: re.Match[str], expanded: Expanded, report: Callable[[Problem], None]) -> None:
    """``${1}`` and ``${_}`` stay; any other form is none that containerlab knows."""
    if re.fullmatch(r"\d\w*|_", found["body"]):
        return
    message = f"{found[0]!r} is no form of a variable that containerlab knows; write '$${{' for the characters"
    report(Problem("unknown-expansion", message, expanded.place(found.start())))


def _variable(name: str, variables: Mapping[str, str], expanded: Expanded) -> str:
    if value := variables.get(name):
        expanded.used.add(name)
        return value
    expanded.kept.add(name)
    return f"${name}"


def _with_default(
    body: re.Match[str],
    variables: Mapping[str, str],
    expanded: Expanded,
    report: Callable[[Problem], None],
    at: int,
) -> str:
    name, operator = body["name"], body["operator"]
    if not operator:
        return _variable(name, variables, expanded)
    default = _default(body["default"], variables, expanded)
    if default is None:
        message = f"the default of {name} is an expression of its own, which has no useful meaning; write a plain text"
        report(Problem("nested-default", message, expanded.place(at)))
        return ""
    value = variables.get(name)
    if operator in {"+", ":+"}:
        expanded.used.add(name)
        return default if name in variables else ""
    if value:
        expanded.used.add(name)
        return value
    if not default or (value == "" and operator in {"-", "="}):
        expanded.kept.add(name)
        return f"${name}"
    return default


def _default(text: str, variables: Mapping[str, str], expanded: Expanded) -> str | None:
    if not _NESTED.search(text):
        return text
    reference = _REFERENCE.fullmatch(text)
    return _variable(reference[1], variables, expanded) if reference else None


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]
