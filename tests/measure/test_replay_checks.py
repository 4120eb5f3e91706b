"""What a replay looks at when its Pods are ready: pings through exec, and address times of the CNI."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

import pytest
from live_tools import c9s
from netcheck_tools import Tools
from replay_tools import HOSTS, drop, schedule_file, schedule_of

from kubectl_c9s.measurement import netscript

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from split_lab import Answer


@pytest.fixture
def replay(own_bed: OwnBed, tmp_path: Path) -> Iterator[Callable[..., Answer]]:
    """Give a run of a replay inside this process, where tools for its Pods can be put in place."""
    namespaces: list[str] = []

    def run(*flags: str, count: int = 3) -> Answer:
        namespaces.append(f"replay-{secrets.token_hex(4)}")
        path = schedule_file(tmp_path, schedule_of(count))
        place = ["-n", namespaces[-1], "--output-dir", str(tmp_path / "out")]
        return c9s(
            own_bed, "measure", "replay", path, *place, "--ip-family", "ipv4", "--cleanup", *flags
        )

    yield run
    for one in namespaces:
        drop(own_bed, one)


def test_each_pod_pings_the_next_one(
    replay: Callable[..., Answer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tools").mkdir()
    monkeypatch.setattr(netscript, "PRELUDE", Tools(tmp_path / "tools").prelude)
    answer = replay("--probe")
    assert answer.code == 0, answer.err
    assert "3 of 3 Pods reach the next one" in answer.out
    found = json.loads((tmp_path / "out/network-probes.json").read_text("utf-8"))
    assert [one["pod"].rpartition("/")[2] for one in found] == ["d000", "d001", "d002"]
    assert all(one["ok"] and one["crossWorker"] for one in found)
    assert len(set(HOSTS)) == 3


def test_pods_that_cannot_ping_make_the_command_say_no(
    replay: Callable[..., Answer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(netscript, "PRELUDE", "PATH=/nonexistent")
    answer = replay("--probe")
    assert answer.code == 1
    assert "0 of 3 Pods reach the next one" in answer.out
    assert "failed: " in answer.err
    found = json.loads((tmp_path / "out/network-probes.json").read_text("utf-8"))
    assert not any(one["ok"] for one in found)
    assert json.loads((tmp_path / "out/run.json").read_text("utf-8"))["verdict"] == "reached"


def test_address_times_that_nobody_logs_are_not_available(
    replay: Callable[..., Answer], tmp_path: Path
) -> None:
    answer = replay("--cni", "auto", count=1)
    assert answer.code == 0, answer.err
    assert "address times: not available" in answer.out
    found = json.loads((tmp_path / "out/cni.json").read_text("utf-8"))
    assert found["kind"] == "AddressTimes"
    assert found["notAvailable"]
