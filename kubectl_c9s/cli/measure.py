"""``measure``: starts recorded, compared, checked and replayed (measurement.md)."""

from __future__ import annotations

from typing import Final

import click

from kubectl_c9s.cli.lazy import LazyGroup
from kubectl_c9s.cli.options import global_options

COMMANDS: Final = {
    "watch": ("kubectl_c9s.cli.measurewatch:watch", "Record a start while it happens."),
    "report": ("kubectl_c9s.cli.measurereport:report", "Show a recorded start: distributions, timelines, plots."),
    "compare": ("kubectl_c9s.cli.measurecompare:compare", "Say in which stages two starts differ."),
    "verify": ("kubectl_c9s.cli.measureverify:verify", "Check the network of devices that are ready."),
    "cni": ("kubectl_c9s.cli.measurecni:cni", "Read address allocation times from the CNI's logs."),
    "schedule": ("kubectl_c9s.cli.measureschedule:schedule", "Make a schedule of arrivals of Pods that have started."),
    "replay": ("kubectl_c9s.cli.measurereplay:replay", "Start plain Pods by a schedule, to compare with."),
}  # fmt: skip


@click.group(cls=LazyGroup, commands_table=COMMANDS)
@global_options
def measure(**_flags: object) -> None:
    """Record starts, report and compare them, check networks, replay arrivals with plain Pods."""
