"""What a GitOps tool owns is not changed by hand without a word: by real field managers, labels and annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from rollout_live_tools import CONFIG, DEFINITION, LAB, TARGETS

if TYPE_CHECKING:
    from bed_client import Json
    from rollout_live_tools import Place
    from split_lab import Answer

TOOLS = {
    "argocd-controller": "Argo CD",
    "kustomize-controller": "Flux",
    "helm-controller": "Flux (HelmRelease)",
    "helm": "Helm",
}
HINT = "hint: commit this instead, or --allow gitops-owner:\n"
SSA = "kustomize.toolkit.fluxcd.io/ssa"
FLUX = {"kustomize.toolkit.fluxcd.io/name": "labs", "kustomize.toolkit.fluxcd.io/namespace": "flux"}


def manifest(target: str, rollout: Json | None, **meta: Json) -> Json:
    """Make what a tool has in Git."""
    kind, name = ("Config", "clabernetes") if target == CONFIG else ("Topology", "lab")
    spec: Json = {} if target == CONFIG else {"definition": {"containerlab": DEFINITION}}
    return {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": kind,
        "metadata": {"name": name, **meta},
        "spec": spec | ({} if rollout is None else {"rollout": rollout}),
    }


def applied(place: Place, target: str, rollout: Json | None, manager: str, **meta: Json) -> Json:
    """Let a tool apply its manifest, as a sync does."""
    return place.client.apply(place.path(target), manifest(target, rollout, **meta), manager).ok()


def refused(place: Place, *words: str) -> Answer:
    """Run a command that a GitOps tool stands against; nothing may be asked or written."""
    asked, before, kept = place.asked(), place.read(words[1]), place.records()
    answer = place.run(*words)
    assert answer.code == 4, answer.err
    assert "[gitops-owner]" in answer.err
    assert answer.err.endswith("error: nothing written, refused by gitops-owner\n")
    assert asked.patches() == []
    assert (place.read(words[1]), place.records()) == (before, kept)
    return answer


def committed(answer: Answer) -> Json:
    """Give the manifest that the hint has."""
    text = answer.err.partition(HINT)[2].partition("\nerror: ")[0]
    found: Json = yaml.safe_load(text)
    return found


@pytest.mark.parametrize("manager", TOOLS)
@pytest.mark.parametrize("target", TARGETS)
def test_a_field_that_a_tool_has_applied_is_its_own(
    place: Place, target: str, manager: str
) -> None:
    applied(place, target, {"batchSize": 5}, manager)
    answer = refused(place, "set", target, "--batch-size=6")
    assert f"{TOOLS[manager]} owns spec.rollout (field manager {manager} (Apply))" in answer.err
    body = committed(answer)
    assert body["spec"] == {"rollout": {"batchSize": 6}}
    namespace = place.own if target == CONFIG else place.lab
    assert body["metadata"]["namespace"] == namespace
    # Committed, it is what was wanted; a Topology's manifest has its definition as well.
    body["spec"] |= manifest(target, None)["spec"]
    place.client.apply(place.path(target), body, manager).ok()
    assert place.block(target) == {"batchSize": 6}
    # By name it is allowed, for this once.
    place.set(target, "--batch-size=7", "--allow=gitops-owner")
    assert place.block(target) == {"batchSize": 7}


@pytest.mark.parametrize("manager", TOOLS)
def test_an_update_makes_an_owner_as_well(place: Place, manager: str) -> None:
    place.make(CONFIG)
    place.patch(CONFIG, {"spec": {"rollout": {"batchSize": 5}}}, manager)
    answer = refused(place, "set", CONFIG, "--unset=batchSize")
    assert f"field manager {manager} (Update)" in answer.err
    assert committed(answer)["spec"] == {"rollout": {}}


@pytest.mark.parametrize("manager", TOOLS)
def test_a_field_that_no_tool_owns_is_free_beside_one_that_is(place: Place, manager: str) -> None:
    applied(place, LAB, {"batchSize": 5}, manager)
    place.set(LAB, "--max-concurrent-per-host=3")
    refused(place, "set", LAB, "--max-concurrent-per-host=3", "--batch-size=6")
    assert place.block(LAB) == {"batchSize": 5, "maxConcurrentPerHost": 3}
    # A tool that applies again leaves it alone.
    applied(place, LAB, {"batchSize": 5}, manager)
    assert place.block(LAB) == {"batchSize": 5, "maxConcurrentPerHost": 3}


TRACKED: dict[str, tuple[str, Json]] = {
    "argo-label": ("Argo CD", {"labels": {"argocd.argoproj.io/instance": "labs"}}),
    "argo-annotation": ("Argo CD", {"annotations": {"argocd.argoproj.io/tracking-id": "labs:c9s.run/Config:c9s/c"}}),
    "flux-label": ("Flux", {"labels": FLUX}),
    "flux-helm-label": ("Flux (HelmRelease)", {"labels": {"helm.toolkit.fluxcd.io/name": "c9s"}}),
}  # fmt: skip


@pytest.mark.parametrize("marks", TRACKED)
@pytest.mark.parametrize("target", TARGETS)
def test_an_object_that_a_tool_tracks_is_kept_by_it(place: Place, target: str, marks: str) -> None:
    tool, meta = TRACKED[marks]
    place.make(target, {"batchSize": 5}, metadata=meta)
    answer = refused(place, "set", target, "--max-concurrent-per-host=2")
    assert f"{tool} keeps this object (" in answer.err
    assert committed(answer)["spec"] == {"rollout": {"batchSize": 5, "maxConcurrentPerHost": 2}}


def test_argo_without_server_side_apply_writes_under_kubectls_name(place: Place) -> None:
    place.make(CONFIG)
    place.patch(CONFIG, {"spec": {"rollout": {"batchSize": 5}}}, "kubectl-client-side-apply")
    place.set(CONFIG, "--batch-size=6")
    place.patch(CONFIG, {"spec": {"rollout": {"batchSize": 5}}}, "kubectl-client-side-apply")
    place.patch(CONFIG, {"metadata": {"annotations": {"argocd.argoproj.io/tracking-id": "x"}}})
    answer = refused(place, "set", CONFIG, "--batch-size=6")
    assert (
        "Argo CD owns spec.rollout (field manager kubectl-client-side-apply (Update))" in answer.err
    )


@pytest.mark.parametrize(
    ("word", "owned", "edit", "free"),
    [
        ("IfNotPresent", {"batchSize": 5}, "--batch-size=6", True),
        ("Ignore", {"batchSize": 5}, "--batch-size=6", True),
        ("Merge", {"batchSize": 5}, "--batch-size=6", False),
        ("Merge", {"batchSize": 5}, "--max-concurrent-per-host=6", True),
        ("Merge", None, "--batch-size=6", True),
        ("Override", None, "--batch-size=6", False),
        ("Override", {"batchSize": 5}, "--max-concurrent-per-host=6", False),
    ],
)
@pytest.mark.parametrize("target", TARGETS)
def test_flux_may_have_agreed_to_keep_its_hands_off(
    place: Place, target: str, word: str, owned: Any, edit: str, *, free: bool
) -> None:
    meta = {"labels": FLUX, "annotations": {SSA: word}}
    applied(place, target, owned, "kustomize-controller", **meta)
    if free:
        place.set(target, edit)
    else:
        refused(place, "set", target, edit)


@pytest.mark.parametrize("manager", ["kubectl", "kubectl-edit", "manager", "somebody"])
def test_who_is_no_tool_stands_in_nobodys_way(place: Place, manager: str) -> None:
    applied(place, CONFIG, {"batchSize": 5}, manager)
    told = place.set(CONFIG, "--batch-size=6")
    assert place.block(CONFIG) == {"batchSize": 6}
    assert "gitops-owner" not in told.err


HELM: Json = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "c9s"},
}


def test_what_a_charts_bootstrap_wrote_is_free_and_comes_with_advice(place: Place) -> None:
    place.make(CONFIG)
    place.patch(CONFIG, {"spec": {"rollout": {"batchSize": 5}}}, "manager")
    told = place.set(CONFIG, "--max-concurrent-per-host=2")
    assert "note: with globalConfig.mergeMode 'merge'" in told.err
    assert "globalConfig" not in told.out
    place.client.delete(place.path(CONFIG)).ok()
    place.make(CONFIG, metadata=HELM)
    assert "globalConfig.mergeMode" in place.set(CONFIG, "--batch-size=2").err
    assert "globalConfig" not in place.set(CONFIG, "--batch-size=2").err
    place.make(LAB, metadata=HELM)
    assert "globalConfig" not in place.set(LAB, "--batch-size=2").err


def test_undo_asks_the_tools_as_well(place: Place) -> None:
    applied(place, CONFIG, {"batchSize": 5}, "argocd-controller")
    place.set(CONFIG, "--batch-size=6", "--allow=gitops-owner")
    kept = place.records()
    # It says the same in Git now, so both own the field.
    applied(place, CONFIG, {"batchSize": 6}, "argocd-controller")
    refused(place, "undo", CONFIG)
    assert place.records() == kept
    assert place.run("undo", "--allow=gitops-owner").code == 0
    assert place.block(CONFIG) == {"batchSize": 5}
