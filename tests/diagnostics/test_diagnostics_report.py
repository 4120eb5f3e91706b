"""``diagnostics report`` as it is used: captures, directories, files, standard input, and two; wrong input in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import jsonschema_rs
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from manager_captures import Captures, busy, in_json, manifest, report
from manager_metrics import NODE, SCRAPES, idle_manager, reported

from kubectl_c9s.measurement.capturefile import AFTER, Leadership, PodIdentity
from kubectl_c9s.output.managerreport import report_json

SCHEMA: Final = Path(__file__).parents[2] / "docs/schemas/diagnostics-report.json"
CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.fixture(scope="module")
def schema() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))


@pytest.fixture
def capture(tmp_path: Path) -> Captures:
    return Captures(tmp_path)


def test_a_capture_is_said_in_words(capture: Captures) -> None:
    code, out, err = report(capture())
    assert (code, err) == (0, "")
    assert "c9s/manager-a (manager:1), 30.0 s between two scrapes; leads" in out
    assert "warning: too-many-requests: 9.09%, above 1%" in out
    assert "its priority queue for these requests is full" in out
    assert re.search(r"^node +9 +0 +1 +10% +20ms ", out, re.MULTILINE)
    assert out.index("warning: ") < out.index("notice: ") < out.index("CONTROLLER") < out.index("QUEUE")  # fmt: skip


def test_json_and_yaml_keep_the_schema(capture: Captures, schema: jsonschema_rs.Validator) -> None:
    one = capture()
    whole = in_json(one)
    schema.validate(whole)
    assert (whole["format"], whole["kind"]) == (1, "DiagnosticsReport")
    assert whole["figures"]["client"]["tooMany"] == {"total": 300, "rise": 300}
    _, text, _ = report(one, "-o", "yaml")
    assert yaml.safe_load(text) == whole
    real = in_json(SCRAPES, "--seconds", "15")
    schema.validate(real)
    schema.validate(in_json("-", stdin=(SCRAPES / AFTER).read_bytes()))
    schema.validate(in_json(one, capture("other", after=idle_manager(), before=None)))
    schema.validate(in_json(one, SCRAPES, "--seconds", "15"))


def test_numbers_that_are_none_become_null(
    capture: Captures, schema: jsonschema_rs.Validator
) -> None:
    before, after = busy()
    after.gauge("workqueue_depth", float("nan"), controller=NODE, name=NODE, priority="0")
    after.gauge("go_goroutines", float("inf"))
    after.observe("workqueue_work_duration_seconds", float("nan"), controller=NODE, name=NODE)
    whole = in_json(capture(before=before, after=after))
    schema.validate(whole)
    assert whole["figures"]["process"]["goroutines"] is None


def test_seconds_that_are_no_number_become_null(schema: jsonschema_rs.Validator) -> None:
    whole = report_json(reported(idle_manager(), idle_manager(), float("inf")))
    schema.validate(whole)
    assert whole["facts"]["elapsed"] is None


def test_what_is_not_available_is_a_dash_and_never_0() -> None:
    code, out, _ = report("-", stdin=idle_manager().text().encode())
    assert code == 0
    assert re.search(r"^node +- +- +- +- +- +- +- +0/16 +- +0 +0 +0$", out, re.MULTILINE)
    assert re.search(r"^node +0 +- +- +- +- +- +- +0ms +0ms$", out, re.MULTILINE)
    assert "client throttling: not available" in out


def test_exit_code_is_1_for_a_warning_when_it_is_asked_for(capture: Captures) -> None:
    bad, good = capture("bad"), capture("good", before=idle_manager(), after=idle_manager())
    assert report(bad)[0] == 0
    assert report(bad, "--fail-on", "never")[0] == 0
    assert report(bad, "--fail-on", "warning")[0] == 1
    assert report(good, "--fail-on", "warning")[0] == 0
    assert report(bad, good, "--fail-on", "warning")[0] == 0
    assert report(good, bad, "--fail-on", "warning")[0] == 1


def test_two_captures_are_compared(capture: Captures) -> None:
    other = manifest(pod=PodIdentity("manager-b", image="manager:2", restarts_before=0, restarts_after=0))  # fmt: skip
    code, out, _ = report(
        capture("one", before=idle_manager(), after=idle_manager()), capture("two", manifest=other)
    )
    assert code == 0
    assert "unequal: another version of the manager: manager:1, then manager:2" in out
    assert "unequal: another Pod" in out
    assert "too-many-requests: not judged, then warning" in out
    assert re.search(r"^\* +requests +manager +0/s +110/s +\+110/s", out, re.MULTILINE)
    assert "warning: too-many-requests" in out


def test_a_restart_voids_rates_and_keeps_gauges(capture: Captures) -> None:
    pod = PodIdentity("manager-a", restarts_before=2, restarts_after=3)
    whole = in_json(capture(manifest=manifest(pod=pod)))
    assert "restarted" in whole["void"]
    assert whole["figures"]["client"]["rate"] is None
    assert whole["figures"]["controllers"][1]["workers"] == 16
    (restarted,) = (one for one in whole["judgements"] if one["name"] == "restarted")
    assert (restarted["level"], restarted["value"]) == ("warning", 1)


@pytest.mark.parametrize(
    "lease",
    [
        Leadership("l", "x", "x", 1, 2),
        Leadership("l", "x", "y", None, None),
        Leadership("l", "x", "y", 1, 1),
    ],
)
def test_a_change_of_the_leader_is_seen(capture: Captures, lease: Leadership) -> None:
    whole = in_json(capture(manifest=manifest(lease=lease)))
    (changed,) = (one for one in whole["judgements"] if one["name"] == "leader-changed")
    assert (changed["level"], changed["value"]) == ("notice", 1)


@settings(max_examples=30)
@given(st.text(min_size=1, max_size=10))
def test_no_label_moves_the_terminal(name: str) -> None:
    after = busy(name)[1]
    code, out, _ = report("-", stdin=after.text().encode("utf-8", "replace"))
    assert code == 0
    assert not CONTROLS.search(out)


def test_names_of_a_manifest_do_not_move_the_terminal(capture: Captures) -> None:
    evil = "\x1b[2J\u202e\r\n"
    pod = PodIdentity(evil, image=evil, restarts_before=0, restarts_after=0)
    one = capture(manifest=manifest(pod=pod, problems=(evil,)))
    for places in ([one], [one, one], [one, SCRAPES, "--seconds", "9"]):
        code, out, _ = report(*places)
        assert code == 0
        assert not CONTROLS.search(out)
