"""JSON out: objects as one ``v1`` List, as ``kubectl get -o json`` prints them.

The order of keys and the writing of numbers are those of the YAML writer. Text stays readable
UTF-8; what does not show is escaped, so that the output is fit for a terminal as it is
(conventions.md §3).
"""

from __future__ import annotations

from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from kubectl_c9s.resources.characters import is_surrogate, replace_hidden
from kubectl_c9s.yamlio.key_order import metadata_keys, object_keys, plain_keys
from kubectl_c9s.yamlio.quoting import MAX_DEPTH, bare_value

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

_ITEM_INDENT = "\n    "  # a line feed and the depth of an item: the joints of pretty printing
_DEEPEST = len(_ITEM_INDENT) + 2 * MAX_DEPTH


def dump_list_json(objs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Write a List in chunks, indented by two; the whole ends in a line feed.

    Values and errors as in ``writer.dump``; an error comes when the object's turn comes.
    """
    yield '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "items": ['
    joint = _ITEM_INDENT
    for obj in objs:
        yield joint + _object(obj)
        joint = "," + _ITEM_INDENT
    yield "]\n}\n" if joint == _ITEM_INDENT else "\n  ]\n}\n"


def _object(obj: Mapping[str, Any]) -> str:
    deeper = _ITEM_INDENT + "  "
    members = []
    for key in object_keys(obj):
        value = obj[key]
        if key == "metadata" and isinstance(value, Mapping):
            written = _mapping(value, metadata_keys(value), deeper)
        else:
            written = _value(value, deeper)
        members.append(f"{_string(key)}: {written}")
    return _bracketed("{}", members, _ITEM_INDENT)


def _mapping(value: Mapping[str, Any], keys: list[str], joint: str) -> str:
    deeper = joint + "  "
    members = [f"{_string(key)}: {_value(value[key], deeper)}" for key in keys]
    return _bracketed("{}", members, joint)


def _value(value: object, joint: str) -> str:
    if isinstance(value, str):
        return _string(value)
    if len(joint) > _DEEPEST:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return _mapping(value, plain_keys(value), joint)
    if isinstance(value, list | tuple):
        deeper = joint + "  "
        return _bracketed("[]", [_value(item, deeper) for item in value], joint)
    return bare_value(value)


def _bracketed(brackets: str, members: list[str], joint: str) -> str:
    if not members:
        return brackets
    deeper = joint + "  "
    return brackets[0] + deeper + f",{deeper}".join(members) + joint + brackets[1]


def _string(text: str) -> str:
    written = encode_basestring(text)
    # The encoder has escaped the other controls of ASCII.
    if written.isascii() and "\x7f" not in written:
        return written
    return replace_hidden(written, _escape)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if is_surrogate(character):
        raise ValueError(f"half of a surrogate pair in text: {character!r}")
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
