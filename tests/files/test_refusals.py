"""What must not stand in a directory: refused before anything is written."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest
from expect_refusal import refused
from rendered_lab import demo, identities, listing, rendering

from kubectl_c9s.files import present
from kubectl_c9s.files.directory import replace
from kubectl_c9s.resources.errors import GuardRefusal
from kubectl_c9s.yamlio.inventory import Inventory, dump_inventory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


R1 = "nodes/r1.yaml"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    found = tmp_path / "labs/demo"
    found.mkdir(parents=True)
    return found


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", ".jj"])
def test_a_repository(directory: Path, name: str) -> None:
    (directory / name).mkdir()
    refused(directory, f"is a repository: it holds {name}")


def test_a_work_tree_whose_git_is_a_file(directory: Path) -> None:
    (directory / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    refused(directory, "is a repository")


def test_a_directory_with_a_mount_point_in_it(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = directory / "inner"
    inner.mkdir()
    real = os.stat

    def elsewhere(path: str, **how: bool) -> os.stat_result:
        info = real(path, **how)
        if path != "inner":
            return info
        values = list(info)
        values[2] += 1  # st_dev
        return os.stat_result(values)

    monkeypatch.setattr(os, "stat", elsewhere)
    with pytest.raises(GuardRefusal, match="another file system is mounted at inner"):
        replace([(directory, rendering(demo()))])


def a_file(path: Path) -> None:
    path.write_text("mine", encoding="utf-8")


def a_link_to_the_right_bytes(path: Path) -> None:
    target = path.parent.parent.parent / "right"
    target.write_text(dict(rendering(demo()).files)[R1](), encoding="utf-8")  # type: ignore[operator]
    path.symlink_to(target)


def a_folder(path: Path) -> None:
    path.mkdir()


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


@pytest.mark.parametrize("put", [a_file, a_link_to_the_right_bytes, a_folder, a_socket, os.mkfifo])
def test_something_that_is_not_ours_where_we_must_write(
    directory: Path, put: Callable[[Path], None]
) -> None:
    (directory / "nodes").mkdir()
    put(directory / R1)
    refused(directory, r"not ours stands where we must write: nodes/r1.yaml \(a ")


def test_a_link_in_place_of_one_of_our_folders(directory: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (directory / "nodes").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    refused(directory, r"nodes \(a link\)$")
    assert listing(tmp_path / "elsewhere") == []


def test_a_link_put_in_place_of_a_file_of_ours(directory: Path, tmp_path: Path) -> None:
    replace([(directory, rendering(demo()))])
    a_file(tmp_path / "target")
    (directory / R1).unlink()
    (directory / R1).symlink_to(tmp_path / "target")
    refused(directory, r"nodes/r1.yaml \(a link\)")


def test_a_link_in_place_of_the_inventory(directory: Path, tmp_path: Path) -> None:
    (tmp_path / "target").write_text(inventory(), encoding="utf-8")
    (directory / ".c9s-inventory").symlink_to(tmp_path / "target")
    refused(directory, "inventory is not ours")


def inventory(lab: str = "demo", path: str = R1) -> str:
    return dump_inventory(Inventory(lab, "", "by-kind", {path: "0" * 64}, {}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<<<<<<< HEAD", "Expecting value"),
        (inventory(path="../../etc/passwd.yaml"), "not one of ours"),
        (inventory(path="README.md"), "not one of ours"),
        ("{}", "not an inventory"),
    ],
)
def test_an_inventory_that_is_broken_or_reaches_out(
    directory: Path, text: str, reason: str
) -> None:
    (directory / ".c9s-inventory").write_text(text, encoding="utf-8")
    refused(directory, f"inventory cannot be used: .*{reason}")


def test_another_lab(directory: Path) -> None:
    (directory / ".c9s-inventory").write_text(inventory("other"), encoding="utf-8")
    refused(directory, "holds the lab 'other'")


@pytest.mark.parametrize("name", ["kustomization.yml", "Kustomization"])
def test_a_second_kustomization(directory: Path, name: str) -> None:
    (directory / name).touch()
    refused(directory, "kustomize takes only one")


def test_more_foreign_files_than_a_lab_has_beside_it(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(present, "MAX_FOREIGN", 20)
    for number in range(21):
        (directory / str(number)).touch()
    refused(directory, "holds more than 20 files")
    replace([(directory.parent / "other", rendering(demo()))])
    for number in range(21):
        (directory.parent / "other" / str(number)).touch()
    refused(directory.parent / "other", "holds 21 files that are not ours")


def test_folders_nested_without_end(directory: Path) -> None:
    (directory / "/".join("d" * 70)).mkdir(parents=True)
    refused(directory, "nested deeper than 64")


def test_of_several_labs_none_is_written_if_one_is_refused(directory: Path) -> None:
    (directory / "b/.git").mkdir(parents=True)
    before = identities(directory)
    jobs = [(directory / lab, rendering(demo(), lab=lab)) for lab in "ab"]
    with pytest.raises(GuardRefusal, match="b: is a repository"):
        replace(jobs)
    assert identities(directory) == before


@pytest.mark.parametrize(
    "paths",
    [["a.yaml", "a.yaml"], ["../a.yaml"], ["kustomization.yaml"], ["a.yaml", "a.yaml/b.yaml"]],
)
def test_paths_that_no_layout_gives_are_an_error_of_the_caller(
    directory: Path, paths: list[str]
) -> None:
    lab = rendering(demo())._replace(files=[(path, "") for path in paths])
    with pytest.raises(ValueError, match="paths that no layout gives"):
        replace([(directory, lab)])
    assert listing(directory) == []
