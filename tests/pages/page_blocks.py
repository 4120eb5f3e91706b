"""Takes a Markdown page apart: the blocks that are played, in order, and what is wrong with their markers.

The rules for writers are in CONTRIBUTING.md, "Pages whose commands run".
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from page_markers import MARKER_WORDS, Marker, MarkerError, parse_marker

if TYPE_CHECKING:
    from collections.abc import Iterator

SHELL: Final = frozenset({"bash", "console", "sh", "shell", "zsh"})
FENCE: Final = re.compile(
    r"^(?P<indent> *)(?P<ticks>```+|~~~+)(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)^(?P=indent)(?P=ticks) *$",
    re.MULTILINE | re.DOTALL,
)
INLINE: Final = re.compile(r"`[^`\n]+`")
COMMENT: Final = re.compile(r"<!-- *(?P<text>.*?) *-->", re.DOTALL)
HERE_DOC: Final = re.compile(r"<<-?\s*(['\"]?)(?P<end>\w+)\1")


@dataclass(frozen=True)
class Command:
    """A command of a block: the text for the shell, the lines as they stand, what the page says it prints."""

    text: str
    shown: str
    output: str


@dataclass(frozen=True)
class Block:
    """A block with its marker; ``start`` and ``end`` are where its body stands in the page, ``line`` counts from 1."""

    marker: Marker
    language: str
    body: str
    indent: str
    line: int
    start: int
    end: int

    @property
    def file(self) -> str:
        """Give the name of the file that the block is, "" when it is none."""
        if self.marker.file:
            return self.marker.file
        if self.language in SHELL or not self.marker.runs:
            return ""
        found = re.match(r"# (\S+)\n", self.body)
        return found[1] if found else ""

    @property
    def commands(self) -> list[Command]:
        """Give the commands; a block of a language other than ``console`` is one script without prompts."""
        if self.language not in SHELL or self.marker.file:
            return []
        if self.language != "console":
            return [Command(self.body, self.body, "")]
        return list(_commands(self.body.splitlines(keepends=True)))


def _commands(lines: list[str]) -> Iterator[Command]:
    left = list(lines)
    while left:
        first = left.pop(0)
        if not first.startswith("$ "):
            raise MarkerError(f"a console block begins with '$ ', not with {first.rstrip()!r}")
        shown = [first]
        text = [first.removeprefix("$ ")]
        while left and _goes_on("".join(text)):
            shown.append(left.pop(0))
            text.append(shown[-1].removeprefix("> "))
        output = []
        while left and not left[0].startswith("$ "):
            output.append(left.pop(0))
        yield Command("".join(text), "".join(shown), "".join(output))


def _goes_on(text: str) -> bool:
    """Tell whether a command needs its next line: a backslash at the end, or a here-document that is open."""
    here = HERE_DOC.search(text)
    if here:
        return not re.search(rf"^\t*{re.escape(here['end'])}$", text, re.MULTILINE)
    return text.endswith("\\\n")


def blocks(page: str) -> list[Block]:
    """Give what a page plays, in order: blocks with a marker and hidden preparations; MarkerError for a wrong one."""
    found = [*_fenced(page), *_hidden(page)]
    return sorted(found, key=lambda one: one.start)


def _fenced(page: str) -> Iterator[Block]:
    for fence in FENCE.finditer(page):
        marker = _marker_before(page, fence)
        if marker is None:
            continue
        indent = fence["indent"]
        body = textwrap.dedent(fence["body"]) if indent else fence["body"]
        line = page.count("\n", 0, fence.start()) + 1
        if marker.word == "prepare":
            raise MarkerError(f"line {line}: a preparation stands in its comment, not in a block")
        yield Block(marker, fence["language"], body, indent, line, *fence.span("body"))


def _marker_before(page: str, fence: re.Match[str]) -> Marker | None:
    above = page[: fence.start()].removesuffix("\n").rpartition("\n")[2]
    comment = COMMENT.fullmatch(above.strip())
    line = page.count("\n", 0, fence.start())
    return _parsed(comment["text"], line) if comment else None


def _parsed(text: str, line: int) -> Marker | None:
    try:
        return parse_marker(text)
    except MarkerError as error:
        raise MarkerError(f"line {line}: {error}") from None


def _hidden(page: str) -> Iterator[Block]:
    for comment in COMMENT.finditer(outside_fences(page)):
        head, _, script = comment["text"].partition("\n")
        line = page.count("\n", 0, comment.start()) + 1
        marker = _parsed(head, line) if head.split(":")[0].strip() == "prepare" else None
        if marker is not None:
            yield Block(marker, "sh", script + "\n", "", line, *comment.span())


def outside_fences(page: str) -> str:
    """Give the page with its blocks and its code within sentences blanked out, every character at its place."""
    for pattern in (FENCE, INLINE):
        page = pattern.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), page)
    return page


def problems(page: str) -> list[str]:
    """Name what a page has wrong: shell blocks without a marker, markers without a block, markers that are none."""
    found = []
    try:
        known = {block.start for block in blocks(page)}
        for block in blocks(page):
            found += [f"line {block.line}: {what}" for what in _block_problems(block)]
    except MarkerError as error:
        return [str(error)]
    for fence in FENCE.finditer(page):
        if fence["language"] in SHELL and fence.start("body") not in known:
            line = page.count("\n", 0, fence.start()) + 1
            found.append(f"line {line}: a {fence['language']} block without a marker")
    found += _stray_markers(page)
    return found


def _block_problems(block: Block) -> Iterator[str]:
    runnable = bool(block.file or block.commands)
    if block.marker.runs and not runnable:
        yield f"a {block.language or 'plain'} block is neither commands nor a file ('# name' in its first line)"
    if block.marker.word == "checked" and block.language in SHELL - {"console"}:
        yield "output is compared in console blocks only"
    if block.file.startswith("/") or ".." in block.file.split("/"):
        yield f"the file {block.file} is not below the page's folder"


def _stray_markers(page: str) -> Iterator[str]:
    starts = {fence.start() for fence in FENCE.finditer(page)}
    for comment in COMMENT.finditer(outside_fences(page)):
        word = comment["text"].partition(":")[0].strip()
        after = comment.end() + 1
        fence = next((start for start in starts if start == after), None)
        if word in MARKER_WORDS - {"prepare"} and fence is None:
            line = page.count("\n", 0, comment.start()) + 1
            yield f"line {line}: the marker '{word}' is not right above a block"
