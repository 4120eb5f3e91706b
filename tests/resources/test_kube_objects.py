from __future__ import annotations

from typing import Any

import pytest

from kubectl_c9s.resources import objects


def test_identity_is_read_from_kind_and_metadata() -> None:
    obj = {"kind": "Node", "metadata": {"name": "a", "namespace": "lab"}}
    assert (objects.kind_of(obj), objects.name_of(obj), objects.namespace_of(obj)) == (
        "Node",
        "a",
        "lab",
    )


@pytest.mark.parametrize(
    "obj", [{}, {"metadata": None}, {"metadata": [1]}, {"kind": 1, "metadata": {"name": {}}}]
)
def test_what_is_missing_or_of_a_wrong_type_is_empty(obj: dict[str, Any]) -> None:
    assert objects.kind_of(obj) == objects.name_of(obj) == objects.namespace_of(obj) == ""
