"""Who holds the manager's Lease (config-and-chart.md §4)."""

from __future__ import annotations

from typing import Final

MANAGER: Final = "-manager"
"""Behind the name of the installation: Lease and Deployment of its manager."""
_PREFIX: Final = "clabernetes-"
_LONGEST: Final = 63
_CUT: Final = 55


def is_holder(holder: str, pod: str) -> bool:
    """Tell whether a Pod, by its name, is the holder; one of 63 characters was cut and ends in a digest."""
    text = f"{_PREFIX}{pod}-"
    if len(holder) >= _LONGEST:
        return text.startswith(holder[:_CUT]) or holder.startswith(text)
    return holder.startswith(text)
