"""This moment as the API writes it."""

from __future__ import annotations

import datetime as dt


def now() -> str:
    """Give the time of a condition, in seconds."""
    return dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def exact(moment: float) -> str:
    """Give the time of a Lease or an Event from seconds since the epoch, in microseconds."""
    time = dt.datetime.fromtimestamp(moment, dt.UTC)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
