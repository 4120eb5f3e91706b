"""When startup annotations were written, taken out of ``managedFields``: a hundred bytes of some thousand."""

from __future__ import annotations

from typing import Final

import msgspec

from kubectl_c9s.reconciler.sharing import SHARED

_MARKS: Final = "c9s.run/startup-"
_FIELD: Final = f"f:{_MARKS}"
_NOTHING: Final = msgspec.Raw()


class _Owned(msgspec.Struct, rename={"annotations": "f:annotations"}):
    annotations: dict[str, msgspec.Raw] | None = None


class _Fields(msgspec.Struct, rename={"metadata": "f:metadata"}):
    metadata: _Owned | None = None


class _Entry(msgspec.Struct, rename={"fields": "fieldsV1"}):
    time: str | None = None
    fields: _Fields | None = None


_DECODER: Final = msgspec.json.Decoder(list[_Entry])


def stamps(owned: msgspec.Raw) -> msgspec.Raw:
    """Give the part of ``managedFields`` that tells of startup annotations, in the same form; none for none.

    Equal ones are the same object. What cannot be read stays as it is.
    """
    raw = bytes(owned)
    if _MARKS.encode() not in raw:
        return _NOTHING
    try:
        entries = _DECODER.decode(raw)
    except msgspec.DecodeError:
        return msgspec.Raw(raw)
    small = []
    for entry in entries:
        held = entry.fields.metadata.annotations if entry.fields and entry.fields.metadata else None
        names: dict[str, object] = {name: {} for name in held or () if name.startswith(_FIELD)}
        if names:
            fields = {"f:metadata": {"f:annotations": names}}
            small.append({"time": entry.time, "fieldsV1": fields})
    text = msgspec.json.encode(small)
    return SHARED.keep(text, msgspec.Raw(text))
