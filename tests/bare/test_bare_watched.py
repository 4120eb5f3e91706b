"""Nothing outside is opened, no pipe, socket or device, and no network is used: the system's own record says so."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bare_lab import Directory

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
HEAD = "name: lab\ntopology:\n  defaults: {kind: linux}\n  nodes:\n"
GOOD = (
    HEAD + '    n: {binds: ["d:/d", "f:/f", "linked:/l"], startup-config: "a\\nb", license: d/x}\n'
)
BAD = (
    HEAD
    + """\
    n:
      startup-config: https://files.example.org/x.cfg
      license: http://127.0.0.1:9/x
      binds:
        - d:/d
        - ../outside:/1
        - ../outside/secret:/2
        - link-out:/3
        - linkdir-out:/4
        - linkdir-out/secret:/5
        - pipe:/6
        - socket:/7
        - device:/8
        - /etc/shadow:/9
        - ~/.ssh:/10
        - d/../../outside/secret:/11
        - /proc/self/environ:/12
        - /dev/null:/13
        - loop:/14
        - gone:/15
        - large:/16
        - odd:/17
      env-files: [link-out, "sftp://files.example.org/x"]
      copy-to-flash: [../outside/secret]
"""
)
# What may be looked at but never opened, by the last part of its name.
NEVER = {
    "secret",
    "outside",
    "pipe",
    "socket",
    "device",
    "shadow",
    ".ssh",
    "environ",
    "gone",
    "large",
    "null",
    "link-out",
    "linkdir-out",
}


def laid_out(top: Path) -> Directory:
    """Lay out everything both labs name, and what they may not touch."""
    lab = Directory(top / "lab", GOOD, {"d/x": "1", "d/sub/y*": "2", "f": "3", "odd/z": "4"})
    (top / "outside").mkdir()
    (top / "outside/secret").write_text("SECRET", "utf-8")
    inside = top / "lab"
    (inside / "linked").symlink_to("d/sub/y")
    (inside / "link-out").symlink_to("../outside/secret")
    (inside / "linkdir-out").symlink_to(top / "outside")
    (inside / "loop").symlink_to("loop")
    os.mkfifo(inside / "pipe")
    os.mknod(inside / "socket", stat.S_IFSOCK | 0o600)
    (inside / "device").symlink_to("/dev/null")
    (inside / "large").write_bytes(b"")
    os.truncate(inside / "large", 1 << 30)
    os.mkfifo(inside / "odd/pipe")
    (inside / "odd/link-out").symlink_to("../../outside/secret")
    (inside / "odd/linkdir-out").symlink_to("../../outside")
    return lab


@cache
def can_trace() -> bool:
    """Tell whether there is strace and it may watch a process."""
    if not shutil.which("strace"):
        return False
    command = [str(shutil.which("strace")), "-o", os.devnull, sys.executable, "-c", ""]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def traced(lab: Directory, log: Path, *flags: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Run split below strace; give the outcome and what was recorded."""
    watch = [
        "strace",
        "-f",
        "-y",
        "-qq",
        "-s",
        "4096",
        "-o",
        str(log),
        "-e",
        "trace=%file,%network",
    ]
    command = [
        sys.executable,
        "-m",
        "kubectl_c9s",
        "split",
        "-f",
        str(lab.top / "lab.clab.yml"),
        *flags,
    ]
    done = subprocess.run(
        [*watch, *command],
        cwd=lab.top.parent,
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": os.environ["PATH"],
            "HOME": str(lab.top.parent / "outside"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done, log.read_text("utf-8", "backslashreplace")


OPEN = re.compile(
    r'\bopen(?:at2?)?\((?:[^<"(]*(?:<(?P<at>[^>]*)>)?, )?"(?P<name>(?:[^"\\]|\\.)*)".* = (?P<result>.*)'
)


def opened(log: str) -> Iterator[tuple[str, bool]]:
    """Give the path of each attempt to open something, and whether it was opened."""
    for line in log.splitlines():
        if found := OPEN.search(line):
            path = Path(found["at"] or "/", found["name"])
            yield os.path.normpath(path), not found["result"].startswith("-1")


NETWORK = re.compile(r"\b(socket|connect|bind|sendto|sendmsg|getsockname|socketpair)\(")


@pytest.mark.skipif(not can_trace(), reason="needs strace")
def test_only_the_files_of_the_lab_are_opened(tmp_path: Path) -> None:
    lab = laid_out(tmp_path)
    done, log = traced(lab, tmp_path / "good.log")
    assert done.returncode == 0, done.stderr
    usual = set(opened(log))
    own = {path for path, _ in usual if path.startswith(f"{tmp_path}/")}
    named = ("lab.clab.yml", "d", "d/x", "d/sub", "d/sub/y", "f")
    assert own == {str(lab.top), *(f"{lab.top}/{name}" for name in named)}
    assert not NETWORK.search(log)
    (lab.top / "lab.clab.yml").write_text(BAD, "utf-8")
    done, log = traced(lab, tmp_path / "bad.log")
    assert done.returncode == 1, done.stderr
    assert "SECRET" not in done.stderr
    more = {path for path, _ in set(opened(log)) - usual}
    assert {path for path in more if path.startswith(f"{tmp_path}/")} <= {
        f"{lab.top}/odd",
        f"{lab.top}/odd/z",
    }
    assert [path for path in more if Path(path).name in NEVER] == []
    assert [path for path in more if path.startswith(("/etc/", "/proc/", "/dev/"))] == []
    assert not NETWORK.search(log)
    assert len([line for line in done.stderr.splitlines() if ": error: " in line]) >= 22


HOOK = """
import os, sys
log = open(sys.argv.pop(1), "w", encoding="utf-8")
def hook(event, args):
    if event == "open" or event.split(".")[0] in {"socket", "subprocess", "urllib", "ftplib", "http", "smtplib"}:
        print(event, repr(args[0]), file=log, flush=True)
sys.addaudithook(hook)
from kubectl_c9s.cli.main import main
main()
"""


@pytest.mark.parametrize("text", [GOOD, BAD])
def test_the_interpreter_sees_nothing_forbidden_opened(text: str, tmp_path: Path) -> None:
    """The same where there is no strace: by the hook Python calls for each open and each socket."""
    lab = laid_out(tmp_path)
    (lab.top / "lab.clab.yml").write_text(text, "utf-8")
    command = [
        sys.executable,
        "-c",
        HOOK,
        str(tmp_path / "log"),
        "split",
        "-f",
        str(lab.top / "lab.clab.yml"),
    ]
    env = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path / "outside")}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == (0 if text is GOOD else 1), done.stderr
    events = [line.split(" ", 1) for line in (tmp_path / "log").read_text("utf-8").splitlines()]
    assert {event for event, _ in events} == {"open"}
    names = {Path(shown.strip("b'\"")).name for _, shown in events}
    assert {"x", "y"} <= names  # files of the lab are seen, so others would be
    assert names & NEVER == set()
