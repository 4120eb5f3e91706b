"""Guardrails in force, that refuse or that warn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guard_site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed


@pytest.fixture
def site(bed: Bed) -> Iterator[Site]:
    yield from _site(bed, "guardrails", "written by the manager alone")


@pytest.fixture
def warning_site(bed: Bed) -> Iterator[Site]:
    yield from _site(bed, "guardrails-warn", '"kind":"Node"')


def _site(bed: Bed, overlay: str, refused: str) -> Iterator[Site]:
    with bed.namespace("guard") as namespace:
        one = Site(bed, namespace, overlay)
        try:
            one.wait_in_force(refused)
            yield one
        finally:
            one.remove()
