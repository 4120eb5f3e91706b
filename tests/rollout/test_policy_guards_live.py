"""``rollout apply`` and its guards: all changes or none, what a policy allows, to whom it yields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of
from live_tools import C9S
from rollout_live_tools import CONFIG, written_policy

if TYPE_CHECKING:
    from pathlib import Path

    from bed_client import Json
    from rollout_live_tools import Place
    from rollout_wire import Wire

A, B = "topology/a", "topology/b"


@pytest.mark.parametrize("which", [CONFIG, A, B])
def test_nothing_is_written_when_a_guard_refuses_one_of_the_changes(
    place: Place, tmp_path: Path, which: str
) -> None:
    owned = {"metadata": {"labels": {"argocd.argoproj.io/instance": "x"}}}
    for target in (CONFIG, A, B):
        place.make(target, **(owned if target == which else {}))
    before = {target: place.read(target) for target in (CONFIG, A, B)}
    rules = [{"match": {}, "batchSize": {"default": 2}}]
    policy, asked = (
        written_policy(tmp_path, config={"batchSize": 4}, topologies=rules),
        place.asked(),
    )
    answer = place.run("apply", "-f", policy, "--output=json")
    assert answer.code == 4
    assert "nothing written, refused by gitops-owner" in answer.err
    assert asked.patches() == []
    assert {target: place.read(target) for target in before} == before
    changes = json.loads(answer.out)["changes"]
    assert {one["result"] for one in changes} == {"refused"}
    assert [bool(one["guards"]) for one in changes] == [
        target == which for target in (CONFIG, A, B)
    ]
    assert place.records() == {}
    # It is a difference all the same.
    assert place.run("diff", "-f", policy).code == 1
    assert place.run("apply", "-f", policy, "--allow=gitops-owner").code == 0
    assert [place.block(target) for target in (CONFIG, A, B)] == [
        {"batchSize": n} for n in (4, 2, 2)
    ]


def test_what_the_server_refuses_in_a_dry_run_keeps_everything_back(
    place: Place, tmp_path: Path, wire: Wire
) -> None:
    for target in (CONFIG, A):
        place.make(target)
    rules = [{"match": {}, "batchSize": {"default": 2}}]
    policy = written_policy(tmp_path, config={"batchSize": 4}, topologies=rules)
    changed: list[Json] = []

    def meanwhile(send: Any) -> Any:
        changed.append(place.patch(A, {"spec": {"rollout": {"batchSize": 9}}}))
        return send()

    wire.answer_next(lambda one: one.method == "PATCH" and one.path == place.path(A), meanwhile)
    answer = place.run("apply", "-f", policy)
    assert answer.code == 4
    assert "[changed-since-read]" in answer.err
    assert place.block(CONFIG) is None
    assert place.read(A) == changed[0]


def test_a_refusal_in_the_middle_shows_what_was_written_before(
    place: Place, tmp_path: Path, wire: Wire
) -> None:
    for target in (CONFIG, A, B):
        place.make(target)
    rules = [{"match": {}, "batchSize": {"default": 2}}]
    policy = written_policy(tmp_path, config={"batchSize": 4}, topologies=rules)

    def meanwhile(send: Any) -> Any:
        place.patch(A, {"spec": {"rollout": {"batchSize": 9}}})
        return send()

    wire.answer_next(
        lambda one: (
            one.method == "PATCH" and one.path == place.path(A) and not (one.query or {})["dryRun"]
        ),
        meanwhile,
    )
    answer = place.run("apply", "-f", policy, "--output=json")
    assert answer.code == 4
    results = [one["result"] for one in json.loads(answer.out)["changes"]]
    assert results == ["configured", "refused", "refused"]
    blocks = [place.block(target) for target in (CONFIG, A, B)]
    assert blocks == [{"batchSize": 4}, {"batchSize": 9}, None]
    # It is repeated for the rest.
    assert place.run("apply", "-f", policy).code == 0
    assert place.block(B) == {"batchSize": 2}


def held(place: Place) -> None:
    """Make a Topology that holds two Nodes behind one without a Pod, and two Nodes that wait for the global batch."""
    uid = place.make(A, {"batchSize": 1})["metadata"]["uid"]
    owner = {"apiVersion": C9S, "kind": "Topology", "name": "a", "uid": uid, "controller": True}
    for name, hold in (("r1", None), ("r2", uid), ("r3", uid)):
        meta: Json = {"name": name, "ownerReferences": [owner]}
        meta |= {"annotations": {"c9s.run/startup-hold": hold}} if hold else {}
        body = {
            "apiVersion": C9S,
            "kind": "Node",
            "metadata": meta,
            "spec": {"kind": "linux", "image": "x"},
        }
        place.client.create(path_of(C9S, "nodes", place.lab), body).ok()


def test_waiting_workloads_are_released_only_if_the_policy_or_the_user_says_so(
    place: Place, tmp_path: Path
) -> None:
    place.make(CONFIG, {"batchSize": 1})
    held(place)
    for config, allow, flag, code in (
        ({"batchSize": 0}, None, (), 4),
        ({"batchSize": 0}, False, (), 4),
        ({"batchSize": 2}, False, (), 0),
        ({"batchSize": 0}, True, (), 0),
        ({"batchSize": 1}, True, (), 0),
        ({"batchSize": 0}, False, ("--release-all",), 0),
    ):
        guards = {} if allow is None else {"guards": {"allowRelease": allow}}
        policy, before = written_policy(tmp_path, config=config, **guards), place.read(CONFIG)
        answer = place.run("apply", "-f", policy, "--allow=would-block", *flag)
        assert answer.code == code, (config, allow, answer.err)
        assert ("[would-release]" in answer.err) == (code == 4)
        if code:
            assert place.read(CONFIG) == before
        else:
            assert place.block(CONFIG) == config


@pytest.mark.parametrize(
    ("manager", "yield_to", "code"),
    [
        ("argocd-controller", None, 4),
        ("kustomize-controller", None, 4),
        ("helm-controller", None, 4),
        ("helm", None, 0),
        ("argocd-controller", [], 0),
        ("argocd-controller", ["kustomize-controller"], 0),
        ("helm", ["helm"], 4),
        ("night-shift", ["night-shift"], 4),
        ("night-shift", None, 0),
    ],
)
def test_a_policy_says_to_which_managers_it_yields(
    place: Place, tmp_path: Path, manager: str, yield_to: list[str] | None, code: int
) -> None:
    body = {"apiVersion": C9S, "kind": "Config", "metadata": {"name": "clabernetes"}}
    body |= {"spec": {"rollout": {"batchSize": 5}}}
    before = place.client.apply(place.path(CONFIG), body, manager).ok()
    guards = {} if yield_to is None else {"guards": {"yieldTo": yield_to}}
    policy = written_policy(tmp_path, config={"batchSize": 6}, **guards)
    answer = place.run("apply", "-f", policy)
    assert answer.code == code, answer.err
    if code:
        assert f"(field manager {manager} (Apply))" in answer.err
        assert place.read(CONFIG) == before
    else:
        assert place.block(CONFIG) == {"batchSize": 6}


def test_the_tracking_of_a_manager_that_is_not_yielded_to_does_not_count(
    place: Place, tmp_path: Path
) -> None:
    place.make(CONFIG, metadata={"labels": {"argocd.argoproj.io/instance": "x"}})
    guards = {"yieldTo": ["helm-controller"]}
    policy = written_policy(tmp_path, config={"batchSize": 6}, guards=guards)
    assert place.run("apply", "-f", policy).code == 0


def test_each_change_is_judged_with_those_before_it_made(place: Place, tmp_path: Path) -> None:
    place.make(CONFIG, {"maxConcurrentPerHost": 2})
    place.make(A)
    rules = [{"match": {}, "maxConcurrentPerHost": {"default": 5}}]
    useless = written_policy(tmp_path, topologies=rules)
    assert "[useless-topology-limit]" in place.run("apply", "-f", useless).err
    fine = written_policy(tmp_path, config={"maxConcurrentPerHost": 8}, topologies=rules)
    assert place.run("apply", "-f", fine).code == 0
    assert place.block(A) == {"maxConcurrentPerHost": 5}
