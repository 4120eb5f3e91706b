"""Rules for labs: the split compiler looks at them, and what it says is taken over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.validation.things import Split

if TYPE_CHECKING:
    from kubectl_c9s.resources.verdicts import Level
    from kubectl_c9s.validation.things import Thing

# Speaks of what splitting costs; a Topology that is applied as it is loses nothing.
_ONLY_WHEN_SPLIT: Final = frozenset({"lost-rollout"})


def check_topology(thing: Thing, max_object_bytes: int) -> None:
    """Split a Topology and take over every finding; the objects stay with it as its ``lab``."""
    findings = Findings()
    options = Options(max_object_bytes=max_object_bytes)
    rendered = split_topology(thing.document, options, findings)
    take_lab(thing, Split(thing.name, thing.namespace, findings, rendered))


def take_lab(thing: Thing, lab: Split) -> None:
    """Take over a lab that was split, with its findings."""
    thing.lab = lab
    for finding in lab.findings.errors:
        thing.take(finding, "error")
    for finding in lab.findings.warnings:
        level: Level = "info" if finding.code in _ONLY_WHEN_SPLIT else "warning"
        thing.take(finding, level)
