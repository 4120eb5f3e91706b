"""What a directory must not be, and what must not stand in it: refused before anything is written."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rendered_lab import demo, identities, rendering

from kubectl_c9s.files import present
from kubectl_c9s.files.directory import check, lab_directory, replace
from kubectl_c9s.resources.errors import GuardRefusal, UsageError
from kubectl_c9s.yamlio.inventory import Inventory, dump_inventory

if TYPE_CHECKING:
    from collections.abc import Callable

R1 = "nodes/r1.yaml"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    found = tmp_path / "labs/demo"
    found.mkdir(parents=True)
    return found


def refused(directory: Path, match: str, *, lab: str = "demo") -> None:
    """Expect a refusal, by writing and by checking, that leaves the whole parent as it was."""
    parent = directory.parent
    before = (identities(parent), os.listdir(parent)) if parent.name == "labs" else None
    with pytest.raises(GuardRefusal, match=match):
        replace([(directory, rendering(demo(), lab=lab))])
    with pytest.raises(GuardRefusal, match=match):
        list(check(directory, rendering(demo(), lab=lab)))
    if before:
        assert (identities(parent), os.listdir(parent)) == before


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", ".jj"])
def test_a_repository(directory: Path, name: str) -> None:
    (directory / name).mkdir()
    refused(directory, f"is a repository: it holds {name}")


def test_a_work_tree_whose_git_is_a_file(directory: Path) -> None:
    (directory / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    refused(directory, "is a repository")


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


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="no mount point that is sure to be there")  # noqa: PTH115
def test_a_mount_point() -> None:
    refused(Path("/proc"), "is a mount point")


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


@pytest.mark.parametrize("name", ["x" * 201, "a\0b"])
def test_a_name_that_cannot_be_used(directory: Path, name: str) -> None:
    with pytest.raises(UsageError):
        replace([(directory / name, rendering(demo()))])


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
    assert os.listdir(tmp_path / "elsewhere") == []


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


def test_two_labs_into_one_directory(directory: Path) -> None:
    jobs = [(directory, rendering(demo())), (directory / "../demo", rendering(demo(), lab="b"))]
    with pytest.raises(UsageError, match="two labs would go into one directory"):
        replace(jobs)


def test_of_several_labs_none_is_written_if_one_is_refused(directory: Path) -> None:
    (directory / "b/.git").mkdir(parents=True)
    before = identities(directory)
    jobs = [(directory / lab, rendering(demo(), lab=lab)) for lab in "ab"]
    with pytest.raises(GuardRefusal, match="b: is a repository"):
        replace(jobs)
    assert identities(directory) == before


def test_several_labs_do_not_go_below_the_files_of_one_or_through_a_link(directory: Path) -> None:
    assert lab_directory(directory, "demo") == directory / "demo"
    (directory.parent / "link").symlink_to(directory, target_is_directory=True)
    with pytest.raises(GuardRefusal, match="is a symbolic link"):
        lab_directory(directory.parent / "link", "demo")
    replace([(directory, rendering(demo()))])
    with pytest.raises(GuardRefusal, match="holds the files of one lab"):
        lab_directory(directory, "demo")


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
    assert os.listdir(directory) == []
