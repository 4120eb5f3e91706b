"""KRM ResourceLists in and out (conventions.md §5); what is not changed keeps its bytes, comments included.

A list in block style, which orchestrators write, is cut into lines (``blocklist``). Any other (JSON, flow style,
aliases) is written anew from its data as JSON, which is YAML too; JSON has no comments to lose.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NoReturn

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Finding, Position
from kubectl_c9s.yamlio.blocklist import BlockList, cut
from kubectl_c9s.yamlio.members import Member, named, text_at
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.reader import Document, read_text
from kubectl_c9s.yamlio.values import json_value

if TYPE_CHECKING:
    from collections.abc import Mapping as MappingType
    from collections.abc import Sequence as SequenceType

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.members import Replaced
    from kubectl_c9s.yamlio.nodes import Node

KIND: Final = "ResourceList"
API_VERSIONS: Final = ("config.kubernetes.io/v1", "config.kubernetes.io/v1beta1")
STDIN: Final = "<stdin>"


class ResourceList:
    """A list as read: ``members`` are its items, ``config`` is its function config, None without one."""

    def __init__(self, root: Mapping, block: BlockList | None, document: Document) -> None:
        self._root = root
        self._block = block
        self._document = document
        self.members = [self._member(node) for node in _items(document, root)]
        found = root.get("functionConfig")
        self.config = self._member(found) if isinstance(found, Mapping) else None

    def _member(self, node: Node) -> Member:
        document = self._document._replace(root=node)
        # In flow style objects share lines: places stay those of the whole text.
        return named(document, node.line, node.column) if self._block else Member(document)

    def write(
        self,
        replaced: Replaced,
        added: SequenceType[KubeObject],
        results: SequenceType[MappingType[str, Any]],
    ) -> str:
        """Write the list with some items replaced, others added behind, and results behind those it had."""
        known = self._root.get("results")
        earlier = json_value(known) if isinstance(known, Sequence) else []
        if self._block is not None:
            return self._block.write(replaced, added, [*earlier, *results] if results else None)
        whole = json_value(self._root)
        items: list[Any] = []
        for index, item in enumerate(whole.get("items") or ()):
            items += replaced.get(index, [item])
        whole["items"] = [*items, *added]
        if results:
            whole["results"] = [*earlier, *results]
        return json.dumps(whole, indent=2) + "\n"


def read_resource_list(text: str) -> ResourceList:
    """Read a ResourceList; RefusedInput, with the place, for anything else."""
    stream = read_text(text, STDIN)
    documents = [one for one in stream if one.root is not None]
    if not documents:
        _refuse("stdin is empty; a function is given a ResourceList there", Position(STDIN))
    document = documents[0]
    root = document.root
    if not isinstance(root, Mapping) or text_at(root, "kind") != KIND:
        _refuse("the input is no ResourceList", document.position(root))
    if text_at(root, "apiVersion") not in API_VERSIONS:
        wanted = " or ".join(API_VERSIONS)
        _refuse(
            f"the ResourceList has to be of version {wanted}",
            document.position(root.get("apiVersion") or root),
        )
    if len(documents) > 1:
        _refuse(
            "there is a second document after the ResourceList",
            documents[1].position(documents[1].root),
        )
    listed = root.get("items")
    block = (
        cut(text, root, listed if isinstance(listed, Sequence) else None)
        if len(stream) == 1
        else None
    )
    return ResourceList(root, block, document)


def bare_list(results: SequenceType[MappingType[str, Any]]) -> str:
    """Write an answer to an input that could not be read: no items, only results."""
    answer = {"apiVersion": API_VERSIONS[0], "kind": KIND, "items": [], "results": list(results)}
    return json.dumps(answer, indent=2) + "\n"


def _items(document: Document, root: Mapping) -> list[Node]:
    listed = root.get("items")
    if listed is None or (
        isinstance(listed, Scalar) and listed.plain and json_value(listed) is None
    ):
        return []
    if not isinstance(listed, Sequence):
        _refuse("items has to be a list", document.position(listed))
    for item in listed.items:
        if not isinstance(item, Mapping):
            _refuse("every item has to be an object", document.position(item))
    return listed.items


def _refuse(message: str, place: Position) -> NoReturn:
    raise RefusedInput(message, [Finding("error", "invalid-resource-list", "", message, place)])
