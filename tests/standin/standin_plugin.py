"""Fixtures: a bed whose Pods behave like devices, and a stand-in manager on it."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

import bed_sources
import pytest
from bed_own import Wish
from bed_plugin import may_build, using
from standin_lab_tools import Labs
from standin_run import BED_FLAGS, Standin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed


@pytest.fixture(scope="session")
def device_bed() -> Iterator[OwnBed]:
    """Give a bed of these tests alone, with the Stages of devices."""
    name = f"{bed_sources.PRIVATE}standin-{secrets.token_hex(3)}"
    wish = Wish(nodes=3, flags=BED_FLAGS)
    build = may_build()
    with using(name, lambda: bed_sources.obtain_own(name, wish, may_build=build)) as bed:
        yield bed


@pytest.fixture
def labs(device_bed: OwnBed, tmp_path: Path) -> Iterator[Labs]:
    """Give a namespace for labs and a stand-in that looks at it alone; the test starts it."""
    with (
        device_bed.namespace("lab") as namespace,
        device_bed.namespace("c9s") as own,
        device_bed.client() as client,
    ):
        standin = Standin(device_bed, tmp_path / "standin.log", namespace=own, scope=namespace)
        try:
            yield Labs(client, standin, namespace)
        finally:
            standin.stop()
            sys.stdout.write(standin.log())  # pytest shows it when the test has failed
