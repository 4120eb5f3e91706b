"""Warnings about a Topology's policy: what has no place, no node, or no effect (split.md §§11, 15, 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.topology.definition import Definition
    from kubectl_c9s.topology.manifest import Manifest


def advise_on_policy(manifest: Manifest, findings: Findings, nodes: frozenset[str]) -> None:
    """Warn about policy that is lost or names no node."""
    if rollout := manifest.spec.get("rollout"):
        message = (
            f"{', '.join(sorted(rollout))} of a Topology has no place in the objects: a limit for one lab is lost; "
            "set Config.spec.rollout for the installation"
        )
        findings.warning(
            "lost-rollout", "spec.rollout", message, manifest.place(("spec", "rollout"))
        )
    for path, name in _named_nodes(manifest.spec):
        if name not in nodes:
            dotted = ".".join(path)
            message = f"{dotted} names {name!r}, which is no node of the definition; the entry has no effect"
            findings.warning(
                "unused-entry", f"{dotted}.{name}", message, manifest.place((*path, name))
            )


def _named_nodes(spec: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    deployment = spec.get("deployment", {})
    for field in ("filesFromConfigMap", "filesFromSecret", "filesFromURL", "resources"):
        for name in deployment.get(field, {}):
            if field != "resources" or name != "default":
                yield ("spec", "deployment", field), name
    probes = spec.get("statusProbes", {})
    for name in probes.get("nodeProbeConfigurations", {}):
        yield ("spec", "statusProbes", "nodeProbeConfigurations"), name
    for name in probes.get("excludedNodes", []):
        yield ("spec", "statusProbes", "excludedNodes"), name


def advise_on_definition(context: Context, definition: Definition, spec: dict[str, Any]) -> None:
    """Warn about management addresses without management, and kinds that differ in case only."""
    _advise_on_kinds(context, definition)
    for name, block in sorted(definition.nodes.items()):
        if block is None or block.node is None:
            continue
        for field in ("mgmt-ipv4", "mgmt-ipv6") if spec.get("disableManagement") else ():
            if field in block.values:
                message = f"node {name!r} has {field}, but the management network is disabled"
                at = block.node.entries[field][0]
                context.warning(
                    "disabled-management-address", f"topology.nodes.{name}.{field}", message, at
                )


def _advise_on_kinds(context: Context, definition: Definition) -> None:
    """Warn where a node, a group or the defaults name a kind that the kinds section writes otherwise."""
    kinds = {kind.lower(): kind for kind in definition.kinds}
    blocks = {"defaults": definition.defaults}
    for section in ("groups", "nodes"):
        named = getattr(definition, section).items()
        blocks |= {f"{section}.{name}": block for name, block in named if block is not None}
    for place, block in blocks.items():
        kind = block.values.get("kind", "")
        if kind in definition.kinds or block.node is None or not (other := kinds.get(kind.lower())):
            continue
        message = (
            f"{place} has kind {kind!r}, the kinds section has {other!r}: the names must be equal"
        )
        at = block.node.entries["kind"][1]
        context.warning("kind-case", f"topology.{place}.kind", message, at)
