"""Runs the product on a machine whose clock is wrong: ``reconcile_skewed.py SECONDS ARGUMENT …``."""

from __future__ import annotations

import datetime as dt
import sys
import time
from typing import Self

SECONDS = float(sys.argv.pop(1))
_TIME = time.time


class Skewed(dt.datetime):
    """The class of the library with another now."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Self:
        """Give the time of the wrong clock."""
        return super().now(tz) + dt.timedelta(seconds=SECONDS)


dt.datetime = Skewed  # type: ignore[misc]
time.time = lambda: _TIME() + SECONDS

if __name__ == "__main__":
    from kubectl_c9s.cli.main import main

    sys.exit(main())
