"""Captures of a manager as directories, and ``diagnostics report`` of such."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from manager_metrics import ADMISSION, NODE, Metrics, ask, idle_manager, reconcile
from split_lab import command

from kubectl_c9s.measurement.capturefile import (
    AFTER,
    BEFORE,
    MANIFEST,
    CaptureManifest,
    Leadership,
    PodIdentity,
    write_manifest,
)

if TYPE_CHECKING:
    from pathlib import Path


def report(*arguments: object, stdin: bytes = b"") -> tuple[int, str, str]:
    answer = command("diagnostics", "report", *map(str, arguments), stdin=stdin)
    return answer.code, answer.out, answer.err


def in_json(*arguments: object, code: int = 0, stdin: bytes = b"") -> Any:
    found, out, err = report(*arguments, "-o", "json", stdin=stdin)
    assert found == code, err
    return json.loads(out)


def manifest(**changes: Any) -> CaptureManifest:
    values: dict[str, Any] = {
        "tool_version": "1", "namespace": "c9s", "app": "clabernetes", "started": "2026-01-31T10:00:00Z",
        "seconds": 30, "elapsed_seconds": 30.0, "complete": True,
        "pod": PodIdentity("manager-a", image="manager:1", restarts_before=0, restarts_after=0),
        "lease": Leadership("clabernetes-manager", "x", "x", 1, 1),
    }  # fmt: skip
    return CaptureManifest(**{**values, **changes})


class Captures:
    """Directories of a test."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __call__(self, name: str = "capture", **parts: Any) -> Path:
        """Write a capture: ``before``, ``after`` and ``manifest`` are what is usual, or given; None for missing."""
        directory = self.place / name
        directory.mkdir()
        usual = {"before": busy()[0], "after": busy()[1], "manifest": manifest(), **parts}
        for file, key in ((BEFORE, "before"), (AFTER, "after"), (MANIFEST, "manifest")):
            if (part := usual[key]) is not None:
                (directory / file).write_bytes(data_of(part))
        return directory


def data_of(part: Metrics | CaptureManifest | bytes) -> bytes:
    if isinstance(part, Metrics):
        return part.text().encode()
    return part if isinstance(part, bytes) else write_manifest(part)


def busy(name: str = NODE) -> tuple[Metrics, Metrics]:
    """Give two scrapes between which there was work, with errors."""
    before = idle_manager()
    after = before.later()
    reconcile(after, name, 270)
    reconcile(after, name, 30, "error")
    reconcile(after, ADMISSION, 6, "error")
    ask(after, "200", "PUT", 3000)
    ask(after, "429", "PUT", 300)
    return before, after
