"""Lays out a directory with a containerlab file, runs ``split`` on it as a user would, and takes apart the answer."""

from __future__ import annotations

import base64
import gc
import io
import json
import os
import sys
import tempfile
import textwrap
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from kubectl_c9s.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "lab.clab.yml"
OWNER = "c9s.run/topologyOwner"


@dataclass
class Answer:
    """What a run gave: exit code, both streams, the objects of ``-o json`` and the report."""

    code: int
    out: bytes
    err: str
    objects: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)

    def of(self, kind: str) -> dict[str, dict[str, Any]]:
        """Give the objects of a kind by name."""
        return {one["metadata"]["name"]: one for one in self.objects if one["kind"] == kind}

    def node(self, name: str) -> dict[str, Any]:
        """Give the spec of a Node."""
        spec: dict[str, Any] = self.of("Node")[name]["spec"]
        return spec

    def links(self) -> list[tuple[str, ...]]:
        """Give both ends and the MTU (``-`` for none) of each Link, sorted."""
        specs = [one["spec"] for one in self.of("Link").values()]
        ends = [(one["endpointA"], one["endpointB"], one) for one in specs]
        return sorted((*map(_end, pair), str(one.get("mtu", "-"))) for *pair, one in ends)

    def entries(self, node: str, kind: str = "filesFromConfigMap") -> list[dict[str, Any]]:
        """Give the list of staged files of a Node."""
        entries: list[dict[str, Any]] = self.node(node).get(kind, [])
        return entries

    def staged(self, node: str) -> dict[str, tuple[bytes, str]]:
        """Give bytes and mode of what a Node gets from ConfigMaps, by path."""
        maps = self.of("ConfigMap")
        found = {}
        for entry in self.entries(node):
            assert entry["configMapPath"] == "file"
            found[entry["filePath"]] = (content(maps[entry["configMapName"]]), entry["mode"])
        return found

    def codes(self) -> list[tuple[str, str]]:
        """Give (code, path) of the errors, in the order they are reported."""
        return [(one["code"], one["path"]) for one in self.errors]

    def warned(self) -> list[tuple[str, str]]:
        """Give (code, path) of the warnings, in the order they are reported."""
        return [(one["code"], one["path"]) for one in self.warnings]

    def notes(self) -> list[str]:
        """Give the notes on stderr."""
        return [line[6:] for line in self.err.splitlines() if line.startswith("note: ")]


def _end(end: dict[str, str]) -> str:
    return f"{end['nodeName']}:{end['interfaceName']}"


def content(config_map: dict[str, Any]) -> bytes:
    """Give the bytes of the one key of a ConfigMap, from whichever field holds it; an unused field is not there."""
    fields = {"data", "binaryData"} & config_map.keys()
    assert len(fields) == 1
    (used,) = fields
    assert list(config_map[used]) == ["file"]
    value: str = config_map[used]["file"]
    return base64.b64decode(value, validate=True) if used == "binaryData" else value.encode()


class _Stdin(io.TextIOWrapper):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")


def command(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Answer:
    """Run the command line in this process; the environment holds ``env`` and nothing else."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="")
    collecting = gc.isenabled()
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            mock.patch.object(sys, "stdin", _Stdin(stdin)),
            mock.patch.object(sys, "argv", ["/usr/local/bin/kubectl-c9s"]),
            mock.patch.dict(os.environ, env or {}, clear=True),
        ):
            code = run(list(args))
    finally:
        if collecting:
            gc.enable()  # the command switches it off for its own short life
    return Answer(code, _written(out), _written(err).decode())


def _written(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue()


def split(
    path: str, *flags: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> Answer:
    """Split what ``-f`` names with ``-o json`` and a report; check what always holds."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.json")
        args = ["split", "-f", path, "-o", "json", "--report", str(report), *flags]
        answer = command(*args, stdin=stdin, env=env)
        if report.exists():
            found = json.loads(report.read_text(encoding="utf-8"))
            answer.errors, answer.warnings = found["errors"], found["warnings"]
    assert "Traceback" not in answer.err
    assert "internal fault" not in answer.err
    if answer.code == 0:
        answer.objects = json.loads(answer.out)["items"]
    elif answer.code != 3:
        assert answer.out == b""
    return answer


class Directory:
    """A directory with a containerlab file and others beside it."""

    def __init__(
        self, top: Path, text: str, files: Mapping[str, str | bytes] | None = None
    ) -> None:
        """Lay it out; a name that ends in ``*`` makes an executable file, one that ends in ``/`` a directory."""
        self.top = top
        top.mkdir(parents=True, exist_ok=True)
        self.text = textwrap.dedent(text)
        (top / FILE).write_text(self.text, encoding="utf-8", newline="")
        for name, data in (files or {}).items():
            self.add(name, data)

    def add(self, name: str, data: str | bytes = b"") -> Path:
        """Write a file, with directories as needed."""
        path = self.top / name.rstrip("*/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
            return path
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        path.chmod(0o755 if name.endswith("*") else 0o644)
        return path

    def split(self, *flags: str, env: Mapping[str, str] | None = None) -> Answer:
        """Split it from another working directory."""
        with tempfile.TemporaryDirectory() as elsewhere, chdir(elsewhere):
            return split(str(self.top / FILE), *flags, env=env)

    def accepted(self, *flags: str, env: Mapping[str, str] | None = None) -> Answer:
        """Split it; nothing may be wrong."""
        answer = self.split(*flags, env=env)
        assert answer.code == 0, answer.err
        return answer

    def refused(self, *flags: str, env: Mapping[str, str] | None = None) -> Answer:
        """Split it; something must be wrong."""
        answer = self.split(*flags, env=env)
        assert answer.code == 1, answer.err
        return answer

    def place(self, mark: str, nth: int = 1) -> tuple[str, int, int]:
        """Give file, line and column, from 1, of the n-th time a mark stands in the containerlab file."""
        at = -1
        for _ in range(nth):
            at = self.text.index(mark, at + 1)
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return str(self.top / FILE), self.text.count("\n", 0, at) + 1, column


def placed(finding: dict[str, Any]) -> tuple[str, int, int]:
    """Give file, line and column of a finding."""
    return finding["file"], finding["line"], finding["column"]
