"""What the tool writes for programs: one table, the page made from it, and the parts of schemas that come from tables.

A schema is named as its file in ``docs/schemas``; ``NAME#PART`` is a part of it that each document of a stream keeps.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.diagnosis.stages import ORDER
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.codes import CODES
from kubectl_c9s.resources.remedies import REMEDIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FOLDER: Final = Path(__file__).parents[2] / "docs/schemas"
SARIF: Final = "SARIF 2.1.0"
"""A form that others have published."""
_OBJECTS: Final = "object-list#object"
_MADE: Final = "<!-- Made by `make generate`: change tests/checks/schemas.py instead. -->\n"

OUTPUTS: Final[Mapping[str, Mapping[str, str]]] = {
    "split": {
        "-o json": "object-list",
        "-o yaml": _OBJECTS,
        "--report": "findings-report",
        "--output-dir, .c9s-inventory": "directory-inventory",
    },
    "fn": {"stdout": "resource-list"},
    "cmp generate": {"stdout": _OBJECTS},
    "cmp parameters": {"stdout": "argocd-parameters"},
    "validate": {"-o json": "validate-report", "-o sarif": SARIF, "--report": "findings-report"},
    "check": {"-o json": "check"},
    "status": {"-o json": "status", "-o yaml": "status", "-o jsonl": "status-event"},
    "diagnose": {"-o json": "diagnosis", "-o yaml": "diagnosis", "-o sarif": SARIF},
    "snapshot": {"--output-file": "snapshot"},
    "rollout show": {"-o json": "rollout-show", "-o yaml": "rollout-show"},
    "rollout set": {
        "-o json": "rollout-change",
        "-o yaml": "rollout-change",
        "--print-patch": "rollout-patch",
    },
    "rollout undo": {"-o json": "rollout-change", "-o yaml": "rollout-change"},
    "rollout diff": {"-o json": "rollout-change", "-o yaml": "rollout-change"},
    "rollout apply": {"-o json": "rollout-change", "-o yaml": "rollout-change"},
    "rollout simulate": {
        "-o json": "rollout-simulation",
        "-o yaml": "rollout-simulation",
        "--from, a file that it reads": "stage-times",
    },
    "diagnostics capture": {"--output-dir, manifest.json": "diagnostics-capture"},
    "diagnostics report": {"-o json": "diagnostics-report", "-o yaml": "diagnostics-report"},
    "measure watch": {
        "-o json": "startup-run",
        "-o yaml": "startup-run",
        "-o jsonl": "measure-event",
        "--output-file": "startup-run",
    },
    "measure report": {"-o json": "measure-report", "-o yaml": "measure-report"},
    "measure compare": {"-o json": "measure-compare", "-o yaml": "measure-compare"},
    "measure verify": {"-o json": "measure-verify", "-o yaml": "measure-verify"},
    "measure cni": {"-o json": "measure-cni", "-o yaml": "measure-cni"},
    "measure schedule": {"--output-file": "arrival-schedule"},
    "measure replay": {
        "--output-dir, run.json": "startup-run",
        "--output-dir, schedule.json": "arrival-schedule",
        "--output-dir, submissions.json": "replay-submissions",
        "--output-dir, progress.jsonl": "replay-progress",
        "--output-dir, pods.json": "object-list",
        "--output-dir, network-probes.json": "replay-probes",
        "--output-dir, cni.json": "measure-cni",
    },
    "reconciler run": {"stderr": "reconciler-log"},
    "reconciler manifests": {"-o yaml": _OBJECTS},
    "migrate": {"--report": "findings-report"},
    "gitops argocd": {"-o yaml": _OBJECTS},
    "gitops flux": {"-o yaml": _OBJECTS},
    "rights": {"-o yaml": _OBJECTS},
    "explain": {"-o json": "explain"},
    "version": {"-o json": "version"},
}
"""Command → where it writes for programs → schema. What is not JSON by its name ends in ``.jsonl`` or is YAML."""

_TABLES: Final[Mapping[str, Sequence[str]]] = {
    "causeCode": tuple(CAUSES),
    "class": tuple(dict.fromkeys(one.kind for one in CAUSES.values())),
    "findingCode": tuple(CODES),
    "remedyCode": tuple(REMEDIES),
    "stage": ORDER,
}
_ENUM: Final = re.compile(
    rf'("(?P<name>{"|".join(_TABLES)})": \{{\s*(?:"description": "[^"]*",\s*)?"enum": )\[[^\]]*\]'
)
_NUMBER: Final = re.compile(r'"(?P<field>format|version)": \{[^}]*"const": (?P<value>\d+)')
_WIDE: Final = 110


def read(name: str) -> dict[str, Any]:
    """Give a schema."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def files() -> dict[str, str]:
    """Give every schema by its path below the checkout, with the enums of tables as the tables have them."""
    return {
        f"docs/schemas/{path.name}": _ENUM.sub(_enum, path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.json"))
    }


def _enum(match: re.Match[str]) -> str:
    words = [json.dumps(word) for word in _TABLES[match["name"]]]
    line = ", ".join(words)
    if len(line) < _WIDE // 2:
        return f"{match[1]}[{line}]"
    lines, indent = [""], " " * 8
    for word in words:
        if len(lines[-1]) + len(word) > _WIDE - len(indent):
            lines.append("")
        lines[-1] += f" {word}," if lines[-1] else f"{word},"
    text = f"\n{indent}".join(lines)[:-1]
    return f"{match[1]}[\n{indent}{text}\n      ]"


def page() -> str:
    """Give the page that lists them."""
    return (
        f"# Schemas\n\n{_MADE}\nWhat commands write for programs, and the JSON Schema (2020-12) it keeps. YAML says "
        "the same as JSON. A form with a number (`format` or `version`) gets another number when a field changes or is "
        "added; a reader checks it first. In other forms fields may be added, and none is removed or renamed. Lists of "
        "codes in a schema grow with the tool. Errors are text on stderr, whatever `-o` says, and stdout holds nothing "
        "but the result.\n\n| command | where | schema | stability |\n| --- | --- | --- | --- |\n"
        + "".join(_rows())
    )


def _rows() -> Iterator[str]:
    for command, places in OUTPUTS.items():
        link = f"[{command}]({command.partition(' ')[0]}.md)"
        for name in dict.fromkeys(places.values()):
            where = ", ".join(_where(place) for place, kept in places.items() if kept == name)
            yield f"| {link} | {where} | {_shown(name)} | {_stability(name)} |\n"


def _where(place: str) -> str:
    flag, _, file = place.partition(", ")
    shown = f"`{flag}`" if flag.startswith("-") else flag
    lines = place.endswith("jsonl") or place == "stderr"
    return f"{shown}{': ' if file else ''}{_quoted(file)}{' (a line each)' if lines else ''}"


def _quoted(text: str) -> str:
    return re.sub(r"^(\S+\.jsonl?|\.c9s-inventory)$", r"`\1`", text)


def _shown(name: str) -> str:
    if name == SARIF:
        return SARIF
    whole, _, part = name.partition("#")
    return f"[{whole}](../schemas/{whole}.json){f', its {part} for each document' if part else ''}"


def _stability(name: str) -> str:
    if name == SARIF:
        return "standard"
    if name.partition("#")[0] in {"object-list", "resource-list", "argocd-parameters"}:
        return "as Kubernetes, KRM and Argo CD have it"
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    if number := _NUMBER.search(text):
        return f"`{number['field']}` {number['value']}"
    return "fields may be added"
