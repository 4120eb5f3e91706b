"""The lines of a watch: what stands in them, and how they are taken off a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.cluster.errors import ApiError, Unreachable, api_error

if TYPE_CHECKING:
    from collections.abc import Iterator


class Wire(msgspec.Struct):
    """A line: the type of the event, and the object as it came."""

    type: str
    object: msgspec.Raw


class Versioned(msgspec.Struct, rename={"resource_version": "resourceVersion"}):
    """What of the metadata tells how far a watch is."""

    resource_version: str = ""
    annotations: dict[str, str] | None = None


class Bookmark(msgspec.Struct):
    """An object of a line, for its version; a Status has a code."""

    metadata: Versioned = msgspec.field(default_factory=Versioned)
    code: int = 0


WIRE: Final = msgspec.json.Decoder(Wire)
BOOKMARK: Final = msgspec.json.Decoder(Bookmark)


def uid_of(item: Any) -> str:
    """Give the UID of a decoded object, whole or partial."""
    return str(item["metadata"]["uid"] if isinstance(item, dict) else item.metadata.uid)


def refusal(response: Any, what: str) -> ApiError | Unreachable:
    """Give the error of an answer that is no stream; it may break off like one."""
    import urllib3  # noqa: PLC0415 - comes with the client

    try:
        body = response.read()
    except (urllib3.exceptions.HTTPError, OSError) as error:
        return Unreachable(f"{what}: the answer broke off: {error}", sent=False)
    return api_error(response.status, body, what, response.headers.get("Retry-After"))


def lines(response: Any, what: str) -> Iterator[bytes]:
    """Give the lines of a stream, none of them empty; raises Unreachable when it breaks."""
    import urllib3  # noqa: PLC0415 - comes with the client

    rest = b""
    try:
        for chunk in response.stream(64 * 1024, decode_content=True):
            parts = (rest + chunk).split(b"\n")
            rest = parts.pop()
            yield from (part for part in parts if part.strip())
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise Unreachable(f"{what}: the stream broke: {error}", sent=False) from None
