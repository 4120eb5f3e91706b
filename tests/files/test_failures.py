"""What the system refuses: nothing has changed, nothing is left, and the message says what and where."""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from file_faults import Faults, in_child, quick_folder
from rendered_lab import add_foreign_files, demo, identities, listing, rendering, tree

from kubectl_c9s.files import lock
from kubectl_c9s.files.directory import check, replace
from kubectl_c9s.files.lock import locked
from kubectl_c9s.resources.errors import C9sError, GuardRefusal, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.files.compare import Rendering

OLD, NEW = rendering(demo(third=True)), rendering(demo("alpine:4"))


def no_space(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_is_full_at_any_point_changes_nothing_or_all(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = quick_path / "labs/demo"
    directory.mkdir(parents=True)
    add_foreign_files(directory)
    monkeypatch.setattr(os, "fsync", lambda _: None)
    replace([(directory, NEW)], prune=True)
    after = tree(directory)
    replace([(directory, OLD)], prune=True)
    before = tree(directory)
    refused = 0
    for number in itertools.count(1):
        with monkeypatch.context() as inner:
            faults = Faults(inner, number, no_space)
            try:
                replace([(directory, NEW)], prune=True)
            except C9sError as error:
                refused += 1
                assert "No space left on device" in error.message  # noqa: PT017 - only some runs fail
        assert tree(directory) in (before, after)
        replace([(directory, OLD)], prune=True)
        assert tree(directory) == before
        assert listing(directory.parent) == ["demo"]
        if faults.count < number:
            break
    assert refused > 20


def test_a_full_disk_is_no_fault_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", no_space)
    with pytest.raises(C9sError, match="demo: No space left on device") as caught:
        replace([(tmp_path / "demo", NEW)])
    assert caught.value.exit_code == 3
    assert listing(tmp_path) == []


def test_writes_that_take_little_at_a_time_are_carried_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:7]))
    replace([(tmp_path / "demo", NEW)])
    assert list(check(tmp_path / "demo", NEW)) == []


def test_a_text_that_cannot_be_made_changes_nothing(tmp_path: Path) -> None:
    directory = tmp_path / "demo"
    replace([(directory, OLD)])
    before = identities(directory)

    def broken() -> str:
        raise C9sError("the file was changed")

    files = [*NEW.files[:-1], (NEW.files[-1][0], broken)]
    with pytest.raises(C9sError, match="the file was changed"):
        replace([(directory, NEW._replace(files=files))])
    assert identities(directory) == before
    assert listing(tmp_path) == ["demo"]


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    with quick_folder(tmp_path) as folder:
        yield folder


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """Give a folder that another user can reach, too."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def without_rights(action: Callable[[], object], error: type[C9sError]) -> bool:
    """Tell whether an action, done by a user without special rights, ends in an error."""

    def run() -> None:
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        with pytest.raises(error, match="Permission denied"):
            action()

    return in_child(run) == 0


def write(directory: Path, lab: Rendering) -> None:
    replace([(directory, lab)])


def test_a_parent_that_is_read_only_is_an_error_of_usage(open_to_all: Path) -> None:
    replace([(open_to_all / "labs/demo", OLD)])
    (open_to_all / "labs").chmod(0o555)
    before = identities(open_to_all)
    try:
        for name in ("demo", "other", "other/below"):
            assert without_rights(partial(write, open_to_all / "labs" / name, NEW), UsageError)
        assert identities(open_to_all) == before
    finally:
        (open_to_all / "labs").chmod(0o755)


def test_a_folder_that_cannot_be_read_is_an_error_of_usage(open_to_all: Path) -> None:
    (open_to_all / "labs").mkdir()
    (open_to_all / "labs").chmod(0o777)
    directory = open_to_all / "labs/demo"
    (directory / "secret").mkdir(parents=True)
    (directory / "secret").chmod(0)
    before = identities(open_to_all)
    assert without_rights(partial(write, directory, NEW), UsageError)
    assert identities(open_to_all) == before


def test_two_runs_do_not_write_one_directory(tmp_path: Path) -> None:
    directory = tmp_path / "demo"
    replace([(directory, OLD)])
    parent = os.open(tmp_path, os.O_RDONLY)
    try:
        with locked(parent, "demo"):
            with pytest.raises(GuardRefusal, match="demo: another run is writing it"):
                replace([(directory, NEW)])
            replace([(tmp_path / "other", NEW)])
            assert list(check(directory, OLD)) == []
    finally:
        os.close(parent)
    replace([(directory, NEW)])
    assert listing(tmp_path) == ["demo", "other"]


def test_a_lock_that_a_killed_run_left_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / lock.lock_name("demo")).touch()
    replace([(tmp_path / "demo", NEW)])
    assert listing(tmp_path) == ["demo"]


def test_a_lock_that_was_removed_while_it_was_taken_is_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, taken = fcntl.flock, list[int]()

    def flock(descriptor: int, how: int) -> None:
        if not taken:  # the run before ends between our opening and our locking
            (tmp_path / lock.lock_name("demo")).unlink()
        taken.append(descriptor)
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    parent = os.open(tmp_path, os.O_RDONLY)
    with locked(parent, "demo"):
        assert (tmp_path / lock.lock_name("demo")).exists()
    os.close(parent)
    assert len(taken) == 2
    assert listing(tmp_path) == []


def test_a_lock_does_not_follow_a_link(tmp_path: Path) -> None:
    (tmp_path / lock.lock_name("demo")).symlink_to("victim")
    with pytest.raises(UsageError):
        replace([(tmp_path / "demo", NEW)])
    assert not (tmp_path / "victim").exists()


def test_a_directory_that_someone_else_replaces_meanwhile_is_not_overwritten(
    tmp_path: Path,
) -> None:
    directory = tmp_path / "demo"
    replace([(directory, OLD)])

    def meddle() -> str:
        if not (tmp_path / "moved").exists():
            directory.rename(tmp_path / "moved")
            directory.mkdir()
            (directory / "theirs").touch()
        return "text: x\n"

    files = [*NEW.files[:-1], (NEW.files[-1][0], meddle)]
    with pytest.raises(GuardRefusal, match="replaced by someone else meanwhile"):
        replace([(directory, NEW._replace(files=files))])
    assert listing(directory) == ["theirs"]
    assert listing(tmp_path) == ["demo", "moved"]
