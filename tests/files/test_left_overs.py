"""What a killed run left beside the directory, and what came in at the last moment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from file_faults import KILLED, in_child, quick_folder
from killed_lab import Lab, write
from rendered_lab import (
    FOREIGN,
    demo,
    identities,
    listing,
    node,
    rendering,
    tree,
)

from kubectl_c9s.files import staging
from kubectl_c9s.files.directory import replace
from kubectl_c9s.files.exchange import exchange

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    with quick_folder(tmp_path) as folder:
        yield folder


def test_a_folder_that_only_looks_like_ours_is_left_alone(quick_path: Path) -> None:
    directory = quick_path / "demo"
    for name in (".demo.c9s-0123456789abcdef", ".demo.c9s-mine"):
        (quick_path / name / "new").mkdir(parents=True)
        (quick_path / name / "new/file").touch()
    (quick_path / ".demo.c9s-fedcba9876543210").touch()
    before = identities(quick_path)
    write(directory)
    after = {path: entry for path, entry in identities(quick_path).items() if path[0] == "."}
    assert after == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make the files of another user")
def test_what_another_user_put_there_is_left_alone(quick_path: Path) -> None:
    made = quick_path / ".demo.c9s-0123456789abcdef"
    (made / "new").mkdir(parents=True)
    (made / "c9s-workplace").touch()
    os.chown(made, 65534, 65534)
    write(quick_path / "demo")
    assert listing(made) == ["c9s-workplace", "new"]


def test_what_comes_in_at_the_last_moment_is_not_lost(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = quick_path / "labs/demo"
    write(directory, new=False)
    (directory / "plan.md").write_text("old plan", encoding="utf-8")

    def with_an_editor(folder: int, name: str, other_folder: int, other: str) -> bool:
        (directory / "new.md").write_text("just made", encoding="utf-8")
        (directory / "notes/deep").mkdir(parents=True)
        (directory / "notes/deep/x").write_text("deep", encoding="utf-8")
        (directory / "plan.md~").write_text("new plan", encoding="utf-8")
        (directory / "plan.md~").replace(directory / "plan.md")
        return exchange(folder, name, other_folder, other)

    monkeypatch.setattr(staging, "exchange", with_an_editor)
    write(directory)
    for path, text in (("new.md", "just made"), ("notes/deep/x", "deep"), ("plan.md", "new plan")):
        assert (directory / path).read_text(encoding="utf-8") == text
    assert listing(directory.parent) == ["demo"]


def test_what_fits_nowhere_is_kept_and_named(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = quick_path / "labs/demo"
    lab = rendering([*demo(), node("r9")])
    write(directory, new=False)

    def with_an_editor(folder: int, name: str, other_folder: int, other: str) -> bool:
        (directory / "nodes/r9.yaml").write_text("mine", encoding="utf-8")
        return exchange(folder, name, other_folder, other)

    monkeypatch.setattr(staging, "exchange", with_an_editor)
    for runs in range(2):
        (outcome,) = replace([(directory, lab)])
        (note,) = outcome.notes
        assert "was kept" in note
        (kept,) = directory.parent.glob(".demo.c9s-*/*/nodes/r9.yaml")
        assert kept.read_text(encoding="utf-8") == "mine", runs
        monkeypatch.setattr(staging, "exchange", exchange)


def killed_after_the_swap(directory: Path) -> None:
    def swap_and_die(folder: int, name: str, other_folder: int, other: str) -> None:
        exchange(folder, name, other_folder, other)
        os._exit(KILLED)

    def run() -> None:
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr(staging, "exchange", swap_and_die)
            write(directory)

    assert in_child(run) == KILLED


def test_files_deleted_after_a_kill_do_not_come_back(quick_path: Path) -> None:
    lab = Lab(quick_path / "labs")
    lab.make()
    killed_after_the_swap(lab.directory)
    assert tree(lab.directory) == lab.after
    (lab.directory / "notes/plan.md").unlink()
    write(lab.directory)
    assert not (lab.directory / "notes/plan.md").exists()
    assert listing(lab.directory.parent) == ["demo"]


def test_after_a_kill_and_a_loss_of_the_directory_the_old_one_still_has_all(
    quick_path: Path,
) -> None:
    lab = Lab(quick_path / "labs")
    for anew in (False, True):
        lab.make()
        killed_after_the_swap(lab.directory)
        lab.directory.rename(quick_path / f"lost-{anew}")
        if anew:
            lab.directory.mkdir()
            (lab.directory / "other").touch()
        write(lab.directory)
        found = tree(lab.directory)
        assert [found[name] for name in FOREIGN] == [lab.before[name] for name in FOREIGN]
        assert ("other" in found) == anew
        assert listing(lab.directory.parent) == ["demo"]
