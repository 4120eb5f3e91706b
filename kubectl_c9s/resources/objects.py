"""The shape in which Kubernetes objects pass between rooms, and how to ask one for its identity."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

KubeObject: TypeAlias = dict[str, Any]
"""A Kubernetes object, or a part of one, as JSON has it: string keys, plain values."""

API_VERSION: Final = "c9s.run/v1alpha1"
"""``apiVersion`` of every kind of clabernetes."""

OLD_API_VERSION: Final = "clabernetes.containerlab.dev/v1alpha1"
"""``apiVersion`` of the same kinds before the group was called ``c9s.run``."""

TOOLKIT_API_VERSION: Final = "toolkit.c9s.run/v1alpha1"
"""``apiVersion`` of the toolkit's own kinds."""

CONFIG_NAME: Final = "clabernetes"
"""The name that every Config has (config-and-chart.md §1)."""


def kind_of(obj: KubeObject) -> str:
    """Give ``kind``, ``""`` if there is none that is a string."""
    return _text(obj.get("kind"))


def name_of(obj: KubeObject) -> str:
    """Give ``metadata.name``, ``""`` if there is none that is a string."""
    return _text(_metadata(obj).get("name"))


def namespace_of(obj: KubeObject) -> str:
    """Give ``metadata.namespace``, ``""`` if there is none that is a string."""
    return _text(_metadata(obj).get("namespace"))


def _metadata(obj: KubeObject) -> KubeObject:
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
