"""Reads Containerfiles, for tests that do without an engine what one would do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FILES = ("Containerfile", "manifests/argocd-cmp/Containerfile")


class Instruction(NamedTuple):
    """A word and what follows it."""

    word: str
    rest: str


def instructions(file: str = FILES[0]) -> list[Instruction]:
    """Give the instructions of a file; lines that go on are one."""
    text = (ROOT / file).read_text(encoding="utf-8").replace("\\\n", " ")
    return [Instruction(*found) for found in re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE)]


def stages(file: str = FILES[0]) -> list[list[Instruction]]:
    """Give the instructions of each stage; what stands before the first is left out."""
    found: list[list[Instruction]] = []
    for one in instructions(file):
        if one.word == "FROM":
            found.append([])
        if found:
            found[-1].append(one)
    return found


def copied(file: str = FILES[0]) -> set[str]:
    """Give what is taken from the checkout."""
    lines = [one.rest.split() for one in instructions(file) if one.word == "COPY"]
    return {source for line in lines if not line[0].startswith("--") for source in line[:-1]}


def variables(stage: list[Instruction]) -> dict[str, str]:
    """Give the variables that a stage sets by ENV, and by ARG with a default."""
    words = [word for one in stage if one.word in {"ENV", "ARG"} for word in one.rest.split()]
    return dict(word.split("=", 1) for word in words if "=" in word)
