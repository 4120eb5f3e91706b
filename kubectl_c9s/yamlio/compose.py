"""Composing positioned nodes from parser events, within budgets.

Everything that could make a small input large is counted before it is built: nodes, depth and what the aliases
would expand to. An alias gives the same node again, so nothing is copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from yaml import events as ev

from kubectl_c9s.yamlio.nodes import Mapping, Node, Scalar, Sequence
from kubectl_c9s.yamlio.refusals import (
    Misplaced,
    check_collection_tag,
    check_scalar_tag,
    refuse_duplicate,
    refuse_key,
    shortened,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Budget(NamedTuple):
    """Limits of one input: nodes as written, nesting, and nodes that aliases may add."""

    nodes: int = 600_000
    depth: int = 64
    alias_floor: int = 100_000
    alias_factor: int = 20


class Composer:
    """Turns a stream of events into documents."""

    def __init__(self, get_event: Callable[[], Any], budget: Budget) -> None:
        self._next = get_event
        self._budget = budget
        self._count = 0
        self._added = 0
        self._anchors: dict[str, Node] = {}
        self._sizes: dict[int, tuple[int, int]] = {}
        self._merged: list[Node] = []

    def documents(self) -> Iterator[tuple[Node | None, int]]:
        """Give (root, character offset of the start) of each document."""
        while True:
            event = self._next()
            kind = event.__class__
            if kind is ev.DocumentStartEvent:
                yield self._document(), event.start_mark.index
            elif kind is ev.StreamEndEvent:
                return

    def _document(self) -> Node | None:
        self._anchors = {}
        self._sizes = {}
        self._merged = []
        root = self._compose()
        empty = isinstance(root, Scalar) and root.plain and not root.text
        return None if empty else root

    def _compose(self) -> Node:  # noqa: C901, PLR0912, PLR0915 - one state machine; calls here cost a fifth of a run
        """Read one document's events; ``holder`` is the open collection, ``key`` its pending key.

        The hot loop of every command that reads YAML: what is rare is a call, what is common stands here.
        """
        get, limit, anchors = self._next, self._budget.nodes, self._anchors
        scalar, mapping, sequence = ev.ScalarEvent, ev.MappingStartEvent, ev.SequenceStartEvent
        mapping_end, sequence_end = ev.MappingEndEvent, ev.SequenceEndEvent
        top = Sequence(0, 0)
        holder: Any = top
        key: Scalar | None = None
        stack: list[tuple[Any, Scalar | None]] = []
        in_mapping = False
        count = self._count
        while True:
            event = get()
            kind = event.__class__
            node: Any
            if kind is scalar:
                count += 1
                mark = event.start_mark
                node = Scalar(event.value, event.implicit[0], mark.line, mark.column, event.style)
                if event.tag is not None:
                    check_scalar_tag(node, event.tag)
                if event.anchor is not None:
                    anchors[event.anchor] = node
                if not in_mapping:
                    holder.items.append(node)
                elif key is not None:
                    holder.entries[key.text] = (key, node)
                    key = None
                else:
                    if node.text in holder.entries:
                        refuse_duplicate(node, holder.entries[node.text][0])
                    key = node
                if count > limit:
                    self._refuse_size(node, 0)
            elif kind is mapping or kind is sequence:
                count += 1
                mark = event.start_mark
                node = (
                    Mapping(mark.line, mark.column)
                    if kind is mapping
                    else Sequence(mark.line, mark.column)
                )
                if event.tag is not None:
                    check_collection_tag(event.tag, node)
                if event.anchor is not None:
                    anchors[event.anchor] = node
                if in_mapping:
                    if key is None:
                        refuse_key(node)
                    holder.entries[key.text] = (key, node)
                else:
                    holder.items.append(node)
                stack.append((holder, None))
                if len(stack) > self._budget.depth or count > limit:
                    self._refuse_size(node, len(stack))
                holder, key, in_mapping = node, None, kind is mapping
            elif kind is mapping_end or kind is sequence_end:
                if in_mapping and _MERGE in holder.entries:
                    self._merge(holder, count)
                holder, key = stack.pop()
                in_mapping = holder.__class__ is Mapping
            elif kind is ev.AliasEvent:
                node = self._aliased(event, [holder, *(one for one, _ in stack)], count)
                if not in_mapping:
                    holder.aliased.add(len(holder.items))
                    holder.items.append(node)
                elif key is None:
                    key = _alias_key(holder, node, event.start_mark)
                else:
                    holder.entries[key.text] = (key, node)
                    key = None
            else:
                self._count = count
                if count > limit:
                    self._refuse_size(top.items[0], 0)
                return top.items[0]

    def _refuse_size(self, node: Node, depth: int) -> NoReturn:
        budget = self._budget
        message = (
            f"nested deeper than {budget.depth} levels"
            if depth > budget.depth
            else f"more than {budget.nodes} nodes"
        )
        raise Misplaced("yaml-budget", message, node.line, node.column)

    def _aliased(self, event: Any, holders: list[Any], count: int) -> Node:
        mark = event.start_mark
        node = self._anchors.get(event.anchor)
        if node is None:
            raise Misplaced(
                "invalid-yaml",
                f"alias {shortened(event.anchor)} has no anchor",
                mark.line,
                mark.column,
            )
        if any(node is holder for holder in holders):
            raise Misplaced(
                "yaml-budget",
                f"alias {shortened(event.anchor)} contains itself",
                mark.line,
                mark.column,
            )
        size, height = self._measure(node)
        self._added += size
        budget = self._budget
        if self._added > budget.alias_floor + budget.alias_factor * count:
            raise Misplaced(
                "yaml-budget", "the aliases expand to too many nodes", mark.line, mark.column
            )
        if len(holders) + height > budget.depth + 1:
            raise Misplaced(
                "yaml-budget", f"nested deeper than {budget.depth} levels", mark.line, mark.column
            )
        return node

    def _measure(self, node: Node) -> tuple[int, int]:
        """Give (nodes after expansion, height) of a finished node; depth is bounded, so this may recurse."""
        if isinstance(node, Scalar):
            return 1, 0
        if (known := self._sizes.get(id(node))) is not None:
            return known
        children = (
            [value for _, value in node.entries.values()]
            if isinstance(node, Mapping)
            else node.items
        )
        measured = [self._measure(child) for child in children]
        found = (
            1 + sum(size for size, _ in measured),
            1 + max((height for _, height in measured), default=0),
        )
        self._sizes[id(node)] = found
        return found

    def _merge(self, holder: Mapping, count: int) -> None:
        key, value = holder.entries[_MERGE]
        if not key.plain:
            return
        del holder.entries[_MERGE]
        # Sizes are kept by id(): a node that was measured may not make room for another.
        self._merged.append(value)
        sources = value.items if isinstance(value, Sequence) else [value]
        for source in sources:
            if not isinstance(source, Mapping):
                message = "a merge key takes a mapping or a list of mappings"
                raise Misplaced("invalid-yaml", message, value.line, value.column)
            self._added += len(source.entries)
            for name, entry in source.entries.items():
                holder.entries.setdefault(name, entry)
        if self._added > self._budget.alias_floor + self._budget.alias_factor * count:
            raise Misplaced(
                "yaml-budget", "the merge keys expand to too many nodes", key.line, key.column
            )


_MERGE: Final = "<<"


def _alias_key(holder: Any, node: Node, mark: Any) -> Scalar:
    """Take an alias as a key; it stands where the alias stands."""
    if not isinstance(node, Scalar):
        refuse_key(node)
    key = Scalar(node.text, node.plain, mark.line, mark.column, node.style)
    if key.text in holder.entries:
        refuse_duplicate(key, holder.entries[key.text][0])
    return key
