"""``rollout``: read, simulate and change the limits of starts."""

from __future__ import annotations

from typing import Final

import click

from kubectl_c9s.cli.lazy import LazyGroup
from kubectl_c9s.cli.options import global_options

COMMANDS: Final = {
    "show": ("kubectl_c9s.cli.rolloutshow:show", "Show the limits in force and who waits behind them."),
    "set": ("kubectl_c9s.cli.rolloutset:set_limits", "Change the limits of the Config or a Topology."),
    "undo": ("kubectl_c9s.cli.rolloutundo:undo", "Take the last change back."),
    "diff": ("kubectl_c9s.cli.rolloutpolicy:diff", "Show what a policy file would change."),
    "apply": ("kubectl_c9s.cli.rolloutpolicy:apply", "Write what a policy file says."),
    "simulate": ("kubectl_c9s.cli.rolloutsimulate:simulate", "Forecast a start under several limits."),
}  # fmt: skip


@click.group(cls=LazyGroup, commands_table=COMMANDS)
@global_options
def rollout(**_flags: object) -> None:
    """Read, simulate and change spec.rollout of the Config and of Topologies."""
