"""``reconciler``: the process that keeps a RolloutPolicy in the cluster, and what runs it there (policy.md)."""

from __future__ import annotations

from typing import Final

import click

from kubectl_c9s.cli.lazy import LazyGroup
from kubectl_c9s.cli.options import global_options

COMMANDS: Final = {
    "run": ("kubectl_c9s.cli.reconcilerrun:run", "Keep a policy true; what runs in the Pod."),
    "manifests": ("kubectl_c9s.cli.reconcilermanifests:manifests", "Print the objects that run it in a cluster."),
}  # fmt: skip


@click.group(cls=LazyGroup, commands_table=COMMANDS)
@global_options
def reconciler(**_flags: object) -> None:
    """Keep a RolloutPolicy true in the cluster, and report starts that are stuck."""
