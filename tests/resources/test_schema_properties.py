"""Properties of validation: any value gets an answer, and the fast answer is the full one."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from kube_samples import obj, samples

from kubectl_c9s.resources import duration, schema

ALL = (*schema.KINDS, *schema.TOOLKIT_KINDS)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
# An integer of so many digits cannot be shown, so it must not stand in a strategy as it is.
ODD = (
    SCALARS
    | st.binary()
    | st.just("\ud800")
    | st.builds(pow, st.just(10), st.just(5000))
    | st.dates()
)
VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


WRITTEN = st.text(alphabet="0123456789.+-nu\u00b5\u03bcsmh d", max_size=70)
TERMS = st.lists(
    st.from_regex(r"([0-9]{1,20}\.?[0-9]{0,3}|\.[0-9])(ns|us|ms|s|m|h)", fullmatch=True)
)


@given(WRITTEN | TERMS.map("".join) | st.text())
@example("0")
@example("+1s")
@example("9223372036854775807ns")
@example("9223372036854775808ns")
def test_a_policy_takes_the_durations_above_0_that_go_reads(written: str) -> None:
    try:
        span = duration.parse(written)
    except duration.DurationError:
        span = 0
    stall = {"slowAfter": "1ns", "stalledAfter": written}
    taken = schema.is_valid("RolloutPolicy", obj("RolloutPolicy", {"stall": stall}))
    assert taken == (span > 0 and len(written) <= 64)


def test_a_value_that_holds_itself_ends_in_one_violation() -> None:
    circle: dict[str, Any] = {}
    circle["again"] = circle
    for spec in ({"config": {"vars": circle}}, circle):
        value = obj("Node", spec)
        (found,) = schema.violations("Node", value)
        assert found.message == "is nested too deeply"
        assert not schema.is_valid("Node", value)


@given(VALUES)
@example([])
@example(None)
def test_any_value_is_no_object_and_ends_in_violations(value: object) -> None:
    for kind in ALL:
        assert schema.violations(kind, value)
        assert not schema.is_valid(kind, value)


@given(st.sampled_from(ALL), st.data())
def test_the_fast_and_the_full_answer_agree_on_any_change(kind: str, data: st.DataObject) -> None:
    value = samples()[kind]
    part: Any = value
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = data.draw(st.sampled_from(keys))
        inner = part[key]
        if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
            part = inner
            continue
        part[key] = data.draw(VALUES)
        break
    assert schema.is_valid(kind, value) == (not schema.violations(kind, value))
