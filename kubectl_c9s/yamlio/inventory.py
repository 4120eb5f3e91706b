"""The inventory of a rendered directory: which files are ours, and what we wrote into them.

It is JSON under a name without an ending, so that ``kubectl apply -f DIR`` does not take it for a
manifest. The text depends on the files alone: no time, no version of the tool.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

INVENTORY: Final = ".c9s-inventory"
_FORMAT: Final = 1
_KEYS: Final = frozenset({"format", "lab", "namespace", "layout", "files", "stale"})
# Every path we write has this shape; a path of another shape in an inventory is not from us.
_PATH: Final = re.compile(r"(?:[A-Za-z0-9_][-A-Za-z0-9._]*/){0,3}[A-Za-z0-9_][-A-Za-z0-9._]*\.yaml")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class Inventory(NamedTuple):
    """What a directory holds of ours: path → SHA-256 of the bytes, in hex.

    ``stale`` are files of earlier renderings that the present one lacks and nobody has pruned.
    ``namespace`` is ``""`` if the lab has none.
    """

    lab: str
    namespace: str
    layout: str
    files: Mapping[str, str]
    stale: Mapping[str, str]

    def owned(self) -> dict[str, str]:
        """Give every file of ours, stale or not."""
        return {**self.stale, **self.files}


def is_own_path(path: str) -> bool:
    """Tell whether we would write such a path: relative, plain, nothing hidden, ends in ``.yaml``."""
    return _PATH.fullmatch(path) is not None


def dump_inventory(inventory: Inventory) -> str:
    """Write an inventory, a line a file, so that Git can merge it; ends in a line feed."""
    return json.dumps({"format": _FORMAT, **inventory._asdict()}, indent=2, sort_keys=True) + "\n"


def parse_inventory(text: str | bytes) -> Inventory:
    """Read an inventory. ValueError, with the reason, for a text that ``dump_inventory`` cannot give."""
    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(value, dict) or value.keys() != _KEYS:
        raise ValueError("not an inventory")
    if value["format"] != _FORMAT:
        raise ValueError(f"format {value['format']!r} is not known")
    for key in ("lab", "namespace", "layout"):
        if not isinstance(value[key], str):
            raise ValueError(f"{key} is no text")  # noqa: TRY004 - what callers catch
    for key in ("files", "stale"):
        _check_files(key, value[key])
    del value["format"]
    return Inventory(**value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _check_files(key: str, files: object) -> None:
    if not isinstance(files, dict):
        raise ValueError(f"{key} is no mapping")  # noqa: TRY004 - what callers catch
    for path, digest in files.items():
        if not is_own_path(path):
            raise ValueError(f"{key} has the path {path!r}, which is not one of ours")
        if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
            raise ValueError(f"{key}: the digest of {path} is none")
