"""The fixture of live faults: one stand-in and all policies for a module, an empty place for each test."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

import pytest
from faults_site import Site
from standin_run import Standin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed

LEASE = "--lease=30,20,1"  # a busy machine must not make it look stale


@pytest.fixture(scope="module")
def module_site(device_bed: OwnBed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a stand-in for the namespaces of one module; tests take :func:`site`."""
    prefix = f"flt-{secrets.token_hex(2)}-"
    log = tmp_path_factory.mktemp("site") / "standin.log"
    with device_bed.namespace("c9s") as own, device_bed.client() as client:
        standin = Standin(
            device_bed, log, namespace=own, scope=f"{prefix}*", arguments=(LEASE, "--seed=7")
        )
        site = Site(device_bed, client, standin, prefix)
        try:
            site.open()
            yield site
        finally:
            site.close()


@pytest.fixture
def site(module_site: Site) -> Iterator[Site]:
    """Give an empty bed with a well stand-in and no limits."""
    module_site.limit()
    try:
        yield module_site
    finally:
        sys.stdout.write(module_site.standin.log())  # pytest shows it when the test has failed
        module_site.clear()
