"""The objects that ``apply`` and ``diff`` take from their input."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from kubectl_c9s.cli.connecting import connect
from kubectl_c9s.cli.inputs import read_inputs
from kubectl_c9s.cluster import kinds
from kubectl_c9s.resources import labels, schema
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import data
from kubectl_c9s.topology.manifest import is_topology
from kubectl_c9s.yamlio.layout import KUSTOMIZATIONS
from kubectl_c9s.yamlio.reader import OBJECTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.cli.inputs import Item
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.kinds import Resource
    from kubectl_c9s.resources.objects import KubeObject

_OURS = (kinds.NODE_PROFILES, kinds.LINKS, kinds.NODES)
_UNKNOWN = "unknown field"
_SPLIT_FIRST = "split it first: kubectl c9s split -f FILE | kubectl c9s apply -f -"


def read_and_connect(
    flags: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[Connection, list[tuple[Resource, KubeObject]]]:
    """Read the objects, then connect; objects without a namespace get that of ``-n`` or of the context."""
    objects = read_objects(
        given["paths"], recursive=given["recursive"], namespace=flags.get("namespace")
    )
    connection = connect(flags)
    _fill_namespace(objects, connection.namespace)
    return connection, objects


def read_objects(
    paths: tuple[str, ...], *, recursive: bool, namespace: str | None
) -> list[tuple[Resource, KubeObject]]:
    """Read the objects of a split lab, each with its resource; nothing is asked of a cluster.

    ``namespace`` is that of ``-n``: objects without one get it, an object of another one is an error. Raises
    RefusedInput with everything that is wrong, UsageError for unreadable files.
    """
    findings = Findings()
    found: list[tuple[Resource, KubeObject]] = []
    seen: set[tuple[str, str, str]] = set()
    for item in read_inputs(paths, findings, recursive=recursive, budget=OBJECTS):
        taken = _take(item, findings)
        if taken is None:
            continue
        resource, obj = taken
        if namespace:
            _settle_namespace(resource, obj, namespace, item, findings)
        key = (resource.kind, obj["metadata"].get("namespace") or "", obj["metadata"]["name"])
        if key in seen:
            text = f"{resource.kind} {key[2]!r} is given twice"
            _error(findings, item, "duplicate-object-name", text)
        seen.add(key)
        found.append((resource, obj))
    if findings.has_errors():
        raise RefusedInput(
            f"the input is not taken, {len(findings.errors)} error(s) found", findings.errors
        )
    if not found:
        raise RefusedInput("the input has no object to apply")
    return found


def _fill_namespace(objects: list[tuple[Resource, KubeObject]], default: str) -> None:
    """Give the namespace of the context to the objects that have none."""
    for resource, obj in objects:
        if resource.namespaced and not obj["metadata"].get("namespace"):
            obj["metadata"] = {**obj["metadata"], "namespace": default}


def _take(item: Item, findings: Findings) -> tuple[Resource, KubeObject] | None:
    document = item.document
    if item.bare or is_topology(document.root):
        _error(findings, item, "not-split", f"a whole lab cannot be applied here; {_SPLIT_FIRST}")
        return None
    if document.root is None or PurePath(document.file).name in KUSTOMIZATIONS:
        return None  # a list for kustomize is no object
    before = len(findings.errors)
    obj: Any = data.to_json(document, document.root, findings)
    if len(findings.errors) > before:
        return None
    if not isinstance(obj, dict) or not isinstance(obj.get("metadata"), dict):
        _error(findings, item, "not-an-object", "the document is no Kubernetes object")
        return None
    resource = kinds.applied_resource(str(obj.get("apiVersion")), str(obj.get("kind")))
    if resource is None:
        message = f"{obj.get('apiVersion')} {obj.get('kind')} is no part of a split lab; apply it with kubectl"
        _error(findings, item, "foreign-kind", message)
        return None
    return (resource, obj) if _is_sound(resource, obj, item, findings) else None


def _is_sound(resource: Resource, obj: KubeObject, item: Item, findings: Findings) -> bool:
    sound = True
    if resource in _OURS and not schema.is_valid(resource.kind, obj):
        for path, message in schema.violations(resource.kind, obj):
            text = f"{data.dotted(path) or resource.kind} {message}"
            if message == _UNKNOWN:
                text = f"{data.dotted(path)} is no field of a {resource.kind}"
                _error(findings, item, "unknown-field", text, path)
            else:
                _error(findings, item, "not-admissible", text, path)
            sound = False
    if not isinstance(obj["metadata"].get("name"), str):
        _error(findings, item, "not-admissible", "metadata.name is required")
        return False
    for problem in labels.forbidden_metadata(obj):
        _error(findings, item, "forbidden-metadata", problem)
        sound = False
    return sound


def _settle_namespace(
    resource: Resource, obj: KubeObject, wanted: str, item: Item, findings: Findings
) -> None:
    metadata = obj["metadata"]
    if not resource.namespaced:
        return
    if metadata.get("namespace") not in {None, "", wanted}:
        message = f"{resource.kind} {metadata['name']!r} has namespace {metadata['namespace']!r}, not {wanted!r}"
        _error(findings, item, "namespace-mismatch", message, ("metadata", "namespace"))
    elif not metadata.get("namespace"):
        obj["metadata"] = {**metadata, "namespace": wanted}


def _error(
    findings: Findings, item: Item, code: str, message: str, path: tuple[str | int, ...] = ()
) -> None:
    at = data.find(item.document.root, path) if path else item.document.root
    findings.error(code, data.dotted(path), message, item.document.position(at))
