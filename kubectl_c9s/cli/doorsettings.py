"""What can be set where a lab is rendered by another program: one table for all doors.

A KRM function reads these names in camel case from the spec of its configuration, an Argo CD plugin as they are
from the parameters of its Application; ``announcement`` is what Argo CD shows of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from kubectl_c9s.topology import admission

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Type: TypeAlias = Literal["string", "boolean", "number", "array", "map"]

EXPOSE_TYPES: Final = ("ClusterIP", "Headless", "LoadBalancer", "None")


class Setting(NamedTuple):
    """One setting: its name in kebab case, type, default, and what Argo CD shows of it."""

    name: str
    type: Type
    default: Any
    title: str
    tooltip: str

    def camel(self) -> str:
        """Give the name as a field of a function's spec."""
        first, *rest = self.name.split("-")
        return first + "".join(word.capitalize() for word in rest)


def _flag(name: str, title: str, tooltip: str, *, default: bool = False) -> Setting:
    return Setting(name, "boolean", default, title, tooltip)


def _text(name: str, title: str, tooltip: str) -> Setting:
    return Setting(name, "string", "", title, tooltip)


def _list(name: str, title: str, tooltip: str, *default: str) -> Setting:
    return Setting(name, "array", default, title, tooltip)


def _map(name: str, title: str, tooltip: str) -> Setting:
    return Setting(name, "map", {}, title, tooltip)


_PATHS: Final = (
    "paths",
    "Paths",
    "Lab files and directories, by paths relative to the current directory",
)
_WAVES: Final = (
    "sync-waves",
    "Sync waves",
    "Annotate objects: profiles and ConfigMaps, then links, then nodes",
)
_NAMESPACE: Final = _text(
    "namespace", "Namespace", "Namespace of every object, instead of the lab's own"
)
_LARGEST: Final = Setting(
    "max-object-bytes", "number", admission.MAX_OBJECT_BYTES, "Largest object", "Bytes one object may have"
)  # fmt: skip
_STRICT: Final = _flag("fail-on-warning", "Strict", "Refuse labs that have a warning")
_SHARED: Final = (
    _flag("recursive", "Recursive", "Look in directories of directories, too"),
    _text("name", "Name", "Name of the lab, instead of the one in its file"),
    _NAMESPACE,
    _map("set", "Variables", "Variables of containerlab files"),
    _flag("stage-files", "Stage files", "Turn files a containerlab file names into ConfigMaps", default=True),
    _list("allow-outside", "More directories", "Directories a lab may take files from, besides its own"),
    _map("files-from-secret", "Files from Secrets", "Pattern of paths: Secret that holds these files"),
    _map("url-digest", "Digests", "URL that a device fetches itself: sha256:… of what is there"),
    _flag("persistence", "Persistence", "Persistent volumes for nodes of containerlab files", default=True),
    _text("expose-type", "Expose type", f"Type of Services for containerlab files: {', '.join(EXPOSE_TYPES)}"),
    _list("image-pull-secret", "Pull Secrets", "Secrets for pulling images of containerlab files"),
    _flag("create-namespace", "Create the namespace", "Render the Namespace of containerlab files, too"),
    _flag("owner-label", "Owner label", "Put the label c9s.run/topologyOwner on every object", default=True),
    _LARGEST,
    _STRICT,
)  # fmt: skip
FUNCTION: Final = (_list(*_PATHS), *_SHARED, _flag(*_WAVES))
VALIDATOR: Final = (
    _NAMESPACE,
    _LARGEST,
    _STRICT,
    _list("ignore", "Ignore", "Codes of findings that are left out"),
)
PLUGIN: Final = (
    _list(*_PATHS, "."),
    *_SHARED,
    _flag(*_WAVES, default=True),
    _flag("destination-namespace", "Destination namespace", "Put all into the Application's destination namespace"),
    _flag("pass-through", "Other objects", "Render the other objects of the files, too"),
    _flag("allow-empty", "Allow nothing", "Take a directory without a lab for one that wants nothing"),
)  # fmt: skip


def announcement(table: Iterable[Setting]) -> list[dict[str, Any]]:
    """Give the announcement of parameters that Argo CD expects (conventions.md §6)."""
    return [_announced(one) for one in table]


def _announced(setting: Setting) -> dict[str, Any]:
    common = {
        "name": setting.name,
        "title": setting.title,
        "tooltip": setting.tooltip,
        "required": False,
    }
    default = setting.default
    if setting.type == "array":
        return {**common, "collectionType": "array", "array": list(default)}
    if setting.type == "map":
        return {**common, "collectionType": "map", "map": dict(default)}
    text = str(default).lower() if isinstance(default, bool) else str(default)
    return {**common, "itemType": setting.type, "collectionType": "string", "string": text}
