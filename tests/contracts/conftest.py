"""Live tests have a bed whose Pods behave like devices, a stand-in manager on it, and somebody without any right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rights_tools import Person
from shape_tools import Kept
from standin_plugin import device_bed, labs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed

__all__ = ["device_bed", "labs"]


@pytest.fixture(scope="session")
def kept(pytestconfig: pytest.Config) -> Kept:
    """Give the judge of what commands write; with --update-golden it keeps the fullest of each shape as a sample."""
    return Kept(update=bool(pytestconfig.getoption("--update-golden")))


@pytest.fixture
def nobody(device_bed: OwnBed, tmp_path: Path) -> Iterator[Person]:
    """Give somebody whom the server knows and who may do nothing."""
    with device_bed.namespace("nobody") as namespace:
        yield Person(device_bed, namespace, tmp_path)
