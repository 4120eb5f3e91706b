"""A row of the table of health: an object, what Argo CD has to take it for, and words its message has to have."""

from __future__ import annotations

from typing import NamedTuple

from argocd_objects import GENERATION, Json

HEALTHY, PROGRESSING, DEGRADED, SUSPENDED = "Healthy", "Progressing", "Degraded", "Suspended"
OLD = GENERATION - 1
IGNORED = {"c9s.run/ignoreReconcile": ""}


class Case(NamedTuple):
    """One row."""

    name: str
    object: Json
    status: str
    said: str = ""
