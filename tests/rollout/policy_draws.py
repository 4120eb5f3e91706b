"""Policies, and what they meet, drawn at random."""

from __future__ import annotations

from hypothesis import strategies as st

from kubectl_c9s.rollout.limits import LARGEST, Limits
from kubectl_c9s.rollout.policyfile import Bounds, RolloutPolicy, TopologyRule

numbers = st.none() | st.integers(0, 8) | st.integers(0, LARGEST)
limits = st.builds(Limits, numbers, numbers)


@st.composite
def bounds(draw: st.DrawFn) -> Bounds:
    """Draw bounds that the schema takes: min ≤ default ≤ max, any of them absent."""
    size = st.integers(0, 8) | st.integers(0, LARGEST)
    low, between, high = sorted(draw(st.tuples(size, size, size)))
    kept = [number if draw(st.booleans()) else None for number in (between, high, low)]
    return Bounds(*kept)


rules = st.builds(
    TopologyRule,
    st.just(0),
    st.none() | st.lists(st.sampled_from(["*", "ci-*", "lab", "c?-1"]), min_size=1).map(tuple),
    st.dictionaries(st.sampled_from("ab"), st.sampled_from("xy")),
    bounds(),
    bounds(),
)
policies = st.builds(
    RolloutPolicy, st.just("p"), st.just(""), limits, st.lists(rules, max_size=3).map(tuple)
)
namespaces = st.sampled_from(["ci-1", "lab", "other"])
labels = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xy"))
