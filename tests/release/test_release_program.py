"""The program of an archive runs for anybody: through links, without HOME, with nothing that it could write to."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from release_tools import LAB, PYTHON, ROOT, bare, checkout, run, snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed


def test_it_splits_to_the_bytes_of_the_checkout_and_writes_nothing(program: Path) -> None:
    before = snapshot(program.parent)
    assert run(program, "split", "-f", LAB) == checkout("split", "-f", LAB)
    assert run(program, "split", "-f", LAB, "-o", "json") == checkout(
        "split", "-f", LAB, "-o", "json"
    )
    assert snapshot(program.parent) == before


def test_it_runs_for_somebody_who_may_write_nowhere(program: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can run a program as somebody else")
    pythons = [sys.executable, f"/usr/bin/python{PYTHON}", f"/usr/local/bin/python{PYTHON}"]
    free = [one for one in pythons if readable_by_others(Path(one))]
    if not free:
        pytest.skip("every Python of this version is for its user alone")
    # pytest's own folders are for its user alone.
    place = Path(shutil.copytree(program.parent, f"/var/tmp/c9s-release-{os.getpid()}"))  # noqa: S108
    try:
        done = subprocess.run(
            [str(place / "kubectl-c9s"), "split", "-f", "-"],
            check=False,
            cwd="/",
            env=bare(C9S_PYTHON=free[0]),
            user=65534,
            group=65534,
            extra_groups=[],
            input=(ROOT / LAB).read_text(encoding="utf-8"),
            capture_output=True,
            encoding="utf-8",
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == checkout("split", "-f", LAB)
    finally:
        shutil.rmtree(place)


def readable_by_others(python: Path) -> bool:
    path = python.resolve()
    return path.exists() and all(one.stat().st_mode & 0o001 for one in [path, *path.parents])


def test_help_says_how_it_was_called(program: Path, tmp_path: Path) -> None:
    assert run(program, "--help").startswith("Usage: kubectl c9s ")
    (tmp_path / "c9s").symlink_to(program)
    assert run(tmp_path / "c9s", "--help").startswith("Usage: c9s ")


def test_it_is_found_through_links(program: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "first").symlink_to(program)
    (tmp_path / "bin/second").symlink_to("../first")
    (tmp_path / "bin/kubectl-c9s").symlink_to("second")
    assert run(tmp_path / "bin/kubectl-c9s", "version") == run(program, "version")
    on_path = bare() | {"PATH": f"{tmp_path}/bin:{bare()['PATH']}"}
    assert run("sh", "-c", "kubectl-c9s version", env=on_path, cwd=Path("/")) == run(
        program, "version"
    )
    assert run("sh", "kubectl-c9s", "version", cwd=program.parent) == run(program, "version")


def test_it_completes_by_its_other_name(program: Path, tmp_path: Path) -> None:
    (tmp_path / "kubectl_complete-c9s").symlink_to(program)
    for name in (tmp_path / "kubectl_complete-c9s", program.with_name("kubectl_complete-c9s")):
        assert run(name, "spl").splitlines() == [
            "split\tSplit Topologies into Node, Link and NodeProfile objects.",
            ":4",
        ]


def test_what_is_installed_for_this_python_does_not_get_in_the_way(
    program: Path, tmp_path: Path
) -> None:
    (tmp_path / "click.py").write_text("raise SystemExit('the wrong click')\n", encoding="utf-8")
    variables = bare(PYTHONPATH=str(tmp_path), PYTHONHOME="", PYTHONSTARTUP="/nonexistent")
    assert run(program, "version", env=variables, cwd=tmp_path) == run(program, "version")


def test_it_speaks_utf8_in_any_locale(program: Path, tmp_path: Path) -> None:
    lab = tmp_path / "übung.yaml"
    lab.write_text((ROOT / LAB).read_text(encoding="utf-8"), encoding="utf-8")
    found = run(program, "split", "-f", str(lab), env=bare(LANG="C", LC_ALL="C"))
    assert found == run(program, "split", "-f", LAB)


def imports() -> Iterator[str]:
    """Give every module that the package imports somewhere, in a function or not."""
    for path in (ROOT / "kubectl_c9s").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (one.name for one in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module


def test_everything_that_is_imported_anywhere_is_there(program: Path) -> None:
    lib = program.parent / "lib"
    (compiled,) = lib.glob("cpython-*")
    wanted = sorted(set(imports()) - {"__future__"})
    code = (
        f"import sys, importlib; sys.path[:0] = {[str(compiled), str(lib / 'abi3'), str(lib / 'common')]!r}\n"
        f"for name in {wanted!r}: importlib.import_module(name)\n"
        "print(len(sys.modules))"
    )
    assert "kubernetes.client" in wanted
    assert int(run(sys.executable, "-I", "-S", "-c", code)) > len(wanted)


def test_live_commands_work_with_what_is_left_of_the_client(
    program: Path, bed: Bed, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.yaml"
    with bed.namespace("release") as namespace:
        variables = bare(KUBECONFIG=str(bed.kubeconfig), C9S_COMPLETION_SECONDS="60")
        lab.write_text(run(program, "split", "-f", LAB, "-n", namespace), encoding="utf-8")
        run(program, "apply", "-f", str(lab), "-n", namespace, env=variables)
        assert run(program, "diff", "-f", str(lab), "-n", namespace, env=variables) == ""
        assert "small" in run(program, "status", "-n", namespace, env=variables)
        offered = run(program, "__complete", "-n", namespace, "status", "", env=variables)
        assert offered.splitlines() == ["small", ":4"]
        said = run(program, "check", "-o", "json", env=variables | {"HOME": "/"}, status=1)
        assert said == ""
        snapshot = tmp_path / "snapshot.json"
        run(program, "snapshot", "-n", namespace, "--output-file", str(snapshot), env=variables)
        diagnosed = run(
            program, "diagnose", "-f", str(snapshot), "--fail-on", "never", env=variables
        )
        assert diagnosed
        # The proxy, Pods' ports and exec go over the client's WebSockets.
        run(program, "measure", "verify", "-n", namespace, env=variables, status=1)


def test_the_live_view_needs_nothing_that_is_left_out(program: Path, bed: Bed) -> None:
    terminal = shutil.which("script")
    if terminal is None:
        pytest.skip("there is no 'script' to make a terminal with")
    with bed.namespace("release") as namespace:
        watch = f"'{program}' status -n {namespace} --watch --for ready --timeout 1s; echo exit $?"
        done = subprocess.run(
            [terminal, "-qec", watch, os.devnull],
            check=False,
            env=bare(KUBECONFIG=str(bed.kubeconfig), TERM="xterm"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )
    assert re.search(r"exit [015]\b", done.stdout), done.stdout
    assert "internal fault" not in done.stdout
