"""``explain`` prints pages and the tables, in a checkout and installed; ``version`` says what runs."""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import causepages as causes
import codepages as pages
import pytest
from installed import environment

from kubectl_c9s import __version__
from kubectl_c9s.cli import pages as reading
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.codes import CODES

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"jinja2", "jsonschema_rs", "kubernetes", "msgspec", "rich", "ruamel", "yaml"}


def explain(folder: Path, *arguments: str) -> tuple[str, int]:
    return pages.plugin(["explain", *arguments], folder)


@pytest.mark.parametrize("written", ["template", "[template]", "Template"])
def test_explain_prints_the_page_of_a_code(written: str, tmp_path: Path) -> None:
    assert explain(tmp_path, written) == (pages.page("template"), 0)


@pytest.mark.parametrize("written", ["sandbox-failed", "[Sandbox-Failed]"])
def test_explain_prints_the_page_of_a_cause(written: str, tmp_path: Path) -> None:
    assert explain(tmp_path, written) == (causes.page("sandbox-failed"), 0)


def test_a_code_that_is_a_finding_and_a_cause_has_both_pages_under_heads_of_their_own(
    tmp_path: Path,
) -> None:
    assert CODES.keys() & CAUSES.keys() == {"network-mode-cycle"}
    printed, status = explain(tmp_path, "network-mode-cycle")
    assert status == 0
    finding, middle, cause = printed.partition(
        "\n# network-mode-cycle: the cause that diagnose names\n"
    )
    head, _, rest = finding.partition("\n")
    assert (bool(middle), head) == (True, "# network-mode-cycle: the finding of an input")
    assert f"# network-mode-cycle\n{rest}" == pages.page("network-mode-cycle")
    assert f"# network-mode-cycle\n{cause}" == causes.page("network-mode-cycle")


@pytest.mark.parametrize("arguments", [(), ("--list",)])
def test_the_list_has_findings_and_causes_apart_and_a_line_for_each(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    printed, status = explain(tmp_path, *arguments)
    assert status == 0
    above, _, below = printed.partition("\n\n")
    head, *lines = above.splitlines()
    assert head == "findings:"
    assert columns(lines, 3) == [
        [code, ",".join(row.severities), row.summary] for code, row in CODES.items()
    ]
    head, *lines = below.splitlines()
    assert head == "causes that diagnose names:"
    names = {"G": "global", "T": "topology", "H": "host", "I": "info"}
    assert columns(lines, 4) == [
        [code, row.kind, ",".join(names[one] for one in row.scopes), row.summary]
        for code, row in CAUSES.items()
    ]


def columns(lines: list[str], count: int) -> list[list[str]]:
    """Give the cells of a table, which stand below each other, two blanks apart."""
    starts = {
        tuple(one.start() for one in re.finditer(r"(?<=  )\S+", line))[:count] for line in lines
    }
    assert len(starts) == 1
    return [line.split(maxsplit=count - 1) for line in lines]


def test_json_has_the_rows_of_the_tables_and_with_a_code_its_page(tmp_path: Path) -> None:
    row = CODES["host-port-pinning"]
    entry = {
        "code": "host-port-pinning",
        "severities": ["warning", "loss"],
        "upstream": True,
        "summary": row.summary,
    }
    cause = {
        "code": "host-not-ready",
        "number": 3,
        "class": "time",
        "scopes": ["global", "topology", "host", "info"],
        "objects": ["Node", "Host"],
        "remedies": ["repair-host"],
        "summary": CAUSES["host-not-ready"].summary,
    }
    whole = {**entry, "page": pages.page("host-port-pinning")}
    assert as_json(tmp_path, "host-port-pinning") == {"findings": [whole], "causes": []}
    whole = {**cause, "page": causes.page("host-not-ready")}
    assert as_json(tmp_path, "host-not-ready") == {"findings": [], "causes": [whole]}
    both = as_json(tmp_path, "network-mode-cycle")
    assert both["findings"][0]["page"] == pages.page("network-mode-cycle")
    assert both["causes"][0]["page"] == causes.page("network-mode-cycle")
    listed = as_json(tmp_path)
    assert listed == as_json(tmp_path, "--list")
    assert [one["code"] for one in listed["findings"]] == list(CODES)
    assert [one["code"] for one in listed["causes"]] == list(CAUSES)
    assert entry in listed["findings"]
    assert cause in listed["causes"]


def as_json(folder: Path, *arguments: str) -> dict[str, list[dict[str, Any]]]:
    printed, status = explain(folder, *arguments, "-o", "json")
    assert status == 0
    found: dict[str, list[dict[str, Any]]] = json.loads(printed)
    return found


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("unknown-link-endpoints", "unknown-link-endpoint"),
        ("host-port", "host-port-pinning"),
        ("templates", "template"),
        ("sandbox-fail", "sandbox-failed"),
    ],
)
def test_an_unknown_code_is_a_usage_error_that_names_the_nearest(
    written: str, near: str, tmp_path: Path
) -> None:
    printed, status = explain(tmp_path, written)
    assert status == 2
    assert printed.splitlines() == [
        f"error: there is no code {written!r}",
        f"hint: did you mean {near}? 'explain --list' has them all",
    ]


