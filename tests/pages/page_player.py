"""Plays a page: writes its files, runs its commands, and gives the page as it should read."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

from page_blocks import SHELL, Block, Command, blocks

if TYPE_CHECKING:
    from page_shell import PageShell, Played

# What differs from run to run, and what stands for it where a marker says "shape".
_VARIES: Final = (
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?[+-]\d{4}|Z)?"), "<time>"),
    (re.compile(r", about \S+ left at [\d.]+ a minute"), ""),
    (re.compile(r"\b\d+(\.\d+)?(ms|[smhd])(\d+(\.\d+)?(ms|[smhd]))*\b"), "<duration>"),
    (re.compile(r"\b\d[\d,]*(\.\d+)? (seconds?|minutes?|s|min|ms|MiB|kB|bytes)\b"), "<amount>"),
    (re.compile(r"(?<=-)[a-z0-9]{7,10}-[a-z0-9]{5}\b"), "<pod>"),
    (re.compile(r"\b(?=[a-f0-9]*\d)[0-9a-f]{7,64}\b"), "<hash>"),
    (re.compile(r"(?<=127\.0\.0\.1:)\d+"), "<port>"),
    (re.compile(r"\b(testbed-node|worker)-\d+"), "<host>"),
    (re.compile(r"[ \t]+"), " "),
)


def shape(text: str) -> str:
    """Give a text with what differs from run to run replaced by words for it."""
    for pattern, word in _VARIES:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def play(page: str, shell: PageShell, *, bed: bool) -> str:
    """Play the blocks in order and give the page anew; AssertionError where a command exits otherwise than it says.

    Without a bed the blocks that need one are passed over.
    """
    played, last = [], 0
    for block in blocks(page):
        if not block.marker.runs or (block.marker.bed and not bed):
            continue
        body = _play_block(block, shell)
        if block.marker.compares and body is not None:
            played += [page[last : block.start], body]
            last = block.end
    return "".join([*played, page[last:]])


def _play_block(block: Block, shell: PageShell) -> str | None:
    """Play one block; give its body as it should read, None for a file, which goes where the shell is."""
    if block.file:
        target = Path(shell.play("pwd").output.rstrip("\n")) / block.file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.body, encoding="utf-8")
        return None
    commands = block.commands
    body = "".join(
        _play_command(block, command, shell, is_last=command is commands[-1])
        for command in commands
    )
    return textwrap.indent(body, block.indent)


def _play_command(block: Block, command: Command, shell: PageShell, *, is_last: bool) -> str:
    done = _done(block, command, shell)
    wanted = block.marker.status if is_last else 0
    assert done.status == wanted, (
        f"line {block.line}: exit {done.status} instead of {wanted}: {command.text}{done.output}"
    )
    output = done.output
    if block.marker.shape and shape(output) == shape(command.output):
        output = command.output  # the page keeps its example
    if output and not output.endswith("\n"):
        output += "\n"
    return command.shown + output


def _done(block: Block, command: Command, shell: PageShell) -> Played:
    if block.marker.background:
        return shell.leave_running(command.text)
    if block.language in SHELL - {"console"}:
        return shell.play(f"( set -e\n{command.text}\n)\n")
    return shell.play(command.text)
