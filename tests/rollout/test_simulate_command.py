"""``rollout simulate`` as it is used: tables, JSON, plots, several combinations, refusals."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from saved_start import saved
from simulation_tools import PLAIN, play, record_of, start

from kubectl_c9s.cli.main import run
from kubectl_c9s.simulation.recording import write_record

SCHEMA = Path(__file__).parents[2] / "docs/schemas/rollout-simulation.json"
NEW = ("--devices", "30", "--hosts", "3")
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    """Give a way to run the command: exit code, stdout, stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["rollout", "simulate", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_a_row_for_each_combination(told: Any) -> None:
    code, out, _ = told(*NEW, "--batch-size", "0,10", "--max-concurrent-per-host", "0,2")
    assert code == 0
    rows = [line.split() for line in out.splitlines()[3:7]]
    assert [row[:2] for row in rows] == [["off", "off"], ["off", "2"], ["10", "off"], ["10", "2"]]
    assert "no record was given" in out
    assert "built-in: reference run" in out


def test_json_keeps_its_schema(told: Any) -> None:
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))
    for more in (
        (),
        ("--batch-size", "4,0"),
        ("--labs", "2", "--lab-batch-size", "3"),
        ("--members", "2"),
    ):
        code, out, _ = told(*NEW, *more, "-o", "json")
        assert code == 0
        validator.validate(json.loads(out))


def test_yaml_is_the_same_as_json(told: Any) -> None:
    as_json, as_yaml = (told(*NEW, "-o", form)[1] for form in ("json", "yaml"))
    assert yaml.safe_load(as_yaml) == json.loads(as_json)


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(told: Any) -> None:
    first, again, other = (told(*NEW, "-o", "json", "--seed", seed)[1] for seed in ("1", "1", "2"))
    assert first == again != other


def test_a_picture_is_whole_and_stands_alone(told: Any) -> None:
    _, out, _ = told(*NEW, "--batch-size", "0,10", "-o", "svg")
    root = ET.fromstring(out)  # noqa: S314 - our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "prefers-color-scheme: dark" in out
    assert len(root.findall("{http://www.w3.org/2000/svg}g")) == 2
    assert not re.findall(r"(?:href|src|url)", out.replace("http://www.w3.org/2000/svg", ""))


def test_a_chart_has_a_row_for_each_count_that_happens(told: Any) -> None:
    _, out, _ = told(*NEW, "--max-concurrent-per-host", "0,2", "-o", "plot")
    first, second = out.split("\n\n")
    assert "queued" not in first
    assert "queued" in second
    ready = next(line for line in second.splitlines() if line.startswith("  ready"))
    assert ready.endswith("█ 30")


def test_wide_shows_how_it_goes(told: Any) -> None:
    _, out, _ = told(*NEW, "-o", "wide")
    assert "no batches, no limit a host" in out
    assert re.search(r"^SECONDS +CREATED +ADMITTED", out, re.MULTILINE)


def test_a_start_that_goes_on_is_continued_and_one_that_is_over_begins_anew(
    told: Any, tmp_path: Path
) -> None:
    scenario = start(6, 2, batch=2)
    outcome = play(scenario)
    file = tmp_path / "saved.json"
    for at, words in ((4.0, "the rest of a start"), (float("inf"), "started anew")):
        file.write_text(json.dumps(saved(scenario, outcome, at)), "utf-8")
        code, out, _ = told("--from", str(file))
        assert code == 0
        assert words in out
        assert out.splitlines()[3].startswith("2 ")  # the limit of the snapshot
    code, out, _ = told("--from", str(file), "--anew", "--devices", "4")
    assert "4 devices on 2 hosts" in out


