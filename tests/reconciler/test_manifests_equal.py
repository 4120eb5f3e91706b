"""The folder ``manifests/``, the templates and ``reconciler manifests`` say the same."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from manifests_tools import (
    MANIFESTS,
    kustomized,
    named,
    of_kind,
    one_line,
    printed,
)
from split_lab import command

from kubectl_c9s.output.manifests import shipped
from kubectl_c9s.resources import schema
from kubectl_c9s.resources.crd import crd

if TYPE_CHECKING:
    from pathlib import Path

    from bed_client import Json


MODES = ["report", "enforce"]
EVERYTHING = ["--mode=enforce", "--pod-monitor", "--priority", "--guardrails=deny"]


@pytest.mark.parametrize("path", sorted(shipped()))
def test_what_is_shipped_is_what_the_templates_say(path: str) -> None:
    assert (MANIFESTS / path).read_text(encoding="utf-8") == shipped()[path], "run `make generate`"


@pytest.mark.parametrize(
    "folder", ["apf", "crds", "guardrails", "overlays", "podmonitor", "reconciler"]
)
def test_nothing_else_lies_where_all_is_made_from_templates(folder: str) -> None:
    found = {path for path in (MANIFESTS / folder).rglob("*") if path.is_file()}
    assert {path.relative_to(MANIFESTS).as_posix() for path in found} <= set(shipped())


@pytest.mark.parametrize("mode", MODES)
def test_the_command_prints_the_objects_of_the_overlay(mode: str) -> None:
    overlay = kustomized(MANIFESTS / "overlays" / mode)
    assert named(printed("--mode", mode)) == named(overlay)


@pytest.mark.parametrize(
    ("flag", "folder"),
    [
        ("--pod-monitor", "podmonitor"),
        ("--priority", "apf"),
        ("--guardrails=deny", "guardrails"),
        ("--guardrails=warn", "guardrails-warn"),
    ],
)
def test_a_flag_adds_the_objects_of_its_folder(flag: str, folder: str) -> None:
    more, plain = named(printed(flag)), named(printed())
    assert plain.items() <= more.items()
    added = {key: one for key, one in more.items() if key not in plain}
    assert one_line(added) == one_line(named(kustomized(MANIFESTS / folder)))
    assert added


def test_every_kustomization_that_is_shipped_renders() -> None:
    files = list(MANIFESTS.rglob("kustomization.yaml"))
    # A component renders only within what names it; tests/argocd and tests/doors do that.
    plain = [one.parent for one in files if "kind: Component" not in one.read_text("utf-8")]
    assert len(plain) >= 8
    assert {one.parent.name for one in files} - {one.name for one in plain} == {
        "argocd-cmp",
        "argocd-health",
    }
    for folder in plain:
        assert kustomized(folder), folder


def test_the_kind_comes_first_and_its_policy_last() -> None:
    kinds = [one["kind"] for one in printed(*EVERYTHING)]
    assert (kinds[0], kinds[-1]) == ("CustomResourceDefinition", "RolloutPolicy")
    assert kinds.index("ServiceAccount") < kinds.index("Deployment")
    assert "Namespace" not in kinds


@pytest.mark.parametrize("mode", MODES)
def test_the_policy_of_an_overlay_is_one_that_validate_takes(mode: str) -> None:
    objects = printed("--mode", mode)
    policy = of_kind(objects, "RolloutPolicy")
    assert policy["spec"] == {"mode": mode.capitalize()}
    assert schema.violations("RolloutPolicy", policy) == []
    assert of_kind(objects, "CustomResourceDefinition") == crd("RolloutPolicy")


def test_enforcing_has_the_rights_of_reporting_and_a_few_more() -> None:
    report, enforce = (named(printed("--mode", mode)) for mode in MODES)
    assert report.keys() == enforce.keys()
    differing = {key for key in report if report[key] != enforce[key]}
    assert differing == {
        "ClusterRole -/c9s-reconciler", "Role c9s/c9s-reconciler-manager", "RolloutPolicy c9s/rollout",
    }  # fmt: skip
    for key in differing - {"RolloutPolicy c9s/rollout"}:
        before, after = report[key]["rules"], enforce[key]["rules"]
        assert after[: len(before)] == before
        assert [rule["verbs"] for rule in after[len(before) :] if "get" in rule["verbs"]] == []


def test_an_installed_tool_has_the_templates(installation: Path) -> None:
    done = subprocess.run(
        [installation / "bin" / "kubectl-c9s", "reconciler", "manifests", *EVERYTHING],
        cwd=installation, check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(installation)},
    )  # fmt: skip
    assert done.stdout == command("reconciler", "manifests", *EVERYTHING).out


def labels_of(objects: list[Json]) -> list[Json]:
    return [one["metadata"].get("labels", {}) for one in objects]


def test_all_that_is_ours_can_be_found_by_its_label() -> None:
    own = [one for one in printed(*EVERYTHING) if one["kind"] != "CustomResourceDefinition"]
    assert {one.get("app.kubernetes.io/part-of") for one in labels_of(own)} == {"kubectl-c9s"}
    assert {one.get("app.kubernetes.io/name") for one in labels_of(own)} == {
        "c9s-reconciler", "c9s-guardrails",
    }  # fmt: skip
