"""Rules for Nodes: the reference to the profile, and the vocabulary of containerlab as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.migration import gone
from kubectl_c9s.migration.fields import take_out
from kubectl_c9s.topology.directives import unusable_labels
from kubectl_c9s.topology.fields import WRAPPER
from kubectl_c9s.yamlio.nodes import Scalar, Sequence
from kubectl_c9s.yamlio.quoting import inline_text

if TYPE_CHECKING:
    from kubectl_c9s.migration.sheet import Sheet

_OLD_REF: Final = ("spec", "launcherProfileRef")
_REF: Final = ("spec", "profileRef")
_LABELS: Final = ("spec", "labels")
_METADATA_LABELS: Final = ("metadata", "labels")
_SANS: Final = ("spec", "SANs")
_EXTRAS: Final = ("spec", "extras")
_MYSOCKET: Final = "mysocket-proxy"


def migrate_node(sheet: Sheet) -> None:
    """Bring a Node up to date."""
    _migrate_reference(sheet)
    take_out(sheet, gone.NODE)
    _migrate_ports(sheet)
    _migrate_labels(sheet)
    _migrate_names_of_certificate(sheet)
    _migrate_extras(sheet)
    _refuse_fabric_modules(sheet)


def _migrate_reference(sheet: Sheet) -> None:
    if not sheet.has(*_OLD_REF):
        return
    if not sheet.has(*_REF):
        sheet.rename(_OLD_REF, _REF[-1])
        return
    old, today = sheet.text(*_OLD_REF, "name"), sheet.text(*_REF, "name")
    if old == today:
        sheet.drop(_OLD_REF)
        sheet.warning(
            "dropped-setting", _OLD_REF, "launcherProfileRef is taken out: profileRef says the same"
        )
    else:
        message = f"the Node names the profiles {old!r} and {today!r}: keep profileRef alone"
        sheet.error("clashing-settings", _OLD_REF, message)


def _migrate_ports(sheet: Sheet) -> None:
    """Keep the port the device listens on; the manager does the same with a definition (split.md §6)."""
    ports = sheet.at("spec", "ports")
    for index, item in enumerate(ports.items if isinstance(ports, Sequence) else ()):
        if isinstance(item, Scalar) and ":" in item.text:
            path = ("spec", "ports", index)
            kept = item.text.rpartition(":")[2]
            sheet.put(path, kept)
            message = f"the host side of port {item.text!r} is dropped, {kept!r} is kept"
            sheet.warning("host-port-pinning", path, message)


def _migrate_labels(sheet: Sheet) -> None:
    """Labels of the container become labels of the object."""
    if not sheet.has(*_LABELS):
        return
    moved = {key: sheet.text(*_LABELS, key) for key in sheet.keys(*_LABELS)}
    for issue in list(unusable_labels(moved)):
        sheet.error("unusable-node-label", (*_LABELS, issue.item), issue.message)
        del moved[issue.item]
    for key, text in moved.items():
        path = (*_LABELS, key)
        if inline_text(key) != key:
            sheet.error(
                "uneditable-form",
                path,
                f"the label {key!r} has to be moved to metadata.labels by hand",
            )
        elif not sheet.has(*_METADATA_LABELS, key):
            sheet.add(_METADATA_LABELS, key, text)
        elif sheet.text(*_METADATA_LABELS, key) != text:
            message = f"the Node has the label {key!r} in metadata.labels, too, with another value: keep one of them"
            sheet.error("clashing-settings", path, message)
    sheet.drop(_LABELS)


def _migrate_names_of_certificate(sheet: Sheet) -> None:
    if not sheet.has(*_SANS):
        return
    if sheet.is_empty(*_SANS):
        sheet.drop(_SANS)
    elif sheet.has("spec", "certificate"):
        sheet.error(
            "clashing-settings", _SANS, "SANs became certificate.sans: move them there by hand"
        )
    else:
        sheet.wrap(_SANS, "certificate", "sans")


def _migrate_extras(sheet: Sheet) -> None:
    """Extras belong to the kind now (split.md §5)."""
    if not sheet.has(*_EXTRAS):
        return
    path = (*_EXTRAS, _MYSOCKET)
    left = [key for key in sheet.keys(*_EXTRAS) if key != _MYSOCKET]
    if sheet.has(*path):
        sheet.warning(
            "dropped-setting", path, f"{_MYSOCKET} is taken out: containerlab no longer has it"
        )
    if not left:
        sheet.drop(_EXTRAS)
        return
    if sheet.has("spec", WRAPPER):
        sheet.error(
            "clashing-settings",
            _EXTRAS,
            f"extras are keys of the kind now: move them into {WRAPPER} by hand",
        )
        return
    if sheet.has(*path):
        sheet.drop(path)
    sheet.wrap(_EXTRAS, WRAPPER, _EXTRAS[-1])


def _refuse_fabric_modules(sheet: Sheet) -> None:
    components = sheet.at("spec", "components")
    for index in range(len(components.items) if isinstance(components, Sequence) else 0):
        path = ("spec", "components", index, "sfm")
        if sheet.has(*path):
            message = f"sfm is no field of a component any more, but a key of the node: say it in {WRAPPER} by hand"
            sheet.error("unknown-field", path, message)
