"""Flattening: defaults, kind and group expanded into every node (split.md §4).

Layers from most to least specific are node, its group, its kind, defaults. Everything below the node depends on
(kind, group) alone, so it is merged once per pair; nodes that state nothing else share one result object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.topology import fields
from kubectl_c9s.topology.definition import Block
from kubectl_c9s.yamlio.nodes import Scalar

if TYPE_CHECKING:
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.topology.definition import Definition
    from kubectl_c9s.yamlio.nodes import Sequence

_BIND_PARTS: Final = (1, 2, 3)


class Flat(NamedTuple):
    """A flattened node: typed fields by containerlab name, and kind-owned keys.

    ``binds`` is a sorted list of texts; ``labels`` still has the directives. Shared by nodes, so never changed.
    """

    values: dict[str, Any]
    owned: dict[str, Any]


class Flattener:
    """Flattens the nodes of one definition."""

    def __init__(self, context: Context, definition: Definition) -> None:
        self._context = context
        self._definition = definition
        self._bases: dict[tuple[str, str], Flat] = {}
        self._shared: dict[tuple[str, str], Flat] = {}
        self._texts: dict[int, dict[str, Scalar]] = {}

    def flatten(self, name: str) -> Flat:
        """Give the flattened form of the node called ``name`` (as written)."""
        block = self._definition.nodes[name]
        kind, group = self._kind_and_group(block)
        if block is None or (block.values.keys() <= {"kind", "group"} and not block.owned):
            shared = self._shared.get((kind, group))
            if shared is None:
                shared = self._shared[kind, group] = self._finish(
                    self._base(kind, group), Block(), kind, group
                )
            return shared
        return self._finish(self._base(kind, group), block, kind, group)

    def layers(self, name: str) -> list[Block]:
        """Give the layers of a node from most to least specific, for positions of inherited values."""
        block = self._definition.nodes[name]
        kind, group = self._kind_and_group(block)
        definition = self._definition
        found = [
            block,
            definition.groups.get(group),
            definition.kinds.get(kind),
            definition.defaults,
        ]
        return [layer for layer in found if layer is not None]

    def texts_of(self, written: Sequence) -> dict[str, Scalar]:
        """Give the items of a list of the definition by their text, the first of equal ones."""
        found = self._texts.get(id(written))
        if found is None:
            texts = [item for item in reversed(written.items) if isinstance(item, Scalar)]
            found = self._texts[id(written)] = {item.text: item for item in texts}
        return found

    def _kind_and_group(self, block: Block | None) -> tuple[str, str]:
        definition = self._definition
        default = definition.defaults.values
        if block is None:
            return self._kind_of_group(default.get("group")) or default.get(
                "kind", ""
            ), default.get("group", "")
        kind = (
            block.values.get("kind")
            or self._kind_of_group(block.values.get("group"))
            or self._kind_of_group(default.get("group"))
            or default.get("kind", "")
        )
        own_kind = definition.kinds.get(kind)
        group = (
            block.values.get("group")
            or (own_kind.values.get("group") if own_kind else None)
            or default.get("group", "")
        )
        return kind, group

    def _kind_of_group(self, group: str | None) -> str:
        block = self._definition.groups.get(group) if group else None
        return block.values.get("kind", "") if block else ""

    def _base(self, kind: str, group: str) -> Flat:
        base = self._bases.get((kind, group))
        if base is None:
            definition = self._definition
            defaults = {
                k: v
                for k, v in definition.defaults.values.items()
                if k not in fields.NEVER_INHERITED
            }
            base = Flat(defaults, definition.defaults.owned)
            for layer in (definition.kinds.get(kind), definition.groups.get(group)):
                base = _overlay(base, _inheritable(layer)) if layer else base
            self._bases[kind, group] = base
        return base

    def _finish(self, base: Flat, block: Block, kind: str, group: str) -> Flat:
        values, owned = _overlay(base, Flat(_trimmed(block.values), block.owned))
        for key, value in (("kind", kind), ("group", group)):
            if value:
                values[key] = value
            else:
                values.pop(key, None)
        if values.get("type") == "":
            del values["type"]
        if "binds" in values:
            values["binds"] = sorted(one_per_destination(values["binds"]))
        if "certificate" in values:
            values["certificate"] = {"issue": False, **values["certificate"]}
        return Flat(values, owned)


def _inheritable(layer: Block) -> Flat:
    values = {
        key: value for key, value in layer.values.items() if key not in fields.NEVER_INHERITED
    }
    return Flat(_trimmed(values), layer.owned)


def _trimmed(values: dict[str, Any]) -> dict[str, Any]:
    """``type`` loses its blanks, but not when it comes from defaults."""
    kind = values.get("type")
    if kind is not None and kind != kind.strip():
        return {**values, "type": kind.strip()}
    return values


def _overlay(base: Flat, top: Flat) -> Flat:
    """Lay the more specific ``top`` over ``base``."""
    values = dict(base.values)
    for key, value in top.values.items():
        below = values.get(key)
        values[key] = value if below is None else _merged(key, below, value)
    return Flat(values, {**base.owned, **top.owned} if top.owned else base.owned)


def _merged(key: str, below: Any, top: Any) -> Any:
    if key in fields.MERGED_MAPS:
        return {**below, **top}
    if key in fields.CONCATENATED:
        return list(dict.fromkeys((*below, *top)))
    if key == "binds":
        return [*below, *top]
    if key == "certificate":
        return {**below, **top}
    if key == "config":
        return {**below, "vars": _deep_merge(below.get("vars", {}), top.get("vars", {}))}
    return top


def _deep_merge(below: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in top.items():
        old = merged.get(key)
        merged[key] = (
            _deep_merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
        )
    return merged


def bind_destination(bind: str) -> str | None:
    """Give the destination path of a bind; None when it is not ``src:dst`` or ``src:dst:mode``."""
    parts = bind.split(":")
    return parts[1] if len(parts) in {2, 3} else None


def one_per_destination(binds: list[str]) -> list[str]:
    """Keep one bind per destination path, the last (most specific) one."""
    return list({bind_destination(bind) or bind: bind for bind in binds}.values())
