"""Rules for the fields of profiles, Topologies, Configs and Links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.migration import gone
from kubectl_c9s.topology.data import dotted
from kubectl_c9s.yamlio.nodes import Scalar

if TYPE_CHECKING:
    from kubectl_c9s.migration.gone import Fields, Gone
    from kubectl_c9s.migration.sheet import Sheet

_DISABLED: Final = ("spec", "expose", "disableExpose")
_EXPOSE_TYPE: Final = ("spec", "expose", "exposeType")
_NONE: Final = "None"
# Nothing fills in defaults below these: an empty one says what none says.
_MAY_GO: Final = frozenset({("spec", "deployment"), ("spec", "imagePull")})
_SHOWN: Final = 40


def migrate_profile(sheet: Sheet) -> None:
    """Make a profile of launchers one of devices."""
    _disable_expose(sheet)
    take_out(sheet, gone.PROFILE, _MAY_GO)


def migrate_topology(sheet: Sheet) -> None:
    """Bring the object around a definition up to date; the definition itself stays as it is."""
    _disable_expose(sheet)
    take_out(sheet, gone.TOPOLOGY, _MAY_GO)


def migrate_config(sheet: Sheet) -> None:
    """Bring the Config up to date; sections stay where they are, for the server fills in defaults below them."""
    take_out(sheet, gone.CONFIG)


def migrate_link(sheet: Sheet) -> None:
    """Take out how a wire was to be made."""
    take_out(sheet, gone.LINK)


def take_out(
    sheet: Sheet, fields: Fields, may_go: frozenset[tuple[str, str]] = frozenset()
) -> None:
    """Take out fields that are gone, and say what takes their place."""
    for path, field in fields.items():
        if not sheet.has(*path):
            continue
        sheet.drop(path, holder=path[:-1] in may_go)
        name = dotted(path)
        if _is_harmless(sheet, path, field):
            sheet.warning("dropped-setting", path, f"{name} is taken out: {field.instead}")
        else:
            message = (
                f"{name}{_set_to(sheet, path)} has no successor and is taken out: {field.instead}"
            )
            sheet.warning("lost-setting", path, message)


def _is_harmless(sheet: Sheet, path: tuple[str, ...], field: Gone) -> bool:
    if field.harmless is None or sheet.is_empty(*path):
        return True
    found = sheet.at(*path)
    return isinstance(found, Scalar) and found.text in field.harmless


def _set_to(sheet: Sheet, path: tuple[str, ...]) -> str:
    text = sheet.text(*path)
    if not text or path[-1] == "credentials":
        return ""
    return (
        f", set to {text[:_SHOWN]!r}," if len(text) <= _SHOWN else f", set to {text[:_SHOWN]!r}…,"
    )


def _disable_expose(sheet: Sheet) -> None:
    """Turn ``disableExpose: true`` into a type of Service that means no Service; it won over any other."""
    if not sheet.has(*_DISABLED):
        return
    disabled = sheet.value(*_DISABLED)
    if disabled is not True:
        if disabled in {False, None}:
            sheet.drop(_DISABLED)
            sheet.warning(
                "dropped-setting",
                _DISABLED,
                f"{dotted(_DISABLED)} is taken out: it said what holds anyway",
            )
        return  # what is neither is no value of any release: the schema will say so
    if not sheet.has(*_EXPOSE_TYPE):
        sheet.put(_DISABLED, _NONE)
        sheet.rename(_DISABLED, _EXPOSE_TYPE[-1])
        return
    sheet.drop(_DISABLED)
    kind = sheet.text(*_EXPOSE_TYPE)
    if kind != _NONE:
        sheet.put(_EXPOSE_TYPE, _NONE)
        message = (
            f"{dotted(_EXPOSE_TYPE)} {kind!r} becomes 'None': it had no effect beside disableExpose"
        )
        sheet.warning("dropped-setting", _EXPOSE_TYPE, message)
