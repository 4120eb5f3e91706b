"""Live tests of the diagnosis have a bed whose Pods behave like devices, and a stand-in manager on it."""

from __future__ import annotations

from standin_plugin import device_bed, labs

__all__ = ["device_bed", "labs"]
