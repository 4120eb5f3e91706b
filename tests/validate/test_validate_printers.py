"""Printers: JSON and SARIF keep their published schemas, JUnit its form, and nothing escapes anywhere."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from checking import check, command, config_map, link, node, profile, stream
from hypothesis import given
from hypothesis import strategies as st
from sarif_schema import sarif_schema

from kubectl_c9s.output.junit import junit_text
from kubectl_c9s.output.sarif import sarif_text
from kubectl_c9s.output.verdicts import json_text, text_lines
from kubectl_c9s.resources.findings import Position
from kubectl_c9s.resources.verdicts import Issue, Report, Verdict

SCHEMA = Path(__file__).parents[2] / "docs/schemas/validate-report.json"
RAW = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
HOSTILE = "a\x1b[31m\u202eb\x00\x7f]]>&<\"'\r\n\t\ud800\ufffe\x9b\u200b"
LAB = stream(
    profile("p"), node("a", profile="gone", env={"A": "${b}"}), link("l", "a:eth1", "x:eth1"), config_map("m"),
    {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}},
)  # fmt: skip

texts = st.one_of(
    st.text(max_size=12),
    st.just(HOSTILE),
    st.sampled_from(["", "lab/r1.yaml", "/abs ü.yaml", "a:b"]),
)
positions = st.builds(Position, texts, st.integers(0, 99), st.integers(0, 99))
issues = st.builds(
    Issue, st.sampled_from(["error", "warning", "info"]),
    st.sampled_from(["invalid-yaml", "not-admissible", "not-a-lab"]),
    texts, texts, positions,
)  # fmt: skip
verdicts = st.builds(
    Verdict,
    texts,
    texts,
    texts,
    texts,
    positions,
    st.lists(issues, max_size=3).map(tuple),
    st.booleans(),
)
reports = st.builds(
    Report, st.lists(verdicts, max_size=3).map(tuple), st.lists(issues, max_size=2).map(tuple),
    st.dictionaries(st.just("x"), st.integers(1, 9)), st.booleans(),
)  # fmt: skip


@pytest.fixture(scope="module")
def ours() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def official() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(sarif_schema(), validate_formats=True)


def printed(output: str, text: str | bytes = LAB, *flags: str) -> str:
    data = text.encode() if isinstance(text, str) else text
    return command("validate", "-f", "-", "-o", output, *flags, stdin=data).out


def test_the_schema_of_reports_is_a_schema_and_refuses_others(
    ours: jsonschema_rs.Validator,
) -> None:
    assert jsonschema_rs.meta.is_valid(json.loads(SCHEMA.read_text(encoding="utf-8")))
    good = json.loads(printed("json"))
    assert ours.is_valid(good)
    changes: tuple[dict[str, Any], ...] = (
        {"valid": "yes"},
        {"format": 2},
        {"more": 1},
        {"findings": [{"code": "x"}]},
        {"summary": {}},
    )
    assert [change for change in changes if ours.is_valid(good | change)] == []


@given(report=reports)
def test_every_report_keeps_its_schema(ours: jsonschema_rs.Validator, report: Report) -> None:
    text = json_text(report)
    assert [error.message for error in ours.iter_errors(json.loads(text))] == []
    assert text.isascii()
    assert not RAW.search(text)


@given(report=reports)
def test_every_log_keeps_the_schema_of_sarif(
    official: jsonschema_rs.Validator, report: Report
) -> None:
    text = sarif_text(report, "1.2.3")
    assert [error.message for error in official.iter_errors(json.loads(text))] == []
    assert text.isascii()
    assert not RAW.search(text)


def test_the_schema_of_sarif_refuses_what_is_none(official: jsonschema_rs.Validator) -> None:
    log = json.loads(printed("sarif"))
    assert official.is_valid(log)
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not official.is_valid(log)


@given(report=reports)
def test_every_junit_document_is_xml_that_counts_right(report: Report) -> None:
    text = "".join(junit_text(report))
    assert text.isascii()
    assert not RAW.search(text)
    root = ET.fromstring(text)  # noqa: S314 - written by us a line ago
    cases = root.findall("testsuite/testcase")
    assert len(cases) == int(root.attrib["tests"]) == len(report.verdicts) + len(report.unread)
    failed = [case for case in cases if case.find("failure") is not None]
    assert len(failed) == int(root.attrib["failures"])
    assert len(root.findall("testsuite/testcase/error")) == int(root.attrib["errors"])
    for suite in root.findall("testsuite"):
        inside = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(inside)
        assert int(suite.attrib["failures"]) == sum(
            case.find("failure") is not None for case in inside
        )
        assert int(suite.attrib["skipped"]) == sum(
            case.find("skipped") is not None for case in inside
        )
    assert all(case.attrib["name"] is not None for case in cases)


@given(report=reports, colour=st.booleans())
def test_text_has_a_line_an_issue_and_no_foreign_controls(report: Report, colour: bool) -> None:  # noqa: FBT001 - drawn
    lines = list(text_lines(report, colour=colour))
    assert len(lines) == len(list(report.issues())) + 1
    for line in lines:
        assert line.endswith("\n")
        plain = re.sub(r"\x1b\[(1;3[136]|0)m", "", line[:-1]) if colour else line[:-1]
        assert not RAW.search(plain)
        assert "\n" not in plain


def test_a_result_of_sarif_says_where_and_what() -> None:
    log = json.loads(printed("sarif"))
    run = log["runs"][0]
    result = next(one for one in run["results"] if one["ruleId"] == "missing-profile")
    (location,) = result["locations"]
    assert result["level"] == "error"
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "stdin"
    assert location["physicalLocation"]["region"]["startLine"] > 1
    assert location["logicalLocations"] == [{"fullyQualifiedName": "Node a: spec.profileRef.name"}]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "missing-profile"


@pytest.mark.parametrize(
    ("file", "uri"),
    [("a/b c.yaml", "a/b%20c.yaml"), ("/x/ü.yaml", "file:///x/%C3%BC.yaml"), ("a:b.yaml", "a%3Ab.yaml"),
     ("\udcff.yaml", "%FF.yaml")],
)  # fmt: skip
def test_files_are_uris(file: str, uri: str) -> None:
    report = Report((), (Issue("error", "invalid-yaml", "", "m", Position(file, 1, 1)),))
    (result,) = json.loads(sarif_text(report, "1"))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_junit_has_a_suite_a_file_and_a_case_an_object() -> None:
    root = ET.fromstring(printed("junit"))  # noqa: S314 - written by us a line ago
    (suite,) = root.findall("testsuite")
    assert suite.attrib["name"] == "<stdin>"
    outcome = {
        (case.attrib["classname"], case.attrib["name"]): [child.tag for child in case]
        for case in suite
    }
    assert outcome == {
        ("NodeProfile@c9s.run/v1alpha1", "p"): [],
        ("Node@c9s.run/v1alpha1", "a"): ["failure", "system-out"],
        ("Link@c9s.run/v1alpha1", "l"): ["failure"],
        ("ConfigMap@v1", "m"): [],
        ("Service@v1", "s"): ["skipped"],
    }
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.attrib["type"] == "missing-profile"
    assert failure.text is not None
    assert failure.text.startswith("<stdin>:")


def test_a_file_that_cannot_be_read_is_an_error_of_junit() -> None:
    root = ET.fromstring(printed("junit", "a: [b"))  # noqa: S314 - written by us a line ago
    error = root.find("testsuite/testcase/error")
    assert error is not None
    assert (root.attrib["errors"], error.attrib["type"]) == ("1", "invalid-yaml")


def test_warnings_are_failures_of_junit_when_they_make_the_input_invalid() -> None:
    text = stream(config_map("m", a="${b}"))
    kinds = [[child.tag for case in ET.fromstring(printed("junit", text, *flags)).iter("testcase") for child in case]  # noqa: S314 - written by us
             for flags in ((), ("--strict",))]  # fmt: skip
    assert kinds == [["system-out"], ["failure"]]


@pytest.mark.parametrize("output", ["text", "json", "junit", "sarif"])
def test_a_hostile_input_cannot_reach_the_terminal(output: str) -> None:
    name = "\x1b[2J\u202e\x9b"
    one = node(
        "a", metadata={"labels": {name: name}}, aliases=[name], network_mode=f"container:{name}"
    )
    text = json.dumps({**one, "kind": "Node", name: name, "spec": {**one["spec"], name: "${x}"}})
    for data in (text.encode(), b"kind: \x1b[2J", b"\xff", f'"{name}": 1'.encode()):
        assert not RAW.search(printed(output, data))


def test_equal_runs_give_equal_bytes() -> None:
    for output in ("text", "json", "junit", "sarif"):
        assert printed(output) == printed(output)


def test_a_text_line_names_place_code_object_and_path() -> None:
    lines = printed("text").splitlines()
    assert re.fullmatch(
        r"<stdin>:\d+:\d+: error: .*'gone'.* \[missing-profile\] \(Node a: spec\.profileRef\.name\)",
        lines[0],
    ) or re.fullmatch(r"<stdin>:\d+:\d+: warning: .* \[flux-substitution\] \(Node a\)", lines[0])
    assert lines[-1] == "5 objects: 2 valid, 2 invalid, 1 skipped; 2 errors, 1 warning"


def test_the_json_report_counts_what_was_ignored() -> None:
    answer = check(LAB, "--ignore", "missing-profile", "--ignore", "unknown-link-endpoint")
    found: dict[str, Any] = answer.report
    assert found["ignored"] == {"missing-profile": 1, "unknown-link-endpoint": 1}
    assert found["valid"] is True
