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
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def text_of(seconds: float) -> str:
    """Give RFC 3339 in UTC, in whole seconds."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
