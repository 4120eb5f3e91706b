"""Who owns ``spec.rollout`` of an object, and whether a GitOps tool would put it back (config-and-chart.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.rollout.limits import FIELDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kubectl_c9s.resources.objects import KubeObject

YIELD_TO: Final = ("argocd-controller", "kustomize-controller", "helm-controller")
"""Field managers that a policy yields to unless it says otherwise (policy.md)."""
_HELM: Final = "helm"
GUARDED: Final = (*YIELD_TO, _HELM)
"""Field managers whose fields are not changed by hand without a word."""
_CLIENT_SIDE: Final = "kubectl-client-side-apply"
_TOOLS: Final = {
    "argocd-controller": "Argo CD",
    "kustomize-controller": "Flux",
    "helm-controller": "Flux (HelmRelease)",
    _HELM: "Helm",
}
_FLUX_SSA: Final = "kustomize.toolkit.fluxcd.io/ssa"
_FLUX_KEEPS: Final = ("IfNotPresent", "Ignore")
_FLUX_MERGE: Final = "Merge"
# Labels and annotations by which a tool knows its objects, and the field manager that stands for it.
_TRACKING: Final = (
    ("argocd.argoproj.io/tracking-id", "argocd-controller"),
    ("argocd.argoproj.io/instance", "argocd-controller"),
    ("kustomize.toolkit.fluxcd.io/name", "kustomize-controller"),
    ("helm.toolkit.fluxcd.io/name", "helm-controller"),
)
_HELM_TRACKING: Final = (
    ("app.kubernetes.io/managed-by", "Helm"),
    ("meta.helm.sh/release-name", ""),
)


class Owner(NamedTuple):
    """A field manager that owns something under ``spec.rollout``; ``fields`` is empty when it owns the block alone."""

    manager: str
    operation: str
    time: str
    fields: tuple[str, ...]


class GitOps(NamedTuple):
    """A tool that would put the field back: the manager it writes as, its name, how it was recognised.

    ``owns`` tells whether it owns fields of the block, and not only tracks the object.
    """

    manager: str
    tool: str
    evidence: str
    owns: bool


def rollout_owners(managed_fields: Iterable[dict[str, Any]] | None) -> tuple[Owner, ...]:
    """Give the owners in the order of ``metadata.managedFields``."""
    found = []
    for entry in managed_fields or ():
        block = ((entry.get("fieldsV1") or {}).get("f:spec") or {}).get("f:rollout")
        if block is not None and not entry.get("subresource"):
            fields = tuple(field for field in FIELDS if f"f:{field}" in block)
            manager, operation, time = (
                str(entry.get(key) or "") for key in ("manager", "operation", "time")
            )
            found.append(Owner(manager, operation, time, fields))
    return tuple(found)


def gitops_owner(
    obj: KubeObject, yield_to: Collection[str] = GUARDED, touched: Collection[str] = FIELDS
) -> GitOps | None:
    """Name the tool that would put a changed block back; None if there is none, or it agreed to keep hands off.

    Helm counts only as owner of fields: what a chart's bootstrap wrote, it does not put back.
    """
    annotations = obj["metadata"].get("annotations") or {}
    keeps = annotations.get(_FLUX_SSA)
    tracked = {manager: evidence for manager, evidence in _tracked(obj) if manager in yield_to}
    for owner in rollout_owners(obj["metadata"].get("managedFields")):
        manager, meets = _stands_for(owner.manager, tracked), set(owner.fields) & set(touched)
        if manager not in yield_to or not (meets or manager in tracked):
            continue
        # Merged is what others own; a field of the manifest is put back all the same.
        agreed = _FLUX_KEEPS if meets else (*_FLUX_KEEPS, _FLUX_MERGE)
        if manager == "kustomize-controller" and keeps in agreed:
            continue
        evidence = f"field manager {owner.manager} ({owner.operation})"
        return GitOps(manager, _TOOLS.get(manager, manager), evidence, owns=True)
    for manager, evidence in tracked.items():
        if manager != "kustomize-controller" or keeps not in (*_FLUX_KEEPS, _FLUX_MERGE):
            return GitOps(manager, _TOOLS[manager], evidence, owns=False)
    return None


def _stands_for(manager: str, tracked: dict[str, str]) -> str:
    """Argo CD without server-side apply writes under kubectl's name."""
    argo = "argocd-controller"
    return argo if manager == _CLIENT_SIDE and argo in tracked else manager


def _tracked(obj: KubeObject) -> Iterator[tuple[str, str]]:
    for key, manager in _TRACKING:
        if (value := _marks(obj).get(key)) is not None:
            yield manager, f"{key}={value}"


def _marks(obj: KubeObject) -> dict[str, Any]:
    metadata = obj["metadata"]
    return (metadata.get("labels") or {}) | (metadata.get("annotations") or {})


def helm_release(obj: KubeObject) -> str | None:
    """Give the sign by which an object is a Helm release's, None if there is none."""
    marks = _marks(obj)
    for key, wanted in _HELM_TRACKING:
        if (value := marks.get(key)) is not None and wanted in ("", value):
            return f"{key}={value}"
    return None


def is_bootstrapped(obj: KubeObject) -> bool:
    """Tell whether the manager's bootstrap wrote the block, from the chart's values."""
    return any(
        owner.manager == "manager" for owner in rollout_owners(obj["metadata"].get("managedFields"))
    )
