"""kubectl c9s: network labs of clabernetes in Git, started with care, explained when stuck."""

from __future__ import annotations

from typing import Final

__version__: Final = "0.1.0"
