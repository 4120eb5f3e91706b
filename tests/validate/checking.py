"""Runs ``validate`` as a user would, and small objects to run it on."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from split_lab import command, place

from kubectl_c9s.yamlio.writer import dump

API = "c9s.run/v1alpha1"

__all__ = ["API", "Checked", "check", "check_files", "command", "config", "config_map", "link", "node", "place",
           "profile", "stream", "topology"]  # fmt: skip


@dataclass
class Checked:
    """What a run with ``-o json`` gave."""

    code: int
    report: dict[str, Any]
    err: str

    @property
    def findings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.report["findings"]
        return found

    def codes(self, severity: str | None = None) -> list[str]:
        """Give the codes of all findings, or of those of one severity, in the order of the report."""
        return [one["code"] for one in self.findings if severity in {None, one["severity"]}]

    def only(self) -> dict[str, Any]:
        """Give the one finding there is."""
        (one,) = self.findings
        return one


def check(text: str | bytes, *flags: str) -> Checked:
    """Validate a text from stdin."""
    data = text.encode() if isinstance(text, str) else text
    answer = command("validate", "-f", "-", "-o", "json", *flags, stdin=data)
    assert "Traceback" not in answer.err
    return Checked(answer.code, json.loads(answer.out), answer.err)


def check_files(files: dict[str, str], *flags: str) -> Checked:
    """Validate a directory with these files."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            target = Path(directory, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        answer = command("validate", "-f", directory, "-R", "-o", "json", *flags)
    assert "Traceback" not in answer.err
    return Checked(answer.code, json.loads(answer.out), answer.err)


def stream(*objects: Any) -> str:
    """Write objects as a stream; a text stays as it is."""
    texts = (one if isinstance(one, str) else dump(one) for one in objects)
    return "---\n".join(texts)


def _object(
    kind: str, name: str, spec: dict[str, Any], lab: str | None, **metadata: Any
) -> dict[str, Any]:
    labels = {"c9s.run/topologyOwner": lab} if lab else {}
    labels |= metadata.pop("labels", {})
    found: dict[str, Any] = {"name": name, **metadata}
    if labels:
        found["labels"] = labels
    return {"apiVersion": API, "kind": kind, "metadata": found, "spec": spec}


def node(name: str, *, profile: str | None = None, lab: str | None = None, metadata: dict[str, Any] | None = None,
         **spec: Any) -> dict[str, Any]:  # fmt: skip
    """Make a Node; keys of its spec are given with ``_`` for ``-``."""
    given = {key.replace("_", "-"): value for key, value in spec.items()}
    if profile:
        given["profileRef"] = {"name": profile}
    return _object("Node", name, {"kind": "linux", **given}, lab, **(metadata or {}))


def profile(name: str, *, lab: str | None = None, **spec: Any) -> dict[str, Any]:
    return _object("NodeProfile", name, spec or {"statusProbes": {"enabled": True}}, lab)


def link(
    name: str, a: str, b: str, *, lab: str | None = None, namespace: str | None = None
) -> dict[str, Any]:
    """Make a Link between two ends ``node:interface``."""
    ends = {
        field: dict(zip(("nodeName", "interfaceName"), end.split(":"), strict=True))
        for field, end in (("endpointA", a), ("endpointB", b))
    }
    return _object("Link", name, ends, lab, **({"namespace": namespace} if namespace else {}))


def config(*, name: str = "clabernetes", **rollout: Any) -> dict[str, Any]:
    return _object("Config", name, {"rollout": rollout} if rollout else {}, None)


def config_map(name: str, lab: str | None = None, **data: str) -> dict[str, Any]:
    found = _object("ConfigMap", name, {}, lab)
    del found["spec"]
    return {**found, "apiVersion": "v1", "data": data}


def topology(name: str, definition: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """Make a Topology; the default definition has one node ``n``."""
    text = yaml.safe_dump(definition or {"topology": {"nodes": {"n": {"kind": "linux"}}}})
    return _object("Topology", name, {**spec, "definition": {"containerlab": text}}, None)
