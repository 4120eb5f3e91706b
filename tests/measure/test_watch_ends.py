"""How a recording ends without its goal, without rights, at a terminal, and when clocks jump."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from bed_client import path_of
from pressure_live import somebody
from split_lab import command
from watch_process import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from bed_client import ApiClient
    from bed_own import OwnBed


def test_nobody_there_at_the_deadline_is_said_and_the_file_kept(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    file = tmp_path / "run.json"
    with own_bed.namespace("measure") as namespace:
        answer = command(
            "measure", "watch", "-n", namespace, "--count=3", "--timeout=1s", "--output-file", str(file),
            "--kubeconfig", str(own_bed.kubeconfig),
        )  # fmt: skip
    assert answer.code == 5
    assert "no Pod of a device was seen within 1s" in answer.err
    assert f"{file} has what was seen" in answer.err
    found = json.loads(file.read_bytes())
    assert (found["verdict"], found["expected"]) == ("deadline", 3)


def test_who_is_missing_at_the_deadline_is_said(own_bed: OwnBed) -> None:
    with own_bed.namespace("measure") as namespace, own_bed.client() as client:
        make_pod(client, namespace, "a")
        answer = command(
            "measure", "watch", "-n", namespace, "--count=3", "--timeout=5s", "-o", "jsonl", "--sample-every=400ms",
            "--kubeconfig", str(own_bed.kubeconfig),
        )  # fmt: skip
    assert answer.code == 5
    assert "0 of 3 ready after 5s" in answer.err
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert [one["type"] for one in events] == ["sample"] * (len(events) - 1) + ["end"]
    assert len(events) >= 2
    notes = events[-1]["notes"]
    assert any("1 Pods were there before the recording began" in note for note in notes)


def make_pod(client: ApiClient, namespace: str, name: str) -> None:
    """Make a Pod of a device that no host takes."""
    body = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": {"c9s.run/direct-workload": name}},
        "spec": {
            "containers": [{"name": "main", "image": "busybox"}],
            "nodeSelector": {"no": "where"},
        },
    }
    client.create(path_of("v1", "pods", namespace), body).ok()


def test_a_wall_clock_that_jumps_changes_nothing(
    own_bed: OwnBed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, real = tmp_path / "run.json", time.time
    jumps = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: real() + (-1) ** next(jumps) * 1e7)
    with own_bed.namespace("measure") as namespace, own_bed.client() as client:
        make_pod(client, namespace, "a")
        answer = command(
            "measure", "watch", "-n", namespace, "--count=1", "--until=pods", "--output-file", str(file),
            "--kubeconfig", str(own_bed.kubeconfig),
        )  # fmt: skip
        stamp = client.get(path_of("v1", "pods", namespace, "a")).ok()["metadata"][
            "creationTimestamp"
        ]
    assert answer.code == 0, answer.err
    found = json.loads(file.read_bytes())
    assert 0 <= found["overall"]["pods"] <= found["elapsed"] < 600
    made = time.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ")
    assert time.gmtime(found["devices"][0]["stamps"]["pod"])[:6] == made[:6]


READ = ["get", "list", "watch"]
PODS_ALONE = {"apiGroups": [""], "resources": ["pods"], "verbs": READ}


def test_kinds_that_may_not_be_watched_are_named_and_missed(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with (
        own_bed.namespace("measure") as namespace,
        own_bed.client() as client,
        somebody(own_bed, namespace, tmp_path, PODS_ALONE) as kubeconfig,
    ):
        make_pod(client, namespace, "a")
        answer = command(
            "measure", "watch", "-n", namespace, "--until=pods", "-o", "json", "--kubeconfig", str(kubeconfig),
        )  # fmt: skip
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert (found["expected"], found["anchor"]["kind"]) == (1, "Pod")
    assert set(found["churn"]["kinds"]) == {"pods"}
    for kind in ("nodes.c9s.run", "deployments.apps", "replicasets.apps", "topologies.c9s.run"):
        assert any(kind in note and "forbidden" in note for note in found["notes"]), kind


def test_without_the_right_to_pods_nothing_is_recorded(own_bed: OwnBed, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    with (
        own_bed.namespace("measure") as namespace,
        somebody(own_bed, namespace, tmp_path) as kubeconfig,
    ):
        answer = command(
            "measure", "watch", "-n", namespace, "--kubeconfig", str(kubeconfig), "--output-file", str(file),
        )  # fmt: skip
    assert answer.code == 3
    assert "rights to list and watch pods are needed" in answer.err
    assert answer.out == ""
    assert not file.exists()


def test_progress_is_drawn_over_at_a_terminal(own_bed: OwnBed) -> None:
    ours, its = pty.openpty()
    with own_bed.namespace("measure") as namespace, own_bed.client() as client:
        make_pod(client, namespace, "a")
        process = subprocess.Popen(
            [sys.executable, "-m", "kubectl_c9s", "measure", "watch", "-n", namespace, "--count=2",
             "--timeout=2s", f"--kubeconfig={own_bed.kubeconfig}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=its,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
        )  # fmt: skip
        os.close(its)
        shown = b""
        with contextlib.suppress(OSError):  # what a terminal says when nobody is behind it any more
            while part := os.read(ours, 65536):
                shown += part
        os.close(ours)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 5
    assert b"\x1b" not in out
    text = shown.decode()
    assert "1 of 2 Pods, 0 started" in text
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1
