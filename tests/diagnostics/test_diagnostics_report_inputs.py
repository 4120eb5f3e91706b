"""``diagnostics report`` of captures in part, wrong, or foreign: what can be read is reported, the rest told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from manager_captures import Captures, busy, in_json, manifest, report

from kubectl_c9s.measurement.capturefile import AFTER, BEFORE, Item, PodIdentity

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def capture(tmp_path: Path) -> Captures:
    return Captures(tmp_path)


def test_what_a_capture_could_not_take_is_told(capture: Captures) -> None:
    item = Item("heap", 6060, "/debug/pprof/heap", error="HTTP 404")
    pod = PodIdentity("manager-a", restarts_before=0)
    whole = in_json(capture(manifest=manifest(items=(item,), problems=("the Lease moved",), pod=pod)))  # fmt: skip
    assert whole["notes"] == [
        "the Lease moved",
        "heap was not taken: HTTP 404",
        "whether the container restarted between the scrapes was not seen",
    ]


def test_a_directory_without_a_manifest_wants_the_seconds(capture: Captures) -> None:
    directory = capture(manifest=None)
    code, out, err = report(directory)
    assert (code, out) == (2, "")
    assert "--seconds" in err
    whole = in_json(directory, "--seconds", "60")
    assert whole["figures"]["client"]["rate"] == 55
    assert any("no manifest.json" in note for note in whole["notes"])


def test_the_time_of_the_manifest_goes_first(capture: Captures) -> None:
    whole = in_json(capture(), "--seconds", "60")
    assert whole["figures"]["client"]["rate"] == 110
    assert any("--seconds is not used" in note for note in whole["notes"])


@pytest.mark.parametrize(
    "broken",
    [b"", b"{", b"[]", b"\xff", b'{"a":' * 100_000, b'{"kind": "Pod"}', b'{"kind": "DiagnosticsCapture", "format": 2}',
     b'{"kind": "DiagnosticsCapture", "format": 1, "pod": 3}'],
)  # fmt: skip
def test_a_broken_manifest_is_told_and_gauges_are_reported(
    capture: Captures, broken: bytes
) -> None:
    directory = capture(manifest=broken)
    whole = in_json(directory)
    assert "not known how many seconds" in whole["void"]
    assert whole["figures"]["controllers"][1]["workers"] == 16
    assert any("--seconds can" in note for note in whole["notes"])
    assert in_json(directory, "--seconds", "30")["figures"]["client"]["rate"] == 110


@pytest.mark.parametrize("elapsed", [-5.0, 0.0])
def test_a_clock_that_jumped_is_told(capture: Captures, elapsed: float) -> None:
    whole = in_json(capture(manifest=manifest(elapsed_seconds=elapsed)))
    assert "a clock was set" in whole["void"]
    assert whole["figures"]["client"]["rate"] is None


def test_scrapes_in_the_wrong_order_are_told(capture: Captures) -> None:
    before, after = busy()
    assert "the order is wrong" in in_json(capture(before=after, after=before))["void"]


@pytest.mark.parametrize("left", ["before", "after"])
@pytest.mark.parametrize("wrong", [None, b"", b"<html>", b"a 1", b"other_total 1\n", b"\0\0\0"])
def test_of_one_scrape_that_can_be_read_gauges_are_reported(
    capture: Captures, left: str, wrong: bytes | None
) -> None:
    other = "after" if left == "before" else "before"
    parts: dict[str, Any] = {other: wrong}
    whole = in_json(capture(**parts))
    assert "only one scrape" in whole["void"]
    assert whole["figures"]["controllers"][1]["workers"] == 16
    file = BEFORE if left == "before" else AFTER
    assert f"only {file} can be used: no rates" in whole["notes"]
    lost = AFTER if left == "before" else BEFORE
    assert any(lost in note for note in whole["notes"])


def test_nothing_that_can_be_read_is_refused_with_all_reasons(capture: Captures) -> None:
    code, out, err = report(capture(before=b"<html>", after=b"a 1"))
    assert (code, out) == (1, "")
    assert "HTML" in err
    assert "cut off" in err


@pytest.mark.parametrize(
    ("stdin", "code", "word"),
    [
        (b"", 1, "empty"),
        (b'{"kind":"List"}', 1, "JSON"),
        (b"other_total 1\n", 1, "no metric of a manager"),
    ],
)
def test_standard_input_that_is_no_metrics_is_refused(stdin: bytes, code: int, word: str) -> None:
    found, out, err = report("-", stdin=stdin)
    assert (found, out) == (code, "")
    assert word in err
    assert "<stdin>" in err


def test_what_is_not_there_is_a_wrong_command_line(tmp_path: Path) -> None:
    urls = ("https://127.0.0.1:1", "ftp://x/", "http://", "http://a:b/", "http://u:p@127.0.0.1/")
    for place in (tmp_path / "missing", tmp_path, "/dev/null", *urls):
        code, out, err = report(place)
        assert (code, out) == (2, ""), place
        assert err.startswith("error: ")
    assert report()[0] == 2
    assert report(tmp_path, "--seconds", "0")[0] == 2
    assert report(tmp_path, "--seconds", "nan")[0] == 2
