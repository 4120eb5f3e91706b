"""Staging: which local files a bare lab names, and what becomes of them (staging.md B, D).

Pure: the files themselves are looked at by the caller. ``requests`` says what to look for, ``Stager`` takes what
was found and decides on ConfigMaps, entries of Nodes, changed values and findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.topology import labpaths
from kubectl_c9s.topology.fields import WRAPPER
from kubectl_c9s.topology.flatten import bind_destination
from kubectl_c9s.topology.policy import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kubectl_c9s.topology.flatten import Flat, Flattener
    from kubectl_c9s.yamlio.nodes import Node

MAX_FILE_BYTES: Final = 950_000
FLASH: Final = "copy-to-flash"


class Request(NamedTuple):
    """One value of one node that names something to stage.

    ``node`` is the written name, ``path`` the finding path after ``topology.nodes.<node>.``, ``written`` the value
    as written, ``shown`` the path after variable replacement (for texts and URLs the one the device finds);
    ``text`` is set for an inline text and ``url``, with variables replaced, for a URL. ``at`` is where it was written.
    """

    node: str
    field: str
    path: str
    written: str
    shown: str
    text: str | None
    url: str | None
    at: Node | None


def requests(lab: str, nodes: Mapping[str, Flat], flattener: Flattener) -> Iterator[Request]:
    """Give what each node names, in name order; values are those after inheritance."""
    for node in sorted(nodes):
        values = nodes[node].values
        for field in ("startup-config", "license"):
            if value := values.get(field):
                yield _single(lab, node, field, value, flattener)
        for field, path, written, value in _listed(nodes[node]):
            shown = labpaths.replace_variables(value, lab, node)
            at = _origin(flattener, node, field, written)
            yield Request(node, field, path, value, shown, None, None, at)


def _single(lab: str, node: str, field: str, value: str, flattener: Flattener) -> Request:
    at = origin_of(flattener, node, field, value)
    if "\n" in value:
        inline = field == "startup-config"
        shown = labpaths.INLINE_CONFIG_PATH if inline else labpaths.embedded_license_path(node)
        return Request(node, field, field, value, shown, value, None, at)
    shown = labpaths.replace_variables(value, lab, node)
    if labpaths.is_url(shown):
        path = f"/clabernetes/{node}/{field}/{labpaths.url_file_name(shown)}"
        return Request(node, field, field, value, path, None, shown, at)
    return Request(node, field, field, value, shown, None, None, at)


def _listed(flat: Flat) -> Iterator[tuple[str, str, str, str]]:
    """Give (field, path, item as written, what it names) of the fields that are lists."""
    for index, bind in enumerate(flat.values.get("binds", ())):
        source = bind.partition(":")[0]
        if source and bind_destination(bind) is not None:
            yield "binds", f"binds[{index}]", bind, source
    for field, items in (
        ("env-files", flat.values.get("env-files", ())),
        (FLASH, flat.owned.get(FLASH, ())),
    ):
        for index, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, str) and item.strip():
                yield field, f"{field}[{index}]", item, item


def _origin(flattener: Flattener, node: str, field: str, item: str) -> Node | None:
    """Find an item; a key of the kind may stand in the wrapper, then its key is the place."""
    return origin_of(flattener, node, field, item) or origin_of(flattener, node, WRAPPER, field)


def rewritten(flat: Flat, lab: str, node: str, paths: Mapping[str, str]) -> Flat:
    """Give a node with the values that staging changes; ``paths`` maps fields to the paths they now have.

    Bind sources get their variables replaced, because the planner compares them with paths as they are.
    """
    variables = any("__clab" in bind for bind in flat.values.get("binds", ()))
    if not paths and not variables:
        return flat  # still shared with the nodes that are like it
    values: dict[str, Any] = {**flat.values, **paths}
    if variables:
        values["binds"] = sorted(_replace_source(bind, lab, node) for bind in values["binds"])
    return flat._replace(values=values)


def _replace_source(bind: str, lab: str, node: str) -> str:
    source, colon, rest = bind.partition(":")
    return labpaths.replace_variables(source, lab, node) + colon + rest
