"""Whatever the policy and the objects are: nothing but managed fields that differ is written, and only once."""

from __future__ import annotations

import copy
from typing import Any

from enforcing_tools import around, config, how, topology, with_labs
from hypothesis import given
from hypothesis import strategies as st
from patch_reference import merged
from policy_draws import labels, limits, namespaces, policies

from kubectl_c9s.rollout import enforcing as decisions
from kubectl_c9s.rollout import ownwrites
from kubectl_c9s.rollout.limits import FIELDS
from kubectl_c9s.rollout.policyfile import RolloutPolicy, rule_for

keys = st.text(max_size=3).filter(lambda key: key not in {"rollout", *FIELDS})
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=2),
    max_leaves=5,
)
others = st.dictionaries(keys, values, max_size=3)


@st.composite
def objects(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a Config or a Topology with all kinds of things in it, and a block with or without what is ours."""
    made = config() if draw(st.booleans()) else topology(draw(namespaces), labels=draw(labels))
    made["metadata"] |= {"annotations": draw(st.dictionaries(keys, st.text(max_size=3)))}
    made["spec"] = draw(others)
    block = draw(st.none() | others)
    if block is not None:
        present = zip(FIELDS, draw(limits), strict=True)
        made["spec"]["rollout"] = block | {key: one for key, one in present if one is not None}
    return made | {"status": draw(others)}


def decide(made: RolloutPolicy, obj: dict[str, Any], **said: Any) -> Any:
    seen = with_labs(obj) if obj["kind"] == "Topology" else around()
    return decisions.decide(made, obj, seen, how(**said), ownwrites.History())


def enforced(made: RolloutPolicy) -> RolloutPolicy:
    return made._replace(mode="Enforce", suspend=False)


def is_managed(made: RolloutPolicy, obj: dict[str, Any], index: int) -> bool:
    """Tell whether the policy speaks of a field of an object."""
    if obj["kind"] == "Config":
        return made.config[index] is not None
    meta = obj["metadata"]
    rule = rule_for(made, meta["namespace"], meta.get("labels") or {})
    return rule is not None and any(bound is not None for bound in rule.bounds[index])


@given(policies, objects())
def test_nothing_but_managed_fields_that_differ_is_changed(
    made: RolloutPolicy, obj: dict[str, Any]
) -> None:
    read = copy.deepcopy(obj)
    found = decide(enforced(made), obj)
    assert obj == read
    if found.patch is None:
        assert found.drift == ()
        return
    after = merged(obj, found.patch)
    told = {drift.field: drift.new for drift in found.drift}
    assert told
    for index, field in enumerate(FIELDS):
        was, now = block_of(obj).get(field), block_of(after).get(field)
        if field in told:
            assert is_managed(made, obj, index)
            assert now == told[field] == found.limits[index]
            assert (was or 0) != now
        else:
            assert found.limits[index] is None
            assert (now, field in block_of(after)) == (was, field in block_of(obj))
    for one in (obj, after):
        for field in FIELDS:
            block_of(one).pop(field, None)
        if not block_of(one):
            one["spec"].pop("rollout", None)
    assert after == obj


def block_of(obj: dict[str, Any]) -> dict[str, Any]:
    block: dict[str, Any] = obj["spec"].get("rollout") or {}
    return block


@given(policies, objects())
def test_what_was_written_is_not_written_again_and_what_differs_is_written_at_once(
    made: RolloutPolicy, obj: dict[str, Any]
) -> None:
    found = decide(enforced(made), obj)
    if found.patch is not None:
        obj = merged(obj, found.patch)
        again = decide(enforced(made), obj)
        assert (again.managed, again.patch, again.drift, again.hold) == (True, None, (), None)


@given(policies, objects(), st.sampled_from(FIELDS))
def test_a_zero_that_was_dropped_is_no_difference(
    made: RolloutPolicy, obj: dict[str, Any], field: str
) -> None:
    """Where a rule has a default, absent means that nobody has chosen; a Config has none."""
    obj = config(block_of(obj) | {field: 0})
    dropped = config({key: one for key, one in block_of(obj).items() if key != field})
    assert decide(enforced(made), obj).limits == decide(enforced(made), dropped).limits


@given(
    policies,
    objects(),
    st.fixed_dictionaries(
        {
            "leading": st.booleans(),
            "complete": st.booleans(),
            "fresh": st.booleans(),
            "unsupported": st.sets(st.sampled_from(["Config", "Topology"])).map(frozenset),
        }
    ),
    st.fixed_dictionaries(
        {"suspend": st.booleans(), "mode": st.sampled_from(["Report", "Enforce"])}
    ),
)
def test_a_write_is_decided_only_when_nothing_speaks_against_it(
    made: RolloutPolicy, obj: dict[str, Any], said: dict[str, Any], chosen: dict[str, Any]
) -> None:
    made = made._replace(**chosen)
    found = decide(made, obj, **said)
    free = all(said[name] for name in ("leading", "complete", "fresh"))
    free = free and chosen == {"suspend": False, "mode": "Enforce"}
    free = free and obj["kind"] not in said["unsupported"]
    assert (found.patch is not None) == (bool(found.drift) and free)
    assert (found.hold is not None) == (bool(found.drift) and not free)
    # What differs does not depend on whether it may be written.
    assert found.drift == decide(enforced(made), obj).drift
