"""docs/install.md: krew and the archive do what the page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_blocks import problems
from page_player import play
from page_shell import PageShell
from release_tools import HERE, ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = ROOT / "docs/install.md"


def test_the_page_does_what_it_says(
    archive: Path, environment: dict[str, str], tmp_path: Path, *, update_golden: bool
) -> None:
    if HERE != "linux/amd64":
        pytest.skip("the page names the archive for linux/amd64")
    folder, home, aside = (tmp_path / name for name in ("page", "home", "aside"))
    for place in (folder, home, aside):
        place.mkdir()
    for file in (archive, archive.with_name("SHA256SUMS"), archive.with_name("c9s.yaml")):
        (folder / file.name).symlink_to(file)
    path = f"{home}/.local/bin:{environment['PATH']}"
    text = PAGE.read_text(encoding="utf-8")
    with PageShell(folder, aside, environment | {"HOME": str(home), "PATH": path}) as shell:
        played = play(text, shell, bed=False)
    if update_golden:
        PAGE.write_text(played, encoding="utf-8")
    else:
        assert played == text
    assert list((home / ".local/bin").iterdir()) == []


def test_every_shell_block_of_the_page_has_a_marker() -> None:
    assert problems(PAGE.read_text(encoding="utf-8")) == []
