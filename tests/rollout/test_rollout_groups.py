"""Which Nodes share a Pod, and which Pod is theirs (admission.md §§2, 4.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rollout_world import World, names

from kubectl_c9s.rollout.groups import group_nodes, is_behind_barrier, newest_pods, primary_of
from kubectl_c9s.rollout.views import NodeView

CHAINS: dict[str, tuple[dict[str, str | None], dict[str, str]]] = {
    "alone": ({"a": None}, {"a": "a"}),
    "chain": ({"a": "b", "b": "c", "c": None}, {"a": "c", "b": "c", "c": "c"}),
    "missing primary": ({"a": "b", "b": "gone"}, {"a": "gone", "b": "gone"}),
    "no name": ({"a": ""}, {"a": ""}),
    "self-reference": ({"a": "a"}, {"a": "a"}),
    "tail into a self-reference": ({"a": "b", "b": "b"}, {"a": "b", "b": "b"}),
    "circle of two": ({"a": "b", "b": "a"}, {"a": "b", "b": "a"}),
    "circle of three": ({"a": "b", "b": "c", "c": "a"}, {"a": "c", "b": "a", "c": "b"}),
    "tail into a circle": ({"a": "b", "b": "c", "c": "b"}, {"a": "c", "b": "c", "c": "b"}),
}


@pytest.mark.parametrize("chain", CHAINS)
def test_the_primary_is_found(chain: str) -> None:
    shares, primaries = CHAINS[chain]
    assert {name: primary_of(name, shares) for name in shares} == primaries


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([None, *"abcdefg"]), min_size=1),
    st.data(),
)
def test_every_reference_ends_at_a_primary_a_missing_name_or_in_a_circle(
    shares: dict[str, str | None], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(shares)))
    path, place = [name], shares.get(name)
    while place is not None and place not in path:
        path.append(place)
        place = shares.get(place)
    assert primary_of(name, shares) == path[-1]


def view(full_name: str, shares: str | None = None) -> NodeView:
    namespace, name = full_name.split("/")
    return NodeView(namespace, name, full_name, shares=shares)


def test_a_group_has_its_primary_first_and_the_others_by_name() -> None:
    given_nodes = [view("n/z", "p"), view("n/B", "p"), view("n/p"), view("n/a", "z")]
    (group,) = group_nodes(given_nodes).groups
    assert names([group, *group.members]) == ["n/p", "n/p", "n/B", "n/a", "n/z"]


def test_groups_are_ordered_by_the_bytes_of_their_names() -> None:
    found = group_nodes(view(f"n/{name}") for name in ("n10", "n9", "N", "n-1", "n1", "n"))
    assert names(found.groups) == ["n/N", "n/n", "n/n-1", "n/n1", "n/n10", "n/n9"]


def test_references_stay_in_their_namespace() -> None:
    found = group_nodes([view("a/p"), view("b/s", "p"), view("b/t", "p"), view("a/q", "gone")])
    assert names(found.groups) == ["a/p"]
    assert found.missing == ("a/gone", "b/p")


def test_each_node_of_a_circle_of_two_belongs_to_the_other_ones_group() -> None:
    found = group_nodes([view("n/a", "b"), view("n/b", "a"), view("n/t", "a")])
    assert [names(group.members) for group in found.groups] == [
        ["n/a", "n/b"],
        ["n/b", "n/a", "n/t"],
    ]


def test_a_self_reference_is_a_group_of_one() -> None:
    (group,) = group_nodes([view("n/a", "a")]).groups
    assert names(group.members) == ["n/a"]


def test_the_newest_pod_counts_and_of_equally_old_ones_the_first() -> None:
    world = World()
    world.node("a/a")
    old = world.pod("a/a", created="1")
    first, second = world.pod("a/a", created="2"), world.pod("a/a", created="2")
    assert newest_pods(world.pods.values())["a/a"].uid == first
    assert newest_pods(reversed(world.pods.values()))["a/a"].uid == second
    for uid in (first, second):
        world.change(uid, deleting=True)
    assert newest_pods(world.pods.values())["a/a"].uid == old


def test_a_pod_without_a_node_uid_is_nobodys() -> None:
    world = World()
    world.pod("a/a", node_uid="")
    assert newest_pods(world.pods.values()) == {}


def test_only_the_sandbox_of_the_newest_pod_satisfies_the_barrier() -> None:
    world = World()
    node = view("a/a")
    (group,) = group_nodes([node]).groups
    assert is_behind_barrier(group, newest_pods(world.pods.values()))
    world.pod("a/a", sandbox=True)
    assert not is_behind_barrier(group, newest_pods(world.pods.values()))
    newer = world.pod("a/a", started=True, phase="Running")
    assert is_behind_barrier(group, newest_pods(world.pods.values()))
    world.change(newer, sandbox=True)
    assert not is_behind_barrier(group, newest_pods(world.pods.values()))
