"""Several texts in one ``.tar.gz``: the same bytes for the same texts; read without trust in sizes, names and kinds."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from typing import TYPE_CHECKING, Final

from kubectl_c9s.files.objectlists import MAX_BYTES
from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAGIC: Final = b"\x1f\x8b"
MAX_MEMBERS: Final = 1000
_FOLDER: Final = "snapshot"
_SUFFIX: Final = ".json"
_HEADERS: Final = 1 << 20  # what may stand between two texts: headers, filling
_READ: Final = 1 << 20


def packed(parts: Iterable[tuple[str, bytes]], moment: float) -> bytes:
    """Pack texts by name, as ``snapshot/NAME.json`` of a moment (seconds since 1970) and of nobody."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", 6, buffer, moment) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, text in parts:
            member = tarfile.TarInfo(f"{_FOLDER}/{name}{_SUFFIX}")
            member.size, member.mtime, member.mode = len(text), int(moment), 0o600
            archive.addfile(member, io.BytesIO(text))
    return buffer.getvalue()


def unpacked(data: bytes, path: str) -> Iterator[tuple[str, bytes]]:
    """Give name and text of each ``.json`` file in an archive, one after the other; nothing is written anywhere.

    RefusedInput, with the path, for what is no archive, is damaged, too large, or has more than plain files in it.
    """
    stream = _Inflated(data, path)
    try:
        with tarfile.open(fileobj=stream, mode="r|", bufsize=_READ) as archive:
            for number, member in enumerate(archive):
                if number >= MAX_MEMBERS:
                    raise RefusedInput(f"{path} has more than {MAX_MEMBERS} files in it")
                yield from _text_of(archive, member, stream, path)
            stream.allow(_HEADERS)
        stream.finish()
    except (tarfile.TarError, EOFError, zlib.error, ValueError) as error:
        raise RefusedInput(f"{path} is no archive of a snapshot: {error}") from None


def _text_of(
    archive: tarfile.TarFile, member: tarfile.TarInfo, stream: _Inflated, path: str
) -> Iterator[tuple[str, bytes]]:
    name = f"{path}: {member.name}"
    if member.name.startswith("/") or ".." in member.name.split("/"):
        raise RefusedInput(f"{name} leads out of the archive")
    if member.isdir():
        return
    if not member.isreg() or member.issparse():
        raise RefusedInput(f"{name} is no regular file")
    stream.allow(member.size + _HEADERS)
    if not member.name.endswith(_SUFFIX):
        return
    file = archive.extractfile(member)
    text = file.read() if file is not None else b""
    if len(text) != member.size:
        raise RefusedInput(f"{name} is cut off")
    yield name, text


class _Inflated(io.RawIOBase):
    """A gzip text as a file to read from, never more of it at once than what was allowed."""

    def __init__(self, data: bytes, path: str) -> None:
        super().__init__()
        self._inflater = zlib.decompressobj(wbits=31)
        self._left = memoryview(data)
        self._path = path
        self._total = 0
        self._budget = _HEADERS

    def allow(self, size: int) -> None:
        """Allow so many bytes more, and forget what was allowed before."""
        self._budget = size + _READ
        if self._total + size > MAX_BYTES:
            raise RefusedInput(f"{self._path} holds more than {MAX_BYTES} bytes")

    def read(self, size: int = _READ) -> bytes:
        """Give so many bytes, less only at the end."""
        found = []
        while size > 0 and not self._inflater.eof:
            piece = self._next(size)
            if not piece and not self._left and not self._inflater.eof:
                raise EOFError("it is cut off")
            found.append(piece)
            size -= len(piece)
            self._budget -= len(piece)
            self._total += len(piece)
            if self._budget < 0:
                raise RefusedInput(f"{self._path} holds more than its files")
        return b"".join(found)

    def _next(self, size: int) -> bytes:
        if waiting := self._inflater.unconsumed_tail:
            return self._inflater.decompress(waiting, size)
        piece, self._left = self._left[:_READ], self._left[_READ:]
        return self._inflater.decompress(piece, size)

    def finish(self) -> None:
        """Read to the end, so that the checksum is looked at."""
        while self.read(_READ):
            pass
