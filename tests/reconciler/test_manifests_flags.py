"""What the flags of ``reconciler manifests`` change, and what they refuse."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml
from manifests_tools import (
    MANIFESTS,
    OF_AN_INSTALLATION,
    ROOT,
    WIDE,
    container_of,
    kustomized,
    named,
    of_kind,
    printed,
    texts,
)
from split_lab import command

from kubectl_c9s.cli.reconcilerrun import run
from kubectl_c9s.output.manifests import IMAGE, PROFILES
from kubectl_c9s.reconciler.metrics import Metrics
from kubectl_c9s.resources import schema

if TYPE_CHECKING:
    from pathlib import Path

    from kubectl_c9s.output.manifests import Profile

EVERYTHING = ["--mode=enforce", "--pod-monitor", "--priority", "--guardrails=deny"]


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_a_profile_changes_flags_and_nothing_else(profile: Profile) -> None:
    knobs = PROFILES[profile]
    objects, usual = printed("--profile", profile), printed()
    container = container_of(objects)
    flags = [f"--{flag}={value}" for flag, value in knobs.items()]
    assert container.pop("args") == ["reconciler", "run", *flags]
    assert container == {k: v for k, v in container_of(usual).items() if k != "args"}
    others = [one for one in objects if one["kind"] != "Deployment"]
    assert others == [one for one in usual if one["kind"] != "Deployment"]
    text = command("reconciler", "manifests", "--profile", profile).out
    assert f"--write-workers={knobs['write-workers']} # profile {profile}" in text


def test_replicas_and_image_are_those_that_were_given() -> None:
    image = "registry.example:5000/a/kubectl-c9s@sha256:" + "0" * 64
    objects = printed("--replicas=3", "--image", image)
    assert of_kind(objects, "Deployment")["spec"]["replicas"] == 3
    assert container_of(objects)["image"] == image


def test_another_namespace_is_meant_everywhere() -> None:
    usual, other = printed(*EVERYTHING), printed(*EVERYTHING, "-n", "lab-ops")
    assert len(usual) == len(other)
    for before, after in zip(usual, other, strict=True):
        kind = after["kind"]
        assert after["metadata"].get("namespace") == (None if kind in WIDE else "lab-ops")
        assert "c9s" not in texts(after)
        assert [text for text in texts(after) if ":c9s:" in text] == []
        if kind in OF_AN_INSTALLATION:
            assert after["metadata"]["name"] == f"{before['metadata']['name']}-lab-ops"
    (subject,) = of_kind(other, "ClusterRoleBinding")["subjects"]
    assert subject["namespace"] == "lab-ops"
    references = {one["roleRef"]["name"] for one in other if one["kind"] == "ClusterRoleBinding"}
    assert references == {"c9s-reconciler-lab-ops"}


def test_kustomize_puts_everything_into_another_namespace_as_well(tmp_path: Path) -> None:
    base = os.path.relpath(MANIFESTS / "overlays/enforce", tmp_path)
    image = {"name": IMAGE.partition(":")[0], "newName": "registry.example/c9s", "newTag": "2"}
    own = {"namespace": "lab-ops", "resources": [base], "images": [image]}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    found = kustomized(tmp_path)
    for one in found:
        assert one["metadata"].get("namespace") == (None if one["kind"] in WIDE else "lab-ops")
        assert {subject["namespace"] for subject in one.get("subjects", [])} <= {"lab-ops"}
    assert container_of(found)["image"] == "registry.example/c9s:2"


def test_the_kustomization_of_the_page_works(tmp_path: Path) -> None:
    page = (ROOT / "docs/reconciler.md").read_text(encoding="utf-8")
    text = re.findall(r"^```yaml\n(.+?)^```", page, re.MULTILINE | re.DOTALL)[0]
    text = text.replace("../manifests", os.path.relpath(MANIFESTS, tmp_path))
    (digest,) = re.findall(r"sha256:[0-9a-f]{64}", text)
    (tmp_path / "kustomization.yaml").write_text(text, encoding="utf-8")
    found = kustomized(tmp_path)
    assert container_of(found)["image"] == f"registry.example/kubectl-c9s@{digest}"
    policy = of_kind(found, "RolloutPolicy")
    assert policy["spec"]["config"] == {"batchSize": 100, "maxConcurrentPerHost": 50}
    assert schema.violations("RolloutPolicy", policy) == []


def test_flags_of_a_profile_are_flags_of_the_process() -> None:
    flags = {name for option in run.params for name in option.opts}
    assert {f"--{flag}" for knobs in PROFILES.values() for flag in knobs} <= flags
    for profile in PROFILES.values():
        run.make_context("run", [f"--{flag}={value}" for flag, value in profile.items()])
    defaults = {option.opts[0].lstrip("-"): option.default for option in run.params}
    assert {flag: f"{defaults[flag]:g}" if isinstance(defaults[flag], float) else str(defaults[flag])
            for flag in PROFILES["steady"]} == PROFILES["steady"]  # fmt: skip


def test_the_manager_may_live_elsewhere() -> None:
    objects = printed(*EVERYTHING, "-n", "lab-ops", "--manager-namespace", "network")
    place = {key.split(" ")[1]: key.split(" ")[0] for key in named(objects)}
    assert place["network/c9s-reconciler-manager"] == "RoleBinding"
    assert place["network/rollout"] == "RolloutPolicy"
    assert place["network/c9s-guardrails"] == "ConfigMap"
    container = container_of(objects)
    assert "--manager-namespace=network" in container["args"]
    (binding,) = (one for one in objects if one["metadata"].get("namespace") == "network"
                  and one["kind"] == "RoleBinding")  # fmt: skip
    assert binding["subjects"][0]["namespace"] == "lab-ops"
    writers = of_kind(objects, "ConfigMap")["data"]["writers"].splitlines()
    assert writers == [
        "system:serviceaccount:network:clabernetes-service-account",
        "system:serviceaccount:lab-ops:c9s-reconciler",
    ]


@pytest.mark.parametrize("name", ["123", "0x1f", "1e3", "y", "on", "null", "7-days"])
def test_a_namespace_that_looks_like_something_else_stays_text(name: str) -> None:
    objects = printed(*EVERYTHING, "-n", name, "--manager-namespace", name)
    assert {one["metadata"].get("namespace", name) for one in objects} == {name}


@pytest.mark.parametrize(
    "flags",
    [
        ("-n", "No_Name"),
        ("-n", "a\nb: c"),
        ("--manager-namespace", "a.b"),
        ("--image", "a b"),
        ("--image", "a\n  command: [sh]"),
        ("--image", ""),
        ("--replicas", "-1"),
        ("--replicas", "two"),
        ("--mode", "act"),
        ("-o", "table"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused(flags: tuple[str, ...]) -> None:
    answer = command("reconciler", "manifests", *flags)
    assert (answer.code, answer.out) == (2, "")


def test_who_names_no_image_is_told_that_none_is_published() -> None:
    assert f"note: {IMAGE}: no image of this name is published" in command("reconciler", "manifests").err  # fmt: skip
    assert command("reconciler", "manifests", "--image", "a:1").err == ""


def test_the_same_settings_give_the_same_bytes(tmp_path: Path) -> None:
    def bytes_of(seed: str) -> bytes:
        done = subprocess.run(
            [sys.executable, "-m", "kubectl_c9s", "reconciler", "manifests", *EVERYTHING],
            cwd=ROOT, check=True, capture_output=True,
            env={"PYTHONHASHSEED": seed, "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        )  # fmt: skip
        return done.stdout

    first = bytes_of("1")
    assert first == bytes_of("2") == command("reconciler", "manifests", *EVERYTHING).out.encode()
    assert len(list(yaml.safe_load_all(first))) == len(printed(*EVERYTHING))


def test_alerts_of_the_page_ask_for_metrics_that_there_are() -> None:
    page = (ROOT / "docs/reconciler.md").read_text(encoding="utf-8")
    alerts = yaml.safe_load(re.findall(r"^```yaml\n(.+?)^```", page, re.MULTILINE | re.DOTALL)[1])
    rules = alerts["groups"][0]["rules"]
    asked = {name for rule in rules for name in re.findall(r"c9s_[a-z_]+", rule["expr"])}
    served = set(re.findall(r"^# TYPE (c9s_\w+)", Metrics().text().decode(), re.MULTILINE))
    assert len(rules) >= 5
    assert asked <= served
    documented = set(re.findall(r"`(c9s_[a-z_]+)", page))
    assert (
        served - {"c9s_build_info"} - {name for name in served if name.endswith("_created")}
        <= documented
    )
