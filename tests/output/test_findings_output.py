"""How findings are printed and reported."""

from __future__ import annotations

import json

import pytest

from kubectl_c9s.output.findings import finding_line, finding_lines, report
from kubectl_c9s.resources.findings import Finding, Position

PLACE = Position("lab.yaml", 12, 7)
ERROR = Finding("error", "unknown-link-endpoint", "topology.links[0]", "no node leaf9", PLACE)
WARNING = Finding(
    "warning", "dropped-field", "", "hostname is left out", Position("lab.yaml", 3, 1)
)


def test_a_line_reads_like_a_compilers() -> None:
    assert finding_line(ERROR) == (
        "lab.yaml:12:7: error: no node leaf9 [unknown-link-endpoint] (topology.links[0])"
    )


def test_an_unknown_path_is_left_out() -> None:
    assert finding_line(WARNING) == "lab.yaml:3:1: warning: hostname is left out [dropped-field]"


@pytest.mark.parametrize(
    ("position", "start"),
    [
        (Position(), "error: "),
        (Position("lab.yaml"), "lab.yaml: error: "),
        (Position("lab.yaml", 4), "lab.yaml:4: error: "),
        (Position("", 4, 2), "-:4:2: error: "),
    ],
)
def test_an_unknown_place_is_left_out(position: Position, start: str) -> None:
    assert finding_line(ERROR._replace(position=position)).startswith(start)


def test_nothing_from_the_input_reaches_the_terminal_raw() -> None:
    bad = "x\x1b[2J\n\u202e"
    line = finding_line(Finding("error", bad, bad, bad, Position(bad, 1, 1)))
    assert line == r"S:1:1: error: S [S] (S)".replace("S", r"x^[[2J\n\u202e")


def test_there_is_no_colour_unless_asked_for() -> None:
    assert "\x1b" not in "".join(finding_lines([ERROR, WARNING]))


def test_colour_marks_the_severity_and_nothing_else() -> None:
    marked = list(finding_lines([ERROR, WARNING], colour=True))
    assert ": \x1b[1;31merror\x1b[0m: " in marked[0]
    assert ": \x1b[1;33mwarning\x1b[0m: " in marked[1]
    plain = [line.replace("\x1b[0m", "") for line in marked]
    plain = [line.replace("\x1b[1;31m", "").replace("\x1b[1;33m", "") for line in plain]
    assert plain == list(finding_lines([ERROR, WARNING]))


def test_the_report_has_the_promised_shape() -> None:
    assert json.loads(json.dumps(report([ERROR], [WARNING]))) == {
        "errors": [
            {
                "code": "unknown-link-endpoint",
                "path": "topology.links[0]",
                "message": "no node leaf9",
                "file": "lab.yaml",
                "line": 12,
                "column": 7,
            }
        ],
        "warnings": [
            {
                "code": "dropped-field",
                "path": "",
                "message": "hostname is left out",
                "file": "lab.yaml",
                "line": 3,
                "column": 1,
            }
        ],
    }


def test_a_report_without_findings_has_both_lists() -> None:
    assert report([], []) == {"errors": [], "warnings": []}
