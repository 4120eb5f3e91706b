"""Readers of the logs of CNI plugins: how long Pods of a namespace waited for an address (measurement.md §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement.cni.calico import Calico

if TYPE_CHECKING:
    from kubectl_c9s.measurement.cni.reader import Reader

BUILT_IN: Final[tuple[Reader, ...]] = (Calico(),)
"""The readers that come with the tool, in the order in which they are tried."""
