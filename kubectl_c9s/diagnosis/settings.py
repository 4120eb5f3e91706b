"""Thresholds of a diagnosis, in seconds (causes.md §2)."""

from __future__ import annotations

from typing import NamedTuple


class Settings(NamedTuple):
    """When something is slow, and when it is stalled."""

    slow_after: float = 60.0
    stalled_after: float = 300.0
    progress_within: float = 60.0
    grant_after: float = 120.0
    config_after: float = 120.0
    ran_before_after: float = 600.0
