"""Parts of the objects of a large installation (diagnose_snapshot.py)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]
NOW = datetime(2026, 9, 21, 10, 10, tzinfo=UTC)
AT = "2026-09-21T10:10:00Z"
C9S = "c9s.run/v1alpha1"
IMAGE = "registry.example/c9s/manager:0.10.0"
LABS, PER_HOST = 20, 200
STAGES = ("runs",) * 6 + ("boots", "queued", "no sandbox", "no host")


def ago(seconds: float) -> str:
    """Give a moment before the capture."""
    return (NOW - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def uid(*words: object) -> str:
    """Give the same UID for the same words."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join(map(str, words))))


def meta(kind: str, namespace: str, name: str, age: float, **more: Any) -> Json:
    """Make metadata."""
    found = {"name": name, "uid": uid(kind, namespace, name), "creationTimestamp": ago(age)}
    return found | {"namespace": namespace, "resourceVersion": "4100037", "generation": 1} | more


def condition(kind: str, status: str, age: float, **more: Any) -> Json:
    """Make a condition."""
    return {
        "type": kind,
        "status": status,
        "lastTransitionTime": ago(age),
        "observedGeneration": 1,
    } | more
