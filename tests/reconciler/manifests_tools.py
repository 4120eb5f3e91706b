"""What ``reconciler manifests`` prints and what kubectl makes of the folder ``manifests/``, as objects."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from bed_base import kubectl
from split_lab import command

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bed_client import Json

ROOT = Path(__file__).parents[2]
MANIFESTS = ROOT / "manifests"
RBAC = "rbac.authorization.k8s.io/v1"
APF = "flowcontrol.apiserver.k8s.io/v1"
OF_AN_INSTALLATION = {
    "ClusterRole": (RBAC, "clusterroles"),
    "ClusterRoleBinding": (RBAC, "clusterrolebindings"),
    "FlowSchema": (APF, "flowschemas"),
    "PriorityLevelConfiguration": (APF, "prioritylevelconfigurations"),
}
"""Kinds without a namespace whose names tell installations apart; the version and plural of each."""
WIDE = {
    "CustomResourceDefinition",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    *OF_AN_INSTALLATION,
}
"""Kinds without a namespace."""


def printed(*flags: str) -> list[Json]:
    """Run ``reconciler manifests``."""
    answer = command("reconciler", "manifests", *flags)
    assert answer.code == 0, answer.err
    return list(yaml.safe_load_all(answer.out))


def kustomized(folder: Path) -> list[Json]:
    """Render a folder as ``kubectl apply -k`` does."""
    done = subprocess.run(
        [kubectl(), "kustomize", str(folder)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def named(objects: Iterable[Json]) -> dict[str, Json]:
    """Give objects by kind, namespace and name; each may be there once."""
    found: dict[str, Json] = {}
    for one in objects:
        meta = one["metadata"]
        key = f"{one['kind']} {meta.get('namespace', '-')}/{meta['name']}"
        assert key not in found, key
        found[key] = one
    return found


def of_kind(objects: Iterable[Json], kind: str) -> Json:
    """Give the only object of a kind."""
    (found,) = (one for one in objects if one["kind"] == kind)
    return found


def container_of(objects: Iterable[Json]) -> Json:
    """Give the only container of the only Deployment."""
    (found,) = of_kind(objects, "Deployment")["spec"]["template"]["spec"]["containers"]
    return dict(found)


def texts(value: Any) -> list[str]:
    """Give every text of a value: keys, and lines of what is longer."""
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in texts(part)]
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    return str(value).splitlines()


def one_line(value: Any) -> Any:
    """Give a value with every run of blanks and line feeds in its texts as one blank.

    kubectl doubles line feeds of folded texts, which means nothing to the expressions that are written so.
    """
    if isinstance(value, dict):
        return {key: one_line(item) for key, item in value.items()}
    if isinstance(value, list):
        return [one_line(item) for item in value]
    return " ".join(value.split()) if isinstance(value, str) else value


def as_list(objects: Iterable[Json]) -> str:
    """Give a List for kubectl."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})
