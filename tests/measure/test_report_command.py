"""``measure report`` as it is used: tables, JSON, YAML, files, stdin, and inputs that are wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import msgspec
import pytest
import yaml
from run_samples import Wish, cancelled_run, changed, lab_run, plain_run
from split_lab import Answer, command

from kubectl_c9s.measurement.run import Device, Run
from kubectl_c9s.measurement.runfile import write_run

if TYPE_CHECKING:
    from jsonschema_rs import Validator

SCHEMAS = Path(__file__).parents[2] / "docs/schemas"
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
SMALL = Wish(devices=40, hosts=4, batch=10)
RUNS = {
    "lab": lab_run(SMALL),
    "slow": lab_run(Wish(devices=40, hosts=4, batch=10, slow_host="worker-03")),
    "plain": plain_run(SMALL),
    "cancelled": cancelled_run(SMALL),
    "nothing": Run(verdict="deadline", expected=0, elapsed=0.0),
    "nothing seen": changed(
        lab_run(SMALL),
        devices=tuple(msgspec.structs.replace(one, observed={}) for one in lab_run(SMALL).devices),
        samples=(),
        peaks={},
        overall={},
        churn=None,
    ),
    "after the fact": changed(
        lab_run(SMALL),
        clock="stamped",
        devices=tuple(msgspec.structs.replace(one, observed={}) for one in lab_run(SMALL).devices),
        samples=(),
    ),
    "no stamps": changed(
        lab_run(SMALL),
        devices=tuple(msgspec.structs.replace(one, stamps={}) for one in lab_run(SMALL).devices),
        anchor=None,
    ),
}


@pytest.fixture(scope="module")
def schema() -> Validator:
    text = (SCHEMAS / "measure-report.json").read_text(encoding="utf-8")
    return jsonschema_rs.validator_for(json.loads(text))


@pytest.fixture
def file(tmp_path: Path) -> Any:
    """Give a way to write a run to a file; gives its path."""

    def write(run: Run, name: str = "run.json") -> str:
        (tmp_path / name).write_bytes(write_run(run))
        return str(tmp_path / name)

    return write


def report(*arguments: str, stdin: bytes = b"") -> Answer:
    return command("measure", "report", *arguments, stdin=stdin)


@pytest.mark.parametrize("name", RUNS)
def test_json_keeps_its_schema_and_yaml_is_the_same(
    name: str, file: Any, schema: Validator
) -> None:
    path = file(RUNS[name])
    as_json, as_yaml = (report(path, "-o", form) for form in ("json", "yaml"))
    assert (as_json.code, as_json.err) == (0, "")
    schema.validate(json.loads(as_json.out))
    assert yaml.safe_load(as_yaml.out) == json.loads(as_json.out)


@pytest.mark.parametrize("name", RUNS)
def test_tables_are_readable_text(name: str, file: Any) -> None:
    answer = report(file(RUNS[name]))
    assert (answer.code, answer.err) == (0, "")
    assert not CONTROLS.search(answer.out)
    assert answer.out.endswith("\n")


def test_a_table_has_the_figures_of_the_run(file: Any) -> None:
    run = RUNS["lab"]
    out = report(file(run)).out
    last = max(one.stamps["ready"] for one in run.devices) - run.anchor.at if run.anchor else 0
    assert f"40 of 40 devices ready, {last:g}s after the Topology" in out
    rows = {tuple(line.split()[:3]): line.split() for line in out.splitlines()}
    took = sorted(one.stamps["ready"] - one.stamps["pod"] for one in run.devices)
    row = rows["pod->ready", "whole", "stamped"]
    assert row[3] == "40"
    assert (row[4], row[8]) == (f"{took[0]:g}s", f"{took[-1]:g}s")
    assert "Batches found by observed times" in out
    assert "note: stamps are whole seconds" in out


def test_several_runs_and_directories_are_shown_one_after_another(
    file: Any, tmp_path: Path
) -> None:
    file(RUNS["lab"], "a.json")
    file(RUNS["plain"], "b.json")
    (tmp_path / "notes.txt").write_text("not a run")
    found = json.loads(report(str(tmp_path), str(tmp_path / "a.json"), "-o", "json").out)
    names = [Path(one["name"]).name for one in found["runs"]]
    assert names == ["a.json", "b.json", "a.json"]


def test_a_run_is_taken_from_stdin() -> None:
    answer = report("-", stdin=write_run(RUNS["lab"]))
    assert answer.code == 0
    assert answer.out.startswith("<stdin>: 40 of 40 devices ready")


@pytest.mark.parametrize("form", ["table", "json", "yaml", "html"])
def test_a_file_gets_what_stdout_would_have_got(form: str, file: Any, tmp_path: Path) -> None:
    path, target = file(RUNS["lab"]), tmp_path / "out"
    target.write_text("before")
    printed = report(path, "-o", form)
    written = report(path, "-o", form, "--output-file", str(target))
    assert (written.code, written.out) == (0, "")
    assert target.read_text(encoding="utf-8") == printed.out
    assert {one.name for one in tmp_path.iterdir()} == {"run.json", "out"}


def test_a_file_that_cannot_be_written_leaves_nothing(file: Any, tmp_path: Path) -> None:
    path = file(RUNS["lab"])
    assert report(path, "--output-file", str(tmp_path / "no" / "out")).code == 2
    assert report(path, "--output-file", str(tmp_path)).code == 3
    assert [one.name for one in tmp_path.iterdir()] == ["run.json"]


WHOLE = write_run(RUNS["lab"])
BAD: dict[str, tuple[bytes, str]] = {
    "cut off": (WHOLE[: len(WHOLE) // 2], "is no recorded start"),
    "empty": (b"", "is no recorded start"),
    "no JSON": (b"\xff\xfe\x00", "is no recorded start"),
    "foreign": (b'{"kind": "List", "items": []}', "its kind is 'List'"),
    "newer": (WHOLE.replace(b'"format": 1', b'"format": 2'), "has format 2"),
    "unknown milestone": (
        WHOLE.replace(b'"prepared"', b'"prepored"'),
        "unknown milestone 'prepored'",
    ),
    "text for a number": (WHOLE.replace(b'"expected": 40', b'"expected": "many"'), "expected"),
    "endless number": (
        WHOLE.replace(b'"expected": 40', b'"expected": 1e16'),
        "is no recorded start",
    ),
    "number beyond reason": (
        re.sub(rb'"elapsed": [0-9.]+,\n "expected"', b'"elapsed": 1e300,\n "expected"', WHOLE),
        "which no start can have",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_run_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    data, words = BAD[name]
    assert data != WHOLE
    (tmp_path / "bad.json").write_bytes(data)
    answer = report(str(tmp_path / "bad.json"), "--output-file", str(tmp_path / "out"))
    assert (answer.code, answer.out) == (1, "")
    assert words in answer.err
    assert "bad.json" in answer.err
    assert not (tmp_path / "out").exists()


def test_what_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    assert report(str(tmp_path / "no.json")).code == 2
    assert "has no .json file" in report(str(tmp_path)).err
    assert report().code == 2


def test_zero_devices_are_said(file: Any) -> None:
    answer = report(file(RUNS["nothing"]))
    assert answer.code == 0
    assert "no device was recorded" in answer.out


def test_names_that_steer_terminals_are_shown_and_not_obeyed(file: Any) -> None:
    evil = "x\x1b[31m\u202e<b>"
    device = Device("ns", evil, host=evil, stamps={"pod": 1.0, "ready": 5.0}, addresses=(evil,))
    run = Run(verdict="reached", expected=1, elapsed=9.0, devices=(device,), notes=(evil,))
    path = file(run)
    table = report(path).out
    assert not CONTROLS.search(table)
    assert r"x^[[31m\u202e<b>" in table
    page = report(path, "-o", "html").out
    assert not CONTROLS.search(page)
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_an_installed_tool_has_its_page(wheel: Path, file: Any, tmp_path: Path) -> None:
    path = file(RUNS["lab"])
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "measure", "report", path, "-o", "html"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
    )
    assert done.stdout.decode() == report(path, "-o", "html").out
