"""``gitops``: what Argo CD and Flux need beside rendered objects."""

from __future__ import annotations

from typing import Final

import click

from kubectl_c9s.cli.lazy import LazyGroup
from kubectl_c9s.cli.options import global_options

COMMANDS: Final = {
    "flux": ("kubectl_c9s.cli.gitopsflux:flux", "Print the Kustomizations by which Flux applies a lab."),
    "argocd": ("kubectl_c9s.cli.gitopsargocd:argocd", "Print settings of Argo CD, or an Application."),
}  # fmt: skip


@click.group(cls=LazyGroup, commands_table=COMMANDS)
@global_options
def gitops(**_flags: object) -> None:
    """Print what Argo CD and Flux need beside the objects of labs."""
