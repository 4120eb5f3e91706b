"""Which Python the program takes, and what it says when there is none that fits."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from release_tools import HERE, LAB, PYTHON, bare, checkout, make, run, snapshot, unpack
from release_tree import interpreter
from release_wheels import PYTHONS


def test_a_machine_without_python_is_told_so(program: Path, tmp_path: Path) -> None:
    for name in ("sh", "readlink"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    said = run(program, "version", status=3, env={"PATH": str(tmp_path)})
    assert said.splitlines() == [
        "error: there is no python3 on PATH",
        "hint: kubectl c9s needs CPython 3.11 to 3.14; install it, or name one: C9S_PYTHON=/path/to/python3",
    ]
    assert "error: there is no /nonexistent\n" in run(
        program, "version", status=3, env=bare(C9S_PYTHON="/nonexistent")
    )


@pytest.fixture
def foreign(program: Path, tmp_path: Path) -> Path:
    """Give the program with nothing that is compiled for this Python."""
    folder = Path(shutil.copytree(program.parent, tmp_path / "foreign"))
    (compiled,) = folder.glob("lib/cpython-*")
    tail = compiled.name.split("-", 2)[2]
    compiled.rename(compiled.with_name(f"cpython-399-{tail}"))
    return folder / "kubectl-c9s"


def test_a_python_that_does_not_fit_is_named_with_those_that_do(foreign: Path) -> None:
    for variables in (bare(), bare(C9S_PYTHON=sys.executable)):
        said = run(foreign, "version", status=3, env=variables).splitlines()
        assert said[0].startswith("error: kubectl c9s cannot run with ")
        assert f"Python {PYTHON}." in said[0]
        assert said[1].startswith("hint: this archive is for CPython 3.99 on ")


def test_another_python_on_path_is_taken_when_the_first_does_not_fit(
    program: Path, tmp_path: Path
) -> None:
    # What stands for an old Python: a program that has other compiled modules than the archive.
    old = tmp_path / "python3"
    lie = (
        "import importlib.machinery as m, runpy, sys; m.EXTENSION_SUFFIXES[:0] = ['.cpython-36m-x.so']; "
        "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    old.write_text(
        f'#!/bin/sh\nshift 2\nexec "{sys.executable}" -I -S -c "{lie}" "$@"\n', encoding="utf-8"
    )
    old.chmod(0o755)
    (tmp_path / f"python{PYTHON}").symlink_to(sys.executable)
    variables = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    assert run(program, "version", env=variables) == run(program, "version")
    (tmp_path / f"python{PYTHON}").unlink()
    (tmp_path / f"python{PYTHON}").write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    (tmp_path / f"python{PYTHON}").chmod(0o755)
    variables = {"PATH": f"{tmp_path}:/nonexistent"}
    for name in ("sh", "readlink"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    assert "cannot run with" in run(program, "version", status=3, env=variables)


def test_it_runs_without_bytecode(program: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(program.parent, tmp_path / "sources"))
    for cache in list(folder.rglob("__pycache__")):
        shutil.rmtree(cache)
    split = run(folder / "kubectl-c9s", "split", "-f", LAB)
    assert split == run(program, "split", "-f", LAB)


@pytest.mark.full
def test_one_archive_runs_with_every_python_that_is_here(tmp_path: Path) -> None:
    found = {one: python for one in PYTHONS if (python := interpreter(one))}
    (archive,) = make(tmp_path, f"--platform={HERE}", *(f"--python={one}" for one in found))
    program = unpack(archive, tmp_path / "unpacked") / "kubectl-c9s"
    before = snapshot(program.parent)
    for python in found.values():
        variables = bare(C9S_PYTHON=python)
        assert run(program, "split", "-f", LAB, env=variables) == checkout("split", "-f", LAB)
        # The client, and all that is compiled, is loaded on the way to a server that is not there.
        said = run(program, "check", "--server", "https://127.0.0.1:9", env=variables, status=3)
        assert "127.0.0.1:9 cannot be reached" in said
    assert snapshot(program.parent) == before, "there is bytecode for each of them"
