"""How each page finds the cluster: the one place that says so. A page without a row finds it without labs and limits.

What wants no more than kubectl stands in the page itself (``<!-- prepare: bed``).
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Final

from cluster_steps import doors, limited, network

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

    from page_cluster import Cluster


@dataclasses.dataclass(frozen=True)
class Setup:
    """What a page finds; ``labs`` are those of cluster_objects.py, ready; steps undo themselves by the stack."""

    labs: bool = False
    steps: tuple[Callable[[Cluster, ExitStack], object], ...] = ()


SETUPS: Final = {
    "docs/diagnose.md": Setup(labs=True),
    "docs/diagnostics.md": Setup(steps=(doors,)),
    "docs/guardrails.md": Setup(steps=(functools.partial(limited, batchSize=100),)),
    "docs/measure.md": Setup(labs=True, steps=(network,)),
    "docs/replay.md": Setup(labs=True),
    "docs/rollout.md": Setup(labs=True),
    "docs/rollout-policy.md": Setup(labs=True),
    "docs/simulate.md": Setup(labs=True),
    "docs/snapshot.md": Setup(labs=True),
    "docs/troubleshooting.md": Setup(labs=True),
}
