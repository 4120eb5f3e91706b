"""Of several policies one rules."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from policy_objects import policy

from kubectl_c9s.rollout import ruling
from kubectl_c9s.rollout.limits import Limits


def made(name: str, created: str = "2026-10-01T00:00:00Z", space: str = "c9s", **spec: Any) -> Any:
    obj = policy(name, **spec)
    obj["metadata"] |= {
        "namespace": space, "creationTimestamp": created, "uid": f"uid-{name}", "generation": 3,
        "resourceVersion": "5", "managedFields": [],
    }  # fmt: skip
    return obj


def names(*objects: Any) -> list[str]:
    """Give the ruler and those behind it."""
    found = ruling.ruling([ruling.candidate(one) for one in objects], "c9s")
    return [one.name for one in (found.ruler, *found.superseded) if one]


def test_the_oldest_of_the_managers_namespace_rules_and_of_one_second_the_first_by_name() -> None:
    late, early = "2026-10-02T00:00:00Z", "2026-10-01T23:59:59Z"
    assert names(made("a", late), made("z", early)) == ["z", "a"]
    assert names(made("b"), made("c"), made("a")) == ["a", "b", "c"]
    assert names(made("a", early, space="lab"), made("b", late)) == ["b"]
    assert names(made("a", space="lab")) == []
    assert names() == []


def test_a_policy_on_its_way_out_rules_no_more() -> None:
    going = made("a", "2026-09-01T00:00:00Z")
    going["metadata"]["deletionTimestamp"] = "2026-10-03T00:00:00Z"
    assert names(going, made("b"), made("c")) == ["b", "c"]
    assert names(going) == []


def test_a_policy_is_read_as_the_server_has_it() -> None:
    obj = made("a", config={"batchSize": 5}, pacing={"mode": "Off"}) | {"status": {"any": "thing"}}
    found = ruling.candidate(obj)
    assert (found.namespace, found.name, found.uid, found.generation) == ("c9s", "a", "uid-a", 3)
    assert (found.created, found.deleting) == ("2026-10-01T00:00:00Z", False)
    assert (found.problem, found.policy and found.policy.config) == ("", Limits(5))
    assert found.policy is not None
    assert (found.policy.name, found.policy.namespace) == ("a", "c9s")
    del obj["spec"]
    assert ruling.candidate(obj).policy is not None


def test_a_policy_that_cannot_be_obeyed_says_why_and_rules_all_the_same() -> None:
    wrong = made("a", config={"batchSize": -1}, colour="red")
    found = ruling.candidate(wrong)
    assert found.policy is None
    assert found.problem == "spec.colour: unknown field, and 1 more"
    assert ruling.candidate(made("a", mode="x")).problem.startswith("spec.mode: must be one of")
    assert names(made("b"), wrong) == ["a", "b"]


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("12"), st.booleans(), st.booleans()),
        unique_by=lambda one: one[0],
    )
)
def test_every_policy_that_counts_has_one_place_in_the_line(given_ones: list[Any]) -> None:
    objects = []
    for name, created, deleting, own in given_ones:
        obj = made(name, created, "c9s" if own else "lab")
        obj["metadata"] |= {"deletionTimestamp": "9"} if deleting else {}
        objects.append(obj)
    line = sorted(
        (created, name) for name, created, deleting, own in given_ones if own and not deleting
    )
    assert names(*objects) == [name for _, name in line]
