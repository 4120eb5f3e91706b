"""Keys that belong to the node's kind, and the hardware components (split.md §5)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.topology import convert, fields
from kubectl_c9s.topology.context import is_null
from kubectl_c9s.yamlio.nodes import Mapping, Sequence

if TYPE_CHECKING:
    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.yamlio.nodes import Node, Scalar

_BY_LENGTH: Final = {
    length: [name for name in fields.VOCABULARY if len(name) == length]
    for length in set(map(len, fields.VOCABULARY))
}
_SHORT: Final = 4  # letters; so few are changed easily, but seldom lost


def owned_keys(context: Context, block: str, node: Mapping) -> dict[str, Any]:
    """Give the kind-owned keys of a block with JSON values; an explicit wrapper is unpacked.

    Reports keys that stand beside and inside the wrapper, containerlab fields inside it, and misspelt fields.
    """
    found: dict[str, Any] = {}
    for key, (key_node, value) in node.entries.items():
        if key == fields.WRAPPER or key in fields.VOCABULARY:
            continue
        _warn_misspelt(context, block, key, key_node)
        found[key] = _value(context, block, key, value)
    wrapper = node.get(fields.WRAPPER)
    if wrapper is not None:
        _unpack(context, block, wrapper, found)
    return found


def _unpack(context: Context, block: str, wrapper: Node, found: dict[str, Any]) -> None:
    if not isinstance(wrapper, Mapping):
        message = f"{fields.WRAPPER} must be a mapping of the kind's keys"
        context.error("invalid-kind-config", f"topology.{block}.{fields.WRAPPER}", message, wrapper)
        return
    for key, (key_node, value) in wrapper.entries.items():
        if key in fields.VOCABULARY:
            message = f"{key!r} is a containerlab field, not a key of the kind; write it beside {fields.WRAPPER}"
            context.error("unsupported-field", key, message, key_node)
        elif key in found:
            message = f"{key!r} stands beside and inside {fields.WRAPPER}"
            context.error("duplicate-kind-config", f"topology.{block}.{key}", message, key_node)
        else:
            convert.checked_key(context, f"topology.{block}.{key}", key_node)
            found[key] = _value(context, block, key, value)


def _value(context: Context, block: str, key: str, value: Node) -> Any:
    path = f"topology.{block}.{key}"
    if key == fields.COMPONENTS:
        return components(context, path, value)
    return convert.anything(context, path, value)


def _warn_misspelt(context: Context, block: str, key: str, key_node: Scalar) -> None:
    if (field := near_field(key)) is not None:
        message = f"{key!r} is taken as a key of the node's kind; was the field {field!r} meant?"
        context.warning("misspelt-field", f"topology.{block}.{key}", message, key_node)


@functools.lru_cache(maxsize=1024)  # fabrics repeat the keys of their kind ten thousand times
def near_field(key: str) -> str | None:
    """Give the containerlab field that a key looks like, if there is one."""
    plain = key.lower().replace("_", "-")
    if plain in fields.VOCABULARY:
        return plain
    shortest = _SHORT + 1 if len(plain) <= _SHORT else len(plain) - 1
    candidates = [
        name for length in range(shortest, len(plain) + 2) for name in _BY_LENGTH.get(length, ())
    ]
    return min((name for name in candidates if _within_one_edit(plain, name)), default=None)


def _within_one_edit(one: str, two: str) -> bool:
    """Tell whether one insertion, deletion, change or swap of neighbours leads from one to the other."""
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    rest_one, rest_two = one[start:], two[start:]
    return (
        rest_one[1:] == rest_two[1:]
        or rest_one[1:] == rest_two
        or rest_one == rest_two[1:]
        or (rest_one[:2] == rest_two[:2][::-1] and rest_one[2:] == rest_two[2:])
    )


def components(context: Context, path: str, node: Node) -> list[dict[str, Any]]:
    """Read the typed list of components; an empty list clears what would be inherited."""
    return _slots(context, path, node, _component)


def _slots(context: Context, path: str, node: Node, read: Any) -> list[dict[str, Any]]:
    if is_null(node):
        return []
    if not isinstance(node, Sequence):
        _bad(context, path, "must be a list", node)
        return []
    found: list[dict[str, Any]] = []
    seen: set[Any] = set()
    for index, item in enumerate(node.items):
        if not isinstance(item, Mapping):
            _bad(context, f"{path}[{index}]", "must be a mapping", item)
            continue
        entry = read(context, f"{path}[{index}]", item)
        slot = entry.get("slot")
        if slot is not None and slot in seen:
            _bad(
                context,
                f"{path}[{index}].slot",
                f"slot {slot!r} is given twice",
                item.get("slot") or item,
            )
        seen.add(slot)
        found.append(entry)
    return found


def _component(context: Context, path: str, node: Mapping) -> dict[str, Any]:
    readers = {
        "slot": convert.text,
        "type": convert.text,
        "env": convert.text_map,
        "cpu": _count,
        "ram": _count,
        "max-nics": _count,
        "mda": lambda c, p, n: _slots(c, p, n, _card),
        "xiom": lambda c, p, n: _slots(c, p, n, _xiom),
    }
    return _read(context, path, node, readers)


def _card(context: Context, path: str, node: Mapping) -> dict[str, Any]:
    return _checked_card(context, path, node, {"slot": _count, "type": convert.text})


def _xiom(context: Context, path: str, node: Mapping) -> dict[str, Any]:
    readers = {"slot": _count, "type": convert.text, "mda": lambda c, p, n: _slots(c, p, n, _card)}
    return _checked_card(context, path, node, readers)


def _checked_card(
    context: Context, path: str, node: Mapping, readers: dict[str, Any]
) -> dict[str, Any]:
    entry = _read(context, path, node, readers)
    if not entry.get("slot"):
        _bad(context, f"{path}.slot", "must be a whole number above 0", node.get("slot") or node)
    if not entry.get("type"):
        _bad(context, f"{path}.type", "is required", node.get("type") or node)
    return entry


def _read(context: Context, path: str, node: Mapping, readers: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    for key, (key_node, value) in node.entries.items():
        if key not in readers:
            _bad(context, f"{path}.{key}", f"unknown key {key!r}", key_node)
        elif converted := readers[key](context, f"{path}.{key}", value):
            entry[key] = converted
    return entry


def _count(context: Context, path: str, node: Node) -> int | None:
    return convert.unsigned(context, path, node)


def _bad(context: Context, path: str, message: str, node: Node) -> None:
    context.error("invalid-components", path, message, node)
