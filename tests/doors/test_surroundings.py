"""The doors work where their programs run them: no home, terminal, network or right to write, any locale."""

from __future__ import annotations

import functools
import os
import pty
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, TYPE_CHECKING
from unittest import mock

import click
import pytest
import yaml
from door_tools import LAB, ROOT, call, config, items_as_stream, parameters, resource_list

from kubectl_c9s.cli import doors

if TYPE_CHECKING:
    from collections.abc import Iterator

PLUGIN_USER = 999  # conventions.md §6
REPO_SERVER_LIMIT = 60  # seconds after which Argo CD's repo-server ends a plugin
PACKAGES = f"{ROOT}{os.pathsep}{Path(click.__file__).parents[1]}"
GUARDED = Path(__file__).with_name("guarded.py")


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder that every user can enter; what pytest makes is for its own user alone."""
    folder = Path(tempfile.mkdtemp(prefix="c9s-doors-"))
    folder.chmod(0o755)
    yield folder
    for path in folder.rglob("*"):
        path.chmod(0o755)
    shutil.rmtree(folder)


@functools.cache
def as_plugin_user() -> tuple[str, ...]:
    """Give what comes before a command, so that it runs as the plugin's user where the tests may do that."""
    if os.geteuid() != 0:
        return ()
    user = (
        "setpriv",
        f"--reuid={PLUGIN_USER}",
        f"--regid={PLUGIN_USER}",
        "--clear-groups",
        "--no-new-privs",
    )
    # Where Python lies in a directory of root alone, the right to read it; never one to write.
    reading = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
    for prefix in (user, (*user, *reading)):
        probe = [*prefix, sys.executable, "-c", "import kubectl_c9s, click"]
        if shutil.which("setpriv") and not subprocess.run(
            probe, cwd="/", env={"PYTHONPATH": PACKAGES}, capture_output=True, check=False
        ).returncode:  # fmt: skip
            return prefix
    pytest.skip(f"Python cannot be run as user {PLUGIN_USER} here")


def no_writing() -> None:
    """Let no byte reach a file; pipes are none."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def run(
    *args: str, cwd: Path, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a door as its program does: own process and user, nothing in its environment but what is given."""
    own = {
        "PYTHONPATH": PACKAGES,
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C",
    }
    return subprocess.run(
        [*as_plugin_user(), sys.executable, str(GUARDED), *args], cwd=cwd, env=own | (env or {}),
        input=stdin.encode(), capture_output=True, timeout=REPO_SERVER_LIMIT, check=False, preexec_fn=no_writing,
    )  # fmt: skip


def read_only(folder: Path) -> dict[str, tuple[int, int]]:
    """Take away the right to write below a folder; give what stands in it, to be compared."""
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444)
    return state(folder)


def state(folder: Path) -> dict[str, tuple[int, int]]:
    found = {str(path): path.lstat() for path in [folder, *folder.rglob("*")]}
    return {path: (status.st_mode, status.st_mtime_ns) for path, status in found.items()}


def bare_lab(folder: Path) -> Path:
    """Copy a lab whose files are staged, without its links, which cannot be made read-only."""
    source = ROOT / "tests/bare/cases/b02-startup-configs-and-shared-licence/input"
    shutil.copytree(source, folder / "source")
    return folder / "source"


def test_these_surroundings_forbid_what_they_promise_to_forbid(place: Path) -> None:
    (place / "lab.yaml").write_text(LAB, encoding="utf-8")
    place.chmod(0o777)
    done = run("split", "-f", "lab.yaml", "--report", "report.json", cwd=place)
    assert (done.returncode, done.stdout) == (99, b"")
    assert b"forbidden: open" in done.stderr
    if os.geteuid() == 0:
        probe = [
            *as_plugin_user(),
            sys.executable,
            "-c",
            "import os; print(os.getuid(), os.getgroups())",
        ]
        assert subprocess.run(probe, cwd="/", capture_output=True, check=True).stdout == b"999 []\n"


