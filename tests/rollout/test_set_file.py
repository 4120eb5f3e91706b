"""``rollout set -f``: the change in a file, in place or printed, and what it refuses."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = b"""\
apiVersion: c9s.run/v1alpha1
kind: Config
metadata: {name: clabernetes}
spec:
  rollout:   # agreed
    batchSize: 100 # with operations\r
"""
CHANGED = CONFIG.replace(b"100", b"50")
SET = ["rollout", "set", "config", "--batch-size", "50"]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_bytes(CONFIG)
    return path


def test_without_in_place_the_changed_file_is_printed_and_stays(config: Path) -> None:
    answer = command(*SET, "-f", str(config))
    assert (answer.code, answer.out.encode()) == (0, CHANGED)
    assert config.read_bytes() == CONFIG


def test_in_place_changes_the_file_and_nothing_about_it(config: Path) -> None:
    config.chmod(0o640)
    link = config.parent / "link.yaml"
    link.symlink_to(config)
    answer = command(*SET, "-f", str(link), "--in-place")
    assert (answer.code, answer.out) == (0, "")
    assert config.read_bytes() == CHANGED
    assert link.is_symlink()
    assert stat.S_IMODE(config.stat().st_mode) == 0o640
    assert sorted(path.name for path in config.parent.iterdir()) == ["config.yaml", "link.yaml"]


def test_what_is_so_already_is_not_written(config: Path) -> None:
    before = config.stat().st_ino, config.stat().st_mtime_ns
    answer = command(
        "rollout", "set", "config", "--batch-size", "100", "-f", str(config), "--in-place"
    )
    assert (answer.code, answer.err) == (0, f"{config} unchanged\n")
    assert (config.stat().st_ino, config.stat().st_mtime_ns) == before


@pytest.mark.parametrize("how", ["--dry-run", "--dry-run=client", "--dry-run=server"])
def test_a_dry_run_prints_the_difference_and_writes_nothing(config: Path, how: str) -> None:
    answer = command(*SET, "-f", str(config), "--in-place", how)
    assert answer.code == 0
    assert [line for line in answer.out.split("\n") if line.startswith(("-  ", "+  "))] == [
        "-    batchSize: 100 # with operations\\r",
        "+    batchSize: 50 # with operations\\r",
    ]
    assert config.read_bytes() == CONFIG


def test_stdin_is_changed_on_its_way_through() -> None:
    answer = command("rollout", "set", "--unset", "batch-size", "-f", "-", stdin=CONFIG)
    assert (answer.code, answer.out) == (
        0,
        CONFIG.decode().replace(
            ":   # agreed\n    batchSize: 100 # with operations\r", ": {}   # agreed"
        ),
    )
    assert command(*SET, "-f", "-", "--in-place", stdin=CONFIG).code == 2


def test_without_a_target_the_only_object_is_meant(config: Path) -> None:
    answer = command("rollout", "set", "--batch-size", "50", "-f", str(config))
    assert answer.out.encode() == CHANGED


@pytest.mark.parametrize(
    "more",
    [
        ["--print-patch", "json"],
        ["-o", "json"],
        ["--release-all"],
        ["--allow", "would-block"],
        ["--batch-size", "-1"],
        ["--unset", "batchSize"],
    ],
)
def test_flags_that_make_no_sense_for_a_file_are_refused(config: Path, more: list[str]) -> None:
    answer = command(*SET, "-f", str(config), "--in-place", *more)
    assert (answer.code, answer.out) == (2, "")
    assert config.read_bytes() == CONFIG


def test_in_place_wants_a_file() -> None:
    assert command(*SET, "--in-place").code == 2
    assert command(*SET, "-f", "/nowhere/config.yaml").code == 2


def test_a_refused_file_stays_as_it_is(config: Path) -> None:
    broken = CONFIG.replace(b"batchSize", b"batchSize: 1\n    batchSize")
    config.write_bytes(broken)
    answer = command(*SET, "-f", str(config), "--in-place")
    assert answer.code == 1
    assert f"{config}:7:5: error:" in answer.err
    assert config.read_bytes() == broken


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_leaves_the_file(config: Path) -> None:
    config.parent.chmod(0o555)
    try:
        assert command(*SET, "-f", str(config), "--in-place").code == 3
    finally:
        config.parent.chmod(0o755)
    assert config.read_bytes() == CONFIG
