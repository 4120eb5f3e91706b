"""Runs ``split`` as a user would, inside this process, and takes apart what it answers."""

from __future__ import annotations

import gc
import io
import json
import sys
import tempfile
import textwrap
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from kubectl_c9s.cli.main import run

HEAD = "apiVersion: c9s.run/v1alpha1\nkind: Topology\n"


@dataclass
class Answer:
    """What a run gave: exit code, both streams, the objects of ``-o json`` and the report."""

    code: int
    out: str
    err: str
    objects: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)

    def of(self, kind: str) -> dict[str, dict[str, Any]]:
        """Give the objects of a kind by name."""
        return {one["metadata"]["name"]: one for one in self.objects if one["kind"] == kind}

    def specs(self, kind: str) -> dict[str, Any]:
        """Give the specs of a kind by name."""
        return {name: one["spec"] for name, one in self.of(kind).items()}

    def node(self, name: str) -> dict[str, Any]:
        """Give the spec of a Node without ``profileRef``, which every Node has."""
        spec = dict(self.specs("Node")[name])
        del spec["profileRef"]
        return spec

    def profile(self, name: str = "lab") -> dict[str, Any]:
        spec: dict[str, Any] = self.specs("NodeProfile")[name]
        return spec

    def codes(self) -> list[tuple[str, str]]:
        """Give (code, path) of the errors, in the order they are reported."""
        return [(one["code"], one["path"]) for one in self.errors]

    def warned(self) -> list[tuple[str, str]]:
        """Give (code, path) of the warnings, in the order they are reported."""
        return [(one["code"], one["path"]) for one in self.warnings]


class _Stdin(io.TextIOWrapper):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")


def command(*args: str, stdin: bytes = b"") -> Answer:
    """Run the command line; streams are those of a pipe that takes UTF-8."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="")
    collecting = gc.isenabled()
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            mock.patch.object(sys, "stdin", _Stdin(stdin)),
            mock.patch.object(sys, "argv", ["/usr/local/bin/kubectl-c9s"]),
        ):
            code = run(list(args))
    finally:
        if collecting:
            gc.enable()  # the command switches it off for its own short life
    return Answer(code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode()


def split(manifest: str | bytes, *flags: str) -> Answer:
    """Split a manifest from stdin with ``-o json`` and a report; check what always holds."""
    data = manifest.encode() if isinstance(manifest, str) else manifest
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.json")
        answer = command(
            "split", "-f", "-", "-o", "json", "--report", str(report), *flags, stdin=data
        )
        if report.exists():
            found = json.loads(report.read_text(encoding="utf-8"))
            answer.errors, answer.warnings = found["errors"], found["warnings"]
    assert "Traceback" not in answer.err
    if answer.code == 0:
        answer.objects = json.loads(answer.out)["items"]
    else:
        assert answer.out == ""
    return answer


def manifest(definition: str, name: str = "lab", **spec: Any) -> str:
    """Write a Topology with a definition as a ``|`` block and other fields of its spec as JSON."""
    block = textwrap.indent(textwrap.dedent(definition), "      ")
    others = "".join(f"  {key}: {json.dumps(value)}\n" for key, value in spec.items())
    return f"{HEAD}metadata: {{name: {name}}}\nspec:\n{others}  definition:\n    containerlab: |\n{block}\n"


def lab(definition: str, **spec: Any) -> Answer:
    """Split a Topology made by ``manifest``."""
    return split(manifest(definition, **spec))


def accepted(definition: str, **spec: Any) -> Answer:
    """Split a lab that has nothing wrong with it."""
    answer = lab(definition, **spec)
    assert answer.code == 0, answer.err
    return answer


def refused(definition: str, **spec: Any) -> list[tuple[str, str]]:
    """Split a lab that is refused; give code and path of every error."""
    answer = lab(definition, **spec)
    assert answer.code == 1, answer.err
    return answer.codes()


def node(body: str, *, above: str = "") -> dict[str, Any]:
    """Give the Node spec of a lab's only node ``n``; ``above`` stands beside ``nodes``."""
    above = textwrap.indent(textwrap.dedent(above), "  ")
    return accepted(f"topology:\n{above}\n  nodes:\n    n: {body}\n").node("n")


def place(text: str, mark: str, nth: int = 1) -> tuple[int, int]:
    """Give line and column, from 1, of the n-th time a mark stands in a text."""
    at = -1
    for _ in range(nth):
        at = text.index(mark, at + 1)
    line = text.count("\n", 0, at) + 1
    return line, at - (text.rfind("\n", 0, at) + 1) + 1