def test_a_plugin_of_argocd_keeps_the_published_contract(place: Path) -> None:
    source = bare_lab(place)
    expected = call("split", "-f", "lab.clab.yml", "--argo-sync-waves", cwd=source).out
    before = read_only(source)
    env = {"ARGOCD_APP_NAME": "lab", "ARGOCD_APP_NAMESPACE": "argocd", "KUBE_VERSION": "1.37"}
    done = run("cmp", "generate", cwd=source, env=env | parameters(paths=["."]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == expected
    assert all(one["apiVersion"] and one["kind"] for one in yaml.safe_load_all(done.stdout))
    assert state(source) == before


def test_parameters_are_announced_in_the_same_surroundings(place: Path) -> None:
    done = run("cmp", "parameters", cwd=place)
    assert (done.returncode, done.stderr) == (0, b"")
    assert {one["name"] for one in yaml.safe_load(done.stdout)} >= {"paths", "set", "namespace"}


def test_nothing_to_render_is_a_failed_process_without_output(place: Path) -> None:
    read_only(place)
    done = run("cmp", "generate", cwd=place)
    assert (done.returncode, done.stdout) == (1, b"")


def test_a_function_keeps_the_contract_in_the_same_surroundings(place: Path) -> None:
    source = bare_lab(place)
    expected = call("split", "-f", "lab.clab.yml", cwd=source).out
    before = read_only(source)
    done = run("fn", cwd=source, stdin=resource_list(config=config(paths=["lab.clab.yml"])))
    assert done.returncode == 0, done.stderr
    assert items_as_stream(done.stdout.decode()) == expected
    assert state(source) == before


@pytest.mark.parametrize("door", ["cmp", "fn", "fn CONFIG"])
def test_a_thousand_devices_pass_within_the_limit_of_the_door(place: Path, door: str) -> None:
    generator = [sys.executable, str(ROOT / "examples/fabric.py"), "--devices", "1000"]
    fabric = subprocess.run(generator, capture_output=True, check=True).stdout
    (place / "lab.yaml").write_bytes(fabric)
    (place / "config").write_text(config(), encoding="utf-8")
    expected = call("split", "-f", "lab.yaml", cwd=place).out
    assert expected.count("\nkind: Node\n") == 1000
    if door == "cmp":
        found = run(
            "cmp", "generate", cwd=place, env=parameters(sync_waves="false")
        ).stdout.decode()
    elif door == "fn":
        done = run("fn", cwd=place, stdin=resource_list(fabric.decode()))
        found = items_as_stream(done.stdout.decode())
    else:
        found = run("fn", "config", cwd=place, stdin=fabric.decode()).stdout.decode()
    assert found == expected


@pytest.mark.parametrize(
    "locale", [{}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_text_is_utf8_in_every_locale(place: Path, locale: dict[str, str]) -> None:
    lab = LAB.replace('"x:1"}', '"x:1", env: {GREETING: "grüß dich, 世界"}}', 1)
    (place / "lab.yaml").write_text(lab, encoding="utf-8")
    expected = call("split", "-f", "lab.yaml", cwd=place).out
    rendered = run("cmp", "generate", cwd=place, env=locale | parameters(sync_waves="false"))
    assert rendered.stdout.decode() == expected
    assert "世界" in expected
    note = f"# größer\n{resource_list(lab)}"
    function = run("fn", cwd=place, stdin=note, env=locale)
    assert function.stdout.decode().startswith("# größer\n")
    assert items_as_stream(function.stdout.decode()) == expected


def start(*args: str, cwd: Path, **streams: Any) -> subprocess.Popen[bytes]:
    env = {"PYTHONPATH": PACKAGES, "PATH": os.environ["PATH"]}
    return subprocess.Popen(
        [sys.executable, "-m", "kubectl_c9s", *args], cwd=cwd, env=env, **streams
    )


@pytest.mark.parametrize(
    "args", [("cmp", "generate"), ("cmp", "parameters"), ("fn",), ("fn", "config")]
)
def test_a_closed_pipe_leaves_no_traceback(place: Path, args: tuple[str, ...]) -> None:
    (place / "lab.yaml").write_text(LAB, encoding="utf-8")
    (place / "config").write_text(config(), encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    stdin = LAB if args == ("fn", "config") else resource_list(LAB)
    process = start(*args, cwd=place, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE)
    _, err = process.communicate(stdin.encode(), timeout=REPO_SERVER_LIMIT)
    os.close(writing)
    assert (process.returncode, err) == (141, b"")


@pytest.mark.parametrize("args", [("fn",), ("fn", "config")])
def test_an_interrupted_function_leaves_no_traceback_and_no_output(
    place: Path, args: tuple[str, ...]
) -> None:
    (place / "config").write_text(config(), encoding="utf-8")
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = start(*args, cwd=place, **pipes)
    assert process.stdin is not None
    # More than a pipe holds: when it is written, most of it was read, so the function is at work.
    process.stdin.write(b"# comment\n" * 100_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=REPO_SERVER_LIMIT)
    assert (process.returncode, out, err) == (130, b"", b"\n")  # the line of ^C is ended


def test_an_interrupted_plugin_leaves_no_traceback_and_no_output(place: Path) -> None:
    (place / "lab.yaml").write_text(LAB, encoding="utf-8")
    with mock.patch.object(doors.Work, "objects", side_effect=KeyboardInterrupt):
        answer = call("cmp", "generate", cwd=place)
    assert (answer.code, answer.out, answer.err) == (130, "", "\n")


def test_a_function_does_not_wait_for_someone_to_type(place: Path) -> None:
    controller, terminal = pty.openpty()
    process = start("fn", cwd=place, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate(timeout=REPO_SERVER_LIMIT)
    os.close(controller)
    os.close(terminal)
    assert (process.returncode, out) == (2, b"")
    assert b"hint: kustomize calls it; to try a lab use 'split'" in err


@pytest.mark.parametrize("stdin", ["a: [", "\x00", "kind: \x1b[31m", "- \x1b]0;x\x07", "\ufeff{"])
def test_what_comes_from_a_file_is_harmless_on_a_terminal(place: Path, stdin: str) -> None:
    evil = '"\\e[31m\\u202e\\u200b"'
    lab = LAB.replace('"b:eth1"', evil).replace("name: demo", f"name: {evil}")
    (place / "lab.yaml").write_text(lab, encoding="utf-8")
    (place / "config").write_text(
        config(paths=["lab.yaml", "\x1b[31m"]).replace("\\u001b", "\\e"), encoding="utf-8"
    )
    answers = [
        call("fn", cwd=place, stdin=stdin),
        call("fn", cwd=place, stdin=resource_list(lab)),
        call(
            "fn",
            cwd=place,
            stdin=resource_list(lab, config=config(topology=lab, paths=["lab.yaml"])),
        ),
        call("fn", cwd=place, stdin=resource_list(config=config(paths=["\x1b[31m"]))),
        call("fn", cwd=place, stdin=resource_list(LAB, config=config(**{"\x1b[31m": "\u202e"}))),
        call("fn", "config", cwd=place, stdin=stdin),
        call("fn", "\x1b[31m", cwd=place, stdin=LAB),
        call("cmp", "generate", cwd=place),
        call("cmp", "generate", cwd=place, env=parameters(**{"\x1b[31m": "x"})),
        call("cmp", "generate", cwd=place, env=parameters(paths=["\x1b[31m\u202e"])),
        call("cmp", "generate", cwd=place, env=parameters(namespace="\x1b[31m\u202e")),
        call("cmp", "\x1b[31m", cwd=place),
    ]
    for answer in answers:
        assert answer.code != 0
        assert answer.err
        assert not set("\x1b\x07\x00\u202e\u200b") & set(answer.out + answer.err)
