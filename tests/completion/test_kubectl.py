"""A real kubectl finds the plugin and asks it for completion; the tool is installed as users have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from installed import environment
from kubectl_tools import completed, run

from kubectl_c9s.cli.completion import script

if TYPE_CHECKING:
    from pathlib import Path


def test_kubectl_lists_the_plugin_without_a_warning(kubectl: str, installation: Path) -> None:
    # Only the folder of the plugin: others are not ours to warn about.
    variables = {**environment(installation), "PATH": str(installation / "bin")}
    done = run([kubectl, "plugin", "list"], variables)
    assert done.stdout.splitlines()[1:] == ["", str(installation / "bin/kubectl-c9s")]
    assert done.stderr == ""


def test_kubectl_runs_the_plugin_and_its_help_says_how(kubectl: str, installation: Path) -> None:
    done = run([kubectl, "c9s", "--help"], environment(installation))
    assert "Usage: kubectl c9s " in done.stdout


@pytest.mark.parametrize(
    ("words", "values", "directive"),
    [
        (["spl"], ["split"], 4),
        (["split", "--filen"], ["--filename"], 4),
        (["split", "--manager-n"], ["--manager-namespace"], 4),
        (["split", "-o", ""], ["yaml", "json", "name"], 4),
        (["split", "--output=j"], ["json"], 4),
        (["split", "-f", ""], ["yaml", "yml", "json"], 8),
        (["split", "--allow-outside", ""], [], 16),
        (["split", "--report", ""], [], 0),
        (["-n", "demo", "vers"], ["version"], 4),
    ],
)
def test_kubectl_completes_commands_flags_and_choices(
    kubectl: str, installation: Path, words: list[str], values: list[str], directive: int
) -> None:
    *lines, last = completed(kubectl, words, environment(installation))
    assert [line.partition("\t")[0] for line in lines] == values
    assert last == f":{directive}"


def test_descriptions_reach_kubectl(kubectl: str, installation: Path) -> None:
    lines = completed(kubectl, ["vers"], environment(installation))
    assert lines[0] == "version\tPrint the version."


def test_the_printed_shim_does_what_the_installed_program_does(
    kubectl: str, installation: Path, tmp_path: Path
) -> None:
    shim = tmp_path / "kubectl_complete-c9s"
    shim.write_text(script("kubectl"), encoding="utf-8")
    shim.chmod(0o755)
    (tmp_path / "kubectl-c9s").symlink_to(installation / "bin/kubectl-c9s")
    variables = environment(installation)
    with_shim = {**variables, "PATH": f"{tmp_path}:/usr/bin:/bin"}
    for words in (["spl"], ["split", "-o", ""], ["split", "-f", "a b", ""]):
        assert completed(kubectl, words, with_shim) == completed(kubectl, words, variables)
