"""Flags and outputs of the command, exit codes included."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from split_lab import command, manifest
from streams import LAB, NAMES, OTHER, RENAMED, WRONG, loaded, split

if TYPE_CHECKING:
    from pathlib import Path


def test_yaml_is_the_default_and_a_stream_of_documents() -> None:
    answer = split(LAB)
    assert answer.out == split(LAB, "-o", "yaml").out
    assert answer.out.split("---\n")[1].startswith(
        "apiVersion: c9s.run/v1alpha1\nkind: Link\nmetadata:\n"
    )
    assert answer.out.count("---\n") == 3
    assert answer.out.endswith("\n")
    assert answer.err == ""


def test_json_is_a_list_in_the_same_order() -> None:
    whole = json.loads(split(LAB, "-o", "json").out)
    assert (whole["apiVersion"], whole["kind"]) == ("v1", "List")
    assert whole["items"] == loaded(split(LAB))


def test_names_are_lines_of_kind_group_and_name() -> None:
    assert split(LAB, "-o", "name").out.splitlines() == NAMES
    assert split(LAB, "--output", "name").out.splitlines() == NAMES


@pytest.mark.parametrize("output", ["yaml", "json", "name"])
def test_two_runs_give_the_same_bytes(output: str) -> None:
    assert split(LAB, "-o", output).out == split(LAB, "-o", output).out


def test_a_name_replaces_that_of_the_input() -> None:
    objects = loaded(split(LAB, "--name", "other"))
    assert objects[0]["metadata"]["name"] == "other"
    assert {one["metadata"]["labels"]["c9s.run/topologyOwner"] for one in objects} == {"other"}
    assert [one["spec"]["profileRef"]["name"] for one in objects if one["kind"] == "Node"] == [
        "other"
    ] * 2


@pytest.mark.parametrize("flag", ["-n", "--namespace"])
def test_a_namespace_replaces_that_of_the_input(flag: str) -> None:
    text = LAB.replace("{name: lab}", "{name: lab, namespace: written}")
    assert {one["metadata"]["namespace"] for one in loaded(split(text))} == {"written"}
    assert {one["metadata"]["namespace"] for one in loaded(split(text, flag, "given"))} == {"given"}
    assert {one["metadata"]["namespace"] for one in loaded(split(LAB, flag, "given"))} == {"given"}


@pytest.mark.parametrize(
    ("flag", "value"), [("-n", "A_b"), ("-n", "a.b"), ("--name", "A"), ("--name", "x" * 64)]
)
def test_a_name_that_cannot_be_one_is_a_usage_error(flag: str, value: str) -> None:
    answer = split(LAB, flag, value)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("error: ")


@pytest.mark.parametrize("code", [0, 1])
def test_a_report_has_all_findings(tmp_path: Path, code: int) -> None:
    file = tmp_path / "report.json"
    answer = split(WRONG if code else RENAMED, "--report", str(file))
    assert answer.code == code
    report = json.loads(file.read_text(encoding="utf-8"))
    assert list(report) == ["errors", "warnings"]
    (one,) = report["errors" if code else "warnings"]
    assert list(one) == ["code", "path", "message", "file", "line", "column"]
    assert one["file"] == "<stdin>"
    assert one["code"] == ("unsupported-network-mode" if code else "renamed-nodes")
    assert f"<stdin>:{one['line']}:{one['column']}: " in answer.err


def test_a_report_without_findings_is_written_too(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    split(LAB, "--report", str(file))
    assert json.loads(file.read_text(encoding="utf-8")) == {"errors": [], "warnings": []}


def test_a_report_goes_to_stderr_for_a_dash() -> None:
    answer = split(LAB, "--report", "-")
    assert json.loads(answer.err) == {"errors": [], "warnings": []}
    assert answer.out == split(LAB).out
    assert '"code": "unsupported-network-mode"' in split(WRONG, "--report", "-").err


def test_warnings_change_the_exit_code_only_when_asked_to() -> None:
    assert split(RENAMED).code == 0
    answer = split(RENAMED, "--fail-on-warning")
    assert (answer.code, answer.out) == (1, "")
    assert "[renamed-nodes]" in answer.err
    assert split(LAB, "--fail-on-warning").code == 0


def test_other_documents_are_left_out_with_a_warning() -> None:
    answer = split(f"{OTHER}---\n{LAB}")
    assert answer.out == split(LAB).out
    assert answer.err.startswith("<stdin>:2:1: warning: ")
    assert "[not-a-lab]" in answer.err
    assert split(f"{OTHER}---\n{LAB}", "--fail-on-warning").code == 1


def test_other_documents_pass_through_unchanged_in_front() -> None:
    second = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n"
    answer = split(f"{OTHER}---\n{LAB}---\n{second}", "--pass-through")
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out == f"{OTHER}---\n{second}---\n{split(LAB).out}"


@pytest.mark.parametrize(
    "other",
    [
        *(
            "kind: X\nt: |+\n  a\n\n",
            "kind: X  \t# c\n\n# tail\n",
            "{kind: X, a: [1, 2]}\n",
            "kind: X\na: é\u202e\n",
        ),
        *("kind: X\nwhen: 2001-01-01\nn: 010\n", "- just\n- a list\n", "kind: X\r\na: b\r\n"),
    ],
)
def test_the_text_of_other_documents_is_not_touched(other: str) -> None:
    for text in (f"{other}---\n{LAB}", f"---\n{other}---\n{LAB}", f"{LAB}---\n{other}"):
        answer = split(text, "--pass-through")
        assert answer.code == 0, answer.err
        assert answer.out == f"{other}---\n{split(LAB).out}"


def test_other_documents_pass_through_in_json_and_as_names() -> None:
    text = f"{OTHER}---\n{LAB}"
    items = json.loads(split(text, "--pass-through", "-o", "json").out)["items"]
    assert items[0] == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "m"},
        "data": {"k": "v"},
    }
    assert split(text, "--pass-through", "-o", "name").out.splitlines() == ["configmap/m", *NAMES]


def test_sync_waves_follow_the_order_of_applying() -> None:
    objects = loaded(split(LAB, "--argo-sync-waves"))
    waves = {
        (one["kind"], one["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"])
        for one in objects
    }
    assert waves == {("NodeProfile", "0"), ("Link", "1"), ("Node", "2")}
    assert all("annotations" not in one["metadata"] for one in loaded(split(LAB)))


def test_the_owner_label_can_be_left_out_with_a_word_about_the_cost() -> None:
    answer = split(LAB, "--no-owner-label")
    assert all("labels" not in one["metadata"] for one in loaded(answer))
    assert "c9s.run/topologyOwner" in answer.err
    assert "namespace" in answer.err
    assert answer.code == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["-n", "ns"], []),
        ([], ["-n", "ns"]),
        (["-n", "other"], ["-n", "ns"]),
        (
            ["--namespace=ns", "--context", "c", "-v", "4"],
            ["--request-timeout", "5s", "--as", "me"],
        ),
        (
            [],
            [
                "--v=2",
                "-s",
                "https://localhost",
                "--token",
                "secret",
                "--namespace",
                "ns",
                "--color",
                "never",
            ],
        ),
    ],
)
def test_flags_are_taken_before_and_after_the_command(before: list[str], after: list[str]) -> None:
    answer = command(*before, "split", "-f", "-", *after, stdin=LAB.encode())
    assert {one["metadata"]["namespace"] for one in loaded(answer)} == {"ns"}
    assert "secret" not in answer.err + answer.out


@pytest.mark.parametrize(
    "flags",
    [
        *(
            ["--no-such-flag"],
            ["-o", "xml"],
            ["-o"],
            ["--max-object-bytes", "0"],
            ["--max-object-bytes", "many"],
        ),
        *(["extra"], ["-f", "-"], ["--color", "sometimes"], ["-f", ""]),
    ],
)
def test_wrong_usage_ends_with_2_and_a_hint(flags: list[str]) -> None:
    answer = split(LAB, *flags)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("error: ")


def test_a_command_without_input_is_wrong_usage() -> None:
    answer = command("split")
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert "-f" in answer.err
    assert "hint: see 'kubectl c9s split --help'" in command("split", "--no-such-flag").err
    assert command("splits").code == 2


def test_colour_is_used_when_asked_for_and_never_alone() -> None:
    plain, coloured = split(WRONG, "--color", "never"), split(WRONG, "--color", "always")
    assert "\x1b[" not in plain.err
    assert "\x1b[1;31merror\x1b[0m" in coloured.err
    assert coloured.err.replace("\x1b[1;31m", "").replace("\x1b[0m", "") == plain.err


def test_many_warnings_of_a_kind_are_counted_and_all_in_the_report(tmp_path: Path) -> None:
    nodes = ", ".join(f"R{i}: {{}}" for i in range(80))
    file = tmp_path / "report.json"
    answer = split(manifest(f"topology: {{nodes: {{{nodes}}}}}"), "--report", str(file))
    assert answer.code == 0
    assert answer.err.count("[renamed-nodes]") == 50
    assert "30 more of renamed-nodes" in answer.err
    assert len(json.loads(file.read_text(encoding="utf-8"))["warnings"]) == 80
