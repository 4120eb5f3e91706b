"""Every command ends with the codes that its help, its page and docs/cli.md tell, and each of them is brought about."""

from __future__ import annotations

import ast
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from exit_situations import ELSEWHERE, OFFLINE
from exit_ways import ANSWERED, ASKING, PRINTING, READING
from shape_tools import ROOT
from silent_server import Reply, Scripted, status
from situation_files import CLOSED, Words, program, situation
from split_lab import command
from test_schema_table import all_commands

from kubectl_c9s.cli.exits import EVERYWHERE, OWN, exits_of
from kubectl_c9s.files.undo import Record, UndoStore

WITHIN = 60.0
READ = {"0", "63"}  # on x86-64 and on arm64


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return situation(tmp_path_factory.mktemp("situations"))


def name_of(text: str) -> str:
    """Give the command that the words of a situation call."""
    words = text.split()
    return next(name for name in (" ".join(words[:2]), words[0]) if name in OWN)


def test_the_table_has_every_command_and_only_codes_that_are_documented() -> None:
    assert OWN.keys() == all_commands().keys()
    page = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    for name in OWN:
        for code, words in exits_of(name).items():
            assert f"| {code} |" in page, (name, code)
            assert words
            assert len(words) < 100, (name, code)


def test_help_and_reference_say_the_same() -> None:
    for name in OWN:
        answer = command(*name.split(), "--help")
        assert answer.code == 0
        page = (ROOT / f"docs/reference/{name.partition(' ')[0]}.md").read_text(encoding="utf-8")
        for code, words in exits_of(name).items():
            assert f"{code:>5}  {words}\n" in answer.out, name
            assert f"- {code}: {words}\n" in page, name


def test_every_code_of_a_command_is_brought_about() -> None:
    done = {(code, name_of(text)) for code, text in OFFLINE} | live() | ELSEWHERE.keys()
    wanted = {(code, name) for name, own in OWN.items() for code in own.keys() - EVERYWHERE.keys()}
    assert wanted - done == set()
    assert {(code, name) for code, name in done if code not in exits_of(name)} == set()


def live() -> set[tuple[int, str]]:
    """Give what the tests on a real server bring about, as their source says: ``ends(site, CODE, WORDS…)``."""
    file = Path(__file__).with_name("test_exit_codes_live.py")
    found = {(1, "rights")}  # of who may do nothing
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "ends"
        ):
            _, code, *words = (getattr(one, "value", "") for one in node.args)
            found.add((int(code), name_of(" ".join(map(str, words)))))
    return found


@pytest.mark.parametrize("told", ELSEWHERE)
def test_a_test_that_is_named_is_there_and_speaks_of_the_code(told: tuple[int, str]) -> None:
    file, _, name = ELSEWHERE[told].partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    (test,) = (
        one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef) and one.name == name
    )
    assert str(told[0]) in (ast.get_source_segment(text, test) or "") + "".join(
        ast.unparse(one) for one in test.decorator_list
    )


