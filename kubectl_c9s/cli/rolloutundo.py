"""``rollout undo``: take the last change that was written back."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import check_manager, connect
from kubectl_c9s.cli.inputflags import FIELD_MANAGER
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.rolloutflags import ALLOW, DRY_RUN, OUTPUT, RELEASE_ALL, YES, rules_of
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.rollout.guards import guard_refusal
from kubectl_c9s.rollout.patches import block_of
from kubectl_c9s.rollout.proposal import propose
from kubectl_c9s.rollout.targets import Target, parse_target

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.files.undo import Record, UndoStore
    from kubectl_c9s.resources.objects import KubeObject


@click.command()
@click.argument("target", required=False)
@DRY_RUN
@RELEASE_ALL
@ALLOW
@YES
@OUTPUT
@FIELD_MANAGER
@global_options
def undo(flags: dict[str, Any], target: str | None, **given: Any) -> int:
    """Take the last 'rollout set' of this cluster back, or that of TARGET: config, or topology/NAME.

    The limits become exactly what they were, absent fields included. Refuses with exit code 4 when somebody has changed
    them since, and where the way back would release waiting workloads.
    """
    from kubectl_c9s.cli.rolloutrun import Run  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cli.rollouttarget import find_target  # noqa: PLC0415 - slow to import
    from kubectl_c9s.files.undo import UndoStore  # noqa: PLC0415 - after the flags are known

    check_manager(given["field_manager"])
    wanted = parse_target(target) if target else None
    connection = connect(flags)
    store = UndoStore(os.environ)
    record = _wanted(store, connection, flags, wanted)
    connection.namespace = record.namespace
    place = {**flags, "manager_namespace": record.namespace} if record.kind == "Config" else flags
    found = find_target(connection, Target(record.kind, record.name), place)
    run = Run(connection, given)
    if _is_undone(found.obj, record):
        if given["dry_run"] == "none":
            store.forget(record)
        print(f"nothing to undo: {record.kind} {record.name} is as it was", file=sys.stderr)
        return run.carry_out([])
    _check_unchanged(found.obj, record)
    proposal = propose(found.obj, record.before, found.around, rules_of(given))
    print_notes(found.notes)
    return run.carry_out([proposal], undoing=record)


def _wanted(
    store: UndoStore, connection: Connection, flags: dict[str, Any], target: Target | None
) -> Record:
    """Choose the record: the newest of the cluster, or that of the target; one that was never written is dropped."""
    namespace = flags.get("manager_namespace")
    for record, sure in store.of_server(connection.server):
        if target is not None:
            if (record.kind, record.name) != target:
                continue
            place = connection.namespace if record.kind == "Topology" else namespace
            if place and place != record.namespace:
                continue
        if sure or _was_written(connection, record):
            return record
        store.drop(record)
    raise RefusedInput("there is nothing to undo: no change of this cluster is on record")


def _was_written(connection: Connection, record: Record) -> bool:
    """Look whether a change of which nobody saw the end has happened; an object that is gone has nothing of it."""
    from kubectl_c9s.cluster import kinds  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.errors import NotFound  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.reading import read_object  # noqa: PLC0415 - slow to import

    resource = kinds.CONFIGS if record.kind == kinds.CONFIGS.kind else kinds.TOPOLOGIES
    try:
        obj = read_object(connection, resource, record.namespace, record.name)
    except NotFound:
        return False
    return obj["metadata"]["uid"] == record.uid and block_of(obj) == record.after


def _is_undone(obj: KubeObject, record: Record) -> bool:
    return obj["metadata"]["uid"] == record.uid and block_of(obj) == record.before


def _check_unchanged(obj: KubeObject, record: Record) -> None:
    if obj["metadata"]["uid"] != record.uid:
        text = f"{record.kind} {record.name} is another object than the one that was changed"
        raise guard_refusal("changed-since-read", text)
    if block_of(obj) != record.after:
        text = f"spec.rollout of {record.kind} {record.name} was changed since it was set: nothing undone"
        hint = "set the limits you want with 'kubectl c9s rollout set'"
        raise guard_refusal("changed-since-read", text, hint)
