"""From what a document sets to a value for every setting of ``doorsettings``; empty values are the default."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.cli.doorsettings import EXPOSE_TYPES
from kubectl_c9s.resources.codes import CODES
from kubectl_c9s.topology.manifest import is_namespace_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kubectl_c9s.cli.doorsettings import Setting, Type

_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {}, ())
_VARIABLE: Final = re.compile(r"[^\W\d]\w*")


def complete(table: Iterable[Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    """Give every setting its value or its default."""
    return {
        one.name: one.default if given.get(one.name) in _EMPTY else given[one.name] for one in table
    }


def problems(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give (setting, message) for every value that cannot be used; settings may be missing."""
    if (namespace := values.get("namespace")) and not is_namespace_name(namespace):
        yield "namespace", f"{namespace!r} is no name of a namespace"
    if (kind := values.get("expose-type")) and kind not in EXPOSE_TYPES:
        yield "expose-type", f"{kind!r} is none of {', '.join(EXPOSE_TYPES)}"
    if values.get("max-object-bytes", 1) < 1:
        yield "max-object-bytes", "has to be 1 or more"
    unknown = [code for code in values.get("ignore", ()) if code not in CODES]
    yield from (("ignore", f"there is no code {code!r}") for code in unknown)
    odd = [name for name in values.get("set", ()) if not _VARIABLE.fullmatch(name)]
    yield from (("set", f"{name!r} is no name of a variable") for name in odd)
    for setting in ("files-from-secret", "url-digest"):
        for key, value in values.get(setting, {}).items():
            if not (key and value):
                yield setting, f"{key!r} has no value" if key else "has an empty key"


def from_spec(
    table: Iterable[Setting], spec: Mapping[str, Any], complain: Callable[[str, str], None]
) -> dict[str, Any]:
    """Take settings from the spec of a function; ``complain`` gets (field, message) for what is wrong."""
    known = {one.camel(): one for one in table}
    given = {}
    for field, value in spec.items():
        if field not in known:
            complain(field, f"is no field; known are {', '.join(known)}")
        elif value is not None and (wanted := wrong_type(known[field].type, value)):
            complain(field, f"has to be {wanted}")
        else:
            given[known[field].name] = value
    values = complete(known.values(), given)
    fields = {one.name: field for field, one in known.items()}
    for name, message in problems(values):
        complain(fields[name], message)
    return values


def wrong_type(kind: Type, value: Any) -> str | None:
    """Say what a value should be, None if it is that."""
    if kind == "array":
        right = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if right else "a list of texts"
    if kind == "map":
        right = isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
        return None if right else "a mapping of texts; write numbers, true and false in quotes"
    if kind == "boolean":
        return None if isinstance(value, bool) else "true or false"
    if kind == "number":
        return None if isinstance(value, int) and not isinstance(value, bool) else "a whole number"
    return None if isinstance(value, str) else "a text"
