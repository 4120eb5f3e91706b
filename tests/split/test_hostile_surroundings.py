"""Files that are none, terminals, pipes, disks, signals and environments: an end in words, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from one_run import ENVIRONMENT, TOOL, Run, embedded


def test_names_of_files_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    names = ["\x1b[31mred.yaml", "\u202egnp.yaml", os.fsdecode(b"\xff.yaml"), "two\nlines.yaml"]
    for name in names:
        (tmp_path / name).write_text("kind: [")
    arguments = [word for name in names for word in ("-f", name)]
    wanted = [
        r"^[[31mred.yaml:1:8: ",
        r"\u202egnp.yaml:1:8: ",
        r"\udcff.yaml:1:8: ",
        r"two\nlines.yaml:1:8: ",
    ]
    Run(tmp_path, *arguments).is_refused(*wanted)
    Run(tmp_path, "-f", f"missing-{names[0]}").is_refused(
        r"cannot read missing-^[[31mred.yaml: No such file"
    )
    Run(tmp_path, "-f", names[0], "--report", f"no/{names[1]}").is_refused(r"no/\u202egnp.yaml")


@pytest.mark.parametrize(
    "path",
    ["fifo.yaml", "/dev/zero", "/dev/null", "missing.yaml", "loop.yaml", "empty", "lab.yaml/x", ""],
)
def test_what_is_no_file_is_a_usage_error(tmp_path: Path, path: str) -> None:
    os.mkfifo(tmp_path / "fifo.yaml")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "lab.yaml").write_text("a: b\n")
    (tmp_path / "empty").mkdir()
    run = Run(tmp_path, "-f", path)
    run.is_refused(f"error: {'directory' if path == 'empty' else 'cannot read'} {path}")
    assert run.code == 2


def test_pipes_loops_and_directories_in_a_directory_are_passed_over(tmp_path: Path) -> None:
    labs = tmp_path / "labs"
    labs.mkdir()
    os.mkfifo(labs / "fifo.yaml")
    (labs / "loop.yaml").symlink_to("loop.yaml")
    (labs / "up").symlink_to("..")
    (labs / "dir.yaml").mkdir()
    Run(tmp_path, "-f", "labs").is_refused("error: directory labs has no")
    Run(tmp_path, "-R", "-f", "labs").is_refused("error: directory labs has no")


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "---\n---\n", "\ufeff"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "lab.yaml").write_text(text, encoding="utf-8")
    run = Run(tmp_path, "-f", "lab.yaml")
    run.is_refused("error: ")
    assert run.code == 1


def test_an_unreadable_file_or_directory_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text("a: b\n")
    (tmp_path / "labs").mkdir()
    for name in ("lab.yaml", "labs"):
        (tmp_path / name).chmod(0)
        if os.access(tmp_path / name, os.R_OK):
            pytest.skip("this user reads every file")
        run = Run(tmp_path, "-f", name)
        (tmp_path / name).chmod(0o700)
        run.is_refused("error: ", name, "Permission denied")
        assert run.code == 2


def test_input_without_an_end_is_cut_off(tmp_path: Path) -> None:
    with Path("/dev/zero").open("rb") as endless:
        Run(tmp_path, "-f", "-", stdin=endless).is_refused("<stdin>: error: ", "[input-too-large]")


def test_a_report_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(many(1))
    run = Run(tmp_path, "-f", "lab.yaml", "--report", "nowhere/report.json")
    run.is_refused("error: cannot write the report nowhere/report.json")
    assert run.code == 2


PLAIN = {name: value for name, value in ENVIRONMENT.items() if name in {"PATH", "PYTHONPATH"}}


@pytest.mark.parametrize(
    "environment",
    [
        PLAIN,  # no HOME, no TERM, no LANG
        {**PLAIN, "LANG": "C", "LC_ALL": "C", "HOME": "/nonexistent"},
        {**PLAIN, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {**PLAIN, "PYTHONIOENCODING": "latin-1"},
    ],
    ids=["bare", "C", "ascii", "latin-1"],
)
def test_the_bytes_do_not_depend_on_the_environment(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    text = embedded("topology:\n  nodes:\n    a: {cmd: 'ünï \U0001f600'}\n    PÉ: {}\n")
    (tmp_path / "lab.yaml").write_text(text, encoding="utf-8")
    usual, unusual = (
        Run(tmp_path, "-f", "lab.yaml"),
        Run(tmp_path, "-f", "lab.yaml", env=environment),
    )
    assert usual.code == 0
    assert "ünï \U0001f600".encode() in usual.out
    assert (unusual.code, unusual.out) == (0, usual.out)


def many(count: int) -> str:
    return embedded(
        "topology:\n  nodes:\n" + "".join(f"    n{i}: {{cmd: c{i}}}\n" for i in range(count))
    )


@pytest.mark.parametrize("output", ["yaml", "json", "name"])
def test_a_closed_pipe_ends_quietly(tmp_path: Path, output: str) -> None:
    (tmp_path / "lab.yaml").write_text(many(4000))
    done = subprocess.run(
        ["/bin/sh", "-c", f"{' '.join(TOOL)} -f lab.yaml -o {output} | head -n 1"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def test_a_full_disk_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(many(10))
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*TOOL, "-f", "lab.yaml"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert done.returncode == 3
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def test_an_interrupt_ends_with_130_and_no_traceback(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*TOOL, "-f", "-"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        waits_for_input(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


def waits_for_input(pid: int) -> None:
    """Wait until a process has loaded its command and sleeps in a read."""
    for _ in range(1200):
        maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        if "_yaml" in maps and state == "S":
            return
        time.sleep(0.05)
    raise AssertionError("the tool never waited for its input")


def test_stdin_is_read_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(many(3))
    usual = Run(tmp_path, "-f", "lab.yaml")
    for name in ("-", "/dev/stdin"):
        with (tmp_path / "lab.yaml").open("rb") as stdin:
            given = Run(tmp_path, "-f", name, stdin=stdin)
        assert (given.code, given.out) == (0, usual.out)
