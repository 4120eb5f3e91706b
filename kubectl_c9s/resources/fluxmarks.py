"""Text that Flux's post-build substitution would change, and the mark that keeps an object from it.

Source: conventions.md §7, and how Flux reads: ``${`` begins a variable, and of ``$$`` one dollar is left, wherever
they stand in the text of an object. A lone dollar stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject

SUBSTITUTE: Final = "kustomize.toolkit.fluxcd.io/substitute"
DISABLED: Final = "disabled"
VARIABLE: Final = "${"
ESCAPE: Final = "$$"


def is_changed(text: str) -> bool:
    """Tell whether Flux would take a text otherwise than it is written."""
    return VARIABLE in text or ESCAPE in text


def holds_changed(value: Any) -> bool:
    """Tell whether a text or a key anywhere in JSON data is one that Flux would change."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if is_changed(one):
                return True
        elif isinstance(one, dict):
            waiting += one
            waiting += one.values()
        elif isinstance(one, (list, tuple)):
            waiting += one
    return False


def marked(obj: KubeObject) -> KubeObject:
    """Give an object with the mark if Flux would change anything in it, else the object itself."""
    return with_annotation(obj, SUBSTITUTE, DISABLED) if holds_changed(obj) else obj


def with_annotation(obj: KubeObject, key: str, value: str) -> KubeObject:
    """Give an object with an annotation more; the other ones stay."""
    metadata = obj["metadata"]
    annotations = {**(metadata.get("annotations") or {}), key: value}
    return {**obj, "metadata": {**metadata, "annotations": annotations}}
