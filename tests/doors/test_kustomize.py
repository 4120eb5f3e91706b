"""kustomize itself calls ``fn``: the program built from its module, and the one inside kubectl."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from door_tools import BROKEN, LAB, ROOT, call, config

if TYPE_CHECKING:
    from pathlib import Path

FUNCTION = "  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: kubectl-c9s, args: [fn]}\n"
PLUGINS = ROOT / "manifests/kustomize/plugin"
OTHER = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\ndata:\n  n: "017"\n'


@dataclass
class Kustomize:
    """A kustomize, its environment, and whether it takes functions or only plugins of the older kind."""

    command: list[str]
    path: Path
    folder: Path
    functions: bool = True
    plugins: Path = PLUGINS

    def build(self, kustomization: str, **files: str) -> subprocess.CompletedProcess[str]:
        """Write the files (``_yaml`` is their ending) and build the directory."""
        for name, text in files.items():
            written = text
            if "kubectl.c9s.run" in text and self.functions:
                written = text.replace("  name: labs\n", f"  name: labs\n{FUNCTION}", 1)
            (self.folder / name.replace("_yaml", ".yaml")).write_text(written, encoding="utf-8")
        page = f"{kustomization}\nsortOptions: {{order: fifo}}\n"
        (self.folder / "kustomization.yaml").write_text(page, encoding="utf-8")
        path = os.pathsep.join([str(self.path), os.environ["PATH"]])
        environment = os.environ | {"PATH": path, "KUSTOMIZE_PLUGIN_HOME": str(self.plugins)}
        return subprocess.run(
            [*self.command, str(self.folder)],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip


@pytest.fixture(params=["kustomize", "kubectl"])
def build(request: pytest.FixtureRequest, tool_path: Path, tmp_path: Path) -> Kustomize:
    """Give each kustomize."""
    if request.param == "kustomize":
        program = request.getfixturevalue("kustomize")
        flags = ["build", "--enable-alpha-plugins", "--enable-exec"]
    else:
        program = request.getfixturevalue("kubectl")
        flags = ["kustomize", "--enable-alpha-plugins"]
    folder = tmp_path / "build"
    folder.mkdir()
    return Kustomize([str(program), *flags], tool_path, folder, request.param == "kustomize")


def objects(text: str) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all(text) if one is not None]


def as_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def split(folder: Path, lab: str) -> list[dict[str, Any]]:
    return objects(call("split", "-f", "-", cwd=folder, stdin=lab).out)


def test_as_a_generator_it_adds_labs_by_path_and_those_it_holds(build: Kustomize) -> None:
    inside = LAB.replace("demo", "inside").replace("spec:", "  namespace: inside\nspec:", 1)
    done = build.build(
        "resources: [other.yaml]\ngenerators: [labs.yaml]",
        other_yaml=OTHER, lab_yaml=LAB, labs_yaml=config(paths=["lab.yaml"], topology=inside),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = split(build.folder, inside) + split(build.folder, LAB)
    found = objects(done.stdout)
    assert [one for one in found if one["kind"] == "ConfigMap"] == objects(OTHER)
    assert sorted(map(as_json, found)) == sorted(map(as_json, expected + objects(OTHER)))


def test_as_a_transformer_it_puts_objects_in_the_place_of_topologies(build: Kustomize) -> None:
    done = build.build(
        "resources: [lab.yaml, other.yaml]\ntransformers: [labs.yaml]\nnamespace: elsewhere",
        lab_yaml=LAB, other_yaml=OTHER, labs_yaml=config(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = split(build.folder, LAB) + objects(OTHER)
    found = objects(done.stdout)
    assert {one["metadata"].pop("namespace") for one in found} == {"elsewhere"}
    assert sorted(map(as_json, found)) == sorted(map(as_json, expected))


def test_behind_all_transformers_a_validator_lets_sound_labs_pass_unchanged(
    build: Kustomize,
) -> None:
    done = build.build(
        "resources: [lab.yaml, other.yaml]\ntransformers: [check.yaml]",
        lab_yaml=LAB, other_yaml=OTHER, check_yaml=config(kind="C9sValidate"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert objects(done.stdout) == objects(LAB) + objects(OTHER)


def test_under_validators_it_fares_as_a_program_that_copies_its_input(
    build: Kustomize, tmp_path: Path
) -> None:
    # kustomize v5.8.1 refuses every validator, this one too (kubernetes-sigs/kustomize issue 5036).
    copier = config(kind="Copy").replace("kubectl.c9s.run", "copy.example")
    if build.functions:
        copier = copier.replace(
            "  name: labs\n", f"  name: labs\n{FUNCTION.replace('kubectl-c9s, args: [fn]', 'cat')}"
        )
    program = tmp_path / "plugins/copy.example/v1alpha1/copy/Copy"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\ncat\n", encoding="utf-8")
    program.chmod(0o755)
    page = "resources: [lab.yaml, other.yaml]\nvalidators: [check.yaml]"
    own = build.build(page, check_yaml=config(kind="C9sValidate"), lab_yaml=LAB, other_yaml=OTHER)
    build.plugins = program.parents[3]
    copied = build.build(page, check_yaml=copier, lab_yaml=LAB, other_yaml=OTHER)
    told = "validator shouldn't modify the resource map"
    assert (own.returncode, told in own.stderr) == (copied.returncode, told in copied.stderr)


@pytest.mark.parametrize(
    ("field", "kind"), [("transformers", "C9sSplit"), ("validators", "C9sValidate")]
)
def test_a_lab_that_is_wrong_stops_the_build_with_its_finding(
    build: Kustomize, field: str, kind: str
) -> None:
    done = build.build(
        f"resources: [lab.yaml]\n{field}: [labs.yaml]", lab_yaml=BROKEN, labs_yaml=config(kind=kind)
    )
    assert done.returncode != 0
    assert done.stdout == ""
    assert "error: endpoint names node 'nobody', which is no node of this definition" in done.stderr


def test_kubectl_leaves_functions_out_without_a_word(
    kubectl: Path, tool_path: Path, tmp_path: Path
) -> None:
    # Why docs/kustomize.md has kubectl's users take the plugin: kubectl has no --enable-exec.
    build = Kustomize([str(kubectl), "kustomize", "--enable-alpha-plugins"], tool_path, tmp_path)
    page = "resources: [other.yaml]\ngenerators: [labs.yaml]"
    done = build.build(page, other_yaml=OTHER, labs_yaml=config(topology=LAB))
    assert (done.returncode, objects(done.stdout)) == (0, objects(OTHER))


def test_a_thousand_devices_pass_through_kustomize(
    kustomize: Path, tool_path: Path, tmp_path: Path
) -> None:
    build = Kustomize(
        [str(kustomize), "build", "--enable-alpha-plugins", "--enable-exec"], tool_path, tmp_path
    )  # fmt: skip
    generator = [sys.executable, str(ROOT / "examples/fabric.py"), "--devices", "1000"]
    fabric = subprocess.run(generator, capture_output=True, encoding="utf-8", check=True).stdout
    done = build.build(
        "generators: [labs.yaml]", lab_yaml=fabric, labs_yaml=config(paths=["lab.yaml"])
    )
    assert done.returncode == 0, done.stderr
    expected = call("split", "-f", "lab.yaml", "-o", "name", cwd=tmp_path).out
    assert done.stdout.count("\nkind: Node\n") == expected.count("node.c9s.run/") == 1000
    assert done.stdout.count("\nkind: Link\n") == expected.count("link.c9s.run/")
