"""``diagnostics``: metrics and profiles of the manager that leads (config-and-chart.md §§4, 5)."""

from __future__ import annotations

from typing import Final

import click

from kubectl_c9s.cli.lazy import LazyGroup
from kubectl_c9s.cli.options import global_options

COMMANDS: Final = {
    "port-forward": (
        "kubectl_c9s.cli.diagnosticsforward:port_forward",
        "Forward metrics and profiles of the active manager.",
    ),
    "capture": (
        "kubectl_c9s.cli.diagnosticscapture:capture",
        "Save two scrapes of its metrics, and profiles.",
    ),
    "report": (
        "kubectl_c9s.cli.diagnosticsreport:report",
        "Say in words what a capture shows, or compare two.",
    ),
}


@click.group(cls=LazyGroup, commands_table=COMMANDS)
@global_options
def diagnostics(**_flags: object) -> None:
    """Reach, save and read the metrics and profiles of the active manager."""
