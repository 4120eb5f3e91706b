"""Builds the CustomResourceDefinitions of our kinds, complete, from our own schemas."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from kubectl_c9s.resources.schema_source import Schema, api_version, definition

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject


def crd(kind: str) -> KubeObject:
    """Give the ``apiextensions.k8s.io/v1`` definition of a kind; KeyError for a foreign one."""
    parts = copy.deepcopy(definition(kind))
    group, _, version = api_version(kind).partition("/")
    names = parts["names"] | {"kind": kind, "listKind": f"{kind}List", "singular": kind.lower()}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{names['plural']}.{group}"},
        "spec": {
            "group": group,
            "names": names,
            "scope": "Namespaced",
            "versions": [_version(version, parts)],
        },
    }


def _version(name: str, parts: Schema) -> Schema:
    version: Schema = {
        "name": name,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": _root(parts)},
    }
    if "columns" in parts:
        version["additionalPrinterColumns"] = parts["columns"]
    if "selectable" in parts:
        version["selectableFields"] = [{"jsonPath": path} for path in parts["selectable"]]
    if "subresources" in parts:
        version["subresources"] = parts["subresources"]
    return version


def _root(parts: Schema) -> Schema:
    root: Schema = {
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": _unsaid(parts["spec"]),
            "status": _unsaid(parts["status"]),
        },
    }
    return root | ({"x-kubernetes-validations": parts["rules"]} if "rules" in parts else {})


def _unsaid(part: Any) -> Any:
    """Leave out our wording; no field of ours is called ``says``."""
    if isinstance(part, list):
        return [_unsaid(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {key: _unsaid(item) for key, item in part.items() if key != "says"}
