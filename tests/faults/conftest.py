"""The tests of this folder have the proxy at hand, and the product behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fault_plugin import proxy, shared_proxy
from product_room import Product

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed
    from fault_handle import FaultProxy

__all__ = ["proxy", "shared_proxy"]


@pytest.fixture
def product(own_bed: OwnBed, proxy: FaultProxy) -> Iterator[Product]:
    """Give the product's connection through the proxy, and a namespace."""
    with own_bed.namespace("faults") as namespace:
        one = Product(own_bed, proxy, namespace)
        yield one
        one.connection.close()
