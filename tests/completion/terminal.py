"""Types into a real shell on a pseudo-terminal and reads back the line it has made of it."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
from typing import TYPE_CHECKING, Self

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PATIENCE = 60.0  # seconds without any output after which a shell counts as stuck
# The shell is told to answer this key with its line between two marks.
ASK = "\x07"
BEGIN, END = "\x02", "\x03"
LINE = re.compile(f"{BEGIN}([^{END}]*){END}")
BASH = r"""
source {script}
bind 'set bell-style none'
bind -x '"\C-g": printf "\002%s\003" "$READLINE_LINE"'
PS1='$ '
"""
ZSH = r"""
autoload -U compinit; compinit -u -D
source {script}
show() {{ printf '\002%s\003' "$BUFFER" >/dev/tty }}
zle -N show; bindkey '^G' show
unsetopt beep
PS1='$ '
"""
# Ways to load a script: the shell's arguments, and what it is set up with.
SETUP = {
    "bash": (["--noprofile", "--rcfile", "{rc}", "-i"], BASH),
    "zsh": (["-i"], ZSH),
    "zsh fpath": (
        ["-i"],
        ZSH.replace("source {script}", "").replace("autoload", "fpath+=({folder}); autoload", 1),
    ),
}


class Terminal:
    """A shell that has loaded a completion script."""

    def __init__(
        self, way: str, script: Path, folder: Path, environment: Mapping[str, str]
    ) -> None:
        shell = way.partition(" ")[0]
        program = shutil.which(shell)
        if program is None:
            pytest.skip(f"{shell} is not installed")
        arguments, setup = SETUP[way]
        rc = folder / ".zshrc"
        rc.write_text(setup.format(script=script, folder=script.parent), encoding="utf-8")
        given = [one.format(rc=rc) for one in arguments]
        full = {**environment, "TERM": "dumb", "ZDOTDIR": str(folder), "INPUTRC": os.devnull}
        self._child, self._terminal = pty.fork()
        if not self._child:
            os.chdir(folder)
            os.execve(program, [program, *given], full)  # noqa: S606 - the shell under test

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._terminal)  # the shell gets SIGHUP
        os.waitpid(self._child, 0)

    def completed(self, typed: str) -> str:
        """Type, press Tab, and give the line as it stands then; the line is emptied."""
        self._send(f"{typed}\t{ASK}")
        printed = ""
        while not (found := LINE.search(printed)):
            printed += self._read(printed)
        self._send("\x15")  # Ctrl-U
        return found[1]

    def _send(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def _read(self, printed: str) -> str:
        ready, _, _ = select.select([self._terminal], [], [], PATIENCE)
        assert ready, f"the shell does not answer; it has printed {printed!r}"
        return os.read(self._terminal, 4096).decode(errors="replace")
