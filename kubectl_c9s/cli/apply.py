"""``apply``: a split lab onto a cluster, by server-side apply."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import check_manager, seconds
from kubectl_c9s.cli.inputflags import FIELD_MANAGER, FILENAME, RECURSIVE, check_paths
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.progress import Progress
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import GuardRefusal, UsageError

if TYPE_CHECKING:
    from kubectl_c9s.cluster.applying import Plan
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

_SUFFIXES = {"none": "", "client": " (dry run)", "server": " (server dry run)"}


@click.command()
@FILENAME
@RECURSIVE
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
@FIELD_MANAGER
@global_options
def apply(flags: dict[str, Any], **given: Any) -> int:
    """Apply the objects of split labs: profiles, then Links, then Nodes.

    Refuses names that a living Topology wants and objects of other labs before anything is written.
    What is there already is not written again.
    """
    from kubectl_c9s.cli.liveobjects import read_and_connect  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.cluster.applying import make_plan  # noqa: PLC0415 - slow to import

    # Nearly all that is made here is kept until the last write: looking for garbage only costs time.
    gc.disable()
    check_paths(given["paths"])
    limit = seconds(given["timeout"], "--timeout")
    if given["wait_for"] and given["dry_run"] != "none":
        raise UsageError("--wait makes no sense with --dry-run")
    check_manager(given["field_manager"])
    connection, objects = read_and_connect(flags, given)
    plan = make_plan(connection, objects, given["field_manager"], prune=given["prune"])
    _preflight(connection, plan, given)
    for resource, live in plan.leftovers:
        name = safe_text(live["metadata"]["name"])
        print(f"to be pruned: {resource.kind.lower()} {name}", file=sys.stderr)
    with Progress(len(plan.objects) + len(plan.leftovers), _SUFFIXES[given["dry_run"]]) as progress:
        _write(connection, plan, given, progress)
        for resource, live in plan.leftovers:
            _prune(connection, resource, live, given["dry_run"])
            progress.line(resource, live["metadata"]["name"], "pruned")
    if given["wait_for"]:
        gc.enable()
        from kubectl_c9s.cli.waiting import wait_for_nodes  # noqa: PLC0415 - only with --wait

        wait_for_nodes(connection, plan, given["wait_for"], limit)
    return 0


def _preflight(connection: Connection, plan: Plan, given: dict[str, Any]) -> None:
    """Refuse to write what is not ours: everything that stands against it at once."""
    from kubectl_c9s.cli.preflight import objections  # noqa: PLC0415 - needs the compiler

    force = given["force_conflicts"]
    found = list(objections(connection, plan, given["field_manager"], force=force))
    if found:
        for line in found:
            print(f"error: {safe_text(line)}", file=sys.stderr)
        raise GuardRefusal(
            f"nothing applied, {len(found)} object(s) may not be written",
            hint="delete the Topology first (its children go with it), or give the lab a namespace of its own",
        )


def _write(connection: Connection, plan: Plan, given: dict[str, Any], progress: Progress) -> None:
    from kubectl_c9s.cluster.applying import write_plan  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.writing import Options  # noqa: PLC0415 - slow to import

    if given["dry_run"] == "client":
        for one in plan.objects:
            result = "unchanged" if one.unchanged else "configured" if one.live else "created"
            progress.line(one.resource, one.wanted["metadata"]["name"], result)
        return
    dry_run = given["dry_run"] == "server"
    options = Options(given["field_manager"], given["force_conflicts"], dry_run)
    write_plan(connection, plan, options, progress.done)


def _prune(connection: Connection, resource: Resource, live: KubeObject, dry_run: str) -> None:
    from kubectl_c9s.cluster.writing import delete_object  # noqa: PLC0415 - slow to import

    if dry_run != "client":
        delete_object(connection, resource, live, dry_run=dry_run == "server")
