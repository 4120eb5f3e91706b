"""Results for programs, as JSON or YAML; no character of them moves a terminal."""

from __future__ import annotations

import json
from typing import Any, Final

_DEL: Final = "\x7f"


def structured(value: Any, form: str) -> str:
    """Write a result as ``json`` or ``yaml``; it ends in a line feed."""
    if form == "yaml":
        from kubectl_c9s.yamlio.writer import dump  # noqa: PLC0415 - only for YAML

        return dump(value)
    return ascii_json(value)


def ascii_json(value: Any) -> str:
    """Write JSON over several lines, in printable ASCII."""
    return _without_del(json.dumps(value, indent=2))


def json_line(value: Any) -> str:
    """Write JSON in one line, in printable ASCII."""
    return _without_del(json.dumps(value))


def _without_del(text: str) -> str:
    # The encoder escapes all but printable ASCII and DEL.
    return text.replace(_DEL, "\\u007f") + "\n"
