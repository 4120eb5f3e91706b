"""Live tests have a bed whose Pods behave like devices, a place on it, a proxy before it, and a hand on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fault_handle import fault_proxy
from rollout_live_tools import Place
from rollout_wire import Wire
from standin_plugin import device_bed, labs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from fault_handle import FaultProxy

__all__ = ["device_bed", "labs"]


@pytest.fixture(scope="session")
def namespaces(device_bed: OwnBed) -> Iterator[tuple[str, str]]:
    """Give a namespace for labs and one for a manager."""
    with device_bed.namespace("lab") as lab, device_bed.namespace("c9s") as own:
        yield lab, own


@pytest.fixture
def place(device_bed: OwnBed, namespaces: tuple[str, str], tmp_path: Path) -> Iterator[Place]:
    """Give two namespaces of an otherwise empty bed, and a state directory that is not the user's."""
    with device_bed.client() as client:
        one = Place(device_bed, client, *namespaces, tmp_path / "state")
        one.wait_alone()
        yield one
        one.clear()


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """Give a hand on the product's requests, where they leave this process."""
    return Wire(monkeypatch)


@pytest.fixture(scope="session")
def device_proxy(
    device_bed: OwnBed, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FaultProxy]:
    """Give a proxy in front of the bed; tests take :func:`proxy`."""
    with fault_proxy(device_bed.kubeconfig, tmp_path_factory.mktemp("faults")) as proxy:
        yield proxy


@pytest.fixture
def proxy(device_proxy: FaultProxy) -> Iterator[FaultProxy]:
    """Give a proxy where nothing goes wrong until the test puts in rules."""
    device_proxy.rules()
    yield device_proxy
    device_proxy.rules()
    device_proxy.cut()
