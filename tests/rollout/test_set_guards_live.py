"""The guards of ``rollout set`` before real labs: who waits, who blocks, what never counts, what is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rollout_live_tools import CONFIG, LAB, Place
from standin_lab_tools import LINUX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from split_lab import Answer
    from standin_lab_tools import Labs

T = "topology/t"


@pytest.fixture
def managed(labs: Labs, device_bed: OwnBed, tmp_path: Path) -> Iterator[Place]:
    """Give the namespaces of a stand-in manager, which the test starts."""
    one = Place(device_bed, labs.client, labs.namespace, labs.standin.namespace, tmp_path / "state")
    one.wait_alone()
    yield one
    labs.standin.stop()
    one.clear()


def refused(place: Place, code: str, target: str, *words: str) -> Answer:
    """Run a ``set`` that a guard stands against, in all ways: nothing may be asked, written or kept."""
    kept = place.records()
    asked, version = place.asked(), place.read(target)["metadata"]["resourceVersion"]
    for mode in (
        ("--dry-run=client",),
        ("--dry-run=server",),
        ("--print-patch=json",),
        ("--output=json",),
    ):
        assert place.run("set", target, *words, *mode).code == 4
    answer = place.run("set", target, *words, "--yes")
    assert answer.code == 4, answer.err
    assert f"[{code}]" in answer.err
    assert answer.err.endswith(f"error: nothing written, refused by {code}\n")
    assert " configured" not in answer.out
    assert "refused" not in answer.out
    assert asked.patches() == []
    assert place.read(target)["metadata"]["resourceVersion"] == version
    assert place.records() == kept
    return answer


def waiting(labs: Labs, target: str) -> list[str]:
    """Start a lab of which the first device never gets its sandbox; give the names of those that wait behind it."""
    names = [f"{labs.namespace}/{name}" for name in "abc"]
    labs.standin.start()
    labs.standin.faults(device_fails={names[0]: "sandbox"})
    if target == CONFIG:
        labs.limit(batchSize=1)
        labs.node("a")
        labs.wait("a is admitted", lambda: labs.nodes()["a"].mark)
        labs.node("b")
        labs.node("c")
    else:
        labs.limit()
        labs.topology("t", dict.fromkeys("abc", LINUX), batchSize=1)
        labs.wait("a is released", lambda: len(labs.nodes()) == 3 and not labs.nodes()["a"].hold)
    labs.wait("a has a Pod", lambda: set(labs.pods()) == {"a"})
    return names[1:]


@pytest.mark.parametrize("target", [CONFIG, T])
def test_a_batch_is_not_switched_off_while_workloads_wait_behind_it(
    labs: Labs, managed: Place, target: str
) -> None:
    names = ", ".join(waiting(labs, target))
    for words in ("--batch-size=0", "--unset=batchSize"):
        answer = refused(managed, "would-release", target, words)
        said = f"refused: batchSize off would release 2 waiting workload(s) at once: {names} "
        assert f"\n{said}" in f"\n{answer.err}"
        assert "--release-all" in answer.err
        assert "impact: batchSize: releases 2 waiting " in answer.out
    # Every other number is a limit still.
    managed.set(target, "--batch-size=2")
    managed.set(target, "--batch-size=1")
    managed.set(target, "--batch-size=0", "--release-all")
    labs.wait("all have a Pod", lambda: set(labs.pods()) == {"a", "b", "c"})


@pytest.mark.parametrize("target", [CONFIG, T])
def test_undo_does_not_release_either(labs: Labs, managed: Place, target: str) -> None:
    labs.standin.start()
    labs.standin.faults(device_fails={f"{labs.namespace}/a": "sandbox"})
    labs.limit()
    if target == T:
        labs.topology("t", {})
    managed.set(target, "--batch-size=1")
    if target == CONFIG:
        labs.node("a")
        labs.wait("a is admitted", lambda: labs.nodes()["a"].mark)
        labs.node("b")
    else:
        nodes = "{a: {kind: linux, image: busybox}, b: {kind: linux, image: busybox}}"
        text = f"name: t\ntopology: {{nodes: {nodes}}}\n"
        managed.patch(T, {"spec": {"definition": {"containerlab": text}}})
        labs.wait("a is released", lambda: len(labs.nodes()) == 2 and not labs.nodes()["a"].hold)
    labs.wait("a has a Pod", lambda: set(labs.pods()) == {"a"})
    kept, version = managed.records(), managed.read(target)["metadata"]["resourceVersion"]
    answer = managed.run("undo", target)
    assert answer.code == 4
    assert (
        f"would release 1 waiting workload(s) at once: {labs.namespace}/b [would-release]"
        in answer.err
    )
    assert managed.read(target)["metadata"]["resourceVersion"] == version
    assert managed.records() == kept
    assert managed.run("undo", target, "--release-all").code == 0
    labs.wait("both have a Pod", lambda: set(labs.pods()) == {"a", "b"})


@pytest.mark.parametrize("target", [CONFIG, T])
def test_a_cap_is_not_switched_off_while_pods_wait_for_a_slot(
    labs: Labs, managed: Place, target: str
) -> None:
    labs.standin.start()
    labs.standin.faults(device_fails={f"{labs.namespace}/*": "probe"})
    labs.limit(**({"maxConcurrentPerHost": 1} if target == CONFIG else {}))
    limit = {} if target == CONFIG else {"maxConcurrentPerHost": 1}
    labs.topology("t", dict.fromkeys("abcdefgh", LINUX), **limit)

    def queued() -> list[str]:
        return [
            one.name for one in labs.pods().values() if one.host and one.gated and not one.grant
        ]

    labs.wait("all are there", lambda: sum(bool(one.host) for one in labs.pods().values()) == 8)
    hosts = {one.host for one in labs.pods().values()}
    labs.wait("one boots on each host", lambda: len(queued()) == 8 - len(hosts))
    for words in ("--max-concurrent-per-host=0", "--unset=maxConcurrentPerHost"):
        answer = refused(managed, "would-release", target, words)
        assert f"would release {8 - len(hosts)} waiting Pod(s) at once" in answer.err
        assert all(f"{labs.namespace}/{name}" in answer.err for name in queued())
    managed.set(target, "--max-concurrent-per-host=0", "--release-all")
    labs.wait("nobody waits", lambda: queued() == [])


def test_a_first_batch_limit_is_not_set_where_it_would_stop_everybody(
    labs: Labs, managed: Place
) -> None:
    labs.limit()
    labs.standin.start()
    labs.standin.faults(device_fails={f"{labs.namespace}/a": "sandbox"})
    labs.node("a")
    labs.node("b")
    labs.wait("b is ready", lambda: labs.ready() == {"b"})
    answer = refused(managed, "would-block", CONFIG, "--batch-size=2")
    said = f"batchSize would block at once: 1 workload(s) without a sandbox: {labs.namespace}/a [would-block]"
    assert said in answer.err
    assert "--allow would-block" in answer.err
    managed.set(CONFIG, "--max-concurrent-per-host=4")
    managed.set(CONFIG, "--batch-size=2", "--allow=would-block")
    # What blocks is known then, and a limit that stands can be changed.
    managed.set(CONFIG, "--batch-size=3")
    labs.fail("a", None)
    labs.wait("a is ready", lambda: labs.ready() == {"a", "b"})
    managed.set(CONFIG, "--batch-size=0")
    managed.set(CONFIG, "--batch-size=2")


def test_a_cap_above_that_of_the_config_never_counts(place: Place) -> None:
    place.make(LAB, {"maxConcurrentPerHost": 4})
    place.make(CONFIG, {"maxConcurrentPerHost": 5})
    answer = refused(place, "useless-topology-limit", LAB, "--max-concurrent-per-host=6")
    assert "maxConcurrentPerHost: 6 never counts: the Config allows 5 on a host" in answer.err
    place.set(LAB, "--max-concurrent-per-host=5")
    place.set(LAB, "--max-concurrent-per-host=0")
    place.set(LAB, "--batch-size=9")
    place.set(LAB, "--max-concurrent-per-host=6", "--allow=useless-topology-limit")
    told = place.set(CONFIG, "--max-concurrent-per-host=4")
    assert f"never count: {place.lab}/lab [useless-topology-limit]" in told.err
    assert "useless" not in told.out
    place.set(CONFIG, "--max-concurrent-per-host=0")
    place.set(LAB, "--max-concurrent-per-host=7")


def test_all_guards_are_named_at_once_and_each_is_allowed_by_its_own_name(place: Place) -> None:
    place.make(CONFIG, {"maxConcurrentPerHost": 2})
    place.make(LAB, metadata={"labels": {"argocd.argoproj.io/instance": "x"}})
    words = ("set", LAB, "--max-concurrent-per-host=3", "--batch-size=1")
    answer = place.run(*words)
    assert answer.code == 4
    assert answer.err.endswith("refused by gitops-owner, useless-topology-limit\n")
    for code, other in (
        ("gitops-owner", "useless-topology-limit"),
        ("useless-topology-limit", "gitops-owner"),
    ):
        answer = place.run(*words, f"--allow={code}")
        assert answer.code == 4
        assert answer.err.endswith(f"refused by {other}\n")
    assert place.run(*words, "--release-all").code == 4
    place.set(*words[1:], "--allow=gitops-owner", "--allow=useless-topology-limit")
