"""``measure schedule`` and the first words of ``measure replay`` as a user meets them, without a cluster."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest
from replay_tools import BEGIN, SCHEMA, a_list, saved_object, saved_pod, schedule_file, schedule_of
from split_lab import command

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement.runfile import write_run
from kubectl_c9s.measurement.schedule import read_schedule

if TYPE_CHECKING:
    from pathlib import Path

    from split_lab import Answer

PODS = [saved_pod("a", BEGIN + 3, "h2"), saved_pod("b", BEGIN + 1)]


def written(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def schedule(*args: str, stdin: bytes = b"") -> Answer:
    return command("measure", "schedule", *args, stdin=stdin)


def test_a_schedule_is_written_and_told_of(tmp_path: Path) -> None:
    target = tmp_path / "schedule.json"
    pods = written(tmp_path, "pods.json", a_list(*PODS))
    topology = written(
        tmp_path, "topology.json", json.dumps(saved_object("Topology", "t")).encode()
    )
    answer = schedule("-f", pods, "--topology", topology, "--output-file", str(target))
    assert (answer.code, answer.out) == (0, "")
    assert "2 Pods on 2 hosts within 3 s; second 0 is the creation of Topology lab/t" in answer.err
    data = target.read_bytes()
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8"))).validate(json.loads(data))
    assert [one.name for one in read_schedule(data, "x").entries] == ["b", "a"]


def test_streams_serve_as_files() -> None:
    answer = schedule("-f", "-", "--output-file", "-", "--image", "i:1", stdin=a_list(*PODS))
    assert answer.code == 0
    found = read_schedule(answer.out.encode(), "x")
    assert {one.image for one in found.entries} == {"i:1"}
    assert "second 0 is the creation of Pod lab/b-5d4f-x" in answer.err


def test_a_recorded_start_serves_as_pods(tmp_path: Path) -> None:
    device = runs.Device("lab", "a", host="h1", image="i:1", stamps={runs.POD: BEGIN + 2})
    anchor = runs.Anchor("Topology", "lab/t", BEGIN)
    run = runs.Run(verdict="reached", expected=1, elapsed=3.0, devices=(device,), anchor=anchor)
    path = written(tmp_path, "run.json", write_run(run))
    answer = schedule("-f", path, "--output-file", "-")
    assert answer.code == 0
    assert [one.offset for one in read_schedule(answer.out.encode(), "x").entries] == [2.0]
    pods = written(tmp_path, "pods.json", a_list(*PODS))
    assert schedule("-f", path, "-f", pods, "--output-file", "-").code == 2
    assert schedule("-f", path, "--topology", pods, "--output-file", "-").code == 1
    cut = written(tmp_path, "cut.json", write_run(run)[:-30])
    assert schedule("-f", cut, "--output-file", "-").code == 1


def test_a_namespace_picks_its_pods() -> None:
    other = saved_pod("c", BEGIN, namespace="other")
    answer = schedule("-f", "-", "-n", "lab", "--output-file", "-", stdin=a_list(*PODS, other))
    assert {one.name for one in read_schedule(answer.out.encode(), "x").entries} == {"a", "b"}


def test_everything_that_is_wrong_is_printed_and_nothing_written(tmp_path: Path) -> None:
    bad = saved_pod("c\x1b[31m")
    bad["spec"].pop("nodeName")
    target = tmp_path / "schedule.json"
    target.write_text("before")
    answer = schedule("-f", "-", "--output-file", str(target), stdin=a_list(bad, *PODS, PODS[0]))
    assert (answer.code, answer.out) == (1, "")
    lines = answer.err.splitlines()
    assert len([line for line in lines if line.startswith("error: ")]) == 3
    assert "has no host" in lines[0]
    assert "2 Pods are of the one device lab/a" in lines[1]
    assert "\x1b" not in answer.err
    assert target.read_text() == "before"


@pytest.mark.parametrize(
    ("args", "stdin", "code", "words"),
    [
        (["-f", "-"], a_list(), 1, "there is no Pod with the label"),
        (["-f", "-"], a_list(*PODS)[:-9], 1, "no list of objects in JSON"),
        (["-f", "-"], b"kind: List", 1, "no list of objects in JSON"),
        (["-f", "/none/pods.json"], b"", 2, "cannot read /none/pods.json"),
        (["-f", "-", "--topology", "-"], b"", 2, "only once"),
        (["-f", "-", "--topology", "/none/t"], a_list(*PODS), 2, "cannot read /none/t"),
    ],
)
def test_bad_input_is_answered_in_words(
    args: list[str], stdin: bytes, code: int, words: str
) -> None:
    answer = schedule(*args, "--output-file", "-", stdin=stdin)
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert "Traceback" not in answer.err


def test_a_target_without_a_directory_is_a_usage_error(tmp_path: Path) -> None:
    answer = schedule("-f", "-", "--output-file", str(tmp_path / "no" / "s.json"))
    assert answer.code == 2


def replay(*args: str) -> Answer:
    return command("measure", "replay", *args, "--server", "http://127.0.0.1:9", "--kubeconfig", "")


def test_a_replay_wants_a_namespace_a_schedule_and_an_empty_directory(tmp_path: Path) -> None:
    path, out = schedule_file(tmp_path, schedule_of(3, 1.0)), str(tmp_path / "out")
    cases = [
        ([path, "--output-dir", out], 2, "--namespace is needed"),
        ([path, "--output-dir", out, "-n", "No"], 2, "no name of a namespace"),
        ([path, "-n", "new"], 2, "--output-dir"),
        ([path, "-n", "new", "--output-dir", str(tmp_path)], 2, "no empty directory"),
        ([path, "-n", "new", "--output-dir", path], 2, "no empty directory"),
        ([f"{path}.none", "-n", "new", "--output-dir", out], 2, "cannot read"),
        ([__file__, "-n", "new", "--output-dir", out], 1, "no schedule"),
        ([path, "-n", "new", "--output-dir", out, "--timeout", "5"], 2, "no duration"),
        ([path, "-n", "new", "--output-dir", out, "--timeout", "2s"], 2, "comes after 2 s"),
        ([path, "-n", "new", "--output-dir", out, "--workers", "0"], 2, "--workers"),
        ([path, "-n", "new", "--output-dir", out, "--cni", "none-such"], 2, "no CNI reader"),
        ([path, "-n", "new", "--output-dir", out], 3, "cannot be reached"),
    ]
    for args, code, words in cases:
        answer = replay(*args)
        assert (answer.code, answer.out) == (code, ""), args
        assert words in answer.err, args
        assert not (tmp_path / "out").exists()


def test_a_schedule_with_faults_is_refused_with_all_of_them(tmp_path: Path) -> None:
    path = schedule_file(tmp_path, schedule_of(3))
    text = (
        (tmp_path / "schedule.json").read_text("utf-8").replace("d001", "d000").replace("d002", "D")
    )
    (tmp_path / "schedule.json").write_text(text, "utf-8")
    answer = replay(path, "-n", "new", "--output-dir", str(tmp_path / "out"))
    assert answer.code == 1
    assert "'d000' is there twice" in answer.err
    assert "'D' is no name" in answer.err
