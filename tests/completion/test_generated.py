"""What is made from the commands is as the commands are: completion's table and scripts, reference pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import generate
import pytest

from kubectl_c9s.cli.completion import SHELLS, script
from kubectl_c9s.cli.main import cli
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.codes import CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FILES = generate.generated()


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_generated_file_is_fresh(name: str) -> None:
    path = ROOT / name
    assert path.is_file(), "`make generate` writes it"
    assert path.read_text(encoding="utf-8") == FILES[name], "`make generate` brings it up to date"


def test_nothing_that_was_generated_once_is_left_over() -> None:
    for folder in ("completions", "docs/reference"):
        found = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*")}
        assert found <= set(FILES)


def test_there_is_a_script_for_every_shell_and_the_shim_can_be_run() -> None:
    assert {script(shell) for shell in SHELLS} == {FILES[path] for path in generate.SCRIPTS}
    assert (ROOT / "completions/kubectl_complete-c9s").stat().st_mode & 0o111 == 0o111


def test_every_command_and_every_code_has_its_line_in_the_reference() -> None:
    index = FILES["docs/reference/README.md"]
    for name in generate.subcommands(cli):
        assert f"]({name}.md)" in index
        assert f"docs/reference/{name}.md" in FILES
    for code in CODES:
        assert f"(../codes/{code}.md)" in FILES["docs/reference/codes.md"]
    for code in CAUSES:
        assert f"(../causes/{code}.md)" in FILES["docs/reference/causes.md"]


def test_every_flag_is_on_the_page_of_its_command() -> None:
    for name, command in generate.subcommands(cli).items():
        page = FILES[f"docs/reference/{name}.md"]
        for flag in flags(command):
            assert f"- `{flag}" in page or f", {flag}" in page or f"/ {flag}" in page, (name, flag)


def flags(command: dict[str, object]) -> Iterator[str]:
    for flag in command["flags"]:  # type: ignore[attr-defined]
        yield from flag["names"]
    for inner in command["commands"].values():  # type: ignore[attr-defined]
        yield from flags(inner)


def test_what_is_out_of_date_is_named_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    (tmp_path / "completions").mkdir()
    (tmp_path / "completions/old").touch()
    assert generate.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "docs/reference/split.md is out of date\n" in said
    assert "completions/old has no source any more\n" in said
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
