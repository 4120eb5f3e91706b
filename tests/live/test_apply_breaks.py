"""``apply`` that waits, and ``apply`` that is broken off and continued."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from live_tools import (
    Asked,
    c9s,
    contents,
    node,
    small_lab,
    versions,
    written,
)

if TYPE_CHECKING:
    from bed_base import Bed
    from bed_own import OwnBed

ROOT = Path(__file__).parents[2]


def mark(bed: Bed, namespace: str, name: str, status: dict[str, object]) -> None:
    with bed.client() as client:
        path = path_of("c9s.run/v1alpha1", "nodes", namespace, name, "status")
        client.patch(path, {"status": status}).ok()


def start_waiting(bed: Bed, lab: str, namespace: str, *flags: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "kubectl_c9s", "apply", "-f", lab, "-n", namespace, *flags]
    words += ["--kubeconfig", str(bed.kubeconfig)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def test_wait_ends_when_every_node_is_ready(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace:
        lab = written(tmp_path, small_lab())
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 0
        mark(bed, namespace, "r1", {"readiness": "ready"})
        with start_waiting(bed, lab, namespace, "--wait", "--timeout=120s") as waiting:
            assert waiting.stderr is not None
            assert waiting.stderr.readline() == "1 of 2 Nodes ready\n"
            assert waiting.poll() is None
            mark(bed, namespace, "r2", {"readiness": "ready"})
            assert waiting.wait() == 0


def test_a_plan_of_an_older_generation_does_not_count(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace:
        lab = written(tmp_path, [node("r1")])
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 0
        condition = {
            "type": "PlanApplied",
            "status": "True",
            "reason": "Done",
            "message": "",
            "lastTransitionTime": "2030-01-01T00:00:00Z",
        }
        wait = ("apply", "-f", lab, "-n", namespace, "--wait=planned", "--timeout=1s")
        mark(bed, namespace, "r1", {"conditions": [condition | {"observedGeneration": 0}]})
        late = c9s(bed, *wait)
        assert late.code == 5
        assert f"not planned in time: {namespace}/r1" in late.err
        mark(bed, namespace, "r1", {"conditions": [condition | {"observedGeneration": 1}]})
        assert c9s(bed, *wait).code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_apply_is_continued_to_the_same_end(
    own_bed: OwnBed, tmp_path: Path, number: signal.Signals
) -> None:
    objects = [node(f"n{index}") for index in range(300)]
    with own_bed.namespace("cut") as cut, own_bed.client() as client:
        lab = written(tmp_path, objects)
        nodes = path_of("c9s.run/v1alpha1", "nodes", cut)
        with start_waiting(own_bed, lab, cut) as process:
            while len(client.get(nodes).ok()["items"]) < 20:
                assert process.poll() is None, "it was too fast to be interrupted"
                time.sleep(0.01)
            process.send_signal(number)
            code = process.wait()
        assert code == (130 if number is signal.SIGINT else -number)
        half = versions(client, cut)
        assert 20 <= len(half) < 300
        again = c9s(own_bed, "apply", "-f", lab, "-n", cut)
        assert again.code == 0, again.err
        whole = versions(client, cut)
        assert len(whole) == 300
        assert {key: whole[key] for key in half} == half
        assert contents(client, cut)["Node", "n299"]["spec"] == objects[299]["spec"]
        asked = Asked(own_bed, cut)
        assert c9s(own_bed, "apply", "-f", lab, "-n", cut).code == 0
        assert asked.writes() == []
