"""``apply``: a split lab onto a cluster, by server-side apply."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import connect, seconds
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import GuardRefusal, UsageError

if TYPE_CHECKING:
    from kubectl_c9s.cluster.applying import Plan
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.writing import Applied

_SUFFIXES = {"none": "", "client": " (dry run)", "server": " (server dry run)"}


@click.command()
@click.option(
    "-f",
    "--filename",
    "paths",
    multiple=True,
    required=True,
    metavar="PATH",
    help="File, directory or - for stdin; repeatable.",
)
@click.option(
    "-R", "--recursive", is_flag=True, help="Look for files in directories of directories too."
)
@click.option(
    "--dry-run",
    type=click.Choice(["none", "client", "server"]),
    default="none",
    is_flag=False,
    flag_value="client",
    help="client: send nothing; server: let the server check only.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Delete what earlier runs applied for these labs and the input lacks.",
)
@click.option("--force-conflicts", is_flag=True, help="Take fields that other managers own.")
@click.option(
    "--wait",
    "wait_for",
    type=click.Choice(["planned", "ready"]),
    is_flag=False,
    flag_value="ready",
    help="Wait until the Nodes are planned or ready.",
)
@click.option(
    "--timeout", metavar="DURATION", default="10m", show_default=True, help="How long to wait."
)
@click.option(
    "--field-manager",
    default="kubectl-c9s",
    show_default=True,
    metavar="NAME",
    help="Name of the owner.",
)
@global_options
def apply(flags: dict[str, Any], **given: Any) -> int:
    """Apply the objects of split labs: profiles, then Links, then Nodes.

    Refuses names that a living Topology wants and objects of other labs before anything is written.
    What is there already is not written again.
    """
    from kubectl_c9s.cli.liveobjects import check_paths, read_objects  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.cluster.applying import make_plan, write_plan  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.writing import Options  # noqa: PLC0415 - slow to import

    check_paths(given["paths"])
    limit = seconds(given["timeout"], "--timeout")
    if given["wait_for"] and given["dry_run"] != "none":
        raise UsageError("--wait makes no sense with --dry-run")
    connection = connect(flags)
    objects = read_objects(
        given["paths"],
        recursive=given["recursive"],
        namespace=flags.get("namespace"),
        default_namespace=connection.namespace,
    )
    plan = make_plan(connection, objects, given["field_manager"])
    _preflight(connection, plan)
    printer = _Printer(_SUFFIXES[given["dry_run"]])
    if given["dry_run"] == "client":
        for one in plan.objects:
            result = "unchanged" if one.unchanged else "configured" if one.live else "created"
            printer.line(one.resource, one.wanted["metadata"]["name"], result)
    else:
        options = Options(
            given["field_manager"], given["force_conflicts"], given["dry_run"] == "server"
        )
        write_plan(connection, plan, options, printer.done)
    if given["prune"]:
        _prune(connection, plan, given["dry_run"], printer)
    if given["wait_for"]:
        from kubectl_c9s.cli.waiting import wait_for_nodes  # noqa: PLC0415 - only with --wait

        return wait_for_nodes(connection, plan, given["wait_for"], limit)
    return 0


def _preflight(connection: Connection, plan: Plan) -> None:
    """Refuse to write what is not ours: everything that stands against it at once."""
    from kubectl_c9s.cli.preflight import objections  # noqa: PLC0415 - needs the compiler

    found = list(objections(connection, plan))
    if found:
        from kubectl_c9s.output.safe_text import safe_text  # noqa: PLC0415 - only on refusal

        for line in found:
            print(f"error: {safe_text(line)}", file=sys.stderr)
        raise GuardRefusal(
            f"nothing applied, {len(found)} object(s) belong to somebody else",
            hint="delete the Topology first (its children go with it), or give the lab a namespace of its own",
        )


def _prune(connection: Connection, plan: Plan, dry_run: str, printer: _Printer) -> None:
    from kubectl_c9s.cluster.writing import delete_object  # noqa: PLC0415 - slow to import

    for resource, live in plan.leftovers:
        print(f"to be pruned: {resource.kind.lower()} {live['metadata']['name']}", file=sys.stderr)
    for resource, live in plan.leftovers:
        if dry_run != "client":
            delete_object(connection, resource, live, dry_run=dry_run == "server")
        printer.line(resource, live["metadata"]["name"], "pruned")


class _Printer:
    """A line an object on stdout; on a terminal a count on stderr beside it."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix

    def done(self, applied: Applied) -> None:
        """Take the result of one object."""
        self.line(applied.resource, applied.name, applied.result)

    def line(self, resource: Any, name: str, result: str) -> None:
        """Print one line."""
        group = f".{resource.group}" if resource.group else ""
        sys.stdout.write(f"{resource.kind.lower()}{group}/{name} {result}{self._suffix}\n")
