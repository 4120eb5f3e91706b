"""Write what is made from the definitions of the commands and from the tables of codes and of causes.

    python tests/checks/generate.py           # writes what is out of date, removes what has no source any more
    python tests/checks/generate.py --check   # only names it; exit 1 if there is something

- ``kubectl_c9s/cli/commands.json``: the table behind completion
- ``completions/``: completion scripts under the names that shells look for
- ``docs/reference/``: a page for each command, the flags of all, the codes of findings, the causes, the schemas
- ``docs/schemas/``: the lists of codes in them; all else there is written by hand
- ``manifests/``: what is made from ``templates/`` and from the schema of RolloutPolicy
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
import reference
import schemas

from kubectl_c9s.cli.completion import script
from kubectl_c9s.cli.main import cli
from kubectl_c9s.output.argocd import shipped_health
from kubectl_c9s.output.manifests import shipped

ROOT = Path(__file__).parents[2]
TABLE = "kubectl_c9s/cli/commands.json"
# The names under which bash-completion, zsh, fish and kubectl look for them.
SCRIPTS = {
    "completions/kubectl-c9s": "bash",
    "completions/_c9s": "zsh",
    "completions/kubectl-c9s.fish": "fish",
    "completions/kubectl_complete-c9s": "kubectl",
}
# What a value names, by the word that stands for it in the help. Other words: nothing is offered.
NAMED = {
    "CLUSTER": "cluster",
    "CODE": "code",
    "CONFIG": "manifest",
    "CONTEXT": "context",
    "DIR": "directory",
    "FILE": "file",
    "LAB": "lab",
    "NS": "namespace",
    "PATH": "manifest",
    "TARGET": "target",
    "TOPOLOGY": "topology",
    "USER": "user",
}
# Without -n these commands look at all namespaces, the others at that of the context.
EVERYWHERE = ("diagnose", "status")
# Folders in which nothing is written by hand.
MADE = ("completions", "docs/reference", *(f"manifests/{name}" for name in
        ("apf", "argocd-health", "crds", "guardrails", "guardrails-warn", "overlays", "podmonitor",
         "reconciler")))  # fmt: skip
EXECUTABLE = {"completions/kubectl_complete-c9s"}


def generated() -> dict[str, str]:
    """Give every generated file: path below the checkout, text."""
    table = {"flags": [HELP, *flags(cli)], "commands": subcommands(cli)}
    files = {TABLE: json.dumps(table, indent=1) + "\n"}
    files |= {path: script(shell) for path, shell in SCRIPTS.items()}
    files |= {f"manifests/{path}": text for path, text in (shipped() | shipped_health()).items()}
    pages = {**reference.pages(cli), "schemas.md": schemas.page()}
    files |= schemas.files()
    return files | {f"docs/reference/{name}": text for name, text in pages.items()}


HELP = {"names": ["-h", "--help"], "help": "Show this message and exit."}


def subcommands(group: click.Group) -> dict[str, Any]:
    """Give the table of a group's commands."""
    return {name: entry(name, command) for name, command in reference.commands(group)}


def entry(name: str, command: click.Command) -> dict[str, Any]:
    """Give the table of one command; flags that go with every command are not repeated."""
    everywhere = {flag["names"][0] for flag in flags(cli)}
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    wide = name in EVERYWHERE
    return {
        "help": reference.summary(name, command),
        "flags": [flag for flag in flags(command, wide=wide) if flag["names"][0] not in everywhere],
        "arguments": [value(one, wide=wide) for one in arguments],
        "commands": subcommands(command) if isinstance(command, click.Group) else {},
    }


def flags(command: click.Command, *, wide: bool = False) -> list[dict[str, Any]]:
    found = []
    for option in command.params:
        if isinstance(option, click.Option):
            names = [*option.opts, *option.secondary_opts]
            flag: dict[str, Any] = {"names": names, "help": option.help}
            if not option.is_flag:
                flag["value"] = value(option, wide=wide)
            if option.multiple:
                flag["repeatable"] = True
            found.append(flag)
    return found


def value(parameter: click.Parameter, *, wide: bool) -> str | list[str]:
    """Give the choices, or the word for what is named."""
    if isinstance(parameter.type, click.Choice):
        return [str(choice) for choice in parameter.type.choices]
    named = NAMED.get(reference.value_name(parameter).strip("[]."), "text")
    return f"any-{named}" if wide and named in ("lab", "topology") else named


def main(arguments: list[str]) -> int:
    """Write or check the files."""
    files = generated()
    left_over = [
        path
        for folder in MADE
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and path.relative_to(ROOT).as_posix() not in files
    ]
    stale = [path for path, text in files.items() if not is_fresh(ROOT / path, text)]
    for path in stale:
        print(f"{path} is out of date" if "--check" in arguments else path)
    for file in left_over:
        print(f"{file.relative_to(ROOT)} has no source any more")
    if "--check" in arguments:
        return 1 if stale or left_over else 0
    for path in stale:
        write(path, files[path])
    for file in left_over:
        file.unlink()
    return 0


def is_fresh(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def write(name: str, text: str) -> None:
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755 if name in EXECUTABLE else 0o644)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
