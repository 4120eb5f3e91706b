"""What Argo CD is told of labs: when their objects are healthy, and an Application for a rendered directory.

The rules stand in ``templates/argocd-lua-*.j2``, one file a kind; ``manifests/argocd-health`` and the command
``gitops argocd`` are made from them.

A Link is never ``Progressing`` and almost never ``Degraded``: Argo CD waits for each wave, and the Nodes without which
a Link is not resolved come with the next one. ``HelperNotReady`` is no failure: a Pod that waits for a slot of its
host says it, too. Times of conditions are looked at only where nothing can be waited for any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.output.manifests import template_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

ARGOCD_NAMESPACE: Final = "argocd"
"""Where an installation of Argo CD usually lives."""

STALLED_AFTER: Final = 300
"""Seconds after which what should have ended is a failure (diagnosis.md §5, ``--stalled-after``)."""

SCRIPTS: Final[Mapping[str, str]] = {
    "c9s.run_Config": "plain",
    "c9s.run_Link": "link",
    "c9s.run_Node": "node",
    "c9s.run_NodeProfile": "plain",
    "c9s.run_Topology": "topology",
    "toolkit.c9s.run_RolloutPolicy": "policy",
}
"""Kind as Argo CD's settings name it: the template of its script."""

_FILES: Final = ("filesFromConfigMap", "filesFromSecret")
DEFAULTED: Final[Mapping[str, tuple[str, ...]]] = {
    "c9s.run_Node": tuple(f".spec.{kind}[]?.mode" for kind in _FILES),
    "c9s.run_Topology": tuple(f".spec.deployment.{kind}[]?[]?.mode" for kind in _FILES),
}
"""Fields inside lists that the server fills in (defaults of the CRDs).

They are all that Argo CD takes for a change, and only with ``ServerSideApply=true``: what the manager and the server
add elsewhere is none of the fields that Git has.
"""


class Application(NamedTuple):
    """A directory of rendered objects in Git and where it goes; texts are taken as they are."""

    name: str
    repo: str
    path: str
    namespace: str
    revision: str = "HEAD"
    project: str = "default"
    destination: str = "https://kubernetes.default.svc"
    argocd_namespace: str = ARGOCD_NAMESPACE
    prune: bool = True


def settings(argocd_namespace: str = ARGOCD_NAMESPACE) -> str:
    """Give the ConfigMap ``argocd-cm`` with our keys alone, to be merged into the one that is there."""
    return _rendered(
        "argocd-cm.yaml.j2", settings_values() | {"argocd_namespace": argocd_namespace}
    )


def application(wanted: Application) -> str:
    """Give the Application."""
    return _rendered("argocd-application.yaml.j2", wanted._asdict())


def settings_values() -> dict[str, object]:
    """Give what the template of the settings uses."""
    return {
        "scripts": tuple(SCRIPTS.items()),
        "defaulted": tuple(DEFAULTED.items()),
        "stalled_after": STALLED_AFTER,
    }


def shipped_health() -> dict[str, str]:
    """Give the component ``manifests/argocd-health``: path below ``manifests/``, text."""
    made = "# Made by `make generate` from templates/{}: change it there.\n"
    files = {
        "argocd-cm": "argocd-cm.yaml.j2",
        "kustomization": "argocd-health-kustomization.yaml.j2",
    }
    return {
        f"argocd-health/{file}.yaml": made.format(template) + _rendered(template, settings_values())
        for file, template in files.items()
    }


def _rendered(template: str, values: Mapping[str, object]) -> str:
    return template_environment().get_template(template).render(values)
