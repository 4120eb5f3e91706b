"""The doors work where their programs run them: no home, terminal, network or right to write, any locale."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from typing import TYPE_CHECKING
from unittest import mock

import pytest
import yaml
from door_tools import LAB, ROOT, call, config, items_as_stream, parameters, resource_list
from surroundings import REPO_SERVER_LIMIT, as_plugin_user, bare_lab, read_only, run, start, state

from kubectl_c9s.cli.work import Work

if TYPE_CHECKING:
    from pathlib import Path


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
    with mock.patch.object(Work, "objects", side_effect=KeyboardInterrupt):
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
