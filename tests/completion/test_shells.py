"""The scripts complete in real shells, with the tool as it is installed."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from installed import environment
from terminal import Terminal

from kubectl_c9s.cli.completion import script

if TYPE_CHECKING:
    from pathlib import Path

# What is typed → what stands there after Tab. {} is the program.
CASES = [
    ("{} spl", "{} split "),
    ("{} -n demo spl", "{} -n demo split "),
    ("{} split --filen", "{} split --filename "),
    ("{} split --no-own", "{} split --no-owner-label "),
    ("{} split --kubec", "{} split --kubeconfig "),
    ("{} split -o js", "{} split -o json "),
    ("{} split --output=js", "{} split --output=json "),
    ("{} explain unknown-link", "{} explain unknown-link-endpoint "),
    ("{} split -f la", "{} split -f lab.yaml "),
    ("{} split --filename=la", "{} split --filename=lab.yaml "),
    ("{} split -f sub/o", "{} split -f sub/other.yml "),
    ("{} split --allow-outside su", "{} split --allow-outside sub/"),
    ("{} split --report la", "{} split --report lab."),
    ("{} split --set A=b --report rep", "{} split --set A=b --report report.json "),
    ("{} split --name l", "{} split --name l"),
    ("{} nothing-like-that", "{} nothing-like-that"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with files and folders to choose from."""
    (tmp_path / "sub").mkdir()
    for name in ("lab.yaml", "lab.txt", "report.json", "sub/other.yml", "sub/other.txt"):
        (tmp_path / name).touch()
    return tmp_path


def loaded(shell: str, folder: Path) -> Path:
    """Write the script of a shell to a file it can load."""
    target = folder / "scripts" / "_c9s"
    target.parent.mkdir()
    target.write_text(script(shell), encoding="utf-8")
    return target


@pytest.mark.parametrize("way", ["bash", "zsh", "zsh fpath"])
@pytest.mark.parametrize("program", ["c9s", "kubectl-c9s"])
def test_a_shell_completes_the_line(
    way: str, program: str, folder: Path, installation: Path
) -> None:
    script_file = loaded(way.partition(" ")[0], folder)
    with Terminal(way, script_file, folder, environment(installation)) as terminal:
        done = {typed: terminal.completed(typed.format(program)) for typed, _ in CASES}
    assert done == {typed: expected.format(program) for typed, expected in CASES}


@pytest.mark.parametrize("program", ["c9s", "kubectl-c9s"])
def test_fish_completes_the_line(program: str, folder: Path, installation: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed")
    script_file = loaded("fish", folder)
    for typed, expected in CASES:
        line = typed.format(program)
        done = subprocess.run(
            [fish, "--no-config", "-c", f"source {script_file}; complete -C '{line}'"],
            cwd=folder,
            env=environment(installation),
            check=True,
            capture_output=True,
            text=True,
        )
        offered = {one.partition("\t")[0] for one in done.stdout.splitlines()}
        word = line.rpartition(" ")[2]
        wanted = expected.format(program).rstrip(" ").rpartition(" ")[2]
        if wanted == "lab.":
            assert offered == {"lab.yaml", "lab.txt"}, line
        else:
            assert offered == ({wanted} if wanted != word else set()), line


def test_bash_offers_what_begins_alike(folder: Path, installation: Path) -> None:
    loading = f"source {loaded('bash', folder)}; COMP_LINE='c9s explain invalid-a'; COMP_POINT=${{#COMP_LINE}}"
    asking = (
        "COMP_WORDS=(c9s explain invalid-a); COMP_CWORD=2; __c9s_complete c9s; "
        'printf "%s\\n" "${COMPREPLY[@]}"; complete -p c9s kubectl-c9s'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{loading}; {asking}"],  # noqa: S607 - the user's bash, by PATH
        cwd=folder,
        env=environment(installation),
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines() == [
        "invalid-alias",
        "invalid-app-protocols-label",
        "complete -F __c9s_complete c9s",
        "complete -F __c9s_complete kubectl-c9s",
    ]
    assert done.stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "sh"])
def test_a_script_is_free_of_syntax_errors(shell: str, folder: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    file = loaded("kubectl" if shell == "sh" else shell, folder)
    subprocess.run([program, "-n", str(file)], check=True)


def test_a_name_with_blanks_is_quoted_by_bash(folder: Path, installation: Path) -> None:
    (folder / "my lab.yaml").touch()
    script_file = loaded("bash", folder)
    with Terminal("bash", script_file, folder, environment(installation)) as terminal:
        assert terminal.completed("c9s split -f my") == r"c9s split -f my\ lab.yaml "
