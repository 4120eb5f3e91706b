"""The two limits of a rollout policy (config-and-chart.md §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST: Final = 2_147_483_647
"""The largest value a field takes: int32."""


class Limits(NamedTuple):
    """``batchSize`` and ``maxConcurrentPerHost``; None is an absent field. Absent and 0 both mean off."""

    batch_size: int | None = None
    max_concurrent_per_host: int | None = None

    @property
    def batch(self) -> int:
        """Give the batch size in force, 0 for off."""
        return self.batch_size or 0

    @property
    def per_host(self) -> int:
        """Give the limit per host in force, 0 for off."""
        return self.max_concurrent_per_host or 0
