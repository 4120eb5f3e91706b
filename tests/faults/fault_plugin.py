"""The fault proxy for pytest: one process for all tests of a run, without rules for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fault_handle import FaultProxy, fault_proxy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed


@pytest.fixture(scope="session")
def shared_proxy(own_bed: OwnBed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultProxy]:
    """Give a proxy in front of the shared bed; tests take :func:`proxy`."""
    with fault_proxy(own_bed.kubeconfig, tmp_path_factory.mktemp("faults")) as proxy:
        yield proxy


@pytest.fixture
def proxy(shared_proxy: FaultProxy) -> Iterator[FaultProxy]:
    """Give a proxy in front of the shared bed where nothing goes wrong until the test puts in rules."""
    shared_proxy.rules()
    yield shared_proxy
    shared_proxy.rules()
    shared_proxy.cut()
