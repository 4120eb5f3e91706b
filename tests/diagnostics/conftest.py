"""The Go program, built once, and a place with three managers of which two have a process behind their ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from gometrics_process import Process, build
from manager_site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed


@pytest.fixture(scope="session")
def gometrics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the program of gometrics/."""
    return build(tmp_path_factory.mktemp("gometrics"))


@pytest.fixture
def site(own_bed: OwnBed) -> Iterator[Site]:
    """Give an installation of which nothing is there yet."""
    with own_bed.namespace("diag") as namespace:
        yield Site(own_bed, namespace)


@pytest.fixture(scope="module")
def standing(own_bed: OwnBed, gometrics: Path) -> Iterator[Site]:
    """Give managers ``m-0`` and ``m-1``, whose processes say ``zero`` and ``one``, and ``m-2`` without one."""
    with own_bed.namespace("diag") as namespace:
        site = Site(own_bed, namespace)
        for name in ("m-0", "m-1", "m-2"):
            site.make_pod(name)
        with Process(gometrics, "zero") as zero, Process(gometrics, "one") as one:
            site.processes = {"m-0": zero, "m-1": one}
            with site.doors(site.processes):
                yield site
