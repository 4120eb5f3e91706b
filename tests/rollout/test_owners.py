"""Who owns spec.rollout and who would put it back: the table and the rules of config-and-chart.md §3."""

from __future__ import annotations

from typing import Any

import pytest
from owned_objects import config, entry

from kubectl_c9s.rollout.owners import (
    GUARDED,
    YIELD_TO,
    GitOps,
    Owner,
    gitops_owner,
    helm_release,
    is_bootstrapped,
    rollout_owners,
)

BATCH, CAP = "batchSize", "maxConcurrentPerHost"
ARGO = {"argocd.argoproj.io/instance": "labs"}
FLUX = {"kustomize.toolkit.fluxcd.io/name": "labs"}
SSA = "kustomize.toolkit.fluxcd.io/ssa"
HELM = {"app.kubernetes.io/managed-by": "Helm"}
NOBODY = [
    ("manager", "Update"),
    ("kubectl-client-side-apply", "Update"),
    ("kubectl-patch", "Update"),
    ("kubectl-edit", "Update"),
    ("kubectl", "Apply"),
    ("kubectl-c9s", "Update"),
]
TOOLS = [
    ("helm", "Update", "Helm"),
    ("helm", "Apply", "Helm"),
    ("argocd-controller", "Apply", "Argo CD"),
    ("argocd-controller", "Update", "Argo CD"),
    ("kustomize-controller", "Apply", "Flux"),
    ("helm-controller", "Apply", "Flux (HelmRelease)"),
]


@pytest.mark.parametrize(("manager", "operation", "tool"), TOOLS)
def test_a_tool_that_owns_the_field_would_put_it_back(
    manager: str, operation: str, tool: str
) -> None:
    found = gitops_owner(config(entry(manager, operation, BATCH)), touched=[BATCH])
    assert found == GitOps(manager, tool, f"field manager {manager} ({operation})", owns=True)


@pytest.mark.parametrize(("manager", "operation"), NOBODY)
def test_what_people_and_the_manager_have_written_is_not_put_back(
    manager: str, operation: str
) -> None:
    assert gitops_owner(config(entry(manager, operation, BATCH, CAP))) is None


@pytest.mark.parametrize("place", ["labels", "annotations"])
@pytest.mark.parametrize(
    ("key", "manager", "tool"),
    [
        ("argocd.argoproj.io/instance", "argocd-controller", "Argo CD"),
        ("argocd.argoproj.io/tracking-id", "argocd-controller", "Argo CD"),
        ("kustomize.toolkit.fluxcd.io/name", "kustomize-controller", "Flux"),
        ("helm.toolkit.fluxcd.io/name", "helm-controller", "Flux (HelmRelease)"),
    ],
)
def test_a_tool_that_tracks_the_object_keeps_it(
    key: str, manager: str, tool: str, place: str
) -> None:
    marks: dict[str, Any] = {place: {key: "labs"}}
    for owners in ((), (entry("kubectl-patch", "Update", BATCH),)):
        found = gitops_owner(config(*owners, **marks))
        assert found == GitOps(manager, tool, f"{key}=labs", owns=False)


def test_argo_cd_without_server_side_apply_writes_under_the_name_of_kubectl() -> None:
    written = entry("kubectl-client-side-apply", "Update", BATCH)
    assert gitops_owner(config(written, annotations={"app": "x"})) is None
    found = gitops_owner(config(written, labels=ARGO))
    evidence = "field manager kubectl-client-side-apply (Update)"
    assert found == GitOps("argocd-controller", "Argo CD", evidence, owns=True)
    assert gitops_owner(config(written, labels=FLUX), touched=[BATCH]) == GitOps(
        "kustomize-controller", "Flux", "kustomize.toolkit.fluxcd.io/name=labs", owns=False
    )


@pytest.mark.parametrize("value", ["IfNotPresent", "Ignore"])
def test_flux_keeps_its_hands_off_by_agreement(value: str) -> None:
    owned = entry("kustomize-controller", "Apply", BATCH)
    for owners in ((), (owned,)):
        assert gitops_owner(config(*owners, labels=FLUX, annotations={SSA: value})) is None


def test_flux_that_merges_puts_back_what_it_owns_and_nothing_else() -> None:
    owned = entry("kustomize-controller", "Apply", BATCH)
    merging = config(owned, labels=FLUX, annotations={SSA: "Merge"})
    found = gitops_owner(merging, touched=[BATCH])
    assert found is not None
    assert found.owns
    assert gitops_owner(merging, touched=[CAP]) is None
    assert gitops_owner(config(labels=FLUX, annotations={SSA: "Merge"})) is None


