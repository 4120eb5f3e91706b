"""Schedules are made of every form in which Pods are saved, and of recorded starts; names become valid and distinct."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_tools import BEGIN, a_list, saved_object, saved_pod

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement.savedpods import Saved, nothing_saved, take
from kubectl_c9s.measurement.schedule import Schedule, Unusable
from kubectl_c9s.measurement.schedulesources import from_pods, from_run, topology_origin
from kubectl_c9s.resources.errors import RefusedInput

PODS = [saved_pod("a", BEGIN + 3, "h2"), saved_pod("b", BEGIN + 1)]
ROWS = [("b", "h1", 0.0, "device-b:2"), ("a", "h2", 2.0, "device-a:2")]


def saved(*texts: bytes) -> Saved:
    found = nothing_saved()
    for text in texts:
        take(found, text, "x")
    return found


def made(*texts: bytes, image: str = "") -> Schedule:
    return from_pods(saved(*texts), None, image, "a test")[0]


def rows(schedule: Schedule) -> list[tuple[str, str, float, str]]:
    return [(one.name, one.host, one.offset, one.image) for one in schedule.entries]


def problems(*texts: bytes) -> list[str]:
    with pytest.raises(Unusable) as caught:
        made(*texts)
    return list(caught.value.problems)


def without_kind(pod: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in pod.items() if key not in {"kind", "apiVersion"}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PODS).encode(),
        json.dumps(list(map(without_kind, PODS))).encode(),
        a_list(*PODS),
        json.dumps(
            {"kind": "PodList", "apiVersion": "v1", "items": list(map(without_kind, PODS))}
        ).encode(),
        a_list(*PODS, {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}),
        json.dumps(
            {"c9sSnapshot": {}, "apiVersion": "v1", "kind": "List", "items": PODS, "metadata": {}}
        ).encode(),
    ],
    ids=["array", "array without kinds", "List", "PodList", "List with others", "snapshot"],
)
def test_each_form_of_saved_pods_gives_the_same_schedule(text: bytes) -> None:
    schedule = made(text)
    assert rows(schedule) == ROWS
    assert (schedule.origin.kind, schedule.origin.name) == ("Pod", "lab/b-5d4f-x")


def test_pods_of_several_files_are_taken_together() -> None:
    assert rows(made(*(json.dumps(one).encode() for one in PODS))) == ROWS


def test_the_first_node_of_the_devices_is_the_origin_where_nodes_are_saved() -> None:
    nodes = [saved_object("Node", name, BEGIN + at) for name, at in (("a", 1), ("b", 0))]
    stranger = saved_object("Node", "old", BEGIN - 500)
    schedule = made(a_list(*nodes, stranger, *PODS))
    assert (schedule.origin.kind, schedule.origin.name, schedule.origin.at) == (
        *("Node", "lab/b"),
        BEGIN,
    )
    assert [one.offset for one in schedule.entries] == [1.0, 3.0]


def test_a_core_node_is_no_device() -> None:
    host = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "namespace": "lab"}}
    assert made(a_list(host, *PODS)).origin.kind == "Pod"


def test_a_topology_is_the_origin_where_it_is_given() -> None:
    text = a_list(saved_object("Topology", "t", BEGIN - 5))
    origin = topology_origin(text, "x")
    schedule, _ = from_pods(saved(a_list(*PODS)), origin, "", "a test")
    assert (schedule.origin.kind, schedule.origin.name) == ("Topology", "lab/t")
    assert [one.offset for one in schedule.entries] == [6.0, 8.0]


def test_a_topology_that_is_younger_than_pods_is_refused() -> None:
    origin = topology_origin(json.dumps(saved_object("Topology", "t", BEGIN + 2)).encode(), "x")
    with pytest.raises(Unusable) as caught:
        from_pods(saved(a_list(*PODS)), origin, "", "a test")
    assert list(caught.value.problems) == ["lab/b is older than Topology lab/t by 1 s"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (a_list(), "no Topology"),
        (a_list(*(saved_object("Topology", name) for name in "ab")), "2 Topologies"),
        (
            b'{"apiVersion":"c9s.run/v1alpha1","kind":"Topology","metadata":{"name":"t"}}',
            "when it was created",
        ),
        (b"apiVersion: c9s.run/v1alpha1\n", "no list of objects in JSON"),
    ],
)
def test_a_file_without_one_stamped_topology_is_refused(text: bytes, words: str) -> None:
    with pytest.raises(RefusedInput, match=words):
        topology_origin(text, "x")


def test_an_image_may_be_given_for_all() -> None:
    assert {one.image for one in made(a_list(*PODS), image="sleeper:1").entries} == {"sleeper:1"}


def test_without_the_annotation_the_first_container_is_the_primary() -> None:
    pod = saved_pod("a")
    del pod["metadata"]["annotations"]
    assert [one.image for one in made(a_list(pod)).entries] == ["side:1"]


def test_all_pods_that_cannot_be_used_are_named() -> None:
    waiting = saved_pod("w")
    waiting["spec"].pop("nodeName")
    unstamped = saved_pod("u")
    unstamped["metadata"].pop("creationTimestamp")
    twin = saved_pod("a", BEGIN + 9)
    assert problems(a_list(waiting, unstamped, *PODS, twin)) == [
        "Pod lab/w-5d4f-x has no host: it was not scheduled when it was saved",
        "Pod lab/u-5d4f-x does not say when it was created",
        "2 Pods are of the one device lab/a",
    ]


def test_a_pod_without_an_image_is_named() -> None:
    pod = saved_pod("a")
    pod["spec"]["containers"] = []
    assert problems(a_list(pod)) == ["'a' has no image"]


def test_no_device_among_the_pods_is_an_error() -> None:
    other = saved_pod("a")
    other["metadata"]["labels"] = {}
    for text in (a_list(), b"[]", a_list(other)):
        assert problems(text) == ["there is no Pod with the label c9s.run/direct-workload"]


def test_other_pods_and_those_that_go_are_passed_over_with_a_word() -> None:
    other, going = saved_pod("o"), saved_pod("a", BEGIN + 9)
    other["metadata"]["labels"] = {}
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    schedule, notes = from_pods(saved(a_list(other, going, *PODS)), None, "", "a test")
    assert rows(schedule) == ROWS
    assert notes == [
        "1 Pod(s) without the label c9s.run/direct-workload are passed over",
        "1 Pod(s) that are being deleted are passed over",
    ]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"kind: List\n",
        b"[1, 2]",
        b'{"items": [{"metadata": {}}]}',
        b'{"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": 3}}]}',
        b'"text"',
        b"\xff\xfe",
        a_list(*PODS)[:-20],
    ],
)
def test_what_is_no_list_of_objects_is_refused(text: bytes) -> None:
    with pytest.raises(RefusedInput):
        take(nothing_saved(), text, "x")


@given(st.data())
def test_a_list_that_is_cut_off_anywhere_is_refused(data: st.DataObject) -> None:
    whole = a_list(*PODS)
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(RefusedInput):
        take(nothing_saved(), whole[:cut], "x")


def recorded(*devices: runs.Device, anchor: runs.Anchor | None = None) -> runs.Run:
    return runs.Run(
        verdict="reached", expected=len(devices), elapsed=9.0, devices=devices, anchor=anchor
    )


def of_run(name: str, at: float, host: str = "h1") -> runs.Device:
    return runs.Device("lab", name, host=host, image="i:1", stamps={runs.POD: at})


def test_a_recorded_start_gives_a_schedule() -> None:
    anchor = runs.Anchor("Topology", "lab/t", BEGIN)
    run = recorded(of_run("a", BEGIN + 2), of_run("b", BEGIN + 1, "h2"), anchor=anchor)
    schedule = from_run(run, "", "x")
    assert rows(schedule) == [("b", "h2", 1.0, "i:1"), ("a", "h1", 2.0, "i:1")]
    assert schedule.origin.kind == "Topology"


def test_without_an_anchor_a_recorded_start_begins_with_its_first_pod() -> None:
    schedule = from_run(recorded(of_run("a", BEGIN + 2), of_run("b", BEGIN + 1)), "j:2", "x")
    assert (schedule.origin.kind, schedule.origin.name) == ("Pod", "lab/b")
    assert rows(schedule) == [("b", "h1", 0.0, "j:2"), ("a", "h1", 1.0, "j:2")]


def test_a_recorded_start_that_is_incomplete_is_refused_with_all_reasons() -> None:
    nowhere, never = of_run("a", BEGIN, ""), runs.Device("lab", "b", host="h1", image="i")
    with pytest.raises(Unusable) as caught:
        from_run(recorded(nowhere, never), "", "x")
    assert list(caught.value.problems) == [
        "lab/a has no host",
        "lab/b: nothing says when its Pod was created",
    ]
    with pytest.raises(Unusable, match="no schedule"):
        from_run(recorded(), "", "x")
