"""Takes the pages of ``docs/codes`` apart and tries their examples."""

from __future__ import annotations

import gc
import io
import os
import re
import shlex
import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from kubectl_c9s.cli.main import run

FOLDER = Path(__file__).parents[2] / "docs" / "codes"
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# (\S+)\n")
# A finding as it is printed (output/findings.py): severity, code.
FINDING = re.compile(
    r"^(?:\S+: )?(?P<severity>error|warning|info): .* \[(?P<code>[a-z0-9-]+)\](?: \(.*\))?$",
    re.MULTILINE,
)
# The same in the results of a KRM function.
RESULT = re.compile(r"severity: (?P<severity>\w+)\n +tags:\n +code: (?P<code>[a-z0-9-]+)\n")
PLUGIN = "kubectl c9s "
# What an example may do before the tool runs: make files that a page cannot show, and mend them.
TOOLS = {"(cd", "chmod", "head", "ln", "mkdir", "mkfifo", "mv", "printf", "rm", "seq", "touch"}


class Command(NamedTuple):
    """A command of a page: what it was, what it printed on both streams, its exit code."""

    text: str
    output: str
    status: int

    @property
    def found(self) -> list[tuple[str, str]]:
        """Give (code, severity) of each finding that was printed."""
        return [
            (match["code"], match["severity"])
            for form in (FINDING, RESULT)
            for match in form.finditer(self.output)
        ]


def page(code: str) -> str:
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """Give the text below ``## heading`` up to the next one."""
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def write_files(text: str, folder: Path) -> list[str]:
    """Write every block that begins with ``# <its name>``; give the names."""
    names = []
    for block in FENCE.finditer(text):
        name = FILE_NAME.match(block["body"])
        if name and block["language"] != "console":
            target = folder / name[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block["body"], encoding="utf-8")
            names.append(name[1])
    return names


def commands(text: str) -> list[str]:
    """Give the commands of the blocks of a section."""
    return [
        line.removeprefix("$ ")
        for block in FENCE.finditer(text)
        if block["language"] == "console"
        for line in block["body"].splitlines()
        if line.startswith("$ ")
    ]


def play(command: str, folder: Path) -> Command:
    """Run a command in a folder: the tool inside this process, others by a shell."""
    if command.startswith(PLUGIN):
        return Command(command, *plugin(shlex.split(command.removeprefix(PLUGIN)), folder))
    assert command.split(maxsplit=1)[0] in TOOLS, (
        f"{command}: not one of the tools examples may use"
    )
    done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, check=False)
    return Command(command, "", done.returncode)


def plugin(arguments: list[str], folder: Path) -> tuple[str, int]:
    """Run the tool; give what it printed and its exit code. ``< FILE`` at the end is its stdin."""
    read = b""
    if arguments[-2:-1] == ["<"]:
        read = (folder / arguments[-1]).read_bytes()
        del arguments[-2:]
    raw = io.BytesIO()
    printed = io.TextIOWrapper(raw, encoding="utf-8", newline="", write_through=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    try:
        with (
            chdir(folder),
            mock.patch.dict(os.environ, environment, clear=True),
            mock.patch("sys.argv", ["kubectl-c9s"]),
            mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(read), encoding="utf-8")),
            redirect_stdout(printed),
            redirect_stderr(printed),
        ):
            status = run(arguments)
    finally:
        gc.enable()  # split switches it off for its own short life
    return raw.getvalue().decode(), status


def with_outputs(text: str, played: list[Command]) -> str:
    """Give a section with the outputs of its commands as they are now."""
    left = list(played)

    def again(block: re.Match[str]) -> str:
        if block["language"] != "console":
            return block[0]
        count = len(commands(block[0]))
        shown, left[:count] = left[:count], []
        body = "".join(f"$ {one.text}\n{one.output}" for one in shown)
        return f"```console\n{body}```"

    return FENCE.sub(again, text)
