"""The milestones of a device on its way, in their order, and the steps between them (diagnosis.md §5)."""

from __future__ import annotations

from typing import Final

CREATED: Final = "created"
ADMITTED: Final = "admitted"
DEPLOYMENT: Final = "deployment"
REPLICA_SET: Final = "replicaSet"
POD: Final = "pod"
SCHEDULED: Final = "scheduled"
SANDBOX: Final = "sandbox"
GRANTED: Final = "granted"
PASSED: Final = "passed"
STARTED: Final = "started"
READY: Final = "ready"

MILESTONES: Final = (
    CREATED, ADMITTED, DEPLOYMENT, REPLICA_SET, POD, SCHEDULED, SANDBOX, GRANTED, PASSED, STARTED, READY,
)  # fmt: skip
"""``admitted`` is the mark, ``granted`` the grant of a host, ``passed`` the end of the gate container."""
