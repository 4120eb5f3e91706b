"""Rules for one object: what the API server would refuse, as strict field validation does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources import labels, schema
from kubectl_c9s.resources.objects import CONFIG_NAME, TOOLKIT_API_VERSION
from kubectl_c9s.topology import data

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.resources.schema import Violation
    from kubectl_c9s.validation.things import Thing

_UNKNOWN: Final = "unknown field"
_NAME: Final = ("metadata", "name")
_INSTEAD: Final = {
    "LauncherProfile": "; it became NodeProfile, migrate rewrites it",
    "RolloutPolicy": f"; its apiVersion is {TOOLKIT_API_VERSION}",
}
# What read_manifest has looked at already.
_READ: Final = (_NAME, ("metadata", "namespace"))
_STANDALONE: Final = frozenset({"Node", "Link", "NodeProfile"})
_SERVERS: Final = frozenset(
    f"metadata.{field}"
    for field in ("uid", "resourceVersion", "creationTimestamp", "managedFields")
)


def check_unfit(thing: Thing) -> None:
    """Report scalars that kubectl cannot hand on as JSON."""
    for node, reason in thing.reading.unfit:
        thing.add("error", "not-admissible", (), reason, thing.document.position(node))


def check_kind(thing: Thing) -> None:
    """Report an object of a group we know whose kind the group does not have."""
    message = f"{thing.group} has no kind {thing.kind!r}{_INSTEAD.get(thing.kind, '')}"
    thing.error("unknown-kind", ("kind",), message)


def check_schema(thing: Thing, part: KubeObject | None = None) -> None:
    """Report everything in which an object, or the part of it that is to be looked at, breaks its kind's schema."""
    obj = thing.obj if part is None else part
    if not schema.is_valid(thing.kind, obj):
        for violation in schema.violations(thing.kind, obj):
            _report(thing, violation)


def check_topology_metadata(thing: Thing) -> None:
    """Report what is wrong with a Topology's metadata; its spec is the split compiler's matter."""
    if schema.is_valid(thing.kind, thing.obj):
        return
    for violation in schema.violations(thing.kind, thing.obj):
        if violation.path[:1] == ("metadata",) and violation.path[:2] not in _READ:
            _report(thing, violation)


def _report(thing: Thing, violation: Violation) -> None:
    path, message = violation
    dotted = data.dotted(path)
    if path == ("apiVersion",):
        thing.error(
            "unsupported-version", path, f"{thing.api or 'no version'}: apiVersion {message}"
        )
    elif message == _UNKNOWN:
        said = f"{dotted} is no field of a {thing.kind}"
        thing.error("unknown-field", path, said)
    elif thing.kind == "Config" and path == _NAME and thing.name:
        said = f"the Config is called {thing.name!r}; only one called {CONFIG_NAME!r} is taken"
        thing.error("config-name", path, said)
    else:
        thing.error("not-admissible", path, f"{dotted or thing.kind} {message}")


def check_metadata(thing: Thing) -> None:
    """Report metadata that a standalone object must not have (split.md §12).

    Objects of other kinds may have what the manager gives them; what the server writes, no manifest may.
    """
    for found in labels.forbidden_metadata(thing.obj):
        place, _, why = found.partition(": ")
        if thing.kind in _STANDALONE or place in _SERVERS:
            thing.error("forbidden-metadata", _path(place), f"{place} {_verb(why)}")


def _verb(why: str) -> str:
    return why if why.startswith("is ") else f"must not be there: {why}"


def _path(place: str) -> tuple[str | int, ...]:
    """Turn ``metadata.labels.c9s.run/app`` into steps: a key may have dots itself."""
    for part in ("labels", "annotations"):
        if place.startswith(f"metadata.{part}."):
            return ("metadata", part, place.removeprefix(f"metadata.{part}."))
    head, bracket, index = place.partition("[")
    steps: tuple[str | int, ...] = tuple(head.split("."))
    return (*steps, int(index.rstrip("]"))) if bracket else steps