def test_records_give_stage_times_hosts_and_devices(told: Any, tmp_path: Path) -> None:
    scenario = start(30, 3, batch=10)
    file = tmp_path / "run.json"
    file.write_bytes(write_record(record_of(scenario, play(scenario))))
    _, out, _ = told("--from", str(file), "--from", str(file), "--batch-size", "10", "-o", "json")
    found = json.loads(out)
    assert (found["devices"], found["hosts"]) == (30, 3)
    stages = {one["stage"]: one for one in found["stages"]}
    assert stages["scheduled → sandbox"]["recorded"] == 60
    assert stages["sandbox or gate → started"]["seconds"]["median"] == PLAIN.boot.delay.median
    _, out, _ = told("--from", str(file), "--devices", "50", "--hosts", "4")
    assert "note: 50 devices, 30 recorded" in out
    assert "note: 4 hosts, 3 recorded" in out


def test_a_batch_larger_than_any_recorded_is_said(told: Any, tmp_path: Path) -> None:
    scenario = start(30, 3, batch=10)
    file = tmp_path / "run.json"
    file.write_bytes(write_record(record_of(scenario, play(scenario))))
    _, out, _ = told("--from", str(file), "--batch-size", "10,20")
    assert "note: 20 devices at once, at most 10 recorded" in out
    assert "a fuller host may be slower" in out


def test_devices_that_never_start_are_said(told: Any, tmp_path: Path) -> None:
    scenario = start(2)
    body = saved(scenario, play(scenario), 0)
    held = next(one for one in body["items"] if one["metadata"]["name"] == "device-00001")
    held["metadata"]["annotations"]["c9s.run/startup-hold"] = "nobody"
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(body), "utf-8")
    _, out, _ = told("--from", str(file))
    assert out.splitlines()[3].split()[2:5] == ["never"] * 3
    assert "note: 1 device(s) never become ready" in out


def test_nothing_of_a_dump_reaches_the_terminal_unescaped(told: Any, tmp_path: Path) -> None:
    scenario = start(2)
    text = json.dumps(saved(scenario, play(scenario), 4))
    hostile = json.loads(text.replace("device-0", "de\\u001b[31m\\u202evice-0"))
    for one in hostile["items"]:
        one["metadata"]["creationTimestamp"] = "2025-01-01T00:00:00Z"
    file = tmp_path / "sa\x1b[31mved.json"
    file.write_text(json.dumps(hostile), "utf-8")
    for form in ("table", "wide", "json", "yaml", "plot", "svg"):
        code, out, _ = told("--from", str(file), "-o", form)
        assert code == 0
        assert CONTROLS.findall(out) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "nothing to simulate"),
        (("--devices", "3"), 2, "no hosts"),
        ((*NEW, "--batch-size", "1,x"), 2, "no list of numbers"),
        ((*NEW, "--batch-size", "-1"), 2, "no list of numbers"),
        ((*NEW, "--batch-size", "2147483648"), 2, "no list of numbers"),
        ((*NEW, "--batch-size", ",".join(map(str, range(101)))), 2, "at most 100"),
        ((*NEW, "--create-rate", "nan"), 2, "--create-rate"),
        (("--devices", "0", "--hosts", "1"), 2, "--devices"),
        (("--from", "no such file"), 2, "cannot read"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    told: Any, arguments: tuple[str, ...], code: int, words: str
) -> None:
    found, out, err = told(*arguments)
    assert (found, out) == (code, "")
    assert words in err


def test_a_dump_without_nodes_is_refused(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "empty.json"
    host = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "h"}}
    header = {"version": 1, "at": "2026-01-01T00:00:00Z", "collected": []}
    body = {"apiVersion": "v1", "kind": "List", "items": [host], "c9sSnapshot": header}
    file.write_text(json.dumps(body), "utf-8")
    code, _, err = told("--from", str(file))
    assert code == 1
    assert "no Nodes of c9s.run" in err
    assert told("--from", str(file), "--devices", "5")[0] == 0


def test_hosts_go_with_new_devices(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(saved(start(2), play(start(2)))), "utf-8")
    code, _, err = told("--from", str(file), "--hosts", "3")
    assert code == 2
    assert "--hosts goes with --devices" in err
