"""The parts of a bed that must hold without one: processes, locks, files, what Go is asked to build."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import bed_go
import pytest
from bed_objects import until
from bed_process import Daemon, born
from bed_state import (
    BedState,
    BedUnavailable,
    free_ports,
    is_free,
    locked,
    locked_if_free,
    write_whole,
)

if TYPE_CHECKING:
    from pathlib import Path

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("C9S_TESTBED_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("C9S_TESTBED_STATE", str(tmp_path / "state"))


def test_a_process_is_known_as_long_as_it_lives(tmp_path: Path) -> None:
    daemon = Daemon("sleeper", tmp_path)
    assert daemon.pid() is None
    daemon.start(SLEEP)
    pid = daemon.pid()
    assert pid
    assert os.getsid(pid) == pid
    assert daemon.argv() == SLEEP
    daemon.stop(signal.SIGTERM)
    assert daemon.pid() is None


def test_a_process_that_got_the_number_of_ours_is_left_alone(tmp_path: Path) -> None:
    daemon = Daemon("sleeper", tmp_path)
    daemon.start(SLEEP)
    record = tmp_path / "pids/sleeper.json"
    ours = json.loads(record.read_text(encoding="utf-8"))
    with subprocess.Popen(SLEEP, start_new_session=True) as foreign:
        try:
            earlier = {"pid": foreign.pid, "born": born(os.getpid())}
            record.write_text(json.dumps(ours | earlier), encoding="utf-8")
            assert daemon.pid() is None
            daemon.stop()
            assert foreign.poll() is None
        finally:
            foreign.kill()
    record.write_text(json.dumps(ours), encoding="utf-8")
    daemon.stop()


def test_what_a_process_has_started_ends_with_it(tmp_path: Path) -> None:
    child = tmp_path / "child"
    text = (
        "import pathlib, subprocess, sys\n"
        f"child = subprocess.Popen({SLEEP!r})\n"
        f"pathlib.Path({str(child)!r}).write_text(str(child.pid))\n"
        "print('started', flush=True)\n"
        "child.wait()\n"
    )
    daemon = Daemon("parent", tmp_path)
    daemon.start([sys.executable, "-c", text])
    until("the child has started", lambda: "started" in daemon.tail())
    number = int(child.read_text(encoding="ascii"))
    assert born(number)
    daemon.stop()
    until("the child is gone", lambda: not born(number))


def test_the_end_of_a_log_is_shown(tmp_path: Path) -> None:
    daemon = Daemon("talker", tmp_path)
    daemon.start([sys.executable, "-c", "print(*range(40), sep='\\n')"])
    daemon.wait_gone()
    assert daemon.tail(2) == f"\n{daemon.log}:\n  38\n  39"


def test_a_lock_is_shared_or_alone(tmp_path: Path) -> None:
    path = tmp_path / "locks/one"
    with locked(path, shared=True), locked(path, shared=True), locked_if_free(path) as free:
        assert not free
    with locked_if_free(path) as free:
        assert free


def test_a_file_is_written_whole_and_only_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert write_whole(path, "one")
    assert not write_whole(path, "one")
    assert write_whole(path, "two")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_state_of_another_version_is_no_state(tmp_path: Path) -> None:
    state = BedState({"etcd": 15001}, {"etcd": "/bin/etcd"}, {}, 4, keep=True)
    state.save(tmp_path)
    assert BedState.load(tmp_path) == state
    path = tmp_path / "state.json"
    path.write_text(path.read_text(encoding="utf-8").replace("nodes", "knots"), encoding="utf-8")
    assert BedState.load(tmp_path) is None


def test_ports_of_other_beds_and_those_in_use_are_not_free(tmp_path: Path) -> None:
    names = [str(number) for number in range(50)]
    first = free_ports(names)
    (tmp_path / "state/other").mkdir(parents=True)
    BedState(first, {}).save(tmp_path / "state/other")
    assert set(free_ports(names).values()).isdisjoint(first.values())
    assert len(set(first.values())) == 50
    with socket.socket() as used:
        used.bind(("127.0.0.1", 0))
        used.listen()
        assert not is_free(used.getsockname()[1])


FAKE_GO = """#!/bin/sh
case $1 in
mod) echo '{"GoMod": "%(theirs)s"}' ;;
build)
  cp go.mod %(asked)s; echo "$@" >> %(asked)s
  while [ "$1" != -o ]; do shift; done
  %(build)s ;;
esac
"""


def fake_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, build: str) -> Path:
    theirs, asked = tmp_path / "theirs.mod", tmp_path / "asked"
    theirs.write_text(
        "module k8s.io/kubernetes\nreplace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n"
        "\tk8s.io/kms => ./staging/src/k8s.io/kms\n\tother.org/x => other.org/y v1.2.3\n)\n",
        encoding="utf-8",
    )
    (tmp_path / "bin").mkdir()
    go = tmp_path / "bin/go"
    text = FAKE_GO % {"theirs": theirs, "asked": asked, "build": build}
    go.write_text(text, encoding="utf-8")
    go.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return asked


def test_the_staged_modules_of_kubernetes_are_required_in_their_own_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = fake_go(tmp_path, monkeypatch, 'echo tool > "$2"')
    bed_go.build(["kube-scheduler"])
    lines = asked.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "=>" in line] == [
        "replace k8s.io/api => k8s.io/api v0.37.2",
        "replace k8s.io/kms => k8s.io/kms v0.37.2",
    ]
    assert "require k8s.io/kubernetes v1.37.2" in lines
    assert "version.gitVersion=v1.37.2" in lines[-1]
    assert bed_go.cached("kube-scheduler").read_text(encoding="utf-8") == "tool\n"
    asked.unlink()
    bed_go.build(["kube-scheduler"])
    assert not asked.exists()


def test_a_build_that_breaks_leaves_no_binary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_go(tmp_path, monkeypatch, 'echo half > "$2"; echo no space left >&2; exit 1')
    with pytest.raises(BedUnavailable, match=r"go build failed in .*\nno space left"):
        bed_go.build(["etcd"])
    assert not bed_go.cached("etcd").exists()
