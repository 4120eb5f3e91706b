"""The manifest of a run: a digest of what was asked for, images by identity, what changed meanwhile."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.measurement.run import Limits, Manifest
from kubectl_c9s.measurement.runmanifest import Asked, changed_between, definition_digest, limits_of
from kubectl_c9s.measurement.runpods import OfPods, RunPod, of_pods
from kubectl_c9s.resources.live import Meta, Rollout

Json = dict[str, Any]
Pair = tuple[str, Asked]
PAIR = {"c9s.run/app": "clabernetes", "c9s.run/topologyOwner": "lab"}

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
SPECS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
NAMED = st.dictionaries(
    st.tuples(st.sampled_from(["Node", "Link", "NodeProfile"]), st.text("abc", min_size=1, max_size=3)),
    SPECS,
    min_size=1,
    max_size=6,
)  # fmt: skip


def asked(name: str, spec: Json, labels: dict[str, str] | None = None, **meta: Any) -> Asked:
    """Give an object of a lab."""
    return Asked(Meta(name=name, labels=labels, **meta), spec)


def turned(value: Any) -> Any:
    """Give the same value with the keys of every mapping the other way round."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(one) for one in value] if isinstance(value, list) else value


def pairs(named: dict[tuple[str, str], Json], **meta: Any) -> list[Pair]:
    """Give (kind, object) of each."""
    return [(kind, asked(name, spec, **meta)) for (kind, name), spec in named.items()]


@given(named=NAMED, data=st.data())
def test_order_and_metadata_do_not_change_the_digest(
    named: dict[tuple[str, str], Json], data: st.DataObject
) -> None:
    mixed = dict(data.draw(st.permutations(list(named.items()))))
    other = pairs(
        {key: turned(spec) for key, spec in mixed.items()}, uid="u", namespace="elsewhere"
    )
    digest = definition_digest(pairs(named))
    assert re.fullmatch("sha256:[0-9a-f]{64}", digest)
    assert definition_digest(other) == digest


@given(named=NAMED, spec=SPECS, data=st.data())
def test_any_other_spec_or_name_changes_the_digest(
    named: dict[tuple[str, str], Json], spec: Json, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(named)))
    changed = {**named, key: spec}
    same = json.dumps(spec, sort_keys=True) == json.dumps(named[key], sort_keys=True)
    assert (definition_digest(pairs(changed)) == definition_digest(pairs(named))) is same
    renamed = {
        (kind, "z" if (kind, name) == key else name): one for (kind, name), one in named.items()
    }
    assert definition_digest(pairs(renamed)) != definition_digest(pairs(named))


def test_a_topology_counts_by_its_spec_without_its_name_and_limits() -> None:
    spec = {"definition": {"containerlab": "name: lab\n"}}
    limited = {**spec, "rollout": {"batchSize": 5}}
    digest = definition_digest([("Topology", asked("one", spec))])
    assert definition_digest([("Topology", asked("two", limited))]) == digest
    other = {"definition": {"containerlab": "name: lab2\n"}}
    assert definition_digest([("Topology", asked("one", other))]) != digest


def test_what_a_topology_makes_does_not_count_beside_it() -> None:
    topology = ("Topology", asked("lab", {"definition": {}}))
    made = ("Node", asked("lab-r1", {"kind": "linux"}, PAIR))
    ours = ("Node", asked("r1", {"kind": "linux"}, {"c9s.run/topologyOwner": "lab"}))
    alone = definition_digest([topology])
    assert definition_digest([topology, made]) == alone
    assert definition_digest([topology, ours]) != alone


def test_a_lab_with_the_labels_of_a_topology_that_never_was_counts() -> None:
    assert definition_digest([("Node", asked("lab-r1", {"kind": "linux"}, PAIR))])


def test_a_topology_makes_nothing_in_another_namespace() -> None:
    topology = ("Topology", asked("lab", {}, namespace="one"))
    beside = ("Node", asked("r1", {}, PAIR, namespace="one"))
    elsewhere = ("Node", asked("r1", {}, PAIR, namespace="two"))
    assert definition_digest([topology, beside]) == definition_digest([topology])
    assert definition_digest([topology, elsewhere]) != definition_digest([topology])


