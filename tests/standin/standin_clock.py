"""This moment as the API writes it."""

from __future__ import annotations

import datetime


def now() -> str:
    """Give the time of a condition, in seconds."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def exact(moment: float) -> str:
    """Give the time of a Lease or an Event from seconds since the epoch, in microseconds."""
    time = datetime.datetime.fromtimestamp(moment, datetime.UTC)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
