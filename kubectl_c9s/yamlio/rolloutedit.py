"""Changing the rollout limits of a manifest in place: only the characters of the limits change.

What is behind ``rollout set -f FILE --in-place`` (cli.md, rollout). Comments, order, quoting, indentation, line ends,
a byte order mark and a missing line break at the end stay as they are.
"""

from __future__ import annotations

import codecs
import re
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Finding, Position
from kubectl_c9s.yamlio.nodes import Scalar
from kubectl_c9s.yamlio.readback import content, fault, says
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.refusals import Misplaced
from kubectl_c9s.yamlio.rollouttarget import find_home, limit_of
from kubectl_c9s.yamlio.scalars import resolve
from kubectl_c9s.yamlio.splices import spliced
from kubectl_c9s.yamlio.spots import BREAK
from kubectl_c9s.yamlio.spottree import read_spots
from kubectl_c9s.yamlio.spotwalk import Walk

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document
    from kubectl_c9s.yamlio.rollouttarget import Home, Target


class Leave(Enum):
    """What can become of a limit beside a new number."""

    AS_IT_IS = "as-it-is"
    OUT = "out"


Limit: TypeAlias = int | Leave
"""``Leave.AS_IT_IS``, ``Leave.OUT`` to remove the field, or its new number, 0 to 2147483647."""


class Change(NamedTuple):
    """What is to become of the limits.

    Without its last field ``rollout`` stays as ``rollout: {}``: with the chart's merge mode an empty block keeps the
    chart from filling in its own limits, as the block with the field did (config-and-chart.md §2). ``drop_empty``
    removes ``rollout``, too, if this change takes its last field.
    """

    batch_size: Limit = Leave.AS_IT_IS
    max_concurrent_per_host: Limit = Leave.AS_IT_IS
    drop_empty: bool = False


_Limits: TypeAlias = dict[str, int | None]
"""Fields that really change; None removes one. New numbers come first, so that a mapping is not empty in between."""

# As everybody reads it: 010 is 8 for some and 10 for others, 5.0 is no integer.
_INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+")


def edit_rollout(data: bytes, file: str, target: Target, change: Change) -> bytes:
    """Give the bytes of a YAML or JSON file with other rollout limits; the same bytes if they are so already.

    ``file`` is its name in findings. The file may be a stream, and objects may stand in a List. RefusedInput: what
    ``reader.read_documents`` refuses; no target or several of them; ``rollout`` or what is around it comes from an
    alias or a merge key, or is used by one; a value of another type; a rare form of writing. C9sError if reading
    the result back does not give the old data with the wanted change, which would be a fault of ours.
    """
    documents = read_documents(data, file)
    home = find_home(documents, file, target)
    limits = _needed(home, change)
    if not limits:
        return data
    document = documents[home.document]
    try:
        changed = _changed(document, home, limits, drop_empty=change.drop_empty)
    except Misplaced as error:
        place = Position(file, error.line + 1, error.column + 1)
        raise RefusedInput(
            error.message, [Finding("error", error.code, "", error.message, place)]
        ) from None
    except ValueError:
        raise fault(file) from None
    text = document.text[: document.start] + changed + document.text[document.end :]
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    result = mark + text.encode()
    expected = [content(one.root) for one in documents]
    _expect(expected[home.document], home, limits, drop_empty=change.drop_empty)
    if not says(result, file, expected):
        raise fault(file)
    return result


def _needed(home: Home, change: Change) -> _Limits:
    wanted = {
        "batchSize": change.batch_size,
        "maxConcurrentPerHost": change.max_concurrent_per_host,
    }
    limits: _Limits = {
        field: number
        for field, number in wanted.items()
        if isinstance(number, int) and not _is_integer(limit_of(home, field), number)
    }
    for field, number in wanted.items():
        if number is Leave.OUT and limit_of(home, field) is not None:
            limits[field] = None
    return limits


def _is_integer(node: Node | None, number: int) -> bool:
    return (
        isinstance(node, Scalar)
        and node.plain
        and _INTEGER.fullmatch(node.text) is not None
        and resolve(node.text, "kubectl") == number
    )


def _changed(document: Document, home: Home, limits: _Limits, *, drop_empty: bool) -> str:
    """Give the text of the document with the limits changed, one after the other."""
    text = document.text[document.start : document.end]
    line = sum(1 for _ in BREAK.finditer(document.text, 0, document.start))
    for field, number in limits.items():
        walk = Walk(read_spots(text, line), home.path)
        if number is None:
            found = walk.remove(home.keys, field, drop_empty=drop_empty)
        else:
            found = walk.set(home.keys, field, str(number))
        text = spliced(text, found)
    return text


def _expect(value: Any, home: Home, limits: _Limits, *, drop_empty: bool) -> None:
    """Make the wanted change in the data of the old document."""
    for step in home.path:
        value = value[step]
    outer: Any = None
    for key in home.keys:
        if not isinstance(value.get(key), dict):
            value[key] = {}
        outer, value = value, value[key]
    for field, number in limits.items():
        if number is None:
            del value[field]
        else:
            value[field] = (str(number), True)
    if drop_empty and not value:
        del outer[home.keys[-1]]
