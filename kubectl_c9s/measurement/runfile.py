"""The file of a recorded start: JSON, read with words for what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement.run import FORMAT, KIND, MILESTONES, Run
from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENCODER: Final = msgspec.json.Encoder(order="deterministic")
_HINT: Final = "measure watch and measure replay write such files"


def write_run(run: Run) -> bytes:
    """Give the file of a run: JSON with sorted keys, so that two can be compared line by line."""
    # Both are what they are by default, and must stand in the file all the same.
    whole: Mapping[str, object] = {**msgspec.to_builtins(run), "format": FORMAT, "kind": KIND}
    return msgspec.json.format(_ENCODER.encode(whole), indent=1) + b"\n"


def is_run(data: bytes) -> bool:
    """Tell whether a file is a run and not a list of objects; it may still be a wrong one."""
    return data.lstrip()[:1] == b"{" and f'"{KIND}"'.encode() in data


def read_run(data: bytes, name: str) -> Run:
    """Read the file of a run; RefusedInput says what is wrong: cut off, foreign, of a newer format."""
    try:
        head = msgspec.json.decode(data, type=dict)
        if head.get("kind") != KIND:
            raise RefusedInput(
                f"{name} is no recorded start: its kind is {head.get('kind')!r}", hint=_HINT
            )
        if head.get("format") != FORMAT:
            raise RefusedInput(
                f"{name} has format {head.get('format')!r}, and this program reads {FORMAT}",
                hint="read it with the version that wrote it, or newer",
            )
        run = msgspec.convert(head, type=Run)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise RefusedInput(f"{name} is no recorded start: {error}", hint=_HINT) from None
    unknown = {key for one in run.devices for key in (*one.stamps, *one.observed)} - set(MILESTONES)
    if unknown:
        raise RefusedInput(f"{name} has an unknown milestone {min(unknown)!r}", hint=_HINT)
    return run