@pytest.mark.parametrize("value", ["Override", "ignore", ""])
def test_other_words_to_flux_are_no_agreement(value: str) -> None:
    found = gitops_owner(config(labels=FLUX, annotations={SSA: value}))
    assert found is not None
    assert not found.owns


def test_an_agreement_with_flux_binds_nobody_else() -> None:
    kept = {SSA: "Ignore"}
    assert gitops_owner(config(labels=FLUX | ARGO, annotations=kept)) is not None
    owned = entry("argocd-controller", "Apply", BATCH)
    assert gitops_owner(config(owned, labels=FLUX, annotations=kept)) is not None


def test_only_owners_of_the_touched_fields_count() -> None:
    mixed = config(entry("argocd-controller", "Apply", CAP), entry("kubectl-c9s", "Update", BATCH))
    assert gitops_owner(mixed, touched=[BATCH]) is None
    assert gitops_owner(mixed, touched=[CAP]) is not None
    assert gitops_owner(mixed) is not None
    alone = config(entry("argocd-controller", "Apply"))
    assert gitops_owner(alone) is None


def test_a_tracked_object_is_kept_whichever_field_its_tool_owns() -> None:
    found = gitops_owner(
        config(entry("argocd-controller", "Apply", CAP), labels=ARGO), touched=[BATCH]
    )
    assert found is not None
    assert (found.tool, found.owns) == ("Argo CD", True)


def test_helm_counts_as_owner_of_fields_only() -> None:
    release = HELM | {"meta.helm.sh/release-name": "c9s"}
    assert gitops_owner(config(labels=release)) is None
    assert gitops_owner(config(entry("manager", "Update", BATCH), labels=release)) is None
    assert (
        gitops_owner(config(entry("helm", "Update", CAP), labels=release), touched=[BATCH]) is None
    )
    found = gitops_owner(config(entry("helm", "Update", BATCH), labels=ARGO), touched=[CAP])
    assert found is not None
    assert found.manager == "argocd-controller"


def test_a_policy_says_whom_it_yields_to() -> None:
    obj = config(entry("argocd-controller", "Apply", BATCH), labels=ARGO | FLUX)
    assert gitops_owner(obj, yield_to=()) is None
    flux = gitops_owner(obj, yield_to=["kustomize-controller"])
    assert flux is not None
    assert (flux.tool, flux.owns) == ("Flux", False)
    own = config(entry("lab-operator", "Update", BATCH))
    assert gitops_owner(own) is None
    evidence = "field manager lab-operator (Update)"
    expected = GitOps("lab-operator", "lab-operator", evidence, owns=True)
    assert gitops_owner(own, yield_to=["lab-operator"]) == expected
    helm = config(entry("helm", "Apply", BATCH))
    assert gitops_owner(helm, yield_to=YIELD_TO) is None
    assert gitops_owner(helm, yield_to=GUARDED) is not None


@pytest.mark.parametrize(
    ("marks", "sign"),
    [
        ({"labels": HELM}, "app.kubernetes.io/managed-by=Helm"),
        ({"labels": {"app.kubernetes.io/managed-by": "kustomize"}}, None),
        ({"annotations": {"meta.helm.sh/release-name": "c9s"}}, "meta.helm.sh/release-name=c9s"),
        ({}, None),
    ],
)
def test_a_helm_release_is_recognised(marks: dict[str, Any], sign: str | None) -> None:
    assert helm_release(config(**marks)) == sign


def test_what_the_bootstrap_wrote_is_recognised() -> None:
    assert is_bootstrapped(config(entry("manager", "Update", BATCH)))
    assert not is_bootstrapped(config(entry("helm", "Update", BATCH)))
    other = entry("manager", "Update") | {"fieldsV1": {"f:spec": {"f:imagePull": {}}}}
    assert not is_bootstrapped(config(other))


def test_owners_come_in_order_with_what_they_own() -> None:
    obj = config(
        entry("first", "Apply", CAP, BATCH),
        entry("alone", "Update"),
        entry("elsewhere", "Update", fieldsV1={"f:metadata": {"f:labels": {}}}),
        entry("of-status", "Update", BATCH, subresource="status"),
        {"manager": "bare"},
        {"fieldsV1": None, "manager": "odd"},
    )
    assert rollout_owners(obj["metadata"]["managedFields"]) == (
        Owner("first", "Apply", "2026-10-01T00:00:00Z", (BATCH, CAP)),
        Owner("alone", "Update", "2026-10-01T00:00:00Z", ()),
    )
    assert rollout_owners(None) == ()
