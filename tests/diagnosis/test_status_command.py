"""``status`` of saved dumps: the tree, its ages and its forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from split_lab import Answer, command

from kubectl_c9s.cli.status import GOALS as OFFERED
from kubectl_c9s.diagnosis.status import GOALS
from kubectl_c9s.output.status import age, changes

CASES = Path(__file__).parents[1] / "cases/diagnose"
AT = "2026-09-21T10:10:00Z"


def status(case: str, *args: str) -> Answer:
    return command("status", *args, "-f", str(CASES / case / "dump.json"), "--at", AT)


def tree(case: str, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(status(case, *args, "-o", "json").out)
    return found


def test_every_workload_has_its_stage_and_its_cause() -> None:
    found = tree("sandbox-failed")
    (lab,) = found["labs"]
    rows = {one["name"]: (one["stage"], one["host"], one["cause"]) for one in lab["workloads"]}
    assert rows.pop("n2") == ("sandbox", "worker-2", "sandbox-failed")
    assert rows.pop("n1")[0] == "ready"
    assert set(rows.values()) == {("held", None, None)}
    assert (lab["kind"], lab["namespace"], lab["name"]) == ("Topology", "lab-b", "fabric")


def test_stages_tell_the_queue_the_gate_and_the_boot_apart() -> None:
    assert tree("blocked-by-other-lab")["progress"]["stages"]["queued"] == 4
    crashing = tree("primary-crashloop")["progress"]["stages"]
    assert (crashing["gated"], crashing["booting"]) == (2, 2)
    assert tree("unschedulable-maxpods")["progress"]["stages"]["unscheduled"] == 1
    assert tree("plan-failed-image")["progress"]["stages"]["admitted"] == 1


def test_the_tree_counts_what_is_done_and_names_what_is_not() -> None:
    text = status("sandbox-failed").out
    assert "Topology lab-b/fabric  [###.................] 1/6 ready" in text
    assert (
        text.splitlines()[-1] == "1/6 ready (4 held, 1 sandbox, 1 ready); stalled, sandbox-failed"
    )
    assert "n1" not in text


def test_a_lab_is_looked_at_alone_and_a_name_that_nobody_has_is_refused() -> None:
    assert [lab["name"] for lab in tree("blocked-by-other-lab", "small")["labs"]] == ["small"]
    assert {lab["namespace"] for lab in tree("blocked-by-other-lab", "-n", "lab-p")["labs"]} == {
        "lab-p"
    }
    refused = status("blocked-by-other-lab", "nobody")
    assert (refused.code, refused.out) == (2, "")


def test_lines_of_json_are_events() -> None:
    events = [json.loads(line) for line in status("sandbox-failed", "-o", "jsonl").out.splitlines()]
    assert {event["type"] for event in events} == {"stage"}
    assert sorted(event["name"] for event in events) == [f"n{n}" for n in range(1, 7)]


def test_changes_are_told_once_and_those_who_go_as_well() -> None:
    found = tree("sandbox-failed")
    now, events = changes({}, found)
    assert len(events) == 6
    assert changes(now, found)[1] == []
    found["labs"][0]["workloads"] = [
        one for one in found["labs"][0]["workloads"] if one["name"] != "n2"
    ]
    assert changes(now, found)[1] == [
        {"type": "gone", "at": AT, "namespace": "lab-b", "name": "n2", "from": "sandbox"}
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "0s"), (0, "0s"), (59, "59s"), (60, "1m"), (61, "1m1s"), (3600, "1h"), (93784, "1d2h")],
)
def test_ages_have_two_units_at_most(seconds: int, text: str) -> None:
    assert age(seconds) == text


def test_the_goals_that_are_offered_are_those_there_are() -> None:
    assert tuple(GOALS) == OFFERED


@pytest.mark.parametrize("args", [["--watch"], ["--for", "ready"]])
def test_a_dump_is_not_waited_for(args: list[str]) -> None:
    assert status("healthy-idle", *args).code == 2


def test_one_document_is_no_stream() -> None:
    assert command("status", "--watch", "-o", "json").code == 2
