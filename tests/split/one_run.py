"""One run of the program in a process of its own, with a bound on memory and a look at what it took."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
TOOL = [sys.executable, "-m", "kubectl_c9s", "split"]
LIMIT = 512 << 20
# Starts the tool with twice the limit as address space, so that a bomb fails instead of taking the machine with
# it, and tells how much memory it took. A process between, because one inherits the peak of who started it.
MEASURED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
child = os.spawnv(os.P_NOWAIT, sys.argv[3], sys.argv[3:])
_, status, usage = os.wait4(child, 0)
with open(sys.argv[2], "w") as report:
    report.write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status) % 256)
"""
HEAD = "apiVersion: c9s.run/v1alpha1\nkind: Topology\nmetadata: {name: lab}\nspec:\n  definition:\n    containerlab: "

Files: TypeAlias = dict[str, tuple[str | bytes, str]]
"""Content by file name, each with the place that its refusal has to name: ``line:column`` or more."""


class Run:
    """One run; ``memory`` is what it took at most, in bytes."""

    def __init__(self, directory: Path, *args: str, **options: Any) -> None:
        report = directory / "memory"
        done = subprocess.run(
            [sys.executable, "-ISc", MEASURED, str(2 * LIMIT), str(report), *TOOL, *args],
            capture_output=True,
            check=False,
            timeout=120,
            **{"env": ENVIRONMENT, "cwd": directory, "stdin": subprocess.DEVNULL, **options},
        )
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.memory = int(report.read_text(encoding="utf-8")) * 1024

    def is_refused(self, *texts: str) -> None:
        """Expect a refusal with these texts on stderr and nothing else anywhere."""
        said = self.err.decode()
        assert self.code in {1, 2}, said
        assert self.out == b""
        assert "error: " in said
        for text in texts:
            assert text in said
        for unwanted in ("Traceback", "internal fault", "\u202e", "\u200b"):
            assert unwanted not in said
        assert not any(byte < 32 and byte != 10 for byte in self.err)
        assert self.memory <= LIMIT


def refuse(directory: Path, files: Files) -> None:
    """Expect that each file is refused at its place, all in one run."""
    for name, (content, _) in files.items():
        (directory / name).write_bytes(content.encode() if isinstance(content, str) else content)
    arguments = [word for name in files for word in ("-f", name)]
    Run(directory, *arguments).is_refused(
        *(f"{name}:{place}" for name, (_, place) in files.items())
    )


def embedded(definition: str) -> str:
    """Write a Topology with a definition whose first line is line 7, all columns moved by 6."""
    return f"{HEAD}|\n{textwrap.indent(definition, '      ')}"


def node(body: str) -> str:
    """Write a Topology of one node, whose body begins at line 9, column 14."""
    return embedded(f"topology:\n  nodes:\n    a: {body}\n")
