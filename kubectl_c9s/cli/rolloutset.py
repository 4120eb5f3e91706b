"""``rollout set``: change the limits of the Config or of a Topology, on a cluster or in a manifest."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import check_manager, connect
from kubectl_c9s.cli.inputflags import FIELD_MANAGER
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.rolloutflags import (
    ALLOW,
    BATCH_SIZE,
    DRY_RUN,
    OUTPUT,
    PER_HOST,
    RELEASE_ALL,
    UNSET,
    YES,
    edit_of,
    rules_of,
)
from kubectl_c9s.output.structured import ascii_json
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.rollout.targets import parse_target

if TYPE_CHECKING:
    from kubectl_c9s.rollout.limits import Edit
    from kubectl_c9s.rollout.proposal import Proposal
    from kubectl_c9s.rollout.targets import Target


@click.command("set")
@click.argument("target", required=False)
@BATCH_SIZE
@PER_HOST
@UNSET
@click.option(
    "-f", "--filename", metavar="PATH", help="Change this manifest or values file instead."
)
@click.option("--in-place", is_flag=True, help="Write the file; without it the result is printed.")
@click.option(
    "--print-patch",
    type=click.Choice(["json", "merge", "apply"]),
    help="Print the patch instead of sending it.",
)
@DRY_RUN
@RELEASE_ALL
@ALLOW
@YES
@OUTPUT
@FIELD_MANAGER
@global_options
def set_limits(flags: dict[str, Any], **given: Any) -> int:
    """Change batchSize and maxConcurrentPerHost of TARGET: config, or topology/NAME.

    Prints the difference and what it does, then writes exactly that, and keeps the way back for 'rollout undo'. Refuses
    with exit code 4 what would release waiting workloads, what a GitOps tool would put back, and what has changed since
    it was read.
    """
    edit = edit_of(given)
    check_manager(given["field_manager"])
    if given["filename"]:
        from kubectl_c9s.cli.rolloutfile import edit_file  # noqa: PLC0415 - needs a YAML parser

        return edit_file(flags, given, edit)
    if given["in_place"]:
        raise UsageError("--in-place wants a file: -f PATH")
    if not given["target"]:
        raise UsageError("no target", hint="name config, or topology/NAME")
    if given["print_patch"] and given["output"]:
        raise UsageError("--print-patch says the format: leave --output out")
    return _set_live(flags, given, parse_target(given["target"]), edit)


def _set_live(flags: dict[str, Any], given: dict[str, Any], target: Target, edit: Edit) -> int:
    from kubectl_c9s.cli.rolloutrun import Run  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cli.rollouttarget import find_target  # noqa: PLC0415 - slow to import
    from kubectl_c9s.rollout.patches import block_of  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.rollout.proposal import propose  # noqa: PLC0415 - after the flags are known

    connection = connect(flags)
    touched = {field for field, _ in edit.values} | set(edit.removed)
    found = find_target(connection, target, flags, wide="maxConcurrentPerHost" in touched)
    proposal = propose(found.obj, edit.on(block_of(found.obj)), found.around, rules_of(given))
    run = Run(connection, given)
    print_notes(found.notes)
    if given["print_patch"]:
        run.show([proposal], sys.stderr)
        run.refuse([proposal])
        sys.stdout.write(_patch_text(proposal, given["print_patch"]))
        return 0
    return run.carry_out([proposal])


def _patch_text(proposal: Proposal, form: str) -> str:
    from kubectl_c9s.rollout.patches import apply_object, json_patch, merge_patch  # noqa: PLC0415 - only to print

    make: Any = {"json": json_patch, "merge": merge_patch, "apply": apply_object}[form]
    return ascii_json(make(proposal.obj, proposal.after))
