"""``diagnose`` as its user meets it: formats, exit codes, what it takes as input, what it refuses."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
import yaml
from split_lab import Answer, command

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/cases/diagnose"
SCHEMA = ROOT / "docs/schemas/diagnosis.json"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir())


def diagnose(case: str, *args: str) -> Answer:
    expected = json.loads((CASES / case / "expected.json").read_text("utf-8"))
    file = str(CASES / case / "dump.json")
    return command("diagnose", "-f", file, "--at", expected["at"], *args)


def report(case: str, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(diagnose(case, "-o", "json", *args).out)
    return found


@pytest.mark.parametrize("case", NAMES)
def test_json_is_of_the_published_form_and_the_exit_code_follows_the_verdict(case: str) -> None:
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8")))
    expected = json.loads((CASES / case / "expected.json").read_text("utf-8"))
    answer = diagnose(case, "-o", "json")
    found = json.loads(answer.out)
    assert [error.message for error in validator.iter_errors(found)] == []
    assert found["verdict"] == expected["verdict"]
    assert answer.code == int(expected["verdict"] in ("stalled", "misconfigured"))


@pytest.mark.parametrize("case", NAMES)
def test_yaml_says_the_same_as_json(case: str) -> None:
    assert yaml.safe_load(diagnose(case, "-o", "yaml").out) == report(case)


@pytest.mark.parametrize(
    ("case", "fail_on", "code"),
    [
        ("slow-but-healthy", "stalled", 0),
        ("slow-but-healthy", "slow", 1),
        ("config-misplaced", "stalled", 1),
        ("quota-exceeded", "never", 0),
        ("healthy-idle", "slow", 0),
    ],
)
def test_the_exit_code_is_chosen_by_a_flag(case: str, fail_on: str, code: int) -> None:
    assert diagnose(case, "--fail-on", fail_on).code == code


@pytest.mark.parametrize("case", NAMES)
def test_the_text_names_verdict_cause_object_and_evidence(case: str) -> None:
    text, found = diagnose(case).out, report(case)
    assert text.startswith(found["verdict"].upper())
    for cause in found["causes"]:
        assert f"\n{cause['code']}" in text
        for evidence in cause["evidence"][:1]:
            assert evidence["text"] in text


def test_junit_has_a_case_for_each_object_that_is_blamed() -> None:
    root = ET.fromstring(diagnose("quota-exceeded", "-o", "junit").out)  # noqa: S314 - our own output
    failed = {
        case.get("name") for case in root.iter("testcase") if case.find("failure") is not None
    }
    assert root.get("name") == "kubectl-c9s diagnose"
    assert failed == {"lab-e/s2", "lab-e/s3"}
    well = ET.fromstring(diagnose("healthy-idle", "-o", "junit").out)  # noqa: S314 - our own output
    assert (well.get("tests"), well.get("failures")) == ("1", "0")


def test_sarif_has_a_result_for_each_object_that_is_blamed() -> None:
    log = json.loads(diagnose("quota-exceeded", "-o", "sarif").out)
    (run,) = log["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["quota-exceeded"] * 2
    assert run["tool"]["driver"]["rules"][0]["shortDescription"]["text"]


def test_commands_that_are_printed_name_the_right_kind_and_touch_no_annotation() -> None:
    seen = 0
    for case in NAMES:
        for cause in report(case)["causes"]:
            for line in (cause["remedy"] or {"commands": []})["commands"]:
                seen += 1
                assert "annotate" not in line
                assert "startup-" not in line
                # A bare "nodes" is the core kind: only for hosts, which have no namespace.
                assert not (re.search(r"\bnodes\b(?!\.c9s\.run)", line) and "-n " in line), line
    assert seen > 10


def test_each_blocker_says_what_would_follow() -> None:
    (blocker,) = report("sandbox-failed")["blockers"]
    assert blocker["barrier"] == "topology lab-b/fabric"
    assert (blocker["object"]["name"], blocker["next"], blocker["remaining"]) == ("n2", 2, 0)
    assert blocker["cause"] == "sandbox-failed"
    many = report("planner-pool-starved")["blockers"]
    assert [(one["next"], one["remaining"]) for one in many] == [(0, 2)] * 3


def test_the_ledger_says_who_holds_the_slots_of_a_host() -> None:
    slots = report("primary-crashloop")["slots"]["worker-1"]
    assert slots["limit"] == 1
    assert [holder["cause"] for holder in slots["holders"]] == ["primary-crashloop"] * 2
    assert len(slots["queued"]) == 2


def test_a_directory_of_lists_reads_like_one_list(tmp_path: Path) -> None:
    whole = json.loads((CASES / "quota-exceeded/dump.json").read_text("utf-8"))
    kinds: dict[tuple[str, str], list[Any]] = {}
    for item in whole["items"]:
        kinds.setdefault((item["apiVersion"], item["kind"]), []).append(item)
    for number, ((version, kind), items) in enumerate(kinds.items()):
        # As the API lists them: the items do not say what they are.
        bare = [
            {key: item[key] for key in item if key not in ("apiVersion", "kind")} for item in items
        ]
        body = {"apiVersion": version, "kind": f"{kind}List", "items": bare}
        (tmp_path / f"{number}.json").write_text(json.dumps(body), encoding="utf-8")
    answer = command("diagnose", "-f", str(tmp_path), "--at", "2026-09-21T10:10:00Z", "-o", "json")
    assert json.loads(answer.out) == report("quota-exceeded")


def test_stdin_is_read_and_without_a_time_the_newest_in_it_is_taken() -> None:
    data = (CASES / "quota-exceeded/dump.json").read_bytes()
    answer = command("diagnose", "-f", "-", "-o", "json", stdin=data)
    assert json.loads(answer.out)["verdict"] == "stalled"
    assert json.loads(answer.out)["at"] == "2026-09-21T10:09:57Z"
    assert "--at" in answer.err


@pytest.mark.parametrize(
    ("write", "code", "words"),
    [
        (lambda path: path.write_text(""), 1, "no list of objects in JSON"),
        (lambda path: path.write_text("{}"), 1, "no object that a diagnosis looks at"),
        (
            lambda path: path.write_text('{"apiVersion": "v1", "kind": "List", "items": []}'),
            1,
            "no object",
        ),
        (lambda path: path.write_text("kind: Pod\n"), 1, "no list of objects in JSON"),
        (lambda path: path.write_bytes(b"\x00\xff"), 1, "no list of objects in JSON"),
        (
            lambda path: path.write_text('{"apiVersion": "v1", "kind": "Pod", "metadata": 5}'),
            1,
            "no list",
        ),
        (lambda _: None, 2, "cannot read"),
    ],
)
def test_what_is_no_dump_is_refused_with_a_message(
    write: Callable[[Path], object], code: int, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "dump.json"
    write(file)
    answer = command("diagnose", "-f", str(file), "--at", "2026-09-21T10:10:00Z")
    assert (answer.code, answer.out) == (code, "")
    assert words in answer.err
    assert "dump.json" in answer.err or words.startswith("no object")


@pytest.mark.parametrize(
    "args",
    [
        ["--at", "yesterday"],
        ["--slow-after", "5"],
        ["--slow-after", "10m"],
        ["--topology", "nobody"],
        ["--fail-on", "sometimes"],
    ],
)
def test_bad_values_are_usage_errors(args: list[str]) -> None:
    answer = diagnose("quota-exceeded", *args)
    assert (answer.code, answer.out) == (2, "")


def test_two_managers_are_ambiguous_until_one_is_named(tmp_path: Path) -> None:
    whole = json.loads((CASES / "healthy-idle/dump.json").read_text("utf-8"))
    pod = next(
        one
        for one in whole["items"]
        if "c9s.run/component" in one["metadata"].get("labels", {}) and one["kind"] == "Pod"
    )
    other = json.loads(json.dumps(pod))
    other["metadata"] |= {"namespace": "second", "uid": "other"}
    whole["items"].append(other)
    file = tmp_path / "dump.json"
    file.write_text(json.dumps(whole), encoding="utf-8")
    args = ["diagnose", "-f", str(file), "--at", "2026-09-21T10:10:00Z"]
    refused = command(*args)
    assert refused.code == 2
    assert "c9s, second" in refused.err
    assert command(*args, "--manager-namespace", "c9s").code == 0


def test_a_topology_is_looked_at_alone() -> None:
    found = report("blocked-by-other-lab", "--topology", "small", "-n", "lab-p")
    assert [cause["code"] for cause in found["causes"]] == [
        "unschedulable", "blocked-by-other-lab", "replacement-blocks",
    ]  # fmt: skip
    # What is stuck in another lab, and holds nobody of this one up, is not its matter.
    assert report("hold-foreign-topology", "--topology", "wan")["verdict"] == "stalled"


def test_thresholds_are_flags() -> None:
    assert (
        report("slow-but-healthy", "--slow-after", "50m", "--stalled-after", "60m")["verdict"]
        == "healthy"
    )
    assert report("sandbox-failed", "--stalled-after", "24h")["verdict"] == "slow"


def test_text_of_the_cluster_cannot_act_on_a_terminal(tmp_path: Path) -> None:
    text = (CASES / "quota-exceeded/dump.json").read_text("utf-8")
    file = tmp_path / "dump.json"
    file.write_text(
        text.replace("exceeded quota", "exceeded quota\\u001b[31m\\u202e"), encoding="utf-8"
    )
    printed = command("diagnose", "-f", str(file), "--at", "2026-09-21T10:10:00Z").out
    assert "exceeded quota^[[31m" in printed
    assert not set(printed) & {"\x1b", "\u202e"}


def test_a_namespace_is_looked_at_alone() -> None:
    # The blocker is in another namespace, and holds this one up.
    found = report("blocked-by-other-lab", "-n", "lab-p")
    assert [cause["code"] for cause in found["causes"]][:2] == [
        "unschedulable",
        "blocked-by-other-lab",
    ]
    assert report("sandbox-failed", "-n", "elsewhere")["verdict"] == "healthy"
    assert report("sandbox-failed", "-n", "elsewhere", "-A")["verdict"] == "stalled"
