"""One suite through all doors: a lab gives the same bytes whichever way it is rendered."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from door_tools import ROOT, call, config, items_as_stream, parameters, resource_list

from kubectl_c9s.cli.split import split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Lab(NamedTuple):
    """A lab in a directory of its own: the name of its file, and the variables it needs."""

    folder: Path
    file: str
    variables: dict[str, str]

    @property
    def text(self) -> str:
        return (self.folder / self.file).read_text(encoding="utf-8")


def sources() -> Iterator[tuple[str, Path, str, dict[str, str]]]:
    """Give name, directory, file and variables of every lab that can be rendered."""
    for example in ("small", "clos-40"):
        yield example, ROOT / "examples" / example, "topology.yaml", {}
    for case in sorted((ROOT / "tests/split/cases").iterdir()):
        if (case / "expected.json").exists():
            yield case.name, case, "input.yaml", {}
    for case in sorted((ROOT / "tests/bare/cases").iterdir()):
        if (case / "expected.json").exists():
            env = case / "env.json"
            variables = json.loads(env.read_text(encoding="utf-8")) if env.exists() else {}
            yield case.name, case / "input", "lab.clab.yml", variables


SOURCES = {name: (folder, file, variables) for name, folder, file, variables in sources()}


@pytest.fixture
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Lab:
    """Give a lab, named by the parameter, in a copy of its directory."""
    source, file, variables = SOURCES[request.param]
    shutil.copytree(source, tmp_path / "lab", symlinks=True)
    return Lab(tmp_path / "lab", file, variables)


def by_stdout(lab: Lab) -> str:
    """Give the bytes all other doors are held to."""
    setting = [
        part for name, value in lab.variables.items() for part in ("--set", f"{name}={value}")
    ]
    answer = call("split", "-f", lab.file, "--no-env", *setting, cwd=lab.folder)
    assert answer.code == 0, answer.err
    return answer.out


def by_directory(lab: Lab) -> str:
    if not any("--output-dir" in option.opts for option in split.params):
        pytest.skip("split has no --output-dir yet")
    setting = [
        part for name, value in lab.variables.items() for part in ("--set", f"{name}={value}")
    ]
    flags = ("--no-env", *setting, "--output-dir", "../out")
    answer = call("split", "-f", lab.file, *flags, cwd=lab.folder)
    assert answer.code == 0, answer.err
    out = lab.folder.parent / "out"
    page = (out / "kustomization.yaml").read_text(encoding="utf-8")
    listed = page.split("resources:\n")[1].split("sortOptions:")[0]
    files = re.findall(r'^ *- "?([^"\n]+)"?$', listed, re.MULTILINE)
    assert len(files) == listed.count("\n")
    return "---\n".join((out / file).read_text(encoding="utf-8") for file in files)


def function(lab: Lab, *items: str, **spec: Any) -> str:
    if lab.variables:
        spec["set"] = lab.variables
    answer = call("fn", cwd=lab.folder, stdin=resource_list(*items, config=config(**spec)))
    assert answer.code == 0, answer.err
    return items_as_stream(answer.out)


def by_generator(lab: Lab) -> str:
    return function(lab, paths=[lab.file])


def by_inline_generator(lab: Lab) -> str:
    return function(lab, topology=lab.text)


def by_transformer(lab: Lab) -> str:
    return function(lab, lab.text)


def plugin(lab: Lab, stdin: str, **spec: Any) -> str:
    if lab.variables:
        spec["set"] = lab.variables
    (lab.folder / "config").write_text(config(**spec), encoding="utf-8")
    answer = call("fn", "config", cwd=lab.folder, stdin=stdin)
    assert answer.code == 0, answer.err
    return answer.out


def by_older_generator(lab: Lab) -> str:
    return plugin(lab, "", paths=[lab.file])


def by_older_transformer(lab: Lab) -> str:
    return plugin(lab, lab.text)


def by_argocd(lab: Lab) -> str:
    env = parameters(paths=[lab.file], set=lab.variables, sync_waves="false")
    answer = call("cmp", "generate", cwd=lab.folder, env=env)
    assert answer.code == 0, answer.err
    return answer.out


def by_argocd_with_variables(lab: Lab) -> str:
    env = parameters(paths=[lab.file], sync_waves="false")
    env |= {f"ARGOCD_ENV_{name}": value for name, value in lab.variables.items()}
    answer = call("cmp", "generate", cwd=lab.folder, env=env)
    assert answer.code == 0, answer.err
    return answer.out


DOORS = (
    by_directory,
    by_generator,
    by_inline_generator,
    by_older_generator,
    by_argocd,
    by_argocd_with_variables,
)
FOR_TOPOLOGIES = (by_transformer, by_older_transformer)
WAYS = [
    pytest.param(name, door, id=f"{name}-{door.__name__}")
    for name, (_, file, _) in SOURCES.items()
    for door in (*DOORS, *(() if file.endswith(".clab.yml") else FOR_TOPOLOGIES))
]


@pytest.mark.parametrize(("lab", "door"), WAYS, indirect=["lab"])
def test_a_lab_has_the_same_bytes_through_every_door(lab: Lab, door: Callable[[Lab], str]) -> None:
    expected = by_stdout(lab)
    assert expected.startswith("apiVersion: ")
    assert door(lab) == expected


def test_the_labs_of_the_suite_are_of_both_kinds_and_hold_scripts() -> None:
    files = [file for _, file, _ in SOURCES.values()]
    assert files.count("lab.clab.yml") >= 5
    assert files.count("input.yaml") >= 15
    inputs = (path for path in (ROOT / "tests/bare").rglob("*") if path.is_file())
    assert any(os.access(path, os.X_OK) for path in inputs)


@pytest.mark.parametrize("lab", SOURCES, indirect=True)
def test_sync_waves_are_all_that_argocd_adds_by_default(lab: Lab) -> None:
    env = parameters(paths=[lab.file], set=lab.variables)
    waved = call("cmp", "generate", cwd=lab.folder, env=env).out
    wave = re.compile(r'  annotations:\n    argocd\.argoproj\.io/sync-wave: "[012]"\n')
    expected = by_stdout(lab)
    assert len(wave.findall(waved)) == len(re.findall(r"^kind: ", expected, re.MULTILINE))
    assert wave.sub("", waved) == expected
