"""Parameters of an Argo CD Application, as its repo-server hands them to a plugin (conventions.md §6).

They come as JSON in ``ARGOCD_APP_PARAMETERS``. Without that the variables ``PARAM_…`` are read, whose names have lost
case and punctuation: keys of maps arrive in capitals, so of the maps only ``set`` is taken from them. Announced
defaults are not sent, so they are applied here.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.cli import doorsettings, doorvalues
from kubectl_c9s.resources.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cli.doorsettings import Setting, Type

_PARAMETERS: Final = "ARGOCD_APP_PARAMETERS"
_USER_VARIABLE: Final = "ARGOCD_ENV_"
_DESTINATION: Final = "ARGOCD_APP_NAMESPACE"
_WORDS: Final = {"true": True, "false": False}
_TABLE: Final = {one.name: one for one in doorsettings.PLUGIN}


def read_values(environment: Mapping[str, str]) -> dict[str, Any]:
    """Give every setting by name, from the environment of a plugin.

    Variables of labs are the user's own (``ARGOCD_ENV_…`` without that prefix) and the parameter ``set``, which
    wins; no other variable of the process. Raises UsageError for a parameter that is unknown or cannot be used.
    """
    text = environment.get(_PARAMETERS)
    given = _from_variables(environment) if text is None else _from_json(text)
    values = doorvalues.complete(_TABLE.values(), given)
    own = {
        name.removeprefix(_USER_VARIABLE): value
        for name, value in environment.items()
        if name.startswith(_USER_VARIABLE)
    }
    for name, message in doorvalues.problems(values):
        raise UsageError(f"parameter {name}: {message}")
    values["set"] = {**own, **values["set"]}
    if values["destination-namespace"]:
        values["namespace"] = _destination(values["namespace"], environment)
    return values


def _destination(namespace: str, environment: Mapping[str, str]) -> str:
    if namespace:
        raise UsageError("parameters namespace and destination-namespace exclude each other")
    if not environment.get(_DESTINATION):
        hint = "set spec.destination.namespace, or the parameter namespace"
        raise UsageError("the Application has no destination namespace", hint=hint)
    return environment[_DESTINATION]


def _from_json(text: str) -> dict[str, Any]:
    try:
        listed = json.loads(text) if text.strip() else []
    except (ValueError, RecursionError):
        raise UsageError(f"{_PARAMETERS} is no JSON") from None
    entries = listed if isinstance(listed, list) else [] if listed is None else [listed]
    given: dict[str, Any] = {}
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            raise UsageError(f"{_PARAMETERS} has to be a list of parameters with a name each")
        if name not in _TABLE:
            raise UsageError(
                f"parameter {name!r} is unknown", hint=f"known are {', '.join(_TABLE)}"
            )
        if name in given:
            raise UsageError(f"parameter {name} is given twice")
        given[name] = _json_value(_TABLE[name], entry)
    return given


def _json_value(setting: Setting, entry: dict[str, Any]) -> Any:
    field: Type = setting.type if setting.type in {"array", "map"} else "string"
    for other in ("string", "array", "map"):
        if other != field and entry.get(other):
            raise UsageError(f"parameter {setting.name} is of type {field}, not {other}")
    value = entry.get(field)
    if value is None:
        return None
    if wanted := doorvalues.wrong_type(field, value):
        raise UsageError(f"parameter {setting.name} has to be {wanted}")
    return _converted(setting, value) if field == "string" else value


def _from_variables(environment: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for setting in _TABLE.values():
        prefix = "PARAM_" + re.sub(r"[^A-Z0-9_]", "_", setting.name.upper())
        if setting.type == "array":
            at = re.compile(re.escape(prefix) + "_([0-9]+)")
            found = [
                (int(match[1]), value)
                for name, value in environment.items()
                if (match := at.fullmatch(name))
            ]
            given[setting.name] = [value for _, value in sorted(found)]
        elif setting.type != "map":
            given[setting.name] = _converted(setting, environment.get(prefix, ""))
        elif setting.name == "set":
            start = prefix + "_"
            given["set"] = {
                name.removeprefix(start): value
                for name, value in environment.items()
                if name.startswith(start)
            }
    return given


def _converted(setting: Setting, text: str) -> Any:
    """Turn the text of a single value into its type; an empty one is none."""
    if not text or setting.type == "string":
        return text
    if setting.type == "boolean":
        if text.lower() not in _WORDS:
            raise UsageError(f"parameter {setting.name} has to be true or false, not {text!r}")
        return _WORDS[text.lower()]
    if not re.fullmatch("[0-9]{1,12}", text):
        raise UsageError(f"parameter {setting.name} has to be a whole number, not {text!r}")
    return int(text)
