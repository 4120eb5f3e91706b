"""A run that is killed, at any point: the directory is the old one or the new one, and the next run clears up."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest
from file_faults import KILLED, Faults, die, in_child, quick_folder
from killed_lab import NEW, Lab, write
from rendered_lab import (
    Tree,
    add_foreign_files,
    listing,
    node,
    profile,
    rendering,
    tree,
)

from kubectl_c9s.files import staging
from kubectl_c9s.files.directory import check, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    with quick_folder(tmp_path) as folder:
        yield folder


@pytest.fixture(params=["swapped", "renamed twice"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have the directories swapped in one step, and then as where the system cannot do that."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # a kill does not need it, and it takes long
    if request.param == "renamed twice":
        monkeypatch.setattr(staging, "exchange", lambda *_: False)
    return str(request.param)


def killed_at(number: int, action: Callable[[], object]) -> bool:
    """Kill a run at its N-th change; tell whether it got that far."""

    def run() -> None:
        with pytest.MonkeyPatch.context() as monkeypatch:
            Faults(monkeypatch, number, die)
            action()

    code = in_child(run)
    assert code in {0, KILLED}
    return code == KILLED


def test_a_run_may_be_killed_at_every_point(quick_path: Path, way: str) -> None:
    lab = Lab(quick_path / "labs")
    points = 0
    for number in itertools.count(1):
        lab.make()
        if not killed_at(number, partial(write, lab.directory)):
            break
        lab.check_is_whole(way)
        lab.check_next_run()
        points += 1
    assert points > 50


def test_the_run_that_clears_up_may_be_killed_too(quick_path: Path, way: str) -> None:
    lab = Lab(quick_path / "labs")
    chance = random.Random(way)  # noqa: S311 - the same points on every run
    kills = 0
    for _ in range(25):
        lab.make()
        for _ in range(4):
            kills += killed_at(chance.randint(1, 100), partial(write, lab.directory))
            lab.check_is_whole(way)
        lab.check_next_run()
    assert kills > 25


def test_the_first_run_may_be_killed_at_every_point(quick_path: Path, way: str) -> None:
    del way
    directory = quick_path / "labs/demo"
    directory.parent.mkdir()
    for number in itertools.count(1):
        if not killed_at(number, partial(write, directory)):
            break
        if directory.exists():
            assert list(check(directory, NEW)) == []
        write(directory)
        assert list(check(directory, NEW)) == []
        assert listing(directory.parent) == ["demo"]
        for path in sorted(directory.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        directory.rmdir()
    assert listing(directory.parent) == ["demo"]


def test_a_kill_at_any_moment_leaves_a_whole_directory(quick_path: Path) -> None:
    directory = quick_path / "labs/demo"
    nodes = [profile("demo"), *(node(f"r{number}") for number in range(40))]
    states: list[Tree] = []
    labs = [rendering([*nodes, node("z", image=image)]) for image in ("a", "b")]
    directory.mkdir(parents=True)
    add_foreign_files(directory)
    for lab in labs:
        replace([(directory, lab)])
        states.append(tree(directory))

    def run_on_and_on() -> None:
        for lab in itertools.cycle(labs):
            replace([(directory, lab)])

    for _ in range(20):
        child = os.fork()
        if child == 0:
            try:
                run_on_and_on()
            finally:
                os._exit(1)
        time.sleep(random.uniform(0.01, 0.15))  # noqa: S311 - any moment will do
        os.kill(child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert tree(directory) in states
    replace([(directory, labs[0])])
    assert list(check(directory, labs[0])) == []
    assert listing(directory.parent) == ["demo"]
