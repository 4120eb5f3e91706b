"""``gitops argocd``: settings and Application as they are printed, and the component that adds the settings."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bed_base
import pytest
import yaml
from split_lab import command

if TYPE_CHECKING:
    from bed_base import Bed

ROOT = Path(__file__).parents[2]
COMPONENT = ROOT / "manifests/argocd-health"
REPO = ("gitops", "argocd", "--repo", "https://git.example.com/labs.git")
THEIRS: Any = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "argocd-cm", "labels": {"app.kubernetes.io/part-of": "argocd"}},
    "data": {"url": "https://argocd.example.com"},
}


def test_the_command_prints_what_the_component_adds() -> None:
    printed = yaml.safe_load(command("gitops", "argocd").out)
    shipped = yaml.safe_load((COMPONENT / "argocd-cm.yaml").read_text(encoding="utf-8"))
    assert printed["metadata"] == {"name": "argocd-cm", "namespace": "argocd"}
    assert shipped["metadata"] == {"name": "argocd-cm"}
    assert printed["data"] == shipped["data"]


def test_the_component_adds_to_the_settings_that_are_there(tmp_path: Path) -> None:
    shutil.copytree(COMPONENT, tmp_path / "argocd-health")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/cm.yaml").write_text(yaml.safe_dump(THEIRS), encoding="utf-8")
    page = "namespace: cd\nresources: [cm.yaml]\ncomponents: [../argocd-health]\n"
    (tmp_path / "own/kustomization.yaml").write_text(page, encoding="utf-8")
    kustomize = [bed_base.kubectl(), "kustomize", str(tmp_path / "own")]
    built = yaml.safe_load(subprocess.run(kustomize, capture_output=True, check=True).stdout)
    ours = yaml.safe_load(command("gitops", "argocd").out)["data"]
    assert built["metadata"] == THEIRS["metadata"] | {"namespace": "cd"}
    assert built["data"] == THEIRS["data"] | ours


def test_a_patch_with_the_settings_keeps_those_of_others(bed: Bed) -> None:
    with bed.namespace("argocd") as namespace:
        theirs = {**THEIRS, "metadata": {**THEIRS["metadata"], "namespace": namespace}}
        assert bed.kubectl("apply", "-f", "-", text=yaml.safe_dump(theirs)).returncode == 0
        text = command("gitops", "argocd", "--argocd-namespace", namespace).out
        where = ("configmap", "argocd-cm", "-n", namespace, "--type", "merge")
        done = bed.kubectl("patch", *where, "--patch-file", "/dev/stdin", text=text)
        assert done.returncode == 0, done.stderr
        found = bed.kubectl("get", "cm", "-n", namespace, "argocd-cm", "-o", "yaml").stdout
    assert yaml.safe_load(found)["data"] == THEIRS["data"] | yaml.safe_load(text)["data"]


def test_an_application_has_what_was_asked_for() -> None:
    flags = (
        "--path",
        "labs/metro",
        "--revision",
        "main",
        "--project",
        "labs",
        "-n",
        "lab",
        "--no-prune",
    )
    found = yaml.safe_load(
        command(*REPO, *flags, "--name", "m1", "--destination", "https://c:6443").out
    )
    assert found["metadata"] == {"name": "m1", "namespace": "argocd"}
    spec = found["spec"]
    assert spec["source"] == {
        "repoURL": "https://git.example.com/labs.git", "path": "labs/metro", "targetRevision": "main",
    }  # fmt: skip
    assert spec["destination"] == {"server": "https://c:6443", "namespace": "lab"}
    assert spec["project"] == "labs"
    assert spec["syncPolicy"]["automated"] == {"prune": False, "selfHeal": True}


@pytest.mark.parametrize("path", ["labs/metro/", "metro", "labs/metro/rendered", "./metro"])
def test_an_application_is_called_like_its_directory_and_never_empties_itself(path: str) -> None:
    found = yaml.safe_load(command(*REPO, "--path", path).out)
    assert found["metadata"]["name"] == found["spec"]["destination"]["namespace"] == "metro"
    policy = found["spec"]["syncPolicy"]
    assert policy["automated"] == {"prune": True, "selfHeal": True}  # no allowEmpty
    assert policy["syncOptions"] == ["ServerSideApply=true", "CreateNamespace=true"]


@pytest.mark.parametrize("text", ["a: b", "yes", "017", "x\n---\nkind: Y", "*all", "'"])
def test_texts_stay_texts(text: str) -> None:
    found = yaml.safe_load(command(*REPO, "--path", f"{text}/x", "--revision", text).out)
    assert found["spec"]["source"]["path"] == f"{text}/x"
    assert found["spec"]["source"]["targetRevision"] == text


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("gitops", "argocd", "--path", "x"), "--path is about an Application"),
        (("gitops", "argocd", "-n", "x"), "--namespace is about an Application"),
        (("gitops", "argocd", "--no-prune"), "--prune is about an Application"),
        (("gitops", "argocd", "--argocd-namespace", "A_b"), "no name of a namespace"),
        (REPO, "--repo needs --path"),
        ((*REPO, "--path", "."), "no name of an Application"),
        ((*REPO, "--path", "a/../b"), "not within the repository"),
        ((*REPO, "--path", "/labs"), "not within the repository"),
        ((*REPO, "--path", "a", "-n", "A_b"), "no name of a namespace"),
        ((*REPO, "--path", "a", "-o", "json"), "json"),
    ],
)
def test_what_makes_no_sense_is_refused(flags: tuple[str, ...], said: str) -> None:
    answer = command(*flags)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
