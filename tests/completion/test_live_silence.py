"""Asking for names never holds a shell up and never says a word, whoever does not answer."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from installed import environment
from live_completion import ROOT, SHORT, TOPOLOGIES, complete_line, kubeconfig, listing
from silent_server import Reply, Request, Scripted, silent
from terminal import Terminal

from kubectl_c9s.cli.completion import script
from kubectl_c9s.cli.livenames import gathered

if TYPE_CHECKING:
    from pathlib import Path


def test_a_server_that_is_not_there_is_passed_over_in_silence(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path, "http://127.0.0.1:9")
    assert complete_line("--kubeconfig", path, "status", "") == [":4"]
    assert complete_line("--kubeconfig", path, "rollout", "set", "") == ["config", ":4"]
    assert complete_line("-n", "") == [":4"]


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_never_answers_does_not_hold_the_shell_up(
    scheme: str, tmp_path: Path
) -> None:
    with silent() as place:
        path = kubeconfig(tmp_path, f"{scheme}://{place}")
        line = ["--kubeconfig", path]
        assert complete_line(*line, "-n", "", **SHORT) == [":4"]
        assert complete_line(*line, "rollout", "set", "", C9S_COMPLETION_SECONDS="3") == [
            "config",
            ":4",
        ]
        assert complete_line(*line, "-n", "", C9S_COMPLETION_SECONDS="no number") == [":4"]


def test_names_that_came_in_time_are_offered(tmp_path: Path) -> None:
    whole = listing({TOPOLOGIES: [f"lab-{number:03}" for number in range(150)]})
    released = threading.Event()

    def answer(request: Request) -> Reply:
        if "continue" in request.path:
            released.wait(60)
            return Reply(lost=True)
        return whole(request)

    with Scripted(answer) as server:
        path = kubeconfig(tmp_path, server.url)
        line = ["--kubeconfig", path, "split", "--from-cluster", "lab-09"]
        found = complete_line(*line, C9S_COMPLETION_SECONDS="6")
        released.set()
    assert found == [*(f"lab-09{digit}" for digit in range(10)), ":4"]


def plugin(folder: Path, text: str) -> dict[str, object]:
    """Write a credential plugin; give what a user's entry in a kubeconfig says of it."""
    path = folder / "plugin"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    version = "client.authentication.k8s.io/v1"
    return {"apiVersion": version, "command": str(path), "interactiveMode": "IfAvailable"}


def test_a_credential_plugin_has_no_terminal_and_no_stream_to_ask_on(
    tmp_path: Path, installation: Path
) -> None:
    said = tmp_path / "said"
    text = (
        f"{{ (: </dev/tty) 2>/dev/null && echo terminal; read -r word && echo read; "
        f"echo end; }} >{said}\necho password: >&2; echo noise; exit 1"
    )
    path = kubeconfig(tmp_path, "http://127.0.0.1:9", exec=plugin(tmp_path, text))
    loaded = tmp_path / "completion"
    loaded.write_text(script("bash"), encoding="utf-8")
    variables = environment(installation, C9S_COMPLETION_SECONDS="60")
    line = f"c9s --kubeconfig {path} status "
    with Terminal("bash", loaded, tmp_path, variables) as terminal:
        assert terminal.completed(line) == line
    assert said.read_text(encoding="utf-8") == "end\n"


def test_a_credential_plugin_that_does_not_end_is_ended(tmp_path: Path) -> None:
    ready, pid = tmp_path / "ready", tmp_path / "pid"
    os.mkfifo(ready)
    # Who reads the pipe sees its end when the last process that has it open for writing is gone.
    text = f"exec 3>{ready}\necho $$ >{pid}\nexec sleep 3600"
    path = kubeconfig(tmp_path, "http://127.0.0.1:9", exec=plugin(tmp_path, text))
    ended = threading.Thread(target=ready.read_bytes, daemon=True)
    ended.start()
    line = ["--kubeconfig", path, "status", ""]
    assert complete_line(*line, C9S_COMPLETION_SECONDS="6") == [":4"]
    ended.join(60)
    assert not ended.is_alive(), "the plugin goes on after the completion"
    assert pid.exists()


class Clock:
    """Gives one reading after another."""

    def __init__(self, *readings: float) -> None:
        self._readings = list(readings)

    def __call__(self) -> float:
        return self._readings.pop(0)


def test_what_is_not_there_when_the_time_is_up_is_not_waited_for() -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b"metro\nedge\nhalf-a-na")
        # The pipe stays open: without the clock this would wait for ever.
        assert gathered(reading, 10.0, Clock(9.0, 10.0)) == ["metro", "edge"]
        assert gathered(reading, 10.0, Clock(11.0)) == []
    finally:
        os.close(reading)
        os.close(writing)


def test_nothing_of_this_is_loaded_for_words_that_are_known() -> None:
    code = (
        "import sys; from kubectl_c9s.cli.complete import complete\n"
        "complete(['rollout', '']); complete(['split', '-o', '']); complete(['status', '-'])\n"
        "print(sorted(one for one in sys.modules if 'live' in one or 'kubernetes' in one))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout == "[]\n"


def test_the_client_is_not_loaded_by_the_process_that_answers(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path, "http://127.0.0.1:9")
    code = (
        "import sys; from kubectl_c9s.cli.complete import complete\n"
        f"print(complete(['--kubeconfig', {path!r}, '--context', '']).candidates)\n"
        "print('kubernetes' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == ["[('here', '')]", "False"]
