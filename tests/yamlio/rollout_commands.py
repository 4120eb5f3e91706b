r"""The corpus of edits: manifests, and for each the commands given with what they change, line for line.

``NAME.diffs`` beside a manifest holds commands as ``$ TARGET FLAGS…``, each followed by its outcome: hunks as
``diff -U0`` prints them, ``unchanged``, or ``refused`` with code, place and message. Line ends other than a line feed
are written out (``\r``), and a line without any ends in ``\``.
"""

from __future__ import annotations

import argparse
import difflib
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.yamlio.rolloutedit import Change, Leave, Limit, edit_rollout
from kubectl_c9s.yamlio.rollouttarget import Target

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = Path(__file__).parent / "rollout_corpus"
MANIFESTS = sorted(path for path in CORPUS.iterdir() if path.suffix != ".diffs")


class Case(NamedTuple):
    """A command as it is written, and the lines of its outcome."""

    command: str
    outcome: list[str]


def cases(manifest: Path) -> list[Case]:
    """Read the commands of a manifest."""
    found: list[Case] = []
    for line in manifest.with_suffix(".diffs").read_text(encoding="utf-8").splitlines():
        if line.startswith("$ "):
            found.append(Case(line[2:], []))
        else:
            found[-1].outcome.append(line)
    return found


def write(manifest: Path, rewritten: list[Case]) -> None:
    lines = [line for case in rewritten for line in (f"$ {case.command}", *case.outcome)]
    text = "".join(f"{line}\n" for line in lines)
    manifest.with_suffix(".diffs").write_text(text, encoding="utf-8")


def parsed(command: str) -> tuple[Target, Change]:
    """Read a command as ``rollout set`` would be given it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("-n", dest="namespace", default="")
    parser.add_argument("--batch-size", type=int)
    parser.add_argument("--max-concurrent-per-host", type=int)
    parser.add_argument("--unset", action="append", default=[])
    parser.add_argument("--drop-empty", action="store_true")
    given = parser.parse_args(shlex.split(command))
    limits: list[Limit] = [
        Leave.OUT if field in given.unset else Leave.AS_IT_IS if number is None else number
        for field, number in (
            ("batchSize", given.batch_size),
            ("maxConcurrentPerHost", given.max_concurrent_per_host),
        )
    ]
    kind, _, name = given.target.partition("/")
    config = kind == "config"
    target = Target.config(given.namespace) if config else Target.topology(name, given.namespace)
    return target, Change(limits[0], limits[1], drop_empty=given.drop_empty)


def edited(manifest: Path, command: str) -> bytes:
    return edit_rollout(manifest.read_bytes(), manifest.name, *parsed(command))


def outcome(manifest: Path, command: str) -> list[str]:
    """Run a command and say what became of it, in the lines of the corpus."""
    try:
        after = edited(manifest, command)
    except RefusedInput as refusal:
        return [
            f"refused {one.code} {one.position.line}:{one.position.column} {one.message}"
            for one in refusal.findings
        ]
    return list(hunks(manifest.read_bytes(), after)) or ["unchanged"]


def hunks(before: bytes, after: bytes) -> Iterator[str]:
    old, new = lines_of(before), lines_of(after)
    found = difflib.unified_diff(list(map(shown, old)), list(map(shown, new)), n=0, lineterm="")
    yield from list(found)[2:]


def lines_of(data: bytes) -> list[str]:
    """Cut into lines, their line breaks kept."""
    return re.findall("[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\\Z", data.decode())


def shown(line: str) -> str:
    text = line if line.endswith(("\n", "\r")) else f"{line}\\"
    return text.removesuffix("\n").replace("\r", "\\r").replace("\ufeff", "\\ufeff")