@pytest.mark.parametrize(("code", "text"), OFFLINE)
def test_a_situation_without_a_cluster(
    code: int, text: str, files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = files | {"new": str(tmp_path / "new")}
    words = Words(text, names)
    monkeypatch.chdir(words.folder or tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("POD_NAMESPACE", raising=False)
    answer = command(*words.args, stdin=Path(words.stdin).read_bytes() if words.stdin else b"")
    assert answer.code == code, (answer.out[:300], answer.err)
    assert "Traceback" not in answer.err
    if code not in {0, 1}:
        assert answer.err.startswith(("error: ", "Usage")) or "error: " in answer.err
        assert answer.out == "", "stdout holds the result only"


@pytest.mark.parametrize("name", sorted(OWN))
@pytest.mark.parametrize("words", [("--no-such-flag",), ("--color=sometimes",)])
def test_a_flag_that_is_unknown_or_has_a_bad_value(name: str, words: tuple[str, ...]) -> None:
    answer = command(*name.split(), *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("error: ")
    assert f"hint: see 'kubectl c9s {name} --help'" in answer.err


def recorded(server: str, folder: Path) -> None:
    """Put a change of limits on record, so that there is something to undo."""
    store = UndoStore({"XDG_STATE_HOME": str(folder / "state")})
    record = Record(
        server,
        "Config",
        "c9s",
        "clabernetes",
        "u",
        before=None,
        after={"batchSize": 1},
        had_spec=True,
        written="2026-01-31T10:00:00",
    )
    store.prepare(record)
    store.confirm(record)


@pytest.mark.parametrize("text", ASKING)
def test_a_cluster_that_cannot_be_reached(
    text: str, files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(CLOSED, tmp_path)
    for name, value in (("XDG_STATE_HOME", tmp_path / "state"), ("HOME", tmp_path)):
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr("kubectl_c9s.cluster.connection.time.sleep", lambda _: None)
    words = Words(text, files | {"new": str(tmp_path / "new")})
    answer = command(*words.args, "--server", CLOSED)
    assert answer.code == 3, answer.err
    assert "error: " in answer.err
    assert answer.out == ""


@pytest.mark.parametrize("text", ASKING)
def test_a_server_that_forbids_everything(text: str, files: dict[str, str], tmp_path: Path) -> None:
    """It is said at once; nobody waits for rights. On a real server: test_exit_codes_live.py."""
    forbidden = Reply(403, status(403, "you may do nothing", "Forbidden"))
    with Scripted(lambda _: forbidden) as server:
        recorded(server.url, tmp_path)
        words = Words(f"{text} --server {server.url}", files | {"new": str(tmp_path / "new")})
        with program(words, tmp_path) as process:
            out, err = process.communicate(timeout=WITHIN)
    # Whether there is a right can be asked by everybody; who forbids that, too, has not answered.
    wanted = ANSWERED.get(name_of(text), 3) if name_of(text) != "rights" else 3
    assert process.returncode == wanted, err.decode()
    assert b"Traceback" not in err
    if process.returncode == 3:
        assert out == b""


@pytest.mark.parametrize("text", ASKING)
def test_ctrl_c_while_a_cluster_is_asked(text: str, files: dict[str, str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        recorded(url, tmp_path)
        words = Words(f"{text} --server {url}", files | {"new": str(tmp_path / "new")})
        with program(words, tmp_path) as process:
            server.settimeout(WITHIN)
            connection, _ = server.accept()
            connection.recv(1)  # it has asked, and waits
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=WITHIN)
            connection.close()
    assert (process.returncode, out) == (130, b""), err.decode()
    assert b"Traceback" not in err


@pytest.mark.parametrize("text", READING)
def test_ctrl_c_while_standard_input_is_waited_for(
    text: str, files: dict[str, str], tmp_path: Path
) -> None:
    words = Words(text, files | {"new": str(tmp_path / "new")})
    with program(words, tmp_path, stdin=subprocess.PIPE) as process:
        waits(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=WITHIN)
    assert (process.returncode, out) == (130, b""), err.decode()
    assert b"Traceback" not in err


def waits(pid: int) -> None:
    """Wait until a process reads its standard input and sleeps."""
    end = time.monotonic() + WITHIN
    while time.monotonic() < end:
        # Number of the system call and its first argument, in hex: read, of descriptor 0.
        call = Path(f"/proc/{pid}/syscall").read_text(encoding="ascii").split()
        if call[1:2] == ["0x0"] and call[0] in READ:
            return
        time.sleep(0.02)
    raise AssertionError("it does not wait")


@pytest.mark.parametrize("text", PRINTING)
def test_a_reader_that_has_gone_and_a_disk_that_is_full(
    text: str, files: dict[str, str], tmp_path: Path
) -> None:
    words = Words(text, files)
    reader, writer = os.pipe()
    os.close(reader)
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        for stdout, code in ((writer, 141), (full, 3)):
            with program(words, tmp_path, stdout=stdout) as process:
                _, err = process.communicate(timeout=WITHIN)
            assert process.returncode == code, err.decode()
            assert b"Traceback" not in err
            assert (b"No space left" in err) == (code == 3), err.decode()
    finally:
        os.close(writer)
        os.close(full)
