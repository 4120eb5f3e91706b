"""Trees of files of every kind, grown on disk below a lab, with what is to be expected of them."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from bare_lab import Answer, Directory, placed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = 'name: lab\ntopology:\n  nodes:\n    n:\n      kind: linux\n      binds:\n        - "./d/:/d:ro"\n'
LIMIT = 950_000
# Longer than any name or content that is made up: hypothesis also tries the texts it finds in the tests.
SECRET = b"nobody may ever read this line " * 3


class Leaf(NamedTuple):
    """One entry of a directory: what it is, its bytes (or those at the end of a link), its permission bits."""

    kind: str
    data: bytes = b""
    bits: int = 0o644


class Kind(NamedTuple):
    """How an entry is made at a path, with a free path beside the tree; the code of its finding, if it has one."""

    make: Callable[[Path, Path, Leaf], object]
    code: str | None = None


def _file(path: Path, _: Path, leaf: Leaf) -> None:
    path.write_bytes(leaf.data)
    path.chmod(leaf.bits)


def _sized(size: int) -> Callable[[Path, Path, Leaf], None]:
    def make(path: Path, aside: Path, leaf: Leaf) -> None:
        _file(path, aside, leaf)
        os.truncate(path, size)

    return make


def _link(path: Path, aside: Path, leaf: Leaf) -> None:
    _file(aside, aside, leaf)
    path.symlink_to(aside)


def _chain(path: Path, aside: Path, leaf: Leaf) -> None:
    _file(aside, aside, leaf)
    first = aside.with_suffix(".l")
    first.symlink_to(aside.name)
    path.symlink_to(os.path.relpath(first, path.parent))


def _to_directory(path: Path, aside: Path, _: Leaf) -> None:
    aside.mkdir()
    path.symlink_to(aside)


def _outside(name: str) -> Callable[[Path, Path, Leaf], None]:
    return lambda path, aside, _: path.symlink_to(aside.parents[2] / "outside" / name)


def _climbing(path: Path, aside: Path, _: Leaf) -> None:
    path.symlink_to("../" * 30 + str(aside.parents[2] / "outside").lstrip("/"))


def _to_pipe(path: Path, aside: Path, _: Leaf) -> None:
    os.mkfifo(aside)
    path.symlink_to(aside)


KINDS = {
    "file": Kind(_file),
    "sparse": Kind(_sized(4096)),
    "link to a file": Kind(_link),
    "chain of links": Kind(_chain),
    "too large": Kind(_sized(LIMIT + 1), "file-too-large"),
    "sparse and too large": Kind(_sized(1 << 40), "file-too-large"),
    "link to a directory": Kind(_to_directory, "link-to-directory"),
    "link outside": Kind(_outside("secret"), "outside-lab-directory"),
    "link to a directory outside": Kind(_climbing, "outside-lab-directory"),
    "link to nothing outside": Kind(_outside("gone"), "outside-lab-directory"),
    "dangling link": Kind(lambda path, *_: path.symlink_to("gone"), "missing-file"),
    "loop": Kind(lambda path, *_: path.symlink_to(path), "missing-file"),
    "pipe": Kind(lambda path, *_: os.mkfifo(path), "not-a-file"),
    "socket": Kind(lambda path, *_: os.mknod(path, stat.S_IFSOCK | 0o600), "not-a-file"),
    "link to a pipe": Kind(_to_pipe, "not-a-file"),
}


class Grown:
    """A tree on disk: bytes and modes by shown path, and the codes of what must be refused."""

    def __init__(self, base: Path, tree: dict[str, object]) -> None:
        self.staged: dict[str, tuple[bytes, str]] = {}
        self.refused: list[str] = []
        self._count = 0
        self.lab = Directory(base / "lab", TEXT, {"aside/": ""})
        (base / "outside").mkdir()
        (base / "outside/secret").write_bytes(SECRET)
        self._grow(base / "lab/d", "d", tree)

    def _grow(self, path: Path, shown: str, tree: dict[str, object]) -> None:
        path.mkdir()
        for name, entry in tree.items():
            if isinstance(entry, Leaf):
                self._add(path / name, f"{shown}/{name}", entry)
            else:
                assert isinstance(entry, dict)
                self._grow(path / name, f"{shown}/{name}", entry)

    def _add(self, path: Path, shown: str, leaf: Leaf) -> None:
        self._count += 1
        kind = KINDS[leaf.kind]
        kind.make(path, self.lab.top / "aside" / f"t{self._count}", leaf)
        if kind.code is not None:
            self.refused.append(kind.code)
            return
        data = leaf.data.ljust(4096, b"\x00") if leaf.kind == "sparse" else leaf.data
        self.staged[shown] = (data, "execute" if leaf.bits & 0o111 else "read")

    def check(self, answer: Answer) -> None:
        """Compare an answer with what was grown."""
        assert SECRET not in answer.out
        if self.refused:
            assert answer.code == 1
            assert sorted(one["code"] for one in answer.errors) == sorted(self.refused)
            assert {one["path"] for one in answer.errors} == {"topology.nodes.n.binds[0]"}
            assert {placed(one) for one in answer.errors} == {self.lab.place('"./d')}
            return
        assert answer.code == 0, answer.err
        assert answer.staged("n") == self.staged
        order = [one["filePath"] for one in answer.entries("n")]
        assert order == sorted(self.staged, key=str.encode)
        assert answer.node("n")["binds"] == ["./d/:/d:ro"]
