"""A recording that is disturbed by lost watches and signals, and when it ends."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

import pytest
from fault_handle import fault_proxy
from standin_lab_tools import LINUX
from watch_process import watching

from kubectl_c9s.measurement.run import READY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_client import Json
    from bed_own import OwnBed
    from fault_handle import FaultProxy
    from standin_lab_tools import Labs

COUNT = 10
NAMES = [f"n{number}" for number in range(COUNT)]
KINDS = "pods|nodes.c9s.run|deployments.apps|replicasets.apps|topologies.c9s.run"
WATCHED = {"verb": "watch", "resource": KINDS, "agent": "kubectl-c9s/.*"}


@pytest.fixture
def device_proxy(device_bed: OwnBed, tmp_path: Path) -> Iterator[FaultProxy]:
    """Give a proxy in front of the bed with devices."""
    with fault_proxy(device_bed.kubeconfig, tmp_path / "faults") as one:
        yield one


@pytest.mark.parametrize(
    ("do", "settings"),
    [
        ("drop", {"events": 5, "how": "reset"}),
        ("expire", {"events": 9}),
        pytest.param("drop", {"events": 7}, marks=pytest.mark.full),
        pytest.param("gone", {}, marks=pytest.mark.full),
    ],
)
def test_watches_that_are_lost_cost_no_milestone(
    labs: Labs, device_proxy: FaultProxy, tmp_path: Path, do: str, settings: Json
) -> None:
    labs.standin.start()
    device_proxy.rules({"match": {**WATCHED, "limit": 25}, "do": do, "with": settings})
    flags = ("-n", labs.namespace, "--count", str(COUNT))
    with watching(tmp_path, device_proxy.kubeconfig, *flags) as one:
        labs.topology("lab", dict.fromkeys(NAMES, LINUX))
        assert one.ended().code == 0
        run = one.run()
    assert sum(device_proxy.fired().values()) > 0
    assert run.churn is not None
    assert sum(kind.breaks for kind in run.churn.kinds.values()) > 0
    if do in ("expire", "gone"):
        assert sum(kind.relists for kind in run.churn.kinds.values()) > 0
    for device in run.devices:
        missing = {
            "created",
            "deployment",
            "pod",
            "scheduled",
            "sandbox",
            "ready",
        } - device.stamps.keys()
        assert missing == set()
        assert device.observed.keys() >= {"created", "planned", "pod", "started", "ready"}


def test_an_api_server_that_goes_away_for_a_while_is_waited_for(
    labs: Labs, device_proxy: FaultProxy, tmp_path: Path
) -> None:
    labs.standin.start()
    flags = ("-n", labs.namespace, "--count", str(COUNT))
    with watching(tmp_path, device_proxy.kubeconfig, *flags) as one:
        match = {"agent": "kubectl-c9s/.*", "between": [0, 5]}
        device_proxy.rules({"match": match, "do": "unavailable"})
        device_proxy.cut()
        labs.topology("lab", dict.fromkeys(NAMES, LINUX))
        assert one.ended().code == 0
        run = one.run()
    assert {READY in device.observed for device in run.devices} == {True}
    assert len(run.devices) == COUNT


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.full)],
)
def test_an_interrupted_recording_leaves_what_was_seen(
    labs: Labs, device_bed: OwnBed, tmp_path: Path, number: signal.Signals
) -> None:
    labs.standin.start()
    flags = ("-n", labs.namespace, "--count", str(COUNT + 1), "--sample-every=500ms")
    with watching(tmp_path, device_bed.kubeconfig, *flags) as one:
        labs.topology("lab", dict.fromkeys(NAMES, LINUX))
        one.until(f"{COUNT} of {COUNT + 1} Pods")
        one.process.send_signal(number)
        ended = one.ended()
        run = one.run()
    killed = number is signal.SIGKILL
    assert ended.code == (-number if killed else 130)
    assert run.verdict == ("recording" if killed else "interrupted")
    assert len(run.devices) == COUNT
    assert run.samples
    if not killed:
        assert ended.out.startswith("interrupted after ")


def test_the_end_is_noticed_when_it_comes_and_not_with_the_next_sample(
    labs: Labs, device_bed: OwnBed, tmp_path: Path
) -> None:
    labs.standin.start()
    flags = (
        "-n",
        labs.namespace,
        f"--count={COUNT}",
        "--until=pods",
        "--sample-every=1h",
        "--timeout=0",
    )
    with watching(tmp_path, device_bed.kubeconfig, *flags) as one:
        labs.topology("lab", dict.fromkeys(NAMES, LINUX))
        assert one.ended().code == 0
        run = one.run()
    assert len(run.samples) == 1
    assert run.overall["pods"] <= run.elapsed < run.overall["pods"] + 5


def test_without_a_number_the_end_comes_when_all_nodes_of_the_topology_are_ready(
    labs: Labs, device_bed: OwnBed, tmp_path: Path
) -> None:
    labs.standin.start()
    with watching(tmp_path, device_bed.kubeconfig, "lab", "-n", labs.namespace) as one:
        labs.node("other")
        labs.topology("lab", dict.fromkeys(NAMES, LINUX))
        ended = one.ended()
        run = one.run()
    assert ended.code == 0, ended.err
    assert [device.name for device in run.devices] == NAMES
    assert run.expected == COUNT
    assert "no number of devices was given" in ended.err


def test_standalone_nodes_are_all_when_none_has_come_for_a_while(
    labs: Labs, device_bed: OwnBed, tmp_path: Path
) -> None:
    labs.standin.start()
    with watching(tmp_path, device_bed.kubeconfig, "-n", labs.namespace) as one:
        for name in ("a", "b"):
            labs.node(name)
            time.sleep(1.5)
        assert one.ended().code == 0
        run = one.run()
    assert [device.name for device in run.devices] == ["a", "b"]
    assert run.anchor is not None
    assert run.anchor.kind == "Node"
    assert run.elapsed >= run.overall["ready"] >= run.devices[1].observed["ready"]
