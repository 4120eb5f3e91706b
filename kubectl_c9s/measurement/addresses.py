"""Addresses that the Pods of a start were seen to have: their families, and those given twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.measurement.run import Device

NONE: Final = "none"
_SHOWN: Final = 10


class Addresses(msgspec.Struct, frozen=True, rename="camel"):
    """Devices by their families, as ``IPv4``, ``IPv6``, ``IPv4+IPv6`` or ``none``; ``repeated`` addresses and whose."""

    families: dict[str, int]
    repeated: dict[str, tuple[str, ...]]
    repeated_addresses: int


def addresses(devices: Iterable[Device]) -> Addresses:
    """Sum up addresses; of those that several devices have, the first ones are named."""
    counts: Counter[str] = Counter()
    owners: dict[str, list[str]] = defaultdict(list)
    for device in devices:
        families = sorted({"IPv6" if ":" in one else "IPv4" for one in device.addresses})
        counts["+".join(families) or NONE] += 1
        for address in set(device.addresses):
            owners[address].append(device.full_name)
    repeated = {
        address: tuple(sorted(names)) for address, names in sorted(owners.items()) if names[1:]
    }
    return Addresses(
        dict(sorted(counts.items())), dict(list(repeated.items())[:_SHOWN]), len(repeated)
    )
