"""``cmp``: the renderer as a config management plugin of Argo CD (conventions.md §6)."""

from __future__ import annotations

import gc
import json
import os
from typing import Any

import click

from kubectl_c9s.cli.options import global_options


@click.group("cmp", no_args_is_help=False)
@global_options
def cmp(**_flags: object) -> None:
    """Split as a config management plugin of Argo CD.

    Both commands are called by Argo CD, in the source directory of an Application.
    """


@cmp.command()
@global_options
def parameters(flags: dict[str, Any]) -> None:  # noqa: ARG001 - every command takes them
    """Announce the parameters an Application can set, as JSON."""
    from kubectl_c9s.cli import doorsettings  # noqa: PLC0415 - the help needs no compiler

    click.echo(json.dumps(doorsettings.announcement(doorsettings.PLUGIN), indent=2))


@cmp.command()
@global_options
def generate(flags: dict[str, Any]) -> int:  # noqa: ARG001 - every command takes them
    """Write the objects of the labs in the current directory.

    Parameters come from ARGOCD_APP_PARAMETERS, variables of labs from ARGOCD_ENV_*. Nothing outside the directory
    is read. A directory without a lab is an error unless the parameter allow-empty says otherwise: Argo CD would
    delete what an empty answer lacks.
    """
    from kubectl_c9s.cli import doorstreams  # noqa: PLC0415 - the help needs no compiler
    from kubectl_c9s.cli.cmpparams import read_values  # noqa: PLC0415
    from kubectl_c9s.cli.cmprender import Rendering  # noqa: PLC0415

    gc.disable()  # a short run that keeps nearly all it makes
    rendering = Rendering(read_values(os.environ))
    chunks = rendering.chunks()
    doorstreams.tell(rendering.findings, rendering.notes)
    rendering.refuse()
    doorstreams.write_result(chunks)
    return 0
