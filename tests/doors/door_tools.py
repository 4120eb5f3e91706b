"""Calls the doors as their programs do, and gets the objects' text out of what they answer."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import yaml

from kubectl_c9s.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
CONFIG = (
    "apiVersion: kubectl.c9s.run/v1alpha1\nkind: {kind}\nmetadata:\n  name: labs\nspec: {spec}\n"
)
LAB = """\
apiVersion: c9s.run/v1alpha1
kind: Topology
metadata:
  name: demo
spec:
  definition:
    containerlab: |
      topology:
        nodes:
          a: {kind: linux, image: "x:1"}
          b: {kind: linux, image: "x:1"}
        links:
          - endpoints: ["a:eth1", "b:eth1"]
"""
BROKEN = LAB.replace('"b:eth1"', '"nobody:eth1"')
BARE = "name: demo\ntopology:\n  nodes:\n    a: {kind: linux, image: 'x:1'}\n"


@dataclass
class Answer:
    """What a run gave."""

    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The one document on stdout, as data."""
        return yaml.safe_load(self.out)

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results of a ResourceList."""
        found: list[dict[str, Any]] = self.value.get("results", [])
        return found

    def codes(self) -> list[tuple[str, str]]:
        """Give (severity, code) of the results, ``""`` for one without a code."""
        return [(one["severity"], one.get("tags", {}).get("code", "")) for one in self.results]


class _Stdin(io.TextIOWrapper):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")


def call(
    *args: str, cwd: Path, stdin: str | bytes = "", env: Mapping[str, str] | None = None
) -> Answer:
    """Run the command line in a directory, with no environment but ``env``."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    collecting = gc.isenabled()
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            chdir(cwd),
            mock.patch.object(sys, "stdin", _Stdin(data)),
            mock.patch.object(sys, "argv", ["/usr/local/bin/kubectl-c9s"]),
            mock.patch.dict(os.environ, env or {}, clear=True),
        ):
            code = run(list(args))
    finally:
        if collecting:
            gc.enable()  # the command switches it off for its own short life
    answer = Answer(code, _written(out), _written(err))
    assert "Traceback" not in answer.err
    assert "internal fault" not in answer.err
    return answer


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode()


def config(kind: str = "C9sSplit", **spec: Any) -> str:
    """Write a function's configuration."""
    return CONFIG.format(kind=kind, spec=json.dumps(spec))


def resource_list(*items: str, config: str = "", version: str = "v1") -> str:
    """Write a ResourceList as orchestrators do, in block style."""
    head = f"apiVersion: config.kubernetes.io/{version}\nkind: ResourceList\n"
    listed = "items:\n" + "".join(map(as_item, items)) if items else "items: []\n"
    below = "functionConfig:\n" + indented(config, "  ") if config else ""
    return head + listed + below


def as_item(text: str) -> str:
    """Write a document as an item of a list."""
    return "- " + indented(text, "  ").removeprefix("  ")


def indented(text: str, by: str) -> str:
    return "".join(
        f"{by}{line}" if line.strip() else line for line in text.splitlines(keepends=True)
    )


def items_as_stream(answer: str) -> str:
    """Give the text of the items of a ResourceList in block style as a stream of documents.

    Knows no YAML: the items are the lines between ``items:`` and the next key, each begun by a dash.
    """
    lines = answer.split("items:\n", 1)[1].splitlines(keepends=True) if "items:\n" in answer else []
    stream = []
    for line in lines:
        if line.startswith("- "):
            stream += ["---\n", line[2:]]
        elif line.startswith("  ") or not line.strip():
            stream.append(line.removeprefix("  "))
        else:
            break
    return "".join(stream).removeprefix("---\n")


def parameters(**given: Any) -> dict[str, str]:
    """Write the environment by which Argo CD hands parameters to a plugin."""
    listed = []
    for name, value in given.items():
        kind = (
            "array" if isinstance(value, list) else "map" if isinstance(value, dict) else "string"
        )
        listed.append({"name": name.replace("_", "-"), kind: value})
    return {"ARGOCD_APP_PARAMETERS": json.dumps(listed)}
