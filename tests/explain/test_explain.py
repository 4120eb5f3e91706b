"""``explain`` prints pages and the table, in a checkout and installed; ``version`` says what runs."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from typing import TYPE_CHECKING

import codepages as pages
import pytest
from installed import environment

from kubectl_c9s import __version__
from kubectl_c9s.cli import pages as reading
from kubectl_c9s.resources.codes import CODES

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"jinja2", "jsonschema_rs", "kubernetes", "msgspec", "rich", "ruamel", "yaml"}


def explain(folder: Path, *arguments: str) -> tuple[str, int]:
    return pages.plugin(["explain", *arguments], folder)


@pytest.mark.parametrize("written", ["template", "[template]", "Template"])
def test_explain_prints_the_page_of_a_code(written: str, tmp_path: Path) -> None:
    assert explain(tmp_path, written) == (pages.page("template"), 0)


def test_the_list_has_a_line_for_every_code(tmp_path: Path) -> None:
    printed, status = explain(tmp_path, "--list")
    assert status == 0
    rows = [line.split(maxsplit=2) for line in printed.splitlines()]
    assert rows == [[code, ",".join(row.severities), row.summary] for code, row in CODES.items()]
    starts = {line.index(row[2]) for line, row in zip(printed.splitlines(), rows, strict=True)}
    assert len(starts) == 1, "the columns stand below each other"


def test_json_has_the_rows_of_the_table_and_with_a_code_its_page(tmp_path: Path) -> None:
    row = CODES["host-port-pinning"]
    entry = {
        "code": "host-port-pinning",
        "severities": ["warning", "loss"],
        "upstream": True,
        "summary": row.summary,
    }
    printed, status = explain(tmp_path, "host-port-pinning", "-o", "json")
    assert (json.loads(printed), status) == ({**entry, "page": pages.page("host-port-pinning")}, 0)
    printed, status = explain(tmp_path, "--list", "-o", "json")
    listed = json.loads(printed)
    assert ([one["code"] for one in listed], status) == (list(CODES), 0)
    assert entry in listed


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("unknown-link-endpoints", "unknown-link-endpoint"),
        ("host-port", "host-port-pinning"),
        ("templates", "template"),
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


@pytest.mark.parametrize("arguments", [(), ("template", "--list"), ("template", "-o", "yaml")])
def test_explain_wants_one_code_or_the_list(arguments: tuple[str, ...], tmp_path: Path) -> None:
    printed, status = explain(tmp_path, *arguments)
    assert status == 2
    assert printed.startswith("error: ")


def test_a_page_that_was_not_installed_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_PLACES", (tmp_path,))
    printed, status = explain(tmp_path, "template")
    assert status == 3
    assert printed.startswith("error: the page of template is not installed\nhint: ")


def test_an_installed_tool_has_all_pages_and_needs_no_checkout(
    installation: Path, tmp_path: Path
) -> None:
    assert not (installation / "docs").exists()
    for code in ("template", "unused-entry"):
        done = subprocess.run(
            [installation / "bin/kubectl-c9s", "explain", code],
            cwd=tmp_path,
            env=environment(installation),
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.stdout == pages.page(code)
    installed = {path.name for path in (installation / "kubectl_c9s/pages").iterdir()}
    assert installed == {path.name for path in pages.FOLDER.iterdir()}


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
