"""What a server publishes of our kinds (OpenAPI 2), and what it remembers of who has written what."""

from __future__ import annotations

import copy
from typing import Any, Final

from kubectl_c9s.resources.crd import crd

Json = dict[str, Any]
KINDS: Final = ("Config", "Link", "Node", "NodeProfile", "RolloutPolicy", "Topology")
# Keywords that OpenAPI 2 does not know, which a server leaves out.
UNKNOWN: Final = frozenset({"anyOf", "oneOf", "nullable", "not", "x-kubernetes-validations"})
TEXTS: Final = {"type": "object", "additionalProperties": {"type": "string"}}
METADATA: Final = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("annotations", "labels"), TEXTS),
        **{key: {"type": "string"} for key in ("name", "namespace", "uid", "resourceVersion")},
        "generation": {"type": "integer", "format": "int64"},
        "finalizers": {
            "type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set",
        },
        "ownerReferences": {
            "type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "managedFields": {"type": "array", "items": {"type": "object"}},
    },
}  # fmt: skip


def published() -> Json:
    """Give the document."""
    definitions = {}
    for kind in KINDS:
        spec = crd(kind)["spec"]
        (version,) = spec["versions"]
        schema = _known(version["schema"]["openAPIV3Schema"])
        schema["properties"]["metadata"] = METADATA
        gvk = {"group": spec["group"], "version": version["name"], "kind": kind}
        schema["x-kubernetes-group-version-kind"] = [gvk]
        definitions[f"run.c9s.{kind}"] = schema
    info = {"title": "Kubernetes", "version": "v1"}
    return {"swagger": "2.0", "info": info, "paths": {}, "definitions": definitions}


def _known(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: _known(value) for key, value in schema.items() if key not in UNKNOWN}
    return [_known(one) for one in schema] if isinstance(schema, list) else schema


def applied(git: Json, live: Json) -> Json:
    """Give what is live as a server-side apply of Argo CD has left it: the fields that Git has are Argo CD's."""
    owned = {key: git[key] for key in ("metadata", "spec") if key in git}
    fields = _fields(owned)
    for key in ("name", "namespace"):
        fields["f:metadata"].pop(f"f:{key}", None)
    entry = {
        "manager": "argocd-controller",
        "operation": "Apply",
        "apiVersion": git["apiVersion"],
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
        "time": "2026-09-21T10:00:00Z",
    }
    found = copy.deepcopy(live)
    found["metadata"]["managedFields"] = [entry]
    return found


def _fields(value: Any) -> Json:
    """Give whose the fields are; lists belong to their writer as a whole, as in all of our kinds that are tested."""
    if not isinstance(value, dict):
        return {}
    return {f"f:{key}": _fields(one) for key, one in value.items()}
