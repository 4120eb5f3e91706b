"""Examples in the help of commands are commands: they run and answer, in a folder with the files they name.

An example that asks a cluster has none here: it must only be a command line that the tool takes.
"""

from __future__ import annotations

import re
import shlex
import shutil
from typing import TYPE_CHECKING, NamedTuple

import click
import pytest
from causepages import check_ours
from page_places import ROOT, make_environment
from page_shell import PageShell
from reference import commands

from kubectl_c9s.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = ROOT / "tests/pages/help"
EXAMPLE = re.compile(r"^ *(?:\$ )?(kubectl c9s .+)$", re.MULTILINE)
NO_CLUSTER = "kubeconfig"  # what a command says that has no cluster to ask


class Example(NamedTuple):
    """A command line in the help of a command."""

    name: str
    line: str


def examples(group: click.Group, path: str = "") -> Iterator[Example]:
    for name, command in commands(group):
        whole = f"{path}{name}"
        for paragraph in (command.help or "").split("\n\n"):
            if paragraph.lstrip(" ").startswith("\b"):
                yield from (Example(whole, line) for line in EXAMPLE.findall(paragraph))
        if isinstance(command, click.Group):
            yield from examples(command, f"{whole} ")


EXAMPLES = list(examples(cli))


def test_examples_are_found() -> None:
    found = click.Group(
        commands={
            "one": click.Command("one", help="Text.\n\n\b\nExample:\n  kubectl c9s one -x\n\nEnd."),
            "more": click.Group(
                commands={"two": click.Command("two", help="\b\n$ kubectl c9s two")}
            ),
        }
    )
    assert sorted(examples(found)) == [
        ("more two", "kubectl c9s two"),
        ("one", "kubectl c9s one -x"),
    ]


def every(group: click.Group) -> Iterator[click.Command]:
    for _, command in commands(group):
        yield command
        if isinstance(command, click.Group):
            yield from every(command)


def test_no_help_shows_the_mark_that_click_takes() -> None:
    assert [one.name for one in every(cli) if r"\b" in (one.help or "")] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.line)
def test_an_example_is_about_its_command_and_runs(
    example: Example, installation: Path, tmp_path: Path
) -> None:
    words = shlex.split(example.line.split(" | ")[0].split(" > ")[0])[2:]
    assert " ".join(words).startswith(example.name)
    check_ours(words)
    folder = tmp_path / "page"
    shutil.copytree(FILES, folder)
    environment = make_environment(tmp_path, installation, [])
    with PageShell(folder, tmp_path / "aside", environment) as shell:
        line = example.line.replace("kubectl c9s ", "kubectl-c9s ")
        done = shell.play(line)
    needs_cluster = done.status == 3 and NO_CLUSTER in done.output
    assert done.status in {0, 1} or needs_cluster, done.output
