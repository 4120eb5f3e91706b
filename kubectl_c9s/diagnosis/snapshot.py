"""A snapshot as text: a ``v1`` List with a header of ours, whose objects say what they are.

Objects go through as the server sent them, byte for byte; only ``apiVersion`` and ``kind``, which it leaves out in
lists of its own kinds, are put in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.diagnosis.dump import Head, RawList

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kubectl_c9s.diagnosis.dump import SnapshotHeader

HEADER: Final = "header"
"""Name of the part of an archive that has the header and no objects."""


class Pages:
    """A list as it came in ``pages``; iterating gives its objects with ``apiVersion`` and ``kind``, each time anew."""

    def __init__(self, api_version: str, kind: str) -> None:
        self.pages: list[bytes] = []
        self._typed = f'{{"apiVersion":"{api_version}","kind":"{kind}"'.encode()

    def __iter__(self) -> Iterator[bytes]:
        decoder, head = msgspec.json.Decoder(RawList), msgspec.json.Decoder(Head)
        for page in self.pages:
            for raw in decoder.decode(page).items or ():
                item = bytes(raw)
                if head.decode(item).kind:
                    yield item
                else:
                    yield self._typed + (b"," if item[1:].lstrip() != b"}" else b"") + item[1:]


def as_list(header: SnapshotHeader | None, lists: Iterable[Iterable[bytes]]) -> Iterator[bytes]:
    """Give the text of a List, in pieces; ``lists`` are objects as JSON. One object a line."""
    yield b'{"apiVersion":"v1","kind":"List","metadata":{},'
    if header is not None:
        yield b'"c9sSnapshot":' + msgspec.json.encode(header) + b","
    yield b'"items":['
    comma = b"\n"
    for objects in lists:
        for one in objects:
            yield comma
            yield one
            comma = b",\n"
    yield b"\n]}\n"


def as_parts(
    header: SnapshotHeader, lists: Mapping[str, Iterable[bytes]]
) -> Iterator[tuple[str, bytes]]:
    """Give names and texts of the parts of an archive: the header, then a List for each kind, by name."""
    yield HEADER, b"".join(as_list(header, ()))
    for kind in sorted(lists):
        yield kind, b"".join(as_list(None, [lists[kind]]))
