"""``version``."""

from __future__ import annotations

import json
import platform
from typing import Any

import click

from kubectl_c9s import __version__
from kubectl_c9s.cli.options import global_options


@click.command()
@click.option("-o", "--output", type=click.Choice(["json"]), help="Output format.")
@global_options
def version(output: str | None, flags: dict[str, Any]) -> None:  # noqa: ARG001 - every command takes them
    """Print the version."""
    if output == "json":
        found = {
            "version": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
        }
        click.echo(json.dumps(found, indent=2))
    else:
        click.echo(f"kubectl-c9s {__version__}")
