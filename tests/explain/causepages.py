"""Takes the pages of ``docs/causes`` apart, and tells what a kubectl command is about."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import codepages

from kubectl_c9s.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[2] / "docs" / "causes"
SECTIONS = ("Meaning", "Evidence", "Remedy", "What not to do")
IN_A_SENTENCE = re.compile(r"`(kubectl [^`]+)`")
# Kinds as commands name them: ours with their group, because two of them have the name of a kind of Kubernetes.
IN_NAMESPACES = {
    "configmaps",
    "configs.c9s.run",
    "deployments",
    "events",
    "leases.coordination.k8s.io",
    "links.c9s.run",
    "nodeprofiles.c9s.run",
    "nodes.c9s.run",
    "persistentvolumeclaims",
    "pods",
    "replicasets",
    "resourcequotas",
    "secrets",
    "topologies.c9s.run",
}
OF_THE_CLUSTER = {"namespaces", "nodes"}
# How many words stand before the kinds of a command; 0: it is about a thing that is not named by its kind.
VERBS = {
    "cordon": 0,
    "delete": 1,
    "describe": 1,
    "edit": 1,
    "get": 1,
    "label": 1,
    "logs": 0,
    "rollout restart": 2,
    "scale": 1,
    "uncordon": 0,
}
_NAMESPACE = {"-n", "--namespace", "-A", "--all-namespaces"}
_VALUES = {"-l", "-n", "-o", "-c", "--namespace", "--field-selector"}


def page(code: str) -> str:
    return (FOLDER / f"{code}.md").read_text(encoding="utf-8")


def prose(text: str) -> str:
    """Give a text without its blocks, each sentence on one line."""
    return re.sub(r"[ \n]+", " ", codepages.FENCE.sub("", text))


def sentences(text: str) -> Iterator[str]:
    yield from re.split(r"(?<=[.:;?])\s+", prose(text))


def commands(text: str) -> list[str]:
    """Give the commands of a page, those in its sentences included."""
    return codepages.commands(text) + IN_A_SENTENCE.findall(prose(text))


def check_command(command: str) -> None:
    """Assert that a command could be pasted: it names its kinds in full, and a namespace where one is needed."""
    words = shlex.split(command)
    assert words[0] == "kubectl", command
    if words[1] == "c9s":
        check_ours(words[2:])
        return
    verb = next((one for one in VERBS if " ".join(words[1:]).startswith(f"{one} ")), None)
    assert verb is not None, f"{command}: a verb that no page has so far; is it safe?"
    placed = bool(_NAMESPACE & set(words))
    if not VERBS[verb]:
        assert placed is (verb == "logs"), command
        return
    kinds = words[1 + VERBS[verb]].split(",")
    assert set(kinds) <= IN_NAMESPACES | OF_THE_CLUSTER, command
    for kind in kinds:
        assert placed is (kind in IN_NAMESPACES), f"{command}: {kind}"


def names(command: str) -> dict[str, set[str]]:
    """Give the names of objects that a command is about, by kind."""
    words = shlex.split(command)
    verb = next((one for one in VERBS if " ".join(words[1:]).startswith(f"{one} ")), "")
    found: dict[str, set[str]] = {}
    if VERBS.get(verb):
        kinds, *rest = words[1 + VERBS[verb] :]
        given = set(positional(rest))
        for kind in kinds.split(","):
            found.setdefault(kind, set()).update(given)
    return found


def positional(words: list[str]) -> Iterator[str]:
    """Give the words that are neither flags, nor their values, nor labels to set."""
    before = ""
    for word in words:
        if not word.startswith("-") and before not in _VALUES and "/" not in word:
            yield word
        before = word


def check_ours(words: list[str]) -> None:
    """Assert that a command of the plugin is one, with flags it takes."""
    group: click.Command = cli
    context = click.Context(cli)
    while isinstance(group, click.Group):
        found = group.get_command(context, words[0])
        assert found is not None, words
        group, words = found, words[1:]
    if words:
        group.make_context("kubectl c9s", list(words))
