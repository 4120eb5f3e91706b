"""Rules for ConfigMaps: what the API server would refuse of the part that labs use."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import names
from kubectl_c9s.resources.metadata_rules import metadata_violations
from kubectl_c9s.topology import data
from kubectl_c9s.validation.things import mapping

if TYPE_CHECKING:
    from kubectl_c9s.validation.things import Thing

_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata", "data", "binaryData", "immutable"})
_KEY: Final = re.compile(r"(?!\.\.?$)(?!\.\.)[-._a-zA-Z0-9]{1,253}")


def check_config_map(thing: Thing) -> None:
    """Report wrong names, keys and values of a ConfigMap."""
    metadata = mapping(thing.obj.get("metadata"))
    if not names.is_dns1123_subdomain(thing.name):
        message = (
            f"{thing.name!r} is no name of a ConfigMap: it needs a-z, 0-9, - and ., at most 253"
        )
        thing.error("not-admissible", ("metadata", "name"), message)
    for violation in metadata_violations(metadata):
        message = f"{data.dotted(violation.path)} {violation.message}"
        thing.error("not-admissible", violation.path, message)
    for field in thing.obj.keys() - _FIELDS:
        thing.error("unknown-field", (field,), f"{field} is no field of a ConfigMap")
    for field in ("data", "binaryData"):
        _check_values(thing, field)
    for key in mapping(thing.obj.get("data")).keys() & mapping(thing.obj.get("binaryData")).keys():
        thing.error("not-admissible", ("binaryData", key), f"key {key!r} is in data, too")


def _check_values(thing: Thing, field: str) -> None:
    values = thing.obj.get(field)
    if values is not None and not isinstance(values, dict):
        thing.error("not-admissible", (field,), f"{field} must be a mapping")
    for key, value in mapping(values).items():
        if not _KEY.fullmatch(key):
            message = f"{key!r} is no key of a ConfigMap: it needs A-Z, a-z, 0-9, '-', '_', '.'"
            thing.error("not-admissible", (field, key), message)
        if reason := _problem(field, value):
            thing.error("not-admissible", (field, key), f"{field}.{key} {reason}")


def _problem(field: str, value: Any) -> str:
    if not isinstance(value, str):
        return "must be a string" if value is not None else ""
    if field == "binaryData":
        try:
            base64.b64decode(value.replace("\r", "").replace("\n", ""), validate=True)
        except (binascii.Error, ValueError):
            return "must be base64"
    return ""
