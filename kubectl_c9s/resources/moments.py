"""Times of the API: RFC 3339 texts to seconds since 1970 and back."""

from __future__ import annotations

import functools
from datetime import UTC, datetime


@functools.lru_cache(maxsize=65536)
def seconds_of(text: str | None) -> float | None:
    """Give the seconds since 1970; None for an absent time, or a text that is none."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        # A time zone can put a time before the first year or behind the last.
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return moment.timestamp()


def text_of(seconds: float) -> str:
    """Give RFC 3339 in UTC, in whole seconds."""
    # strftime writes early years with fewer than four digits.
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")
