"""What ``requirements/run.lock`` says, and what is wrong with it as a lock.

The file is in the format of pip, written by ``make lock``: a package a line, with its version and hashes of its files.
"""

from __future__ import annotations

import configparser
import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[2]
RUN = "requirements/run.lock"
BUILD = "requirements/build.lock"
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})(?=\s|$)")
SYSTEMS = {"Linux": ("linux", "x86_64", "aarch64"), "Darwin": ("darwin", "x86_64", "arm64")}
PLACES: list[dict[str, str | set[str]]] = [
    {
        "platform_system": system,
        "sys_platform": SYSTEMS[system][0],
        "platform_machine": machine,
        "python_version": version,
        "python_full_version": f"{version}.0",
        "extra": "",
    }
    for system, version in product(SYSTEMS, ("3.11", "3.12", "3.13", "3.14"))
    for machine in SYSTEMS[system][1:]
]
"""Where the tool is to run: systems, machines and versions of Python, as markers see them."""


@dataclass(frozen=True)
class Pin:
    """A line of a lock."""

    name: str
    version: str
    hashes: tuple[str, ...]


def pins(text: str) -> list[Pin]:
    """Give the packages of a lock, in its order; lines that are none are left to ``flaws``."""
    return [pin for _, pin in _read(text) if isinstance(pin, Pin)]


def flaws(text: str) -> Iterator[str]:
    """Give a line for everything that pip would not hold to one file of one version."""
    seen: set[str] = set()
    for line, pin in _read(text):
        if isinstance(pin, str):
            yield f"{line}: {pin}"
        elif not pin.hashes:
            yield f"{line}: {pin.name} has no hash"
        elif pin.name in seen:
            yield f"{line}: {pin.name} is there twice"
        else:
            seen.add(pin.name)


def _read(text: str) -> Iterator[tuple[int, Pin | str]]:
    """Give the number of each entry's line, and the entry or what is wrong with it."""
    # A line that goes on is one; blanks in place of the break keep the numbers right.
    start, whole = 1, ""
    for number, line in enumerate(text.splitlines(), start=1):
        start = start if whole else number
        whole += re.sub(r"(^|\s)#.*", "", line).removesuffix("\\") + " "
        if line.endswith("\\"):
            continue
        if whole.strip():
            yield start, _entry(whole)
        whole = ""


def _entry(line: str) -> Pin | str:
    hashes = tuple(HASH.findall(line))
    rest = HASH.sub("", line).strip()
    try:
        wanted = Requirement(rest)
    except InvalidRequirement:
        return f"no package with one version: {rest}"
    versions = list(wanted.specifier)
    if (
        wanted.url
        or len(versions) != 1
        or versions[0].operator != "=="
        or "*" in versions[0].version
    ):
        return f"{wanted.name} is not held to one version"
    return Pin(canonicalize_name(wanted.name), versions[0].version, hashes)


def declared() -> list[Requirement]:
    """Give what setup.cfg says the tool needs."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    lines = config["options"]["install_requires"].splitlines()
    return [Requirement(line) for line in lines if line]


def unmet(wanted: Iterable[Requirement], found: dict[str, str]) -> Iterator[str]:
    """Give a line for each requirement that versions, by name, do not meet in a place where the tool runs."""
    for one in wanted:
        name = canonicalize_name(one.name)
        if one.marker and not any(one.marker.evaluate(place) for place in PLACES):
            continue
        if name not in found:
            yield f"{name} is missing"
        elif not one.specifier.contains(found[name], prereleases=True):
            yield f"{name} {found[name]} is outside {one.specifier}"
