"""Small labs as texts, split from stdin with the output as it is printed."""

from __future__ import annotations

from typing import Any

import yaml
from split_lab import Answer, command, manifest

ONE = "topology: {nodes: {a: {}, b: {}}, links: [{endpoints: [a:x, b:y]}]}"
LAB = manifest(ONE)
RENAMED = manifest("topology: {nodes: {R1: {}}}")
WRONG = manifest("topology: {nodes: {a: {network-mode: host}}}")
OTHER = (
    "# kept\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}   # and this\ndata:\n  k: 'v'\n"
)
NAMES = [
    "nodeprofile.c9s.run/lab",
    "link.c9s.run/a-x-b-y",
    "node.c9s.run/a",
    "node.c9s.run/b",
]


def split(text: str, *flags: str) -> Answer:
    return command("split", "-f", "-", *flags, stdin=text.encode())


def loaded(answer: Answer) -> list[dict[str, Any]]:
    assert answer.code == 0, answer.err
    return list(yaml.load_all(answer.out, yaml.CSafeLoader))


def names(answer: Answer) -> list[tuple[str, str]]:
    return [(one["kind"], one["metadata"]["name"]) for one in loaded(answer)]
