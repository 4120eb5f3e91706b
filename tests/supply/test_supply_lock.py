"""The lock is what pip can hold to, fits setup.cfg, and is complete everywhere the tool runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING

import inventory
import locked
import pytest
from inventory import Package
from packaging.requirements import Requirement

if TYPE_CHECKING:
    from pathlib import Path

HASH = "--hash=sha256:" + "a" * 64
LOCK = (locked.ROOT / locked.RUN).read_text(encoding="utf-8")
PINS = locked.pins(LOCK)
# As uv names them. aarch64 needs a glibc of 2018 or newer: jsonschema-rs has no other wheels.
PLATFORMS = (
    "x86_64-manylinux2014",
    "aarch64-manylinux_2_28",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
)


def test_the_lock_has_a_version_and_hashes_for_everything() -> None:
    assert list(locked.flaws(LOCK)) == []
    assert list(locked.flaws((locked.ROOT / locked.BUILD).read_text(encoding="utf-8"))) == []
    assert len(PINS) > 20


def test_the_lock_fits_what_setup_cfg_says_and_lacks_nothing() -> None:
    assert list(inventory.stale(PINS, inventory.load())) == []


def test_the_lock_says_nothing_of_where_it_was_made() -> None:
    words = "|".join(("://", "index", "find-links", "file:", re.escape(str(locked.ROOT))))
    assert re.findall(words, LOCK) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("click==8.1", "1: click has no hash"),
        (f"click>=8.1 {HASH}", "1: click is not held to one version"),
        (f"click==8.* {HASH}", "1: click is not held to one version"),
        (f"click==8.1,!=8.2 {HASH}", "1: click is not held to one version"),
        (f"click @ https://example.com/click.whl {HASH}", "1: click is not held to one version"),
        ("--index-url https://example.com/simple", "no package with one version"),
        (f"# a comment\n\nclick==8.1 \\\n    {HASH}\n    # via x\nClick==8.1 {HASH}", "6: click is there twice"),
        ("click==8.1 --hash=md5:" + "a" * 32, "no package with one version"),
    ],
)  # fmt: skip
def test_a_line_that_pip_could_take_in_two_ways_is_named(line: str, said: str) -> None:
    (found,) = locked.flaws(line)
    assert said in found


def test_entries_over_several_lines_are_read_with_all_their_hashes() -> None:
    other = "--hash=sha256:" + "b" * 64
    (pin,) = locked.pins(f"Ruamel.YAML==0.1 ; sys_platform == 'linux' \\\n  {HASH} \\\n  {other}\n")
    assert (pin.name, pin.version, len(pin.hashes)) == ("ruamel-yaml", "0.1", 2)


def test_a_need_counts_where_the_tool_runs_and_nowhere_else() -> None:
    wanted = [
        Requirement("one>=2"),
        Requirement("windows; sys_platform == 'win32'"),
        Requirement("old; python_version < '3.11'"),
        Requirement("mac; sys_platform == 'darwin'"),
        Requirement("more; extra == 'more'"),
    ]
    assert list(locked.unmet(wanted, {"one": "1"})) == ["one 1 is outside >=2", "mac is missing"]
    assert list(locked.unmet(wanted, {"one": "2", "mac": "1"})) == []


def test_a_change_of_the_lock_alone_is_named() -> None:
    packages = inventory.load()
    pins = [locked.Pin("urllib3", "99", ()) if pin.name == "urllib3" else pin for pin in PINS]
    found = "\n".join(inventory.stale(pins, packages))
    assert "urllib3: the lock has 99" in found
    assert "urllib3 99 is outside <3,>=2.2" in found
    assert "which kubernetes needs" in found
    gone = [pin for pin in PINS if pin.name != "mdurl"]
    assert "mdurl is missing, which markdown-it-py needs" in list(inventory.stale(gone, packages))


def test_a_package_that_nothing_needs_is_named() -> None:
    packages = [*inventory.load(), Package("spare", "1", "MIT", [], [])]
    pins = [*PINS, locked.Pin("spare", "1", ("a" * 64,))]
    assert list(inventory.stale(pins, packages)) == ["spare is needed by nothing"]


def test_what_is_known_of_a_package_is_what_its_installation_says() -> None:
    seen = 0
    for one in inventory.load():
        try:
            same = version(one.name) == one.version
        except PackageNotFoundError:
            continue
        if same:
            seen += 1
            assert set(one.requires) == requirements(one.name), one.name
    assert seen > 5


def requirements(name: str) -> set[str]:
    found = map(Requirement, requires(name) or ())
    return {
        str(one)
        for one in found
        if one.marker is None or any(one.marker.evaluate(place) for place in locked.PLACES)
    }


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_package_has_a_file_that_needs_no_compiler(
    platform: str, python: str, tmp_path: Path
) -> None:
    command = [
        *(sys.executable, "-m", "uv", "pip", "install", "--no-config", "--dry-run", "--no-deps"),
        *("--only-binary", ":all:", "--require-hashes", "-r", str(locked.ROOT / locked.RUN)),
        *("--python-platform", platform, "--python-version", python, "--target", str(tmp_path)),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if "Failed to fetch" in done.stderr and not os.environ.get("CI"):
        pytest.skip("the package index does not answer")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n + ") == len(PINS)
