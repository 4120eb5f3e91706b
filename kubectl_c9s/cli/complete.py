"""What can come next on a command line, from a table: no command's module is loaded.

``commands.json`` is made from the definitions of the commands by ``make generate``::

    {"flags": [FLAG…], "commands": {NAME: {"help": "…", "flags": [FLAG…], "arguments": [VALUE…], "commands": {…}}}}
    FLAG = {"names": ["-o", "--output"], "help": "…", "value": VALUE, "repeatable": true}

VALUE is a list of choices or the word for what is to be named (``manifest``, ``file``, ``directory``, ``code``, or one
of LIVE); a flag without one takes no value. The outer flags go with every command.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

# Bits of the last line (conventions.md §1).
FILES, NO_FILES, BY_EXTENSION, DIRECTORIES = 0, 4, 8, 16
_TABLE: Final = os.path.join(os.path.dirname(__file__), "commands.json")  # noqa: PTH118, PTH120 - pathlib costs start-up
_MANIFESTS: Final = ("yaml", "yml", "json")
# Names that only a kubeconfig or a cluster knows; tests/checks/generate.py gives a parameter its word.
LIVE: Final = frozenset(
    {
        *("namespace", "context", "cluster", "user"),
        *("topology", "any-topology", "lab", "any-lab", "target"),
    }
)


if TYPE_CHECKING:
    Live = Callable[[str, str, Mapping[str, list[str]]], list[str]]


class Answer(NamedTuple):
    """Candidates as (value, description), and what the shell may add: a sum of the bits above."""

    candidates: list[tuple[str, str]]
    directive: int = NO_FILES


def _live_names(kind: str, typed: str, given: Mapping[str, list[str]]) -> list[str]:
    from kubectl_c9s.cli.livenames import live_names  # noqa: PLC0415 - for these values only

    return live_names(kind, typed, given)


def complete(words: Sequence[str], live: Live = _live_names) -> Answer:
    """Give what can stand in place of the last word, which is being typed and may be empty.

    ``live`` gives the names of a kind that begin with what is typed, by the flags in front of them.
    """
    with open(_TABLE, encoding="utf-8") as file:  # noqa: PTH123 - pathlib costs start-up
        line = _Line(json.load(file), live)
    *before, typed = words or [""]
    for word in before:
        line.take(word)
    return line.offer(typed)


class _Line:
    """The part of the command line in front of the cursor, as far as it has been read."""

    def __init__(self, table: dict[str, Any], live: Live) -> None:
        self._commands: dict[str, Any] = table["commands"]
        self._flags: list[dict[str, Any]] = table["flags"]
        self._arguments: list[Any] = []
        self._used: set[str] = set()
        self._given: dict[str, list[str]] = {}  # the values of a flag, by its longest name
        self._last = ""  # the flag that was read last
        self._wanting: Any = None  # the value that the flag before wants
        self._only_arguments = False
        self._live = live

    def take(self, word: str) -> None:
        """Read one complete word."""
        if self._wanting is not None:
            self._wanting = None
            self._give(word)
        elif self._only_arguments or not word.startswith("-") or word == "-":
            self._take_name(word)
        elif word == "--":
            self._only_arguments = True
        else:
            self._take_flag(word)

    def _take_name(self, word: str) -> None:
        if self._commands:
            command = self._commands.get(word, {"flags": [], "arguments": [], "commands": {}})
            self._flags = command["flags"] + self._flags
            self._arguments, self._commands = command["arguments"], command["commands"]
        else:
            self._arguments = self._arguments[1:]

    def _take_flag(self, word: str) -> None:
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            wanting = self._use(name)
            if equals:
                self._give(value)
            else:
                self._take_no_value(wanting)
            return
        for index, letter in enumerate(word[1:], 2):
            wanting = self._use(f"-{letter}")
            if wanting is not None and index < len(word):
                self._give(word[index:].removeprefix("="))
                return
            self._take_no_value(wanting)

    def _take_no_value(self, wanting: Any) -> None:
        """Wait for the value of the flag, or note that there is none."""
        self._wanting = wanting
        if wanting is None:
            self._give("true")

    def _give(self, value: str) -> None:
        """Note a value of the flag that was read last."""
        if self._last:
            self._given.setdefault(self._last, []).append(value)

    def _use(self, name: str) -> Any:
        """Note that a flag was given; give what it wants."""
        self._last = ""
        for flag in self._flags:
            if name in flag["names"]:
                if not flag.get("repeatable"):
                    self._used.update(flag["names"])
                self._last = max(flag["names"], key=len)
                return flag.get("value")
        return None

    def offer(self, typed: str) -> Answer:
        """Give what the word being typed can become."""
        if self._wanting is not None:
            return self._values(self._wanting, typed)
        if typed.startswith("-") and not self._only_arguments:
            # A short flag takes its value without an equals sign.
            name, equals, value = (
                typed.partition("=") if typed.startswith("--") else (typed, "", "")
            )
            return (
                self._values(self._use(name), value)
                if equals
                else Answer(list(self._offer_flags(typed)))
            )
        if self._commands:
            named = ((name, one["help"]) for name, one in self._commands.items())
            return Answer([one for one in named if one[0].startswith(typed)])
        return self._values(self._arguments[0], typed) if self._arguments else Answer([])

    def _offer_flags(self, typed: str) -> Iterator[tuple[str, str]]:
        for flag in self._flags:
            for name in flag["names"]:
                if name.startswith(typed) and name not in self._used:
                    yield name, flag["help"]

    def _values(self, value: Any, typed: str) -> Answer:
        """Give the values of a flag or an argument."""
        if isinstance(value, str) and value in LIVE:
            return Answer([(name, "") for name in self._live(value, typed, self._given)])
        return _values(value, typed)


def _values(value: Any, typed: str) -> Answer:
    """Give the values that are known without asking anybody."""
    if isinstance(value, list):
        return Answer([(one, "") for one in value if one.startswith(typed)])
    if value == "manifest":
        return Answer([(one, "") for one in _MANIFESTS], BY_EXTENSION)
    if value == "file":
        return Answer([], FILES)
    if value == "directory":
        return Answer([], DIRECTORIES)
    if value == "code":
        return Answer([(code, text) for code, text in _codes().items() if code.startswith(typed)])
    return Answer([])


def _codes() -> dict[str, str]:
    """Give the codes that ``explain`` knows with their lines; a finding's line goes before that of a cause."""
    from kubectl_c9s.resources.causes import CAUSES  # noqa: PLC0415 - for this value only
    from kubectl_c9s.resources.codes import CODES  # noqa: PLC0415 - for this value only

    findings = {code: row.summary for code, row in CODES.items()}
    return findings | {code: row.summary for code, row in CAUSES.items() if code not in findings}


def answer(words: Sequence[str]) -> int:
    """Print the answer as completion scripts read it; give the exit code. Nothing may reach stderr."""
    try:
        candidates, directive = complete(words)
        lines = [f"{value}\t{text}\n" if text else f"{value}\n" for value, text in candidates]
        sys.stdout.buffer.write("".join([*lines, f":{directive}\n"]).encode())
        sys.stdout.buffer.flush()
    except (Exception, KeyboardInterrupt):  # noqa: BLE001 - a user who presses Tab wants no traceback
        return 1
    return 0


def console() -> NoReturn:
    """Be ``kubectl_complete-c9s``: the words after ``kubectl c9s`` are the arguments."""
    os._exit(answer(sys.argv[1:]))
