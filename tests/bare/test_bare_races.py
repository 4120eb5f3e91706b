"""A file or directory that is exchanged while the lab is split never leads outside.

Every call to the system that split makes is a moment at which somebody may exchange something. Each test tries them
all: one run for each call, with the exchange just before it.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from bare_lab import Answer, Directory

from kubectl_c9s.files.confined import Confined, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = 'name: lab\ntopology: {nodes: {n: {kind: linux, startup-config: d/f, binds: ["d:/d", "l:/l"]}}}\n'
CALLS = ("open", "lstat", "readlink", "scandir", "fstat")
SECRET = b"TOP-SECRET"
HIDDEN = b"hidden-name"


def lay_out(top: Path) -> Directory:
    """Lay out a lab, and beside it what nobody may read."""
    lab = Directory(top / "lab", TEXT, {"d/f": "one", "d/sub/g": "two"})
    (lab.top / "l").symlink_to("d/f")
    outside = top / "outside"
    outside.mkdir()
    for name in ("f", "g", HIDDEN.decode()):
        (outside / name).write_bytes(SECRET)
    (outside / "d").mkdir()
    (outside / "d/f").write_bytes(SECRET)
    shutil.copytree(outside, outside / "sub")
    return lab


def forbidden(top: Path) -> set[tuple[int, int]]:
    """Give the identity of everything outside that could be opened, directories included."""
    outside = top.parent / "outside"
    places = [outside, *outside.rglob("*"), Path("/etc/passwd")]
    return {(status.st_dev, status.st_ino) for status in (path.stat() for path in places)}


def split_with(
    lab: Directory, exchange: Callable[[Path], None], moment: int
) -> tuple[Answer, bool]:
    """Split, with an exchange just before the call number ``moment``; tell whether there were so many calls."""
    count = 0
    inside = str(lab.top)

    outside = forbidden(lab.top)

    def patched(name: str) -> Any:
        real = getattr(os, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            # Only what has to do with the lab: paths in it, parts of them, open files.
            ours = "dir_fd" in kwargs or isinstance(args[0], int) or str(args[0]).startswith(inside)
            count += ours
            if ours and count == moment:
                with mock.patch.multiple(os, **originals):
                    exchange(lab.top)
            result = real(*args, **kwargs)
            # A descriptor that only stands for a place (O_PATH) reads nothing.
            if name == "open" and not args[1] & getattr(os, "O_PATH", 0):
                status = originals["fstat"](result)
                assert (status.st_dev, status.st_ino) not in outside
            return result

        return call

    originals = {name: getattr(os, name) for name in CALLS}
    with mock.patch.multiple(os, **{name: patched(name) for name in CALLS}):
        answer = lab.split()
    return answer, count >= moment


def replaced(name: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Exchange what has a name for something else; what was there is put aside."""

    def exchange(top: Path) -> None:
        path = top / name
        path.rename(top.parent / "aside")
        make(path)

    return exchange


def link(relative: str) -> Callable[[Path], object]:
    """Make a link to something in the directory above the lab."""

    def make(path: Path) -> None:
        base = next(parent for parent in path.parents if (parent / "outside").is_dir())
        path.symlink_to(base / relative)

    return make


EXCHANGES: dict[str, Callable[[Path], None]] = {
    "file for a link outside": replaced("d/f", link("outside/f")),
    "file for a link to the password file": replaced(
        "d/f", lambda path: path.symlink_to("/etc/passwd")
    ),
    "file for a pipe": replaced("d/f", os.mkfifo),
    "file for a directory": replaced("d/f", Path.mkdir),
    "file for nothing": replaced("d/f", lambda _: None),
    "file for a larger one": replaced("d/f", lambda path: path.write_bytes(b"x" * 950_001)),
    "directory for a link outside": replaced("d", link("outside")),
    "inner directory for a link outside": replaced("d/sub", link("outside/sub")),
    "inner directory for a file": replaced("d/sub", lambda path: path.write_bytes(b"new")),
    "link for a link outside": replaced("l", link("outside/f")),
}


@pytest.mark.parametrize("what", list(EXCHANGES))
def test_an_exchange_at_any_moment_never_leads_outside(what: str) -> None:
    exchange, moment, codes = EXCHANGES[what], 0, set()
    while True:
        moment += 1
        with tempfile.TemporaryDirectory() as base:
            lab = lay_out(Path(base))
            answer, happened = split_with(lab, exchange, moment)
        if not happened:
            break
        codes.add(answer.code)
        for data in (answer.out, answer.err.encode()):
            assert SECRET not in data
            assert HIDDEN not in data
            assert b"root:" not in data
        if answer.code == 0:
            contents = {data for data, _ in answer.staged("n").values()}
            assert contents <= {b"one", b"two", b"new", b""}
        elif answer.code == 1:
            assert answer.errors
    assert moment > 40
    assert 0 in codes  # at the last moments all has been read
    assert codes & {1, 3}


@pytest.mark.parametrize("new", ["a link outside", "another directory"])
def test_a_lab_directory_that_is_exchanged_is_noticed(new: str, tmp_path: Path) -> None:
    lab = lay_out(tmp_path)
    confined = Confined(str(lab.top))
    (before,) = confined.look("d/f").files
    lab.top.rename(tmp_path / "aside")
    if new == "a link outside":
        lab.top.symlink_to("outside")
    else:
        shutil.copytree(tmp_path / "outside", lab.top)
    with pytest.raises(Refused, match="replaced by another one"):
        confined.read(before.origin)
    assert confined.look("d/f").files == ()


def test_a_pipe_that_takes_the_place_of_a_file_is_not_read() -> None:
    messages = set()
    for moment in range(1, 100):
        with tempfile.TemporaryDirectory() as base:
            lab = lay_out(Path(base))
            answer, happened = split_with(lab, EXCHANGES["file for a pipe"], moment)
        if not happened:
            break
        messages |= {one["message"] for one in answer.errors} | {answer.err}
    assert any("no regular file any more" in message for message in messages)


def test_a_changed_file_ends_the_run_with_a_message(tmp_path: Path) -> None:
    """The bytes that are written are those that were looked at, or none."""

    def exchange(top: Path) -> None:
        (top / "d/f").write_bytes(b"eno")

    outcomes = set()
    for moment in range(1, 1000):
        lab = lay_out(tmp_path / str(moment))
        answer, happened = split_with(lab, exchange, moment)
        if not happened:
            break
        outcomes.add(answer.code)
        if answer.code == 3:
            assert re.search(r"error: (d/f|l) was changed while the lab was split", answer.err)
            assert "run the command again" in answer.err
        elif answer.code == 0:
            assert {data for data, _ in answer.staged("n").values()} <= {b"one", b"eno", b"two"}
            assert len({answer.staged("n")[path] for path in ("d/f",)}) == 1
    assert outcomes >= {0, 3}
    assert outcomes <= {0, 1, 3}


def test_a_file_that_is_gone_ends_the_run_with_a_message(tmp_path: Path) -> None:
    outcomes = set()
    for moment in range(1, 1000):
        lab = lay_out(tmp_path / str(moment))
        answer, happened = split_with(lab, lambda top: (top / "d/sub/g").unlink(), moment)
        if not happened:
            break
        outcomes.add(answer.code)
        if answer.code == 3:
            assert "d/sub/g" in answer.err
        if answer.code == 1:
            assert {code for code, _ in answer.codes()} == {"missing-file"}
    assert outcomes == {0, 1, 3}
