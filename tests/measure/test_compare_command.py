"""``measure compare`` as it is used: formats, exit codes, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import msgspec
import pytest
import yaml
from run_samples import MANIFEST, Wish, cancelled_run, lab_run, plain_run
from split_lab import Answer, command

from kubectl_c9s.measurement.run import Limits, Run
from kubectl_c9s.measurement.runfile import write_run

SCHEMA = Path(__file__).parents[2] / "docs/schemas/measure-compare.json"


def start(seed: int, boot: float = 19.0) -> Run:
    return lab_run(Wish(devices=40, hosts=10, batch=0, seed=seed, boot=boot))


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory with several runs of two sides, and some single ones."""
    folder = tmp_path_factory.mktemp("sides")
    runs = {f"a/{seed}": start(seed) for seed in (1, 2, 3)}
    runs |= {f"b/{seed}": start(seed, 30.0) for seed in (4, 5, 6)}
    runs["plain"] = plain_run(Wish(devices=40, hosts=10, batch=0))
    runs["cancelled"] = cancelled_run(Wish(devices=40, hosts=10, batch=0))
    limits = msgspec.structs.replace(MANIFEST, limits=Limits(50, 0), families=("IPv4",))
    runs["limits"] = lab_run(Wish(devices=40, hosts=10, batch=0), limits)
    for name, run in runs.items():
        path = folder / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(write_run(run))
    return folder


def compare(sides: Path, a: str, b: str, *more: str) -> Answer:
    return command("measure", "compare", str(sides / a), str(sides / b), *more)


def test_json_keeps_its_schema_and_yaml_is_the_same(sides: Path) -> None:
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))
    for b in ("b", "b/4.json", "plain.json"):
        as_json, as_yaml = (compare(sides, "a", b, "-o", form) for form in ("json", "yaml"))
        assert (as_json.code, as_json.err) == (0, "")
        validator.validate(json.loads(as_json.out))
        assert yaml.safe_load(as_yaml.out) == json.loads(as_json.out)


def test_a_table_says_what_is_slower_and_how_sure_that_is(sides: Path) -> None:
    answer = compare(sides, "a", "b")
    assert answer.code == 0
    rows = [line.split() for line in answer.out.splitlines()]
    (row,) = [row for row in rows if row[:2] == ["passed->started", "stamped"]]
    assert "slower" in row
    (row,) = [row for row in rows if row[:2] == ["scheduled->sandbox", "stamped"]]
    assert "slower" not in row
    assert "1 of 10 figures" in answer.out
    assert "single run" in compare(sides, "a", "b/4.json").out


@pytest.mark.parametrize(
    ("a", "b", "fail_on", "code"),
    [
        ("a", "b", "never", 0),
        ("a", "b", "slower", 1),
        ("b", "a", "slower", 0),
        ("b", "a", "different", 1),
        ("a/1.json", "a/1.json", "different", 0),
        ("a/1.json", "b/4.json", "slower", 1),
    ],
)
def test_the_exit_code_is_the_one_that_was_asked_for(
    sides: Path, a: str, b: str, fail_on: str, code: int
) -> None:
    assert compare(sides, a, b, "--fail-on", fail_on).code == code


def test_runs_that_are_not_alike_are_refused_with_all_reasons(sides: Path, tmp_path: Path) -> None:
    answer = compare(sides, "a", "limits.json", "--output-file", str(tmp_path / "out"))
    assert (answer.code, answer.out) == (4, "")
    assert "limits: batchSize 25" in answer.err
    assert "address families" in answer.err
    assert "hint: --allow-unequal" in answer.err
    assert not (tmp_path / "out").exists()
    assert compare(sides, "a", "cancelled.json").code == 4


def test_who_goes_on_all_the_same_is_told_what_differs(sides: Path) -> None:
    answer = compare(sides, "a", "limits.json", "--allow-unequal")
    assert answer.code == 0
    assert "not alike: limits: batchSize 25" in answer.out
    as_json = compare(sides, "a", "limits.json", "--allow-unequal", "-o", "json")
    assert len(json.loads(as_json.out)["unequal"]) == 2
    assert "not alike: limits" in as_json.err


def test_other_json_in_a_directory_is_passed_over_with_a_note(sides: Path, tmp_path: Path) -> None:
    (tmp_path / "schedule.json").write_text('{"kind": "ArrivalSchedule"}')
    (tmp_path / "pods.json").write_text("[]")
    only = command("measure", "compare", str(tmp_path), str(sides / "b"))
    assert only.code == 2
    assert "has no recorded start in it" in only.err
    (tmp_path / "run.json").write_bytes((sides / "a/1.json").read_bytes())
    answer = command("measure", "compare", str(tmp_path), str(sides / "b"))
    assert answer.code == 0
    assert "schedule.json is no recorded start, and passed over" in answer.err


def test_a_run_that_is_cut_off_is_never_passed_over(sides: Path, tmp_path: Path) -> None:
    whole = (sides / "a/1.json").read_bytes()
    (tmp_path / "1.json").write_bytes(whole)
    (tmp_path / "2.json").write_bytes(whole[:5000])
    answer = command("measure", "compare", str(tmp_path), str(sides / "b"))
    assert answer.code == 1
    assert "2.json" in answer.err


def test_one_side_may_be_stdin(sides: Path) -> None:
    data = (sides / "a/1.json").read_bytes()
    answer = command("measure", "compare", "-", str(sides / "a/1.json"), stdin=data)
    assert answer.code == 0
    assert "none of" in answer.out
    assert command("measure", "compare", "-", "-", stdin=data).code == 2
