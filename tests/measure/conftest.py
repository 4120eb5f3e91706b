"""The tests of this folder have a bed whose Pods behave like devices, and the fault proxy before the shared one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fault_plugin import proxy, shared_proxy
from replay_tools import Program, drop
from standin_plugin import device_bed, labs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bed_own import OwnBed

    from kubectl_c9s.measurement.schedule import Schedule

__all__ = ["device_bed", "labs", "proxy", "shared_proxy"]


@pytest.fixture
def replays(own_bed: OwnBed, tmp_path: Path) -> Iterator[Callable[[Schedule], Program]]:
    """Give a maker of replays on the shared bed; their namespaces go afterwards."""
    made: list[Program] = []

    def make(schedule: Schedule) -> Program:
        made.append(Program(own_bed.kubeconfig, tmp_path, schedule))
        return made[-1]

    yield make
    for one in made:
        drop(own_bed, one.namespace)
