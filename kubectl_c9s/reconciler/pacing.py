"""How fast requests of ours may follow each other: a token bucket, or no limit of ours at all (pacing.md §8)."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Allowance:
    """``rate`` requests a second, up to ``burst`` at once after a rest; a rate of 0 limits nothing."""

    def __init__(
        self,
        rate: float,
        burst: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._rate = rate
        self._burst = float(max(burst, 1))
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._tokens = self._burst
        self._at = clock()

    def wait(self) -> float:
        """Wait for the turn of one request; give the seconds it took."""
        if not self._rate:
            return 0.0
        with self._lock:
            now = self._clock()
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
            self._at = now
            self._tokens -= 1.0
            pause = max(-self._tokens / self._rate, 0.0)
        if pause:
            self._sleep(pause)
        return pause
