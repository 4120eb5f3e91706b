"""Fixtures: the cluster of pages, started once, and made ready for each page."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from typing import TYPE_CHECKING

import bed_sources
import pytest
from bed_own import Wish
from bed_plugin import may_build, using
from cluster_objects import LOGS, MANAGER
from cluster_setups import SETUPS, Setup
from netcheck_tools import Tools
from page_cluster import Cluster
from standin_run import BED_FLAGS, Standin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed

LEASE = "--lease=30,20,1"  # a busy machine must not make it look stale


@pytest.fixture(scope="session")
def page_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Give the cluster with nothing of a page in it; tests take ``page_bed``."""
    place = tmp_path_factory.mktemp("page-cluster")
    (place / "bin").mkdir()
    tools = Tools(place / "bin")
    log = place / "pod.log"
    log.write_text("2026-01-31T10:00:00.000000000Z stdout F the device says something\n")
    (place / "logs.yaml").write_text(LOGS.format(file=log), encoding="utf-8")
    name = f"{bed_sources.PRIVATE}pages-{secrets.token_hex(3)}"
    flags = {**BED_FLAGS, "kwok": [f"{BED_FLAGS['kwok'][0]},{place / 'logs.yaml'}"]}
    build = may_build()

    def obtain() -> OwnBed:
        # Commands in Pods run on this machine, with the PATH of KWOK: there devices find their tools.
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", f"{tools.folder}{os.pathsep}{os.environ['PATH']}")
            return bed_sources.obtain_own(name, Wish(nodes=0, flags=flags), may_build=build)

    with using(name, obtain) as bed, bed.client() as client:
        standin = Standin(
            bed,
            place / "standin.log",
            namespace=MANAGER,
            arguments=(LEASE, "--seed=7", "--diagnostics"),
        )
        try:
            cluster = Cluster(bed, client, standin, tools)
            cluster.open()
            yield cluster
        finally:
            standin.stop()
            sys.stdout.write(standin.log())  # pytest shows it when the test has failed


@pytest.fixture
def page_bed(page_cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[OwnBed]:
    """Give the cluster as the page of this test finds it (cluster_setups.py)."""
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    setup = SETUPS.get(parameters.get("name", ""), Setup())
    page_cluster.tidy(labs=setup.labs)
    with contextlib.ExitStack() as stack:
        for step in setup.steps:
            step(page_cluster, stack)
        yield page_cluster.bed
