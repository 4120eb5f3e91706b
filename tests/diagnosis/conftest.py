"""Live tests of the diagnosis have a bed whose Pods behave like devices, and a stand-in manager on it."""

from __future__ import annotations

from faults_plugin import module_site, site
from standin_plugin import device_bed, labs

__all__ = ["device_bed", "labs", "module_site", "site"]
