"""``status``: how far starts are, once, continuously, or until something is reached."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import only_namespace, seconds
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.output.structured import json_line, structured
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from kubectl_c9s.cli.dumps import Taken

# As in diagnosis/status.py, which is not loaded for --help; a test compares.
GOALS = ("admitted", "sandbox", "started", "ready")


@click.command()
@click.argument("name", required=False, metavar="[LAB]")
@click.option(
    "-f", "--filename", "paths", multiple=True, metavar="PATH",
    help="Snapshot or saved lists to read instead: .json or .tar.gz, a directory, - for stdin; repeatable.",
)  # fmt: skip
@click.option("--at", metavar="TIME", help="When the dump was taken, as 2026-01-31T10:00:00Z.")
@click.option("-w", "--watch", is_flag=True, help="Go on, and show every change.")
@click.option(
    "--for", "goal", type=click.Choice(GOALS), help="Wait until all workloads are so far."
)
@click.option(
    "--timeout",
    metavar="DURATION",
    default="0",
    show_default=True,
    help="How long to wait; 0 is for ever.",
)
@click.option(
    "-o", "--output", type=click.Choice(["tree", "json", "yaml", "jsonl"]), default="tree",
    show_default=True, help="Output format; jsonl gives one event a line.",
)  # fmt: skip
@global_options
def status(flags: dict[str, Any], name: str | None, **given: Any) -> int:
    """Show labs with their workloads, stages and ages; LAB is a Topology or a split lab.

    With --for: exit code 0 when it is reached, 1 when the start is stalled, 5 when neither is known at the timeout.
    Looks at all namespaces, or with -n at one.
    """
    follows = given["watch"] or given["goal"]
    limit = seconds(given["timeout"], "--timeout")
    if given["paths"] and follows:
        raise UsageError("a dump does not change: --watch and --for want a cluster")
    if follows and given["output"] in ("json", "yaml"):
        raise UsageError(
            f"--output {given['output']} is for one look", hint="jsonl gives one event a line"
        )
    if follows:
        from kubectl_c9s.cli.statuswatch import follow  # noqa: PLC0415 - slow to import

        return follow(flags, name, given, limit)
    from kubectl_c9s.cli.dumps import take  # noqa: PLC0415 - after the flags are known

    taken = take(given, flags)
    print_notes(taken.notes)
    namespace = only_namespace(flags)
    _write(tree_of(taken, name, "ready", namespace), given["output"])
    return 0


def tree_of(
    taken: Taken, name: str | None, goal: str, namespace: str | None = None
) -> dict[str, Any]:
    """Give the tree of a dump; raises UsageError when no lab has the name."""
    from kubectl_c9s.diagnosis.report import diagnose  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.diagnosis.status import status as look  # noqa: PLC0415 - after the flags are known

    tree = look(diagnose(taken.dump, taken.place, taken.now), name, goal, namespace)
    if name and not tree["labs"]:
        raise UsageError(f"there is no Topology or lab called {name!r}")
    return tree


def _write(tree: dict[str, Any], form: str) -> None:
    if form in {"json", "yaml"}:
        sys.stdout.write(structured(tree, form))
    elif form == "jsonl":
        from kubectl_c9s.output.status import changes  # noqa: PLC0415 - only for events

        for event in changes({}, tree)[1]:
            sys.stdout.write(json_line(event))
    else:
        from kubectl_c9s.output.status import lines  # noqa: PLC0415 - only for people

        sys.stdout.writelines(f"{line}\n" for line in lines(tree))
