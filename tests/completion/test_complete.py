"""What is offered where, by the table and without a shell."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.cli import complete as module
from kubectl_c9s.cli.complete import Answer, answer, complete
from kubectl_c9s.cli.main import cli
from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.resources.codes import CODES

ROOT = Path(__file__).parents[2]
TABLE = json.loads((ROOT / "kubectl_c9s/cli/commands.json").read_text(encoding="utf-8"))
HEAVY = {"click", "jinja2", "jsonschema_rs", "kubernetes", "msgspec", "rich", "ruamel", "yaml"}


def offered(line: str) -> set[str]:
    """Give the values offered for the last word of a line; a blank at its end begins a new one."""
    return {value for value, _ in at(line).candidates}


def at(line: str) -> Answer:
    words = shlex.split(line)
    return complete([*words, ""] if line.endswith(" ") or not line else words, nobody)


def nobody(*_: object) -> list[str]:
    """Know no names, and ask nobody; test_live_names.py has those that are asked for."""
    return []


def test_commands_are_offered_with_what_they_do_and_no_files() -> None:
    found = at("")
    assert dict(found.candidates)["split"].startswith("Split Topologies")
    assert found.directive == 4
    assert {"split", "explain", "completion", "version"} <= offered("")
    assert "__complete" not in offered("")
    assert offered("ver") == {"version"}
    assert offered("split ") == set()
    assert offered("unheard-of ") == set()


def test_subcommands_are_offered_behind_their_command() -> None:
    assert offered("cmp ") == {"generate", "parameters"}
    assert offered("cmp gen") == {"generate"}


def test_flags_are_offered_those_of_the_command_first_then_those_of_all() -> None:
    names = [value for value, _ in at("split --").candidates]
    assert names.index("--filename") < names.index("--kubeconfig")
    assert {"--filename", "--no-stage-files", "--help", "--namespace"} <= set(names)
    assert "-f" not in names
    assert {"-f", "-n", "--filename"} <= offered("split -")
    assert "--filename" not in offered("--")
    assert "--kubeconfig" in offered("--")
    assert dict(at("split --rec").candidates) == {
        "--recursive": "Look for files in directories of directories too."
    }


def test_a_flag_is_not_offered_twice_unless_it_may_be_repeated() -> None:
    assert "--name" not in offered("split --name x --n")
    assert "--output" not in offered("split -o yaml --o")
    assert "-o" not in offered("split --output=yaml -")
    assert "--filename" in offered("split -f a --f")


@pytest.mark.parametrize(
    "line", ["split -o ", "split --output ", "split --output=", "split -Ro ", "-n x split -o "]
)
def test_choices_are_offered_as_values(line: str) -> None:
    assert offered(line) == {"yaml", "json", "name"}
    assert at(line).directive == 4


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("split -f ", Answer([("yaml", ""), ("yml", ""), ("json", "")], 8)),
        ("split -Rf ", Answer([("yaml", ""), ("yml", ""), ("json", "")], 8)),
        ("split --report ", Answer([], 0)),
        ("--kubeconfig ", Answer([], 0)),
        ("split --allow-outside ", Answer([], 16)),
        ("split --name ", Answer([], 4)),
        ("split -n ", Answer([], 4)),
        ("split --no-env=", Answer([], 4)),
        ("split --unheard-of=", Answer([], 4)),
        ("split -o=", Answer([], 4)),
    ],
)
def test_the_kind_of_a_value_decides_what_is_offered(line: str, expected: Answer) -> None:
    assert at(line) == expected


def test_the_value_of_a_flag_is_not_taken_for_a_command_or_a_flag() -> None:
    assert offered("-n split spl") == {"split"}
    assert offered("--namespace=split spl") == {"split"}
    assert offered("-nsplit spl") == {"split"}
    assert offered("split --name -o ") == set()
    assert at("split --name -").candidates == []


def test_behind_two_dashes_nothing_is_a_flag() -> None:
    assert offered("explain -- --l") == set()
    assert offered("explain -- template") == {"template"}


def test_codes_are_offered_with_their_lines_once() -> None:
    assert offered("explain ") == CODES.keys() | CAUSES.keys()
    values = [value for value, _ in at("explain ").candidates]
    assert len(values) == len(set(values)), "a code that is a finding and a cause is offered once"
    assert dict(at("explain templ").candidates) == {"template": CODES["template"].summary}
    assert dict(at("explain sandbox-f").candidates) == {
        "sandbox-failed": CAUSES["sandbox-failed"].summary
    }
    assert offered("explain template ") == set()


def words() -> st.SearchStrategy[list[str]]:
    flags = [
        name
        for one in [*TABLE["flags"], *TABLE["commands"]["split"]["flags"]]
        for name in one["names"]
    ]
    known = st.sampled_from(
        [*TABLE["commands"], *flags, "--", "-", "", "--output=", "-oyaml", "-Rf"]
    )
    return st.lists(st.one_of(known, st.text(max_size=5)), max_size=6)


@given(words())
def test_every_line_gets_an_answer_that_fits_what_is_typed(line: list[str]) -> None:
    found = complete(line, nobody)
    typed = line[-1] if line else ""
    typed = typed.partition("=")[2] if typed.startswith("-") and "=" in typed else typed
    assert found.directive in {0, 4, 8, 16}
    if found.directive == 4:
        assert [value for value, _ in found.candidates if not value.startswith(typed)] == []
    for value, text in found.candidates:
        assert value.isprintable()
        assert text.isprintable()


def commands(
    group: click.Group, path: tuple[str, ...] = ()
) -> list[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    found = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found.append(((*path, name), command))
        if isinstance(command, click.Group):
            found += commands(command, (*path, name))
    return found


@pytest.mark.parametrize(
    ("path", "command"),
    commands(cli),
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_every_flag_of_every_command_is_offered(
    path: tuple[str, ...], command: click.Command
) -> None:
    options = [one for one in command.params if isinstance(one, click.Option)]
    names = {name for option in options for name in (*option.opts, *option.secondary_opts)}
    assert {value for value, _ in complete([*path, "-"]).candidates} == names | {"-h", "--help"}


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=False, capture_output=True, text=True
    )


@pytest.mark.parametrize("line", [["spl"], ["split", "-"], ["split", "-f", ""], ["explain", "te"]])
def test_completion_loads_nothing_heavy(line: list[str]) -> None:
    done = run(
        "import sys; from kubectl_c9s.cli.complete import answer\n"
        f"code = answer({line!r}); print(*sys.modules); raise SystemExit(code)"
    )
    assert (done.returncode, done.stderr) == (0, "")
    loaded = set(done.stdout.splitlines()[-1].split())
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    assert {name for name in loaded if name.startswith("kubectl_c9s.")} <= {
        "kubectl_c9s.cli",
        "kubectl_c9s.cli.complete",
        "kubectl_c9s.resources",
        "kubectl_c9s.resources.causes",
        "kubectl_c9s.resources.codes",
    }


def test_the_hidden_command_takes_every_word_as_it_is_and_loads_no_command() -> None:
    code = (
        "import sys; from kubectl_c9s.cli.main import run\n"
        "code = run(['__complete', 'split', '-o', '--', '--help', '-h', ''])\n"
        "print(*sys.modules); raise SystemExit(code)"
    )
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == ":4"
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert loaded & (HEAVY - {"click"}) == set()


def test_an_answer_ends_with_its_directive(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert answer(["version", "-o", ""]) == 0
    assert capfdbinary.readouterr() == (b"json\n:4\n", b"")
    assert answer(["explain", "templ"]) == 0
    assert capfdbinary.readouterr().out == f"template\t{CODES['template'].summary}\n:4\n".encode()


def test_a_fault_is_told_by_the_exit_code_alone(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "_TABLE", "/nonexistent")
    assert answer([""]) == 1
    assert capfd.readouterr() == ("", "")
