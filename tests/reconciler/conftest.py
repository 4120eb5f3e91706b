"""The tests of this folder have a bed with our own kind, a site on it, and a fault proxy before it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import bed_sources
import pytest
from bed_own import Wish
from bed_plugin import may_build, using
from fault_handle import FaultProxy, fault_proxy
from reconcile_site import Site, load_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed


@pytest.fixture(scope="session")
def reconcile_bed() -> Iterator[OwnBed]:
    """Give a bed of these tests alone: policies and Topologies are looked at in all of it."""
    name = f"{bed_sources.PRIVATE}reconcile-{secrets.token_hex(3)}"
    build = may_build()
    with using(name, lambda: bed_sources.obtain_own(name, Wish(nodes=1), may_build=build)) as bed:
        load_kinds(bed)
        yield bed


@pytest.fixture
def site(reconcile_bed: OwnBed, tmp_path: Path) -> Iterator[Site]:
    """Give namespaces with nothing in them."""
    with reconcile_bed.namespace("c9s") as own, reconcile_bed.namespace("lab") as lab:
        one = Site(reconcile_bed, own, lab, tmp_path)
        yield one
        one.end()


@pytest.fixture(scope="session")
def reconcile_proxy(
    reconcile_bed: OwnBed, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FaultProxy]:
    """Give a proxy before that bed; tests take :func:`faults`."""
    folder = tmp_path_factory.mktemp("reconcile-faults")
    with fault_proxy(reconcile_bed.kubeconfig, folder) as proxy:
        yield proxy


@pytest.fixture
def faults(reconcile_proxy: FaultProxy) -> Iterator[FaultProxy]:
    """Give the proxy without rules."""
    reconcile_proxy.rules()
    yield reconcile_proxy
    reconcile_proxy.rules()
    reconcile_proxy.cut()
