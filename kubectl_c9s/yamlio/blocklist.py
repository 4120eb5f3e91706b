"""A ResourceList in block style as lines that can be kept, replaced and added to.

An item goes from its dash to the dash of the next one, so a comment stands with what is before it. The comments
at the end of an item that is replaced stay: they are about what follows.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import yaml

from kubectl_c9s.yamlio.writer import Writer, dump

if TYPE_CHECKING:
    from collections.abc import Mapping as MappingType
    from collections.abc import Sequence as SequenceType

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.members import Replaced
    from kubectl_c9s.yamlio.nodes import Mapping, Node, Sequence

_BREAK: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")  # as the parser counts lines
_DASH: Final = re.compile("( *)- +")
_LONE_DASH: Final = re.compile(r"( *)-[ \t]*(?:#.*)?\r?$", re.MULTILINE)
_COMMENT: Final = re.compile(r"[ \t]*(?:#.*)?\r?$", re.MULTILINE)
_DOCUMENT_END: Final = re.compile(r"^\.\.\.", re.MULTILINE)
_LIKE_AN_ALIAS: Final = re.compile(r"(?:^|[\s\[{,:])\*[^\s,\[\]{}]", re.MULTILINE)
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Region(NamedTuple):
    """A key of the list with its lines: ``head`` up to the first item, then a text for each item."""

    key: str
    head: str
    items: tuple[str, ...] = ()

    def text(self) -> str:
        """Give the lines as they were."""
        return "".join((self.head, *self.items))


class BlockList:
    """The text of a list: what stands before the first key, then a region for each key."""

    def __init__(self, head: str, regions: SequenceType[Region], indent: str) -> None:
        self._head = head
        self._regions = list(regions)
        if all(region.key != "items" for region in regions):
            self._regions.append(Region("items", ""))
        self._indent = indent

    def write(
        self,
        replaced: Replaced,
        added: SequenceType[KubeObject],
        results: SequenceType[MappingType[str, Any]] | None,
    ) -> str:
        """Write the list; None leaves the results as they are."""
        text = self._head
        for region in self._regions:
            if region.key == "items" and (replaced or added or not region.head):
                text = _ended(text) + self._items(region, replaced, added)
            elif region.key != "results" or results is None:
                text = (_ended(text) if text else "") + region.text()
        return text if results is None else _ended(text) + dump({"results": list(results)})

    def _items(self, region: Region, replaced: Replaced, added: SequenceType[KubeObject]) -> str:
        writer = Writer()
        parts: list[str] = []
        for index, text in enumerate(region.items):
            new = [self._as_item(writer, obj) for obj in replaced.get(index, ())]
            parts += (
                [*new, _comments_behind(text, self._indent)]
                if index in replaced
                else [_ended(text)]
            )
        if not region.items:
            # "items: []" and the like: what it says is said anew, what stands below it is kept.
            comments = _comments_behind(region.head.partition("\n")[2], "")
            parts = [self._as_item(writer, obj) for obj in added] + [comments]
            return ("items:\n" if added else "items: []\n") + "".join(parts)
        parts += [self._as_item(writer, obj) for obj in added]
        nothing_left = (
            not added
            and all(not new for new in replaced.values())
            and len(replaced) == len(region.items)
        )
        return ("items: []\n" if nothing_left else region.head) + "".join(parts)

    def _as_item(self, writer: Writer, obj: KubeObject) -> str:
        first, *lines = writer.document(obj).removesuffix("\n").split("\n")
        deeper = f"\n{self._indent}  "
        return (
            f"{self._indent}- {first}"
            + "".join(deeper + line if line else "\n" for line in lines)
            + "\n"
        )


def cut(text: str, root: Mapping, items: Sequence | None) -> BlockList | None:
    """Cut a list into regions; None if it is not in block style, or parts of it refer to each other.

    ``items`` is the node under that key, None if there is none or it is empty.
    """
    keys = sorted((key.line, name, key.column) for name, (key, _) in root.entries.items())
    if any(column for _, _, column in keys) or _DOCUMENT_END.search(text) or _has_aliases(text):
        return None
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    if text.startswith("{", starts[root.line] + root.column):
        return None
    nodes = items.items if items else []
    firsts = [_dash(text, starts, node) for node in nodes]
    indents = {found.group(1) for found in firsts if found}
    if len(indents) > 1 or not all(firsts) or len({node.line for node in nodes}) < len(nodes):
        return None
    ends = [starts[line] for line, _, _ in keys] + [len(text)]
    regions = []
    for (_, name, _), start, end in zip(keys, ends, ends[1:], strict=False):
        marks = [found.start() for found in firsts if found] if name == "items" else []
        marks.append(end)
        pieces = tuple(text[one:other] for one, other in pairwise(marks))
        regions.append(Region(name, text[start : marks[0]], pieces))
    return BlockList(text[: ends[0]], regions, indents.pop() if indents else "")


def _dash(text: str, starts: list[int], node: Node) -> re.Match[str] | None:
    """Find the line with the dash of an item: its own, or one above it with nothing but comments between."""
    line = node.line
    if found := _DASH.fullmatch(text, starts[line], starts[line] + node.column):
        return found
    while line > 0:
        line -= 1
        if found := _LONE_DASH.match(text, starts[line]):
            return found
        if not _COMMENT.match(text, starts[line]):
            return None
    return None


def _has_aliases(text: str) -> bool:
    """Tell whether the text has an alias; only a text that may have one is looked at with the parser."""
    if not _LIKE_AN_ALIAS.search(text):
        return False
    return any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, _LOADER))


def _comments_behind(text: str, indent: str) -> str:
    """Give the comment lines at the end of an item's text, no deeper than its dash, where no value can reach."""
    kept: list[str] = []
    for line in reversed(text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")):
        stripped = line.strip()
        if stripped and (
            not stripped.startswith("#") or len(line) - len(line.lstrip(" ")) > len(indent)
        ):
            break
        kept.insert(0, line)
    while kept and not kept[0].strip():
        del kept[0]
    return "".join(f"{line}\n" for line in kept)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
