"""``rollout show``: the limits in force, who set them, and who waits behind them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.connecting import connect, only_namespace
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.rolloutflags import OUTPUT
from kubectl_c9s.output.structured import structured
from kubectl_c9s.rollout.targets import parse_target

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.rollout.targets import Target
    from kubectl_c9s.rollout.views import TopologyView


@click.command()
@click.argument("target", required=False)
@OUTPUT
@global_options
def show(flags: dict[str, Any], target: str | None, output: str | None) -> int:
    """Show limits and live counts of TARGET: config, or topology/NAME; without one, of everything.

    Counts are workloads: Nodes that share a Pod count once. Per host: devices that boot, wait for a slot, have started.
    """
    from kubectl_c9s.output.rolloutshow import lines  # noqa: PLC0415 - after the flags are known

    wanted = parse_target(target) if target else None
    report = _report(connect(flags), flags, wanted)
    if output:
        sys.stdout.write(structured(report, output))
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines(report))
    return 0


def _report(connection: Connection, flags: dict[str, Any], target: Target | None) -> dict[str, Any]:
    from kubectl_c9s.cli.rollouttarget import look_around, look_at_namespace  # noqa: PLC0415 - slow to import
    from kubectl_c9s.resources.errors import C9sError  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.rollout.report import config_report, hosts_report, topology_reports  # noqa: PLC0415

    if target is not None and target.kind == "Topology":
        namespace = connection.namespace
        seen = look_at_namespace(connection, namespace, flags)
        print_notes(seen.notes)

        def named(view: TopologyView) -> bool:
            return (view.namespace, view.name) == (namespace, target.name)

        found = topology_reports(seen.topologies, seen.snapshot, named)
        if not found:
            raise C9sError(f"there is no Topology {target.name} in {namespace}")
        return {"topologies": found, **hosts_report(seen.snapshot)}
    seen = look_around(connection, flags)
    print_notes(seen.notes)
    config = {"config": config_report(seen.config, seen.namespace, seen.snapshot)}
    if target is None:
        only = only_namespace(flags)
        config["topologies"] = topology_reports(  # type: ignore[assignment]
            seen.topologies, seen.snapshot, lambda view: only in (None, view.namespace)
        )
    return {**config, **hosts_report(seen.snapshot)}
