"""The scripts that `make lint` and `make docs` run find what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import doc_links
import sizes

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def function(lines: int) -> str:
    return "def long() -> None:\n" + "    pass\n" * (lines - 1)


def test_a_function_at_the_limit_passes_and_one_line_more_is_found() -> None:
    assert list(sizes.findings(function(sizes.FUNCTION_LIMIT), "a.py")) == []
    (found,) = sizes.findings(function(sizes.FUNCTION_LIMIT + 1), "a.py")
    assert found.startswith("a.py:1: long has 81 lines")


def test_a_file_at_the_limit_passes_and_one_line_more_is_found() -> None:
    assert list(sizes.findings("x = 1\n" * sizes.FILE_LIMIT, "a.py")) == []
    (found,) = sizes.findings("x = 1\n" * (sizes.FILE_LIMIT + 1), "a.py")
    assert found.startswith("a.py:1: 251 lines")


def test_a_path_without_python_files_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sizes.main([str(tmp_path)]) == 2
    assert "no Python file" in capsys.readouterr().out


def test_links_to_missing_files_and_headings_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A heading, with `code`\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "[good](other.md#a-heading-with-code) [site](https://example.com/x)\n"
        "[gone](gone.md) [no heading](other.md#gone) `[in code](gone.md)`\n",
        encoding="utf-8",
    )
    assert [line.rpartition(": ")[0] for line in doc_links.broken(page)] == [
        f"{page}: gone.md",
        f"{page}: other.md#gone",
    ]