def test_an_unknown_code_cannot_steer_the_terminal(tmp_path: Path) -> None:
    printed, status = explain(tmp_path, "\x1b[2J\u202etemplate")
    assert status == 2
    assert "\x1b" not in printed
    assert "\u202e" not in printed


@pytest.mark.parametrize("arguments", [("template", "--list"), ("template", "-o", "yaml")])
def test_explain_wants_one_code_or_the_list(arguments: tuple[str, ...], tmp_path: Path) -> None:
    printed, status = explain(tmp_path, *arguments)
    assert status == 2
    assert printed.startswith("error: ")


def test_a_page_that_was_not_installed_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_PLACES", (tmp_path,))
    monkeypatch.setattr(reading, "_CAUSE_PLACES", (tmp_path,))
    for code in ("template", "sandbox-failed"):
        printed, status = explain(tmp_path, code)
        assert status == 3
        assert printed.startswith(f"error: the page of {code} is not installed\nhint: ")


def test_an_installed_tool_has_all_pages_and_needs_no_checkout(
    installation: Path, tmp_path: Path
) -> None:
    assert not (installation / "docs").exists()
    for code, page in (
        ("template", pages.page("template")),
        ("unused-entry", pages.page("unused-entry")),
        ("sandbox-failed", causes.page("sandbox-failed")),
    ):
        done = subprocess.run(
            [installation / "bin/kubectl-c9s", "explain", code],
            cwd=tmp_path,
            env=environment(installation),
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.stdout == page
    for folder, source in (("pages", pages.FOLDER), ("causepages", causes.FOLDER)):
        installed = {path.name for path in (installation / "kubectl_c9s" / folder).iterdir()}
        assert installed == {path.name for path in source.iterdir()}


def test_pages_are_printed_in_a_locale_that_has_not_all_their_characters() -> None:
    assert not pages.page("grouped-path-conflict").isascii()
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "explain", "grouped-path-conflict"],
        cwd=pages.FOLDER.parents[1],
        env={"PYTHONIOENCODING": "ascii"},
        check=True,
        capture_output=True,
    )
    assert done.stdout.decode() == pages.page("grouped-path-conflict")


def test_explain_loads_nothing_heavy() -> None:
    code = (
        "import sys; from kubectl_c9s.cli.main import run\n"
        "status = run(['explain', '--list']); print(*sys.modules); raise SystemExit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=pages.FOLDER.parents[1],
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert "kubectl_c9s" in loaded
    assert loaded & HEAVY == set()


def test_version_is_one_line_and_in_json_an_object(tmp_path: Path) -> None:
    assert pages.plugin(["version"], tmp_path) == (f"kubectl-c9s {__version__}\n", 0)
    printed, status = pages.plugin(["version", "-o", "json"], tmp_path)
    found = json.loads(printed)
    assert status == 0
    assert found.keys() == {"version", "python", "platform"}
    assert (found["version"], found["python"]) == (__version__, platform.python_version())
