"""What all kinds have: version, kind, labels of the manager, and what a server wrote into an exported object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources import labels
from kubectl_c9s.resources.objects import API_VERSION, OLD_API_VERSION
from kubectl_c9s.yamlio.nodes import Sequence

if TYPE_CHECKING:
    from kubectl_c9s.migration.sheet import Sheet

LAUNCHER_PROFILE: Final = "LauncherProfile"
NODE_PROFILE: Final = "NodeProfile"

_LABELS: Final = ("metadata", "labels")
_OLD_PREFIX: Final = "clabernetes/"
_NEW_PREFIX: Final = f"{labels.DOMAIN}/"
_GENERATED: Final = {labels.APP, labels.TOPOLOGY_KIND}
_KEPT: Final = {
    labels.NAME,
    labels.TOPOLOGY_OWNER,
    labels.TOPOLOGY_NODE,
    labels.TOPOLOGY_GROUP,
}
_SERVERS: Final = (
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "generation",
    "managedFields",
    "selfLink",
)
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def migrate_identity(sheet: Sheet) -> None:
    """Write today's group, and today's name of the kind."""
    if sheet.text("apiVersion") == OLD_API_VERSION:
        sheet.put(("apiVersion",), API_VERSION)
    kind = sheet.text("kind")
    if kind.startswith(LAUNCHER_PROFILE):
        sheet.put(("kind",), NODE_PROFILE + kind.removeprefix(LAUNCHER_PROFILE))


def migrate_labels(sheet: Sheet) -> None:
    """Rename the manager's labels of older releases, and take off what marks an object as a Topology's own.

    ``topologyOwner`` alone keeps the name of the lab (split.md §12).
    """
    present = sheet.keys(*_LABELS)
    marked = any(_today(key) == labels.TOPOLOGY_OWNER for key in present)
    for key in present:
        today = _today(key)
        path = (*_LABELS, key)
        if today == labels.TOPOLOGY_KIND or (today == labels.APP and marked):
            sheet.drop(path)
            sheet.warning(
                "dropped-setting",
                path,
                f"the label {key} is taken off: it hands the object to a Topology",
            )
        elif today != key and today in present:
            sheet.error(
                "clashing-settings",
                path,
                f"the object has the labels {key} and {today}: keep one of them",
            )
        elif today != key:
            sheet.rename(path, today)


def _today(key: str) -> str:
    renamed = _NEW_PREFIX + key.removeprefix(_OLD_PREFIX)
    return renamed if key.startswith(_OLD_PREFIX) and renamed in _KEPT | _GENERATED else key


def strip_server_fields(sheet: Sheet) -> None:
    """Take out what only a server writes; an object that was exported has it."""
    paths: list[tuple[str, ...]] = [
        ("metadata", name) for name in _SERVERS if not sheet.is_empty("metadata", name)
    ]
    if sheet.has("status") and not sheet.is_null("status"):
        paths.append(("status",))
    if sheet.has("metadata", "annotations", _LAST_APPLIED):
        paths.append(("metadata", "annotations", _LAST_APPLIED))
    for path in paths:
        sheet.drop(path, holder=path[-1] == _LAST_APPLIED)
    if paths:
        names = ", ".join(path[-1] for path in paths)
        sheet.warning("exported-field", paths[0], f"the object was exported: {names} taken out")


def refuse_generated(sheet: Sheet) -> None:
    """Refuse an object that belongs to a Topology: the manager makes it again."""
    owners = sheet.at("metadata", "ownerReferences")
    for index, _ in enumerate(owners.items if isinstance(owners, Sequence) else ()):
        path = ("metadata", "ownerReferences", index)
        group = sheet.text(*path, "apiVersion").partition("/")[0]
        if sheet.text(*path, "kind") == "Topology" and group in _GROUPS:
            message = "a Topology made this object and makes it again: leave it out"
            sheet.error("forbidden-metadata", path, message)


_GROUPS: Final = {API_VERSION.partition("/")[0], OLD_API_VERSION.partition("/")[0]}
