"""Schemas can fail: of each shape a real document is kept, and no change that says something else passes.

The samples come from real runs: ``make test PYTEST_ARGS="tests/contracts --update-golden"`` takes them anew.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemas
from hypothesis import given
from hypothesis import strategies as st
from shape_changes import Change, changes
from shape_tools import SAMPLES, sample_name, sample_names, validator

NAMES = sample_names()
# What such a change makes of a document is another one that is allowed: a result of another function, limits of the
# Config alone or of Topologies alone.
ALLOWED = {
    ("resource-list", "less", "code"),
    ("rollout-show", "less", "config"),
    ("rollout-show", "less", "topologies"),
}


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def schema_of(name: str) -> str:
    """Give the schema of a sample; those of an alternative have its number behind a dot."""
    return name.partition(".")[0]


def forbidden(name: str) -> list[Change]:
    schema = schema_of(name)
    found = changes(schemas.read(schema), sample(name))
    return [one for one in found if (schema, one.what, one.key) not in ALLOWED]


@pytest.mark.parametrize("name", NAMES)
def test_a_real_document_keeps_its_schema(name: str) -> None:
    validator(schema_of(name)).validate(sample(name))
    assert sample_name(schema_of(name), sample(name)) == name


@pytest.mark.parametrize("name", NAMES)
def test_fields_that_are_missing_unknown_or_of_another_type_are_refused(name: str) -> None:
    document = sample(name)
    found = forbidden(name)
    assert {"less", "type"} <= {one.what for one in found}
    passed = [one for one in found if validator(schema_of(name)).is_valid(one.on(document))]
    assert passed == []


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.data())
def test_several_changes_at_once_are_refused_as_well(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(NAMES))
    document = sample(name)
    first = data.draw(
        st.sampled_from([one for one in forbidden(name) if one.what != "type"] or forbidden(name))
    )
    changed = first.on(document)
    if isinstance(changed, dict):
        key = data.draw(st.text(min_size=1).filter(lambda text: text not in document))
        changed |= {key: data.draw(JSON)}
    assert not validator(schema_of(name)).is_valid(changed)


@given(JSON)
def test_what_is_something_else_is_refused(value: Any) -> None:
    # Lists without entries are empty patches, submissions and probes.
    wrong = [name for name in NAMES if value != [] and validator(schema_of(name)).is_valid(value)]
    assert wrong == []
