"""Live tests of the diagnosis have a bed whose Pods behave like devices, and a stand-in manager on it."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in ("standin", "live", "faults"):
    sys.path.append(str(Path(__file__).parents[1] / folder))

from standin_plugin import device_bed, labs

__all__ = ["device_bed", "labs"]
