"""``measure watch`` after the fact and its refusals, and a recorded start as the source of a forecast."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import msgspec
import pytest
import yaml
from split_lab import Answer, command
from watch_dump import saved
from watch_objects import at

from kubectl_c9s.cli import measurewatch
from kubectl_c9s.measurement import overall, watched
from kubectl_c9s.measurement.run import Device, Limits, Manifest, Run
from kubectl_c9s.measurement.runfile import read_run, write_run
from kubectl_c9s.resources import devicepods
from kubectl_c9s.rollout import views
from kubectl_c9s.simulation.fromrun import record_of_run

SCHEMA = Path(__file__).parents[2] / "docs/schemas/startup-run.json"


def look_back(path: str, *args: str) -> Answer:
    return command("measure", "watch", "-f", path, "--at", "2026-05-04T10:01:00Z", *args)


def test_a_dump_of_a_start_that_is_over_gives_a_recording(tmp_path: Path) -> None:
    target = tmp_path / "new" / "run.json"
    answer = look_back(saved(tmp_path, 3), "-o", "json", "--output-file", str(target))
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(found)
    assert json.loads(target.read_bytes()) == found
    run = read_run(target.read_bytes(), "run")
    assert (run.verdict, run.expected, run.elapsed) == ("reached", 3, 60.0)
    assert run.overall == {"deployments": 1.0, "replicaSets": 2.0, "pods": 4.0, "ready": 11.0}
    first = run.devices[0]
    assert (first.full_name, first.host, first.addresses) == ("lab/n0", "h1", ("10.0.0.2",))
    assert first.stamps["prepared"] == at(5)
    assert "note: after the fact" in answer.err


def test_a_start_that_is_not_over_is_answered_with_no(tmp_path: Path) -> None:
    path = saved(tmp_path, 2, waiting=1)
    answer = look_back(path)
    assert answer.code == 1
    assert answer.out.startswith("not reached after 60.0 s, 3 devices expected")
    assert look_back(path, "--count", "2").code == 0
    assert look_back(path, "--count", "2", "--until", "pods").code == 0


def test_a_name_narrows_it_down(tmp_path: Path) -> None:
    path = saved(tmp_path, 2)
    assert look_back(path, "ring").code == 0
    answer = look_back(path, "other")
    assert answer.code == 1
    assert "there is no device in it" in answer.err
    assert "there is no device" in look_back(path, "-n", "elsewhere").err


def test_other_forms_say_the_same(tmp_path: Path) -> None:
    path = saved(tmp_path, 2)
    as_json, as_yaml = (look_back(path, "-o", form).out for form in ("json", "yaml"))
    assert yaml.safe_load(as_yaml) == json.loads(as_json)
    event = json.loads(look_back(path, "-o", "jsonl").out)
    assert (event["type"], event["verdict"], event["overall"]["ready"]) == ("end", "reached", 10.0)


def test_the_table_has_milestones_and_peaks(tmp_path: Path) -> None:
    lines = look_back(saved(tmp_path, 2)).out.splitlines()
    assert (
        lines[0]
        == "reached after 60.0 s, 2 devices expected; seconds are by stamps, from the anchor on"
    )
    assert lines[1] == "anchor: Topology lab/ring"
    assert "all ready         10.0" in lines
    assert [line.split() for line in lines[-1:]] == [["h1", "2", "5.0"]]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--at", "2026-05-04T10:00:00Z"), "--at is for a dump"),
        (("--once", "-f", "x"), "give -f or --once"),
        (("--timeout", "5"), "--timeout '5' is no duration"),
        (("--sample-every", "1ms"), "too short"),
        (("--count", "0"), "'--count'"),
        (("-f", "/nowhere/at/all"), "cannot read"),
    ],
)
def test_flags_that_make_no_sense_are_refused(args: tuple[str, ...], words: str) -> None:
    answer = command("measure", "watch", *args)
    assert answer.code == 2
    assert words in answer.err


@pytest.mark.parametrize(("text", "words"), [("{}", "no object"), ("{", "no list of objects")])
def test_a_foreign_or_cut_off_dump_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text, encoding="utf-8")
    answer = look_back(str(path))
    assert answer.code == 1
    assert words in answer.err


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    answer = look_back(saved(tmp_path, 1), "--output-file", str(tmp_path))
    assert answer.code == 2
    assert "no regular file" in answer.err


def test_names_in_two_rooms_are_the_same() -> None:
    assert measurewatch.GOALS == overall.GOALS
    for name in (
        "HOST_GRANT",
        "NODE_UID",
        "WORKLOAD",
        "IGNORE",
        "PRIMARY_CONTAINER",
        "GATE",
        "SANDBOX",
    ):
        assert getattr(views, name) == getattr(devicepods, name)
    assert set(watched.TYPES) >= set(overall.LASTS)


OBSERVED = {"created": 1.0, "admitted": 2.0, "planned": 2.5, "pod": 3.0, "started": 8.0}


def recorded(*devices: Device, limits: Limits | None = None) -> Run:
    manifest = Manifest(limits=limits)
    return Run(verdict="reached", expected=1, elapsed=9.0, manifest=manifest, devices=devices)


def test_what_the_watches_saw_makes_a_record() -> None:
    one = Device("lab", "a", host="h1", stamps={"created": 100.0}, observed=OBSERVED)
    late = Device("lab", "b", stamps={"created": 90.0}, observed={"ready": 5.0})
    record = record_of_run(recorded(one, late, limits=Limits(25, 4)))
    assert record.resolution == 0.0
    assert (record.rollout.batch_size, record.rollout.max_concurrent_per_host) == (25, 4)
    (found,) = record.devices
    assert (found.full_name, found.host) == ("lab/a", "h1")
    assert found.seconds == {"created": 0.0, "admitted": 1.0, "pod": 2.0, "started": 7.0}


def test_where_nothing_was_seen_stamps_make_a_record() -> None:
    one = Device("lab", "a", stamps={"created": 100.0, "pod": 102.0, "ready": 110.0})
    other = Device("lab", "b", stamps={"created": 101.0, "started": 105.0, "ready": 110.0})
    record = record_of_run(recorded(one, other))
    assert record.resolution == 1.0
    assert [one.seconds for one in record.devices] == [
        {"created": 0.0, "pod": 2.0, "started": 10.0, "ready": 10.0},
        {"created": 1.0, "started": 5.0, "ready": 10.0},
    ]
    assert record_of_run(recorded()).devices == ()


def test_a_recorded_start_feeds_the_forecast(tmp_path: Path) -> None:
    target = tmp_path / "run.json"
    assert look_back(saved(tmp_path, 3), "--output-file", str(target)).code == 0
    answer = command("rollout", "simulate", "--from", str(target), "-o", "json")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert found["devices"] == 3
    assert {one["stage"]: one["recorded"] for one in found["stages"]}["scheduled → sandbox"] == 3
    target.write_bytes(target.read_bytes()[:-200])
    cut = command("rollout", "simulate", "--from", str(target), "-o", "json")
    assert cut.code == 1
    assert "no recorded start" in cut.err


def test_a_run_is_the_same_after_a_round_trip(tmp_path: Path) -> None:
    target = tmp_path / "run.json"
    assert look_back(saved(tmp_path, 2), "--output-file", str(target)).code == 0
    run = read_run(target.read_bytes(), "run")
    assert write_run(run) == target.read_bytes()
    assert msgspec.structs.replace(run, notes=()) != run
