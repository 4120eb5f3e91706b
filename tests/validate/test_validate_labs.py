"""Topologies and containerlab files: what the split compiler finds is what ``validate`` reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from checking import Checked, check, check_files, command, node, place, stream, topology
from split_lab import manifest, split

CASES = Path(__file__).parents[1] / "split/cases"
BARE = """\
name: lab
topology:
  nodes:
    r1: {kind: linux}
    r2: {kind: linux}
  links:
    - endpoints: [r1:e1, r2:e1]
"""


def validated(path: Path) -> Checked:
    answer = command("validate", "-f", str(path), "-o", "json")
    return Checked(answer.code, json.loads(answer.out), answer.err)


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_a_topology_has_the_findings_that_split_has(case: str) -> None:
    text = (CASES / case / "input.yaml").read_text(encoding="utf-8")
    answer, by_split = check(text), split(text)
    assert answer.code == by_split.code
    shown = [
        {key: one[key] for key in ("code", "path", "message", "line", "column")}
        for one in answer.findings
    ]
    for one in (*by_split.errors, *by_split.warnings):
        del one["file"]
        assert one in shown
    more = len(answer.findings) - len(by_split.errors) - len(by_split.warnings)
    assert answer.codes().count("profile-conflict") == more


def test_findings_of_a_definition_point_into_the_manifest() -> None:
    text = manifest(
        "topology:\n  nodes: {n: {kind: linux}}\n  links:\n    - endpoints: [n:e1, gone:e1]\n"
    )
    found = check(text).only()
    assert (found["code"], found["line"]) == ("unknown-link-endpoint", place(text, "gone:e1")[0])


def test_a_rollout_of_a_topology_that_is_applied_as_it_is_is_no_warning() -> None:
    answer = check(stream(topology("lab", rollout={"batchSize": 5})), "--strict")
    assert (answer.code, answer.codes("info")) == (0, ["lost-rollout"])


def test_a_containerlab_file_is_checked_with_its_files() -> None:
    files = {
        "lab.clab.yml": BARE,
        "more/gone.clab.yml": BARE.replace("r1: {kind: linux}", "r1: {startup-config: no.cfg}"),
    }
    answer = check_files(files)
    assert [
        (one["code"], one["object"]["kind"])
        for one in answer.findings
        if one["severity"] == "error"
    ] == [("missing-file", "containerlab")]
    assert (
        check_files(files, "--no-stage-files", "--ignore", "duplicate-object-name").codes("error")
        == []
    )


def test_two_containerlab_files_of_one_name_collide() -> None:
    answer = check_files({"a.clab.yml": BARE, "b.clab.yml": BARE})
    assert set(answer.codes()) == {"duplicate-object-name"}
    apart = check_files(
        {"a.clab.yml": BARE, "b.clab.yml": BARE.replace("name: lab", "name: other")}
    )
    assert apart.findings == []


def test_what_was_made_of_a_containerlab_file_may_stand_beside_it() -> None:
    made = command("split", "-f", "-", stdin=BARE.encode())
    assert check_files({"lab.clab.yml": BARE, "out/lab.yaml": made.out}).findings == []


def test_variables_of_a_containerlab_file_come_from_the_command_line() -> None:
    text = BARE.replace("{kind: linux}", "{kind: linux, image: '${IMAGE:?}'}", 1)
    assert check(text).code == 1
    good = BARE.replace("name: lab", "name: $LAB")
    assert check(good, "--set", "LAB=mine").findings == []
    assert check(good, "--no-env").codes("warning") == ["renamed-lab"]


def test_text_that_is_no_yaml_before_its_variables_are_replaced_is_a_lab() -> None:
    text = BARE.replace("name: lab", "name: ${LAB:=mine}")
    answer = check(text, "--no-env")
    assert answer.report["summary"]["objects"] == 1


def test_a_lab_that_is_refused_makes_no_objects_to_compare() -> None:
    bad = topology("x", {"topology": {"nodes": {"n": {"restart-policy": "never"}}}})
    assert check(stream(bad, node("n", lab="z"))).codes() == ["unsupported-restart-policy"]
