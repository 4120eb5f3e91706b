"""The runner of pages finds what is wrong: planted pages, each with one fault."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import page_shell
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_blocks import blocks, problems
from page_markers import Marker, MarkerError, parse_marker
from page_player import play, shape
from page_shell import PageShell

if TYPE_CHECKING:
    from pathlib import Path


def block(marker: str, body: str, language: str = "console") -> str:
    return f"{marker}\n```{language}\n{body}```\n"


def played(page: str, place: Path, *, bed: bool = False) -> str:
    folder, aside = place / "page", place / "aside"
    for one in (folder, aside):
        one.mkdir()
    with PageShell(folder, aside, {"PATH": os.environ["PATH"]}) as shell:
        return play(page, shell, bed=bed)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (block("", "$ true\n"), "without a marker"),
        (block("", "true\n", "sh"), "without a marker"),
        (block("", "true\n", "bash"), "without a marker"),
        ("1. A step:\n\n   ```console\n   $ true\n   ```\n", "without a marker"),
        ("~~~console\n$ true\n~~~\n", "without a marker"),
        ("<!-- checked -->\n\n" + block("", "x: 1\n", "yaml"), "not right above a block"),
        ("<!-- run: bed -->\nA sentence.\n", "not right above a block"),
        ("<!-- not run: runs these tests -->\n", "not right above a block"),
        (block("<!-- checked -->", "x: 1\n", "yaml"), "neither commands nor a file"),
        (block("<!-- checked -->", "# ../x\n", "yaml"), "not below the page's folder"),
        (block("<!-- checked -->", "true\n", "sh"), "console blocks only"),
        (block("<!-- run: exit -->", "$ true\n"), "no option"),
        (block("<!-- run: shape -->", "$ true\n"), "goes with 'checked'"),
        (block("<!-- run: -->", "$ true\n"), "behind its colon"),
        (block("<!-- not run: no wish to -->", "$ true\n"), "no reason"),
        (block("<!-- not run -->", "$ true\n"), "no reason"),
        (block("<!-- run -->", "true\n"), "begins with '$ '"),
        (block("<!-- prepare -->", "true\n"), "stands in its comment"),
    ],
)
def test_a_wrong_page_is_found(page: str, said: str) -> None:
    (found,) = problems(page)
    assert said in found


def test_a_right_page_has_no_problem() -> None:
    page = (
        "<!-- Made by hand. --> and `<!-- run -->` within a sentence\n"
        + block("<!-- checked -->", "# a.yaml\nx: 1\n", "yaml")
        + block("<!-- run: file b.json -->", "{}\n", "json")
        + block("<!-- checked: bed exit 1 -->", "$ false\n")
        + block("<!-- not run: needs a container engine -->", "$ false\n")
        + block("", "$ in a plain block\n", "text")
        + "<!-- prepare: bed\ntrue\n-->\n"
    )
    assert problems(page) == []


@pytest.mark.parametrize(
    "page",
    [
        block("<!-- run -->", "$ false\n"),
        block("<!-- run -->", "$ false\n$ true\n"),
        block("<!-- checked: exit 1 -->", "$ true\n"),
        block("<!-- checked: exit 1 -->", "$ false\n$ false\n"),
        block("<!-- run -->", "false\ntrue\n", "sh"),
        "<!-- prepare\nfalse\ntrue\n-->\n",
        block("<!-- run -->", "$ exit 0\n"),
        block("<!-- run -->", "$ nobody-has-this-program\n"),
    ],
)
def test_a_command_that_exits_otherwise_than_the_page_says_fails(page: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        played(page, tmp_path)


def test_what_a_command_prints_is_put_into_the_page(tmp_path: Path) -> None:
    page = block("<!-- checked -->", "$ echo one; echo two >&2\nold\n$ printf three\n")
    right = block("<!-- checked -->", "$ echo one; echo two >&2\none\ntwo\n$ printf three\nthree\n")
    assert played(f"Before.\n{page}After.\n", tmp_path) == f"Before.\n{right}After.\n"


def test_what_a_run_command_prints_stays_as_the_page_has_it(tmp_path: Path) -> None:
    page = block("<!-- run -->", "$ echo one\nanything\n")
    assert played(page, tmp_path) == page


def test_a_shape_keeps_the_example_and_finds_other_words(tmp_path: Path) -> None:
    page = block("<!-- checked: shape -->", "$ echo r1 ready after 12s\nr1 ready after 9m3s\n")
    assert played(page, tmp_path) == page
    other = block("<!-- checked: shape -->", "$ echo r1 ready after 12s\nr2 ready after 9m3s\n")
    (tmp_path / "other").mkdir()
    assert played(other, tmp_path / "other") != other


def test_a_shape_hides_what_varies_and_nothing_else() -> None:
    assert shape("r1-6c9f7d5b8-x2v4k  on testbed-node-2") == "r1-<pod> on <host>"
    assert shape("2026-01-31T10:00:00Z 127.0.0.1:40123") == "<time> 127.0.0.1:<port>"
    assert shape("12 of 30 ready, exit 4, eth1, defaced") == "12 of 30 ready, exit 4, eth1, defaced"


def test_folders_variables_and_files_last_through_a_page(tmp_path: Path) -> None:
    page = (
        block("<!-- run -->", "# in/a.txt\n", "text")
        + block("<!-- run -->", "$ cd in\n$ WORD=said\n$ export MORE=more\n")
        + block("<!-- checked -->", "$ echo $WORD $(sh -c 'echo $MORE') $(ls)\n")
    )
    assert "\nsaid more a.txt\n" in played(page, tmp_path)


def test_commands_of_several_lines_are_one_command(tmp_path: Path) -> None:
    body = "$ echo one \\\n> two \\\n  three\n$ cat <<'EOF'\n$ not a command\nEOF\n"
    right = body.replace("three\n", "three\none two three\n") + "$ not a command\n"
    page = block("<!-- checked -->", body)
    assert played(page, tmp_path) == page.replace(body, right)


def test_an_indented_block_keeps_its_indent(tmp_path: Path) -> None:
    page = "1. A step:\n\n   <!-- checked -->\n   ```console\n   $ echo one\n   ```\n"
    assert played(page, tmp_path) == page.replace("one\n", "one\n   one\n")


def test_blocks_of_a_cluster_are_played_only_with_one(tmp_path: Path) -> None:
    page = block("<!-- checked: bed -->", "$ echo here\n") + "<!-- prepare: bed\nfalse\n-->\n"
    assert played(page, tmp_path) == page
    (tmp_path / "bed").mkdir()
    with pytest.raises(AssertionError):
        played(page, tmp_path / "bed", bed=True)


def test_a_preparation_comes_in_its_turn(tmp_path: Path) -> None:
    page = "<!-- prepare\necho x > a\n-->\n" + block("<!-- checked -->", "$ cat a\nx\n")
    assert played(page, tmp_path) == page


def test_a_job_is_waited_for_until_its_first_line_and_gone_at_the_end(tmp_path: Path) -> None:
    page = block(
        "<!-- run: background -->", "$ echo $BASHPID > pid; echo up; exec sleep 600\n"
    ) + block("<!-- checked -->", "$ kill -0 $(cat pid) && echo lives\nlives\n")
    assert played(page, tmp_path) == page
    number = (tmp_path / "page" / "pid").read_text(encoding="utf-8").strip()
    # Where nobody collects orphans, one that has ended stays in the list as a Z.
    command = ["/bin/ps", "-o", "stat=", "-p", number]
    listed = subprocess.run(command, check=False, capture_output=True)
    assert listed.stdout.decode().strip()[:1] in {"", "Z"}


def test_a_command_that_does_not_come_back_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_shell, "WITHIN", 0.5)
    with pytest.raises(AssertionError, match="did not come back"):
        played(block("<!-- run -->", "$ sleep 600\n"), tmp_path)


def test_a_marker_says_all_it_can_say() -> None:
    found = parse_marker("checked: bed shape exit 4 file lab.json")
    assert found == Marker("checked", status=4, bed=True, shape=True, file="lab.json")
    assert parse_marker("Made by `make generate`: change it there") is None
    with pytest.raises(MarkerError, match="no option"):
        parse_marker("checked: exit one")


def test_blocks_come_in_the_order_of_the_page() -> None:
    page = (
        block("<!-- run -->", "$ a\n") + "<!-- prepare\nb\n-->\n" + block("<!-- run -->", "$ c\n")
    )
    assert [one.body.strip() for one in blocks(page)] == ["$ a", "b", "$ c"]


LINES = st.lists(
    st.sampled_from(
        ["$ true", "$ cat <<'END'", "$ one \\", "> two", "END", "text", "", "  $ text", "```text"]
    )
)


@given(LINES)
def test_no_line_of_a_block_is_lost_and_no_command_is_taken_for_output(lines: list[str]) -> None:
    body = "".join(f"{line}\n" for line in ["$ first", *lines])
    (found,) = blocks(f"<!-- run -->\n````console\n{body}````\n")
    commands = found.commands
    assert "".join(one.shown + one.output for one in commands) == body
    assert not any(line.startswith("$ ") for one in commands for line in one.output.splitlines())
