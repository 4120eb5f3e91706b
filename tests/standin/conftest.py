"""The fixtures of standin_plugin.py, for the tests in this folder."""

from __future__ import annotations

from standin_plugin import device_bed, labs

__all__ = ["device_bed", "labs"]
