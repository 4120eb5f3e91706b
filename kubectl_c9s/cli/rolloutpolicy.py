"""``rollout diff`` and ``rollout apply``: a RolloutPolicy file against the cluster (policy.md)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import check_manager, connect
from kubectl_c9s.cli.inputflags import FIELD_MANAGER, FILENAME, RECURSIVE, check_paths
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import no_difference, print_notes
from kubectl_c9s.cli.rolloutflags import ALLOW, DRY_RUN, OUTPUT, RELEASE_ALL, YES, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cli.rolloutrun import Run
    from kubectl_c9s.cli.rollouttarget import Seen
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.rollout.policyfile import RolloutPolicy
    from kubectl_c9s.rollout.proposal import Proposal, Rules


@click.command()
@FILENAME
@RECURSIVE
@OUTPUT
@global_options
def diff(flags: dict[str, Any], **given: Any) -> int:
    """Show what the RolloutPolicy of a file would change, with what that does.

    Exit code 0: no difference, 1: differences, above: it could not be found out.
    """
    defaults = {
        "release_all": False, "allow": (), "dry_run": "client", "yes": True,
        "field_manager": "kubectl-c9s",
    }  # fmt: skip
    with no_difference():
        run, proposals = _prepare(flags, {**given, **defaults})
    run.print_all(proposals)
    return 1 if proposals else 0


@click.command()
@FILENAME
@RECURSIVE
@DRY_RUN
@RELEASE_ALL
@ALLOW
@YES
@OUTPUT
@FIELD_MANAGER
@global_options
def apply(flags: dict[str, Any], **given: Any) -> int:
    """Write what the RolloutPolicy of a file says into the Config and the Topologies it matches.

    Nothing is written when a guard refuses any of the changes. What is as it should be is not written.
    """
    check_manager(given["field_manager"])
    run, proposals = _prepare(flags, given)
    if not proposals and not given["output"]:
        sys.stdout.write("everything is as the policy wants it\n")
        return 0
    return run.carry_out(proposals)


def _prepare(flags: dict[str, Any], given: dict[str, Any]) -> tuple[Run, list[Proposal]]:
    from kubectl_c9s.cli.policyinput import read_policy  # noqa: PLC0415 - needs a YAML parser
    from kubectl_c9s.cli.reporting import print_findings  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.resources.findings import Findings  # noqa: PLC0415 - after the flags are known

    check_paths(given["paths"])
    warnings = Findings()
    policy = read_policy(
        given["paths"],
        warnings,
        recursive=given["recursive"],
        namespace=flags.get("namespace") or "",
    )
    print_findings([], warnings.warnings)
    from kubectl_c9s.cli.rolloutrun import Run  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cli.rollouttarget import look_around  # noqa: PLC0415 - slow to import

    connection = connect(flags)
    seen = look_around(connection, flags)
    run = Run(connection, given)
    print_notes(seen.notes)
    rules = rules_of(given)
    release = rules.release or policy.guards.allow_release
    rules = rules._replace(release=release, yield_to=policy.guards.yield_to)
    return run, list(_proposals(connection, policy, seen, rules))


def _proposals(
    connection: Connection, policy: RolloutPolicy, seen: Seen, rules: Rules
) -> Iterator[Proposal]:
    """Give the changes, the Config's first; each is judged with those before it made."""
    from kubectl_c9s.cli.rollouttarget import found_config, found_topology  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster import kinds  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.reading import read_object  # noqa: PLC0415 - slow to import
    from kubectl_c9s.resources.errors import C9sError  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.rollout.limits import Limits, limits_in, limits_of  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.rollout.patches import block_of  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.rollout.policyfile import wanted_for_config, wanted_for_topology  # noqa: PLC0415
    from kubectl_c9s.rollout.proposal import propose  # noqa: PLC0415 - after the flags are known

    limits = seen.limits or Limits()
    wanted = wanted_for_config(policy, limits)
    if wanted != limits:
        if seen.config is None:
            raise C9sError(f"the policy limits the Config, and there is none in {seen.namespace}")
        found = found_config(seen.config, seen)
        yield propose(found.obj, _block(block_of(found.obj), wanted), found.around, rules)
        seen = seen.with_limits(wanted)
    for topology in seen.topologies:
        meta, present = topology.metadata, limits_in(topology.spec.rollout)
        wished = wanted_for_topology(policy, meta.namespace, meta.labels or {}, present)
        if wished is None or wished == present:
            continue
        obj = read_object(connection, kinds.TOPOLOGIES, meta.namespace, meta.name)
        # Read again: what the list said may be old.
        now = limits_of(block_of(obj))
        wished = wanted_for_topology(policy, meta.namespace, meta.labels or {}, now)
        if wished is not None and wished != now:
            found = found_topology(obj, seen)
            yield propose(found.obj, _block(block_of(found.obj), wished), found.around, rules)


def _block(block: Any, wanted: Any) -> Any:
    from kubectl_c9s.rollout.limits import edit_to  # noqa: PLC0415 - after the flags are known

    return edit_to(block, wanted).on(block)
