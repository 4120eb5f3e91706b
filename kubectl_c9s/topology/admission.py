"""What the API server would refuse: compiled objects against our schemas and size budgets (split.md §16)."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources import labels, names, schema
from kubectl_c9s.resources.findings import Position
from kubectl_c9s.topology import data
from kubectl_c9s.topology.policy import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.resources.findings import Findings
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.topology.flatten import Flattener

# An object may have about 1.5 MB in etcd; the rest is left for status, managed fields and the writer's metadata.
MAX_OBJECT_BYTES: Final = 1_000_000
_LARGEST: Final = 5
_ROUGH: Final = 4  # a character may have four bytes
_GROUP_LABEL: Final = ("metadata", "labels", labels.TOPOLOGY_GROUP)
_METADATA: Final = 64 * 1024  # more than names and labels can have


def check_node(context: Context, flattener: Flattener, written: str, node: KubeObject) -> None:
    """Report what the Node CRD and label rules do not allow, at the place the value was written."""
    group = node["spec"].get("group", "")
    if group and (problems := names.label_value_problems(group)):
        message = f"node {written!r}: group {group!r} cannot become a label: {'; '.join(problems)}"
        at = origin_of(flattener, written, "group", group)
        context.error("unusable-node-label", f"topology.nodes.{written}.group", message, at)
    if schema.is_valid("Node", node):
        return
    for violation in schema.violations("Node", node):
        if violation.path == _GROUP_LABEL:
            continue  # reported as the group that it is
        path = violation.path[1:]
        item = data.value_at(node["spec"], path)
        field = str(path[0]) if path else ""
        at = origin_of(flattener, written, field, str(item) if item is not None else None)
        dotted = data.dotted((written, *path))
        context.error(
            "not-admissible",
            f"topology.nodes.{dotted}",
            f"node {written!r}: {violation.message}",
            at,
        )


def check_profiles(context: Context, profiles: Iterable[KubeObject]) -> None:
    """Report NodeProfiles that the CRD or the rules for names do not allow."""
    for profile in profiles:
        if not schema.is_valid("NodeProfile", profile):
            path = f"NodeProfile/{profile['metadata']['name']}"
            for violation in schema.violations("NodeProfile", profile):
                message = f"{path}: {violation.place} {violation.message}"
                context.error("not-admissible", path, message, None)


def check_links(context: Context, links: Iterable[tuple[object, KubeObject]]) -> None:
    """Report Links that the CRD does not allow."""
    for wire, link in links:
        if not schema.is_valid("Link", link):
            definition = wire.definition  # type: ignore[attr-defined]
            for violation in schema.violations("Link", link):
                path = f"topology.links[{definition.place}]"
                context.error(
                    "not-admissible",
                    path,
                    f"{data.dotted(violation.path)}: {violation.message}",
                    definition.at,
                )


def check_unique(context: Context, links: list[tuple[object, KubeObject]]) -> None:
    """Report Links of one name; the manager would stop with a conflict (split.md §8)."""
    for (first, one), (second, two) in itertools.pairwise(links):
        name = one["metadata"]["name"]
        if name == two["metadata"]["name"]:
            a, b = first.definition, second.definition  # type: ignore[attr-defined]
            message = f"topology.links[{a.place}] and [{b.place}] both become the Link {name!r}"
            context.error("duplicate-object-name", f"topology.links[{b.place}]", message, b.at)


def _json_bytes(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def check_sizes(findings: Findings, objects: Iterable[KubeObject], limit: int, file: str) -> None:
    """Report objects of more than ``limit`` bytes as compact JSON, the largest first."""
    specs: dict[int, int] = {}
    large: list[tuple[int, KubeObject]] = []
    for obj in objects:
        if obj["kind"] == "Link":
            continue  # two names and a number
        spec = obj["spec"]
        if (size := specs.get(id(spec))) is None:
            # Python's own text of a value is quick to make and never much shorter than its JSON.
            rough = len(repr(spec))
            size = specs[id(spec)] = _json_bytes(spec) if rough * _ROUGH > limit else rough
        if (
            size + _METADATA > limit
            and (size := size + _json_bytes(obj["metadata"]) + len(obj["kind"]) + 60) > limit
        ):
            large.append((size, obj))
    for size, obj in sorted(large, key=lambda pair: (-pair[0], pair[1]["metadata"]["name"]))[
        :_LARGEST
    ]:
        name = f"{obj['kind']} {obj['metadata']['name']}"
        message = f"{name} has {size} bytes, the budget is {limit}; move inline texts and files into ConfigMaps"
        findings.error("object-too-large", name, message, Position(file))
