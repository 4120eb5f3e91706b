"""Files of ours: JSON that says by ``kind`` and ``format`` what it is, read with words for what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec

from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class OwnFile(NamedTuple):
    """A kind of file: what its ``kind`` and ``format`` are, what people call it, and who writes such files."""

    kind: str
    format: int
    what: str
    hint: str

    def write(self, value: object) -> bytes:
        """Give the file: JSON with sorted keys, so that two can be compared line by line."""
        # Both may be what they are by default, and must stand in the file all the same.
        head: Mapping[str, Any] = {"format": self.format, "kind": self.kind}
        whole = {**msgspec.to_builtins(value), **head}
        return msgspec.json.format(_ENCODER.encode(whole), indent=1) + b"\n"

    def read(self, data: bytes, name: str, wanted: type[T]) -> T:
        """Read the file; RefusedInput says what is wrong: cut off, foreign, of a newer format."""
        try:
            return msgspec.convert(self._head(data, name), type=wanted)
        except RecursionError:
            why = "it is nested too deeply"
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
            why = str(error)
        raise RefusedInput(f"{name} is no {self.what}: {why}", hint=self.hint)

    def _head(self, data: bytes, name: str) -> dict[str, Any]:
        head = msgspec.json.decode(data, type=dict[str, Any])
        if (kind := head.get("kind")) != self.kind:
            raise RefusedInput(f"{name} is no {self.what}: its kind is {kind!r}", hint=self.hint)
        if (written := head.get("format")) != self.format:
            raise RefusedInput(
                f"{name} has format {written!r}, and this program reads {self.format}",
                hint="read it with the version that wrote it, or newer",
            )
        return head
