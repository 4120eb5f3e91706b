"""The objects that run the reconciler, and the folder ``manifests/``, from ``templates/`` (policy.md "Shipping")."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import jinja2

import kubectl_c9s
from kubectl_c9s.resources.crd import crd
from kubectl_c9s.rollout.policyfile import KIND
from kubectl_c9s.yamlio.quoting import inline_text, quoted_text
from kubectl_c9s.yamlio.writer import SEPARATOR, dump

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Mode: TypeAlias = Literal["report", "enforce"]
Profile: TypeAlias = Literal["steady", "burst"]
Guardrails: TypeAlias = Literal["warn", "deny"]

NAMESPACE: Final = "c9s"
"""Where ``manifests/`` puts everything that has a namespace."""

IMAGE: Final = f"kubectl-c9s:{kubectl_c9s.__version__}"
"""What ``manifests/`` calls the image; no such image is published."""

PROFILES: Final[Mapping[Profile, Mapping[str, str]]] = {
    "steady": {"client-rate": "0", "client-burst": "0", "write-workers": "16", "report-window": "250ms"},
    "burst": {"client-rate": "0", "client-burst": "0", "write-workers": "64", "report-window": "1s"},
}  # fmt: skip
"""Flags of ``reconciler run`` that a profile sets (pacing.md §12).

The client's rate has no limit of ours in either: the server's fairness decides (§8). ``burst`` gives four times the
writers (§8) and gathers what is reported for as long as is allowed at most (§6); no delay of it begins anew.
"""


class Settings(NamedTuple):
    """What can be chosen; without ``guardrails`` there are none. Names and numbers are taken to be good ones."""

    mode: Mode = "report"
    profile: Profile = "steady"
    namespace: str = NAMESPACE
    manager_namespace: str = NAMESPACE
    image: str = IMAGE
    replicas: int = 2
    pod_monitor: bool = False
    priority: bool = False
    guardrails: Guardrails | None = None


_RECONCILER: Final = ("account", "rights", "network", "disruption", "deployment")
_APF: Final = ("levels", "flows")
# File: template. The order is that of the kustomization.
_GUARDRAILS: Final = {
    "parameters": "parameters",
    "rollout-caps": "caps",
    "rollout-release": "release",
    "startup-marks": "marks",
    "bindings": "bindings",
}
_ACTIONS: Final = {None: "[Deny]", "deny": "[Deny]", "warn": "[Warn, Audit]"}
# File of ``manifests/``: template.
_FILES: Final = {
    **{f"apf/{part}": f"apf-{part}" for part in ("kustomization", *_APF)},
    "crds/kustomization": "crds-kustomization",
    "guardrails/kustomization": "guardrails-kustomization",
    **{f"guardrails/{file}": f"guardrails-{part}" for file, part in _GUARDRAILS.items()},
    "guardrails-warn/kustomization": "guardrails-warn-kustomization",
    **{f"overlays/{mode}/kustomization": f"overlay-{mode}-kustomization" for mode in ("report", "enforce")},
    **{f"overlays/{mode}/policy": "reconciler-policy" for mode in ("report", "enforce")},
    **{f"overlays/enforce/rights-{part}": f"overlay-enforce-{part}" for part in ("config", "topologies")},
    "podmonitor/kustomization": "podmonitor-kustomization",
    "podmonitor/podmonitor": "podmonitor",
    **{f"reconciler/{part}": f"reconciler-{part}" for part in ("kustomization", *_RECONCILER)},
}  # fmt: skip
_MADE: Final = "# Made by `make generate` from templates/{}: change it there.\n"
_MADE_CRD: Final = (
    "# Made by `make generate` from kubectl_c9s/resources/schemas: change it there.\n"
)

_PACKAGE: Final = Path(kubectl_c9s.__file__).parent
# setup.cfg installs the top-level folder templates/ as kubectl_c9s/templates.
_PLACES: Final = (_PACKAGE / "templates", _PACKAGE.parent / "templates")


def stream(settings: Settings) -> str:
    """Give all objects as a stream of YAML, those that others need first; the same settings give the same bytes."""
    environment = template_environment()
    texts = [_rendered(environment, name, settings) for name in _templates(settings)]
    policy = _rendered(environment, "reconciler-policy.yaml.j2", settings)
    return SEPARATOR.join([dump(crd(KIND)), *texts, policy])


def _templates(settings: Settings) -> Iterator[str]:
    yield from (f"reconciler-{part}.yaml.j2" for part in _RECONCILER)
    if settings.pod_monitor:
        yield "podmonitor.yaml.j2"
    if settings.priority:
        yield from (f"apf-{part}.yaml.j2" for part in _APF)
    if settings.guardrails:
        yield from (f"guardrails-{part}.yaml.j2" for part in _GUARDRAILS.values())


def shipped() -> dict[str, str]:
    """Give the files of ``manifests/`` that are not written by hand: path below that folder, text."""
    environment = template_environment()
    found = {"crds/toolkit.c9s.run_rolloutpolicies.yaml": _MADE_CRD + dump(crd(KIND))}
    for path, name in _FILES.items():
        mode: Mode = "enforce" if path.startswith("overlays/enforce/") else "report"
        template = f"{name}.yaml.j2"
        found[f"{path}.yaml"] = _MADE.format(template) + _rendered(
            environment, template, Settings(mode)
        )
    return found


def template_environment() -> jinja2.Environment:
    """Give what renders our templates; the filters ``text`` and ``quoted`` write scalars of YAML."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_PLACES),
        autoescape=False,  # noqa: S701 - no HTML: what is put in passes the writer's own quoting, or has been checked
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"text": inline_text, "quoted": quoted_text}
    return environment


def _rendered(environment: jinja2.Environment, name: str, settings: Settings) -> str:
    return environment.get_template(name).render(_values(settings))


def _values(settings: Settings) -> dict[str, Any]:
    """Give what templates may use.

    What has no namespace is called after the reconciler's where that is not the usual one: two installations of a
    cluster must not take each other's rights away.
    """
    usual = settings.namespace == NAMESPACE
    return settings._asdict() | {
        "suffix": "" if usual else f"-{settings.namespace}",
        "knobs": PROFILES[settings.profile],
        "actions": _ACTIONS[settings.guardrails],
        "version": kubectl_c9s.__version__,
    }
