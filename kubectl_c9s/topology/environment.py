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
# $$, $NAME, or ${ up to its } on the same line. A $ before anything else stays as it is, and so does ${1.
_EXPRESSION: Final = re.compile(
    rf"\$(?:(?P<dollar>\$)|(?P<name>{_NAME})|(?P<open>\{{)(?!\d)(?:(?P<body>[^}}\r\n]*)(?P<close>\}}))?)"
)
_BODY: Final = re.compile(
    rf"(?P<name>{_NAME})(?:(?P<operator>:-|:=|:\+|-|=|\+)(?P<default>.*))?", re.DOTALL
)
_REFERENCE: Final = re.compile(rf"\$({_NAME})")
_NESTED: Final = re.compile(r"\$[\w{$]")
_SHELL_ONLY: Final = "_"
# What the YAML parser counts as the end of a line.
_LINE_END: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")


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
        return self.at(lines[min(line, len(lines) - 1)] + column)

    def at(self, offset: int) -> Position:
        """Give the place in the file of a character of the expanded text."""
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
    original: str,
    variables: Mapping[str, str],
    file: str,
    report: Callable[[Problem], None],
    first_line: int = 0,
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
    found: re.Match[str],
    variables: Mapping[str, str],
    expanded: Expanded,
    report: Callable[[Problem], None],
) -> str | None:
    """Give what an expression becomes; None leaves it as it is."""
    if found["dollar"]:
        return "$"
    if found["name"]:
        return _plain(found["name"], variables, expanded)
    if found["body"] == _SHELL_ONLY:
        return None
    place = expanded.place(found.start())
    if found["close"] is None:
        message = "'${' has no '}' on its line; write '$${' for the two characters"
        report(Problem("unclosed-variable", message, place))
        return None
    body = _BODY.fullmatch(found["body"])
    if body and body["name"] != _SHELL_ONLY and _name_length(body["name"]) == len(body["name"]):
        return _with_default(body, variables, expanded, report, found.start())
    message = f"{found[0]!r} is no form of a variable that containerlab knows; write '$${{' for the characters"
    report(Problem("unknown-expansion", message, place))
    return None


def _plain(name: str, variables: Mapping[str, str], expanded: Expanded) -> str | None:
    head = name[: _name_length(name)]
    if head in {"", _SHELL_ONLY}:
        return None
    return _variable(head, variables, expanded) + name[len(head) :]


def _name_length(name: str) -> int:
    """Count the letters, digits and ``_`` a name begins with: the expression takes more, such as a raised 2."""
    if name.isascii():
        return len(name)
    odd = (
        at
        for at, char in enumerate(name)
        if not (char == "_" or char.isalpha() or char.isdecimal())
    )
    return next(odd, len(name))


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
    name, operator, default = body["name"], body["operator"], body["default"]
    if default and _NESTED.search(default) and not _REFERENCE.fullmatch(default):
        message = f"the default of {name} is an expression of its own, which has no useful meaning; write a plain text"
        report(Problem("nested-default", message, expanded.place(at)))
        return ""
    value = variables.get(name)
    if not default:
        wanted = False  # without a default text every operator is like none
    elif operator in {"+", ":+"}:
        if value is None:
            return ""
        wanted = True
    else:
        wanted = not value if operator in {":-", ":="} else value is None
    return (
        _default(default, variables, expanded) if wanted else _variable(name, variables, expanded)
    )


def _default(text: str, variables: Mapping[str, str], expanded: Expanded) -> str:
    reference = _REFERENCE.fullmatch(text)
    if reference is None or reference[1] == _SHELL_ONLY:
        return text
    return _variable(reference[1], variables, expanded)


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in _LINE_END.finditer(text))]
