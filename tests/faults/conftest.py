"""The tests of this folder have the proxy at hand."""

from __future__ import annotations

from fault_plugin import proxy, shared_proxy

__all__ = ["proxy", "shared_proxy"]
