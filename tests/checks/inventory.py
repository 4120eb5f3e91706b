"""The packages of the lock and what is known of them: ``requirements/packages.json``, written by ``make lock``.

It is what checks, the licence list and the SBOM are made from, so that none of them needs the network.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import locked
import msgspec
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = locked.ROOT / "requirements/packages.json"


class Part(msgspec.Struct, frozen=True):
    """Something of others inside a package, such as a library in its binary file; ``purl`` names it for tools."""

    name: str
    version: str
    licence: str
    purl: str


class Package(msgspec.Struct, frozen=True):
    """A package: its licence as SPDX expression, what it needs, and what its files hold beside itself."""

    name: str
    version: str
    licence: str
    requires: list[str]
    parts: list[Part]


def load() -> list[Package]:
    """Give the packages, ordered by name."""
    return msgspec.json.decode(FILE.read_bytes(), type=list[Package])


def dump(packages: list[Package]) -> str:
    """Give the text of the file."""
    plain: list[Any] = msgspec.to_builtins(packages)
    return json.dumps(plain, indent=1) + "\n"


def stale(pins: list[locked.Pin], packages: list[Package]) -> Iterator[str]:
    """Give a line for each difference between the lock and what is known, and for each need that is not met."""
    pinned = {pin.name: pin.version for pin in pins}
    known = {one.name: one.version for one in packages}
    for name in sorted(pinned.keys() | known.keys()):
        if pinned.get(name) != known.get(name):
            there, here = pinned.get(name, "none"), known.get(name, "none")
            yield f"{name}: the lock has {there}, packages.json {here}"
    yield from locked.unmet(locked.declared(), pinned)
    for one in packages:
        for line in locked.unmet(map(Requirement, one.requires), pinned):
            yield f"{line}, which {one.name} needs"
    for name in sorted(known.keys() - reachable(packages)):
        yield f"{name} is needed by nothing"


def reachable(packages: list[Package]) -> set[str]:
    """Give the names of what the tool needs, and of what that needs in turn."""
    needs = {one.name: needed(one) for one in packages}
    found: set[str] = set()
    waiting: set[str] = {canonicalize_name(one.name) for one in locked.declared()}
    while waiting:
        found |= waiting
        waiting = {need for name in waiting for need in needs.get(name, ())} - found
    return found


def needed(package: Package) -> set[str]:
    """Give the names of what a package needs somewhere where the tool runs."""
    return {
        canonicalize_name(one.name)
        for one in map(Requirement, package.requires)
        if one.marker is None or any(one.marker.evaluate(place) for place in locked.PLACES)
    }
