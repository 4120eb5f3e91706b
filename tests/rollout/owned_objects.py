"""Configs with owners of fields, as ``metadata.managedFields`` has them."""

from __future__ import annotations

from typing import Any

KEY = {"batchSize": "f:batchSize", "maxConcurrentPerHost": "f:maxConcurrentPerHost"}


def entry(manager: str, operation: str, *fields: str, **more: Any) -> dict[str, Any]:
    """Make what the server notes of a writer that owns these fields of ``spec.rollout``, or the block alone."""
    block: dict[str, Any] = {KEY[field]: {} for field in fields} or {".": {}}
    return {
        "manager": manager,
        "operation": operation,
        "time": "2026-10-01T00:00:00Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:rollout": block, "f:imagePull": {}}},
    } | more


def config(
    *entries: dict[str, Any],
    labels: dict[str, str] | None = None,
    annotations: dict[str, str] | None = None,
    **block: int,
) -> dict[str, Any]:
    """Make a Config; without a field its block is absent."""
    metadata: dict[str, Any] = {
        "name": "clabernetes",
        "namespace": "c9s",
        "resourceVersion": "7",
        "managedFields": list(entries),
    }
    metadata |= {"labels": labels} if labels else {}
    metadata |= {"annotations": annotations} if annotations else {}
    spec = {"rollout": block} if block else {}
    body: dict[str, Any] = {"apiVersion": "c9s.run/v1alpha1", "kind": "Config"}
    return body | {"metadata": metadata, "spec": spec}
