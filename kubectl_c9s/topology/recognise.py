"""Telling a containerlab file from other documents (staging.md D); light, because every input passes here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.yamlio.nodes import Mapping

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node

_TOPOLOGY_KEY: Final = re.compile(r"^topology[ \t]*:", re.MULTILINE)
_OBJECT_KEY: Final = re.compile(r"^(apiVersion|kind)[ \t]*:", re.MULTILINE)


def is_bare(root: Node | None) -> bool:
    """Tell whether a document is a containerlab file: it has ``topology`` and is no Kubernetes object."""
    if not isinstance(root, Mapping) or "topology" not in root.entries:
        return False
    return not ({"apiVersion", "kind"} & root.entries.keys())


def may_be_bare(text: str) -> bool:
    """Tell the same of a text that is no YAML before its variables are replaced."""
    return _TOPOLOGY_KEY.search(text) is not None and _OBJECT_KEY.search(text) is None
