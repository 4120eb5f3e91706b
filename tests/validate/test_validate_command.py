"""The command: inputs, flags, exit codes, streams, and a start without what it does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from checking import API, check, check_files, command, config_map, node, profile, stream, topology

ROOT = Path(__file__).parents[2]
GOOD = stream(profile("p"), node("a", profile="p"))
WARNED = stream(config_map("m", a="${b}"))
BAD = stream(node("a", profile="gone"))


@pytest.mark.parametrize(
    ("text", "flags", "code"),
    [
        (GOOD, [], 0),
        (WARNED, [], 0),
        (WARNED, ["--strict"], 1),
        (WARNED, ["--fail-on-warning"], 1),
        (WARNED, ["--fail-on", "warning"], 1),
        (WARNED, ["--fail-on", "error"], 0),
        (WARNED, ["--strict", "--ignore", "flux-substitution"], 0),
        (BAD, [], 1),
        (BAD, ["--ignore", "missing-profile"], 0),
        (BAD, ["--ignore", "unknown-field"], 1),
    ],
)
@pytest.mark.parametrize("output", ["text", "json", "junit", "sarif"])
def test_the_exit_code_says_whether_the_input_is_valid(
    text: str, flags: list[str], code: int, output: str
) -> None:
    answer = command("validate", "-f", "-", "-o", output, *flags, stdin=text.encode())
    assert answer.code == code
    assert answer.out
    assert answer.err == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["-f", "-", "--ignore", "missing-profil"], "did you mean missing-profile?"),
        (["-f", "-", "--ignore", "zzz"], "there is no code 'zzz'"),
        (["-f", "-", "-f", "-"], "only once"),
        (["-f", "-", "-n", "A_b"], "no name of a namespace"),
        (["-f", "-", "--set", "A"], "NAME=VALUE"),
        (["-f", "-", "--set", "=b"], "NAME=VALUE"),
        (["-f", "-", "--allow-outside", "/no/such/place"], "no such directory"),
        (["-f", "/no/such/file.yaml"], "cannot read"),
        (["-f", "-", "-o", "xml"], "xml"),
        ([], "-f"),
    ],
)
def test_a_command_line_that_cannot_be_used_ends_with_2_and_prints_nothing(
    args: list[str], said: str
) -> None:
    answer = command("validate", *args, stdin=GOOD.encode())
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_all_findings_of_a_directory_are_reported_together() -> None:
    answer = check_files(
        {"a.yaml": BAD, "deep/b.yml": "a: [", "deep/c.json": '{"apiVersion": "v1", "kind": "Pod"}'}
    )
    assert (answer.code, answer.codes()) == (1, ["invalid-yaml", "missing-profile"])
    assert answer.report["summary"]["skipped"] == 1
    assert answer.findings[0]["file"].endswith("deep/b.yml")
    assert "object" not in answer.findings[0]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff", "invalid-encoding"),
        (b"a: 1\na: 2\n", "duplicate-key"),
        (b"a: !new x", "foreign-tag"),
        (b"&a [*a]", "yaml-budget"),
        (b"\x1b", "invalid-yaml"),
    ],
)
def test_an_input_that_cannot_be_read_is_invalid(data: bytes, code: str) -> None:
    answer = check(data)
    assert (answer.code, answer.codes()) == (1, [code])


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "---\n---\n", '{"apiVersion": "v1", "kind": "Pod"}']
)
def test_an_input_with_nothing_to_check_is_invalid(text: str) -> None:
    answer = check(text)
    assert (answer.code, answer.codes()) == (1, ["nothing-to-check"])
    assert check(text, "--ignore", "nothing-to-check").code == 0


@pytest.mark.parametrize(
    "text",
    ["a: 1", "[1, 2]", "text", "kind: Node", f"apiVersion: {API}", "kind: 5\napiVersion: v1"],
)
def test_a_document_that_is_no_object_is_a_warning(text: str) -> None:
    answer = check(stream(GOOD, text + "\n"))
    assert (answer.code, answer.codes()) == (0, ["not-an-object"])


def test_a_kustomization_is_none_of_our_business() -> None:
    files = {"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": GOOD}
    assert check_files(files).findings == []


def test_items_of_lists_are_objects_with_places_of_their_own() -> None:
    one, two = (json.dumps(one) for one in (profile("p"), node("a", profile="gone")))
    text = f"apiVersion: v1\nkind: List\nitems:\n- {one}\n- {two}\n"
    answer = check(text)
    assert (answer.codes(), answer.only()["line"]) == (["missing-profile"], 5)


def test_a_topology_in_a_list_is_checked() -> None:
    bad = topology("x", {"topology": {"nodes": {"n": {"restart-policy": "never"}}}})
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [bad]})
    assert check(text).codes() == ["unsupported-restart-policy"]


def test_objects_of_other_kinds_are_skipped() -> None:
    pod: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "uid": "x"},
        "spec": {"on": 0o17},
    }
    answer = check(stream(GOOD, pod, {**pod, "apiVersion": "c9s.running/v1"}))
    assert (answer.findings, answer.report["summary"]["skipped"]) == ([], 2)


def test_the_namespace_is_that_of_objects_without_one() -> None:
    answer = check(BAD, "-n", "lab")
    assert answer.only()["object"]["namespace"] == "lab"


def test_a_report_can_be_written_beside_the_result(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    answer = command(
        "validate", "-f", "-", "--report", str(report), stdin=stream(BAD, WARNED).encode()
    )
    assert answer.code == 1
    found = json.loads(report.read_text(encoding="utf-8"))
    assert [one["code"] for one in found["errors"]] == ["missing-profile"]
    assert [one["code"] for one in found["warnings"]] == ["flux-substitution"]


def run(args: list[str], text: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment}
    line = [sys.executable, "-m", "kubectl_c9s", "validate", "-f", "-", *args]
    return subprocess.run(line, input=text.encode(), env=env, capture_output=True, check=False)


@pytest.mark.parametrize("output", ["text", "json", "junit", "sarif"])
def test_it_works_without_a_locale_home_or_terminal(output: str) -> None:
    text = stream(node("a", profile="größe"))
    plain = run(["-o", output], text, LANG="C", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert (plain.returncode, plain.stderr) == (1, b"")
    assert plain.stdout.isascii() is (output != "text")
    assert "missing-profile" in plain.stdout.decode("utf-8")


@pytest.mark.parametrize("output", ["text", "json", "junit", "sarif"])
def test_a_reader_that_goes_away_is_no_error(output: str) -> None:
    text = stream(*(node(f"n{index}", profile="gone", env={"a": "${b}"}) for index in range(2000)))
    line = [sys.executable, "-m", "kubectl_c9s", "validate", "-f", "-", "-o", output]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        line, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(text.encode())
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_colour_marks_severities_when_asked_and_never_in_a_pipe() -> None:
    assert "\x1b" not in command("validate", "-f", "-", stdin=BAD.encode()).out
    coloured = command(
        "validate", "-f", "-", "--color", "always", stdin=stream(BAD, WARNED).encode()
    ).out
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert "\x1b[1;33mwarning\x1b[0m" in coloured


def test_only_what_the_input_needs_is_loaded() -> None:
    code = "import sys; from kubectl_c9s.cli.main import run; run(['validate', '-f', '-']); print(*sys.modules)"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], input=GOOD.encode(), env=env, capture_output=True, check=True
    )
    loaded = set(done.stdout.decode().split())
    assert "kubectl_c9s.validation.run" in loaded
    assert loaded.isdisjoint(
        {"kubectl_c9s.files.barelab", "kubectl_c9s.output.sarif", "kubectl_c9s.output.junit"}
    )
