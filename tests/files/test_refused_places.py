"""Where a directory of ours must not be: refused before anything is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from expect_refusal import refused
from rendered_lab import demo, rendering

from kubectl_c9s.files.directory import lab_directory, replace
from kubectl_c9s.resources.errors import GuardRefusal, UsageError

R1 = "nodes/r1.yaml"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    found = tmp_path / "labs/demo"
    found.mkdir(parents=True)
    return found


def test_the_root_directory() -> None:
    refused(Path("/"), "is the root directory")


def test_the_home_directory_and_those_above(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(directory / "home"))
    (directory / "home").mkdir()
    refused(directory / "home", "is the home directory")
    refused(directory, "holds the home directory")


@pytest.mark.parametrize("way", [".", "..", "../demo", "", "inner/.."])
def test_the_current_directory_and_those_above(
    directory: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    (directory / "inner").mkdir()
    monkeypatch.chdir(directory)
    refused(Path(way), "the current directory")


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="no mount point that is sure to be there")
def test_a_mount_point() -> None:
    refused(Path("/proc"), "is a mount point")


def test_a_link_in_place_of_the_directory(directory: Path) -> None:
    link = directory.parent / "link"
    link.symlink_to(directory, target_is_directory=True)
    refused(link, "is a symbolic link")
    link.unlink()
    link.symlink_to("nowhere")
    refused(link, "is a symbolic link")


def test_links_on_the_way_to_the_directory_are_the_users_own_business(directory: Path) -> None:
    (directory.parent / "way").symlink_to(directory, target_is_directory=True)
    replace([(directory.parent / "way/inner", rendering(demo()))])
    assert (directory / "inner" / R1).is_file()


def test_a_file_in_place_of_the_directory(directory: Path) -> None:
    (directory / "file").touch()
    for place in ("file", "file/below"):
        with pytest.raises(UsageError, match="file"):
            replace([(directory / place, rendering(demo()))])


@pytest.mark.parametrize("name", ["x" * 201, "a\0b", "\ud800"])
def test_a_name_that_cannot_be_used(directory: Path, name: str) -> None:
    with pytest.raises(UsageError):
        replace([(directory / name, rendering(demo()))])


def test_two_labs_into_one_directory(directory: Path) -> None:
    jobs = [(directory, rendering(demo())), (directory / "../demo", rendering(demo(), lab="b"))]
    with pytest.raises(UsageError, match="two labs would go into one directory"):
        replace(jobs)


def test_several_labs_do_not_go_below_the_files_of_one_or_through_a_link(directory: Path) -> None:
    assert lab_directory(directory, "demo") == directory / "demo"
    (directory.parent / "link").symlink_to(directory, target_is_directory=True)
    with pytest.raises(GuardRefusal, match="is a symbolic link"):
        lab_directory(directory.parent / "link", "demo")
    replace([(directory, rendering(demo()))])
    with pytest.raises(GuardRefusal, match="holds the files of one lab"):
        lab_directory(directory, "demo")
