"""Changes of single fields of an object: what they are, and what they make of its nodes.

Paths are those before any of the changes. Nodes keep their places, so that a finding about the changed object still
points at the text that was read. ``fieldsplices`` makes the same changes in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Mapping as MappingType

    from kubectl_c9s.yamlio.listed import Step
    from kubectl_c9s.yamlio.nodes import Node

    Path: TypeAlias = tuple[Step, ...]


class Put(NamedTuple):
    """Give the scalar at ``path`` another text, which is a string; quotes stay as they are."""

    path: Path
    text: str


class Add(NamedTuple):
    """Give the mapping below ``keys``, which is made where it is missing, one more field that is a string."""

    keys: tuple[str, ...]
    field: str
    text: str

    @property
    def path(self) -> Path:
        """Give the path of the new field."""
        return (*self.keys, self.field)


class Drop(NamedTuple):
    """Take the entry at ``path`` out of its mapping.

    ``holder`` takes out the mapping, too, if nothing is left in it, not even a comment.
    """

    path: Path
    holder: bool = False


class Rename(NamedTuple):
    """Call the entry at ``path`` by another key, at the same place."""

    path: Path
    key: str


class Wrap(NamedTuple):
    """Put the entry at ``path`` into a new mapping at its place: ``outer``, in which it is called ``inner``."""

    path: Path
    outer: str
    inner: str


Edit: TypeAlias = Put | Add | Drop | Rename | Wrap


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Sort edits so that the path of each still leads somewhere: new keys come last."""
    return sorted(edits, key=lambda edit: isinstance(edit, Rename | Wrap))


def edited(root: Mapping, edits: Iterable[Edit]) -> Mapping:
    """Give an object with changes made; what it shares with other objects of the document stays as it is there."""
    for edit in in_order(edits):
        root = cast("Mapping", _with(root, edit.path, edit))
    return root


def with_items(root: Node, path: Path, items: MappingType[int, Node]) -> Node:
    """Give a document in which other nodes stand at these places of the sequence at ``path``."""

    def change(node: Node) -> Node:
        copy = _copied_sequence(node)
        for index, item in items.items():
            copy.items[index] = item
        return copy

    return _along(root, path, change)


def _with(root: Node, path: Path, edit: Edit) -> Node:
    def change(holder: Node) -> Node:
        return _changed(holder, path[-1], edit)

    return _along(root, path[:-1], change)


def _along(node: Node, path: Path, change: Callable[[Node], Node]) -> Node:
    """Copy the nodes on the way and change the last one; a mapping that is missing is made."""
    if not path:
        return change(node)
    step, rest = path[0], path[1:]
    if isinstance(node, Sequence):
        index = cast("int", step)
        copy = _copied_sequence(node)
        copy.items[index] = _along(copy.items[index], rest, change)
        return copy
    mapping, key = _copied(node), str(step)
    name, value = mapping.entries.get(key, (_string(key, node), Mapping(node.line, node.column)))
    mapping.entries[key] = name, _along(value, rest, change)
    return mapping


def _copied_sequence(node: Node) -> Sequence:
    assert isinstance(node, Sequence)  # noqa: S101 - a path leads through what is there
    copy = Sequence(node.line, node.column)
    copy.items, copy.aliased = list(node.items), set(node.aliased)
    return copy


def _copied(node: Node) -> Mapping:
    """Copy a mapping; a null that is to have entries becomes an empty one."""
    copy = Mapping(node.line, node.column)
    if isinstance(node, Mapping):
        copy.entries = dict(node.entries)
    return copy


def _changed(holder: Node, step: Step, edit: Edit) -> Node:
    if isinstance(holder, Sequence) and isinstance(edit, Put):
        copy = _copied_sequence(holder)
        index = cast("int", step)
        copy.items[index] = _string(edit.text, copy.items[index])
        return copy
    mapping, key = _copied(holder), str(step)
    if isinstance(edit, Add):
        mapping.entries[key] = _string(key, holder), _string(edit.text, holder)
    elif isinstance(edit, Put):
        name, value = mapping.entries[key]
        mapping.entries[key] = name, _string(edit.text, value)
    elif isinstance(edit, Drop):
        del mapping.entries[key]
    else:
        mapping.entries = dict(_renamed(one, key, edit) for one in mapping.entries.items())
    return mapping


def _renamed(
    entry: tuple[str, tuple[Scalar, Node]], key: str, edit: Rename | Wrap
) -> tuple[str, tuple[Scalar, Node]]:
    text, (name, value) = entry
    if text != key:
        return entry
    if isinstance(edit, Rename):
        return edit.key, (_string(edit.key, name), value)
    inside = Mapping(name.line, name.column)
    inside.entries[edit.inner] = _string(edit.inner, name), value
    return edit.outer, (_string(edit.outer, name), inside)


def _string(text: str, place: Node) -> Scalar:
    return Scalar(text, False, place.line, place.column)  # noqa: FBT003 - as the reader makes them
