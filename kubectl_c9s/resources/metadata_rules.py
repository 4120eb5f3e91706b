"""Rules for labels and annotations that the API server has and JSON Schema has no word for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import names
from kubectl_c9s.resources.schema_words import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.resources.objects import KubeObject

MAX_ANNOTATIONS: Final = 256 * 1024
"""Most bytes that all annotations of an object may have together, keys and values."""


def metadata_violations(metadata: KubeObject) -> Iterator[Violation]:
    """Give what is wrong with labels and annotations; values of a wrong type are passed over."""
    labels = _texts(metadata.get("labels"))
    for key, value in labels.items():
        problems = names.qualified_name_problems(key) + names.label_value_problems(value)
        yield from (Violation(("metadata", "labels", key), problem) for problem in problems)
    annotations = _texts(metadata.get("annotations"))
    for key in annotations:
        problems = names.qualified_name_problems(key.lower())
        yield from (Violation(("metadata", "annotations", key), problem) for problem in problems)
    if _size(annotations) > MAX_ANNOTATIONS:
        yield Violation(
            ("metadata", "annotations"), f"must have at most {MAX_ANNOTATIONS} bytes together"
        )


def metadata_is_legal(metadata: KubeObject) -> bool:
    """Tell whether :func:`metadata_violations` gives nothing, of metadata the schema has passed."""
    labels: dict[str, str] = metadata.get("labels") or {}
    for key, value in labels.items():
        if not names.is_label(key, value):
            return False
    return "annotations" not in metadata or not any(metadata_violations(metadata))


def _size(annotations: dict[str, str]) -> int:
    return sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items())


def _texts(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {key: text for key, text in pairs if isinstance(text, str)}