def test_nothing_asked_for_has_no_digest() -> None:
    assert definition_digest([]) == ""


def pod(
    host: str | None, addresses: list[str], *statuses: Json, init: Json | None = None
) -> RunPod:
    """Give a Pod whose containers are named for their images."""
    every = [*statuses, *([init] if init else [])]
    ids = [{key: one[key] for key in one if key != "asked"} for one in every]
    containers = [{"name": one["name"], "image": one["asked"]} for one in every]
    count = len(statuses)
    body = {
        "metadata": {"name": "p"},
        "spec": {
            "nodeName": host,
            "containers": containers[:count],
            "initContainers": containers[count:],
        },
        "status": {
            "containerStatuses": ids[:count],
            "initContainerStatuses": ids[count:],
            "podIPs": [{"ip": one} for one in addresses],
        },
    }
    return msgspec.convert(body, RunPod)


def status(name: str, image: str, identity: str, seen: str = "") -> Json:
    """Give a container's image as it was asked for, and what the host says of it."""
    return {"name": name, "asked": image, "image": seen or image, "imageID": identity}


def test_images_are_named_as_asked_for_with_all_the_identities_they_had() -> None:
    first = pod(
        "h1",
        ["10.0.0.1"],
        status("r1", "srl:1", "docker-pullable://srl@sha256:bb", "docker.io/srl:1"),
    )
    planner = status("planner", "c9s:2", "c9s@sha256:cc")
    other = status("r2", "srl:1", "srl@sha256:aa")
    second = pod("h2", ["10.0.0.2", "fd00::2"], other, init=planner)
    waiting = pod(None, [], status("r3", "eos:4", ""))
    assert of_pods([first, second, waiting]) == OfPods(
        {"c9s:2": "c9s@sha256:cc", "eos:4": "", "srl:1": "srl@sha256:aa, srl@sha256:bb"},
        ("IPv4", "IPv6"),
        2,
    )


@pytest.mark.parametrize(
    ("addresses", "families"),
    [
        ([], ()),
        (["fd00::1"], ("IPv6",)),
        (["10.1.1.1"], ("IPv4",)),
        (["fd00::1", "10.1.1.1"], ("IPv4", "IPv6")),
        (["no address"], ()),
    ],
)
def test_families_are_those_of_the_addresses_seen(
    addresses: list[str], families: tuple[str, ...]
) -> None:
    assert of_pods([pod("h", addresses)]).families == families


def test_absent_limits_are_off() -> None:
    assert limits_of(None) == limits_of(Rollout()) == Limits(0, 0)
    assert limits_of(Rollout(batch_size=3)) == Limits(3, 0)


def test_conditions_that_changed_during_a_run_are_named_and_unknown_ones_are_not() -> None:
    before = Manifest(
        limits=Limits(5, 0),
        topology_limits={"ns/lab": Limits(1, 1)},
        planner_replicas=2,
        manager_images=("m@sha256:1",),
    )
    after = Manifest(
        limits=Limits(9, 0),
        topology_limits={"ns/lab": Limits(1, 2)},
        planner_replicas=0,
        manager_images=("m@sha256:2",),
    )
    config, topology, pool, image = changed_between(before, after)
    assert config.endswith(
        "batchSize=5 maxConcurrentPerHost=0, then batchSize=9 maxConcurrentPerHost=0"
    )
    assert topology.endswith("maxConcurrentPerHost=1, then batchSize=1 maxConcurrentPerHost=2")
    assert "Topology ns/lab" in topology
    assert pool == "the planner pool changed during the run: 2 replicas, then 0"
    assert image == "the image of the manager changed during the run"
    assert not list(changed_between(before, before))
    assert not list(changed_between(Manifest(), after))
    assert not list(changed_between(before, Manifest()))
