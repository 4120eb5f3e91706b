"""Connections of the product to a bed as somebody there, and what the tests of a run's cost read with them."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING, Any

from bed_client import path_of

from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.kubeconfig import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_base import Bed
    from bed_client import ApiClient

RBAC = "rbac.authorization.k8s.io"
METRICS = {"nonResourceURLs": ["/metrics"], "verbs": ["get"]}
CLASSES = path_of("node.k8s.io/v1", "runtimeclasses")
"""A kind that nobody on a bed uses: counts of it are exact."""


@contextlib.contextmanager
def connected(kubeconfig: Path) -> Iterator[Connection]:
    """Connect as the owner of a kubeconfig."""
    connection = Connection(load_settings({"kubeconfig": str(kubeconfig)}, {}))
    try:
        yield connection
    finally:
        connection.close()


@contextlib.contextmanager
def somebody(bed: Bed, namespace: str, folder: Path, *rules: dict[str, Any]) -> Iterator[Path]:
    """Give the kubeconfig of a ServiceAccount that has these rules everywhere, or no right at all."""
    token = bed.service_account(namespace, f"somebody-{secrets.token_hex(3)}")
    place = folder / "somebody.kubeconfig"
    place.write_text(bed.access.as_token(token).kubeconfig(), encoding="utf-8")
    name = f"{namespace}-{secrets.token_hex(3)}"
    with bed.client() as client:
        if rules:
            _bind(client, name, namespace, list(rules))
        try:
            yield place
        finally:
            for plural in ("clusterroles", "clusterrolebindings"):
                client.delete(path_of(f"{RBAC}/v1", plural, name=name))


def _bind(client: ApiClient, name: str, namespace: str, rules: list[dict[str, Any]]) -> None:
    role = {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name},
        "rules": rules,
    }
    binding = {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": name},
        "subjects": [{"apiGroup": RBAC, "kind": "Group", "name": f"system:serviceaccounts:{namespace}"}],
    }  # fmt: skip
    client.create(path_of(f"{RBAC}/v1", "clusterroles"), role).ok()
    client.create(path_of(f"{RBAC}/v1", "clusterrolebindings"), binding).ok()


def runtime_class(name: str, handler: str = "none") -> dict[str, Any]:
    """Make an object of that kind; a handler in capitals is refused."""
    return {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": name},
        "handler": handler,
    }
