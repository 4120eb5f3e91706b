"""The identity that clients of the proxy have: a token goes through it, a client certificate cannot."""

from __future__ import annotations

import contextlib
import http.client
import secrets
from typing import TYPE_CHECKING, Final

from bed_client import ApiClient, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_client import Access, Json

NO_SERVER: Final = (OSError, http.client.HTTPException, AssertionError)
RBAC: Final = "rbac.authorization.k8s.io"
SECONDS: Final = 24 * 3600


@contextlib.contextmanager
def administrator(access: Access) -> Iterator[str]:
    """Give a token with all rights: that of the access, or of a ServiceAccount made for as long as the block lasts."""
    if access.token:
        yield access.token
        return
    name = f"c9s-faults-{secrets.token_hex(3)}"
    with ApiClient(access, agent="c9s-faults") as client:
        try:
            yield _make(client, name)
        finally:
            # The server may have gone for good, and with it what was made.
            with contextlib.suppress(*NO_SERVER):
                client.delete(path_of(f"{RBAC}/v1", "clusterrolebindings", name=name))
                client.delete(path_of("v1", "namespaces", name=name))


def _make(client: ApiClient, name: str) -> str:
    client.create(path_of("v1", "namespaces"), _object("v1", "Namespace", name)).ok()
    accounts = path_of("v1", "serviceaccounts", name)
    client.create(accounts, _object("v1", "ServiceAccount", "client", namespace=name)).ok()
    binding = _object(f"{RBAC}/v1", "ClusterRoleBinding", name) | {
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "name": "client", "namespace": name}],
    }
    client.create(path_of(f"{RBAC}/v1", "clusterrolebindings"), binding).ok()
    request = _object("authentication.k8s.io/v1", "TokenRequest")
    request["spec"] = {"expirationSeconds": SECONDS}
    token = client.create(f"{accounts}/client/token", request).ok()["status"]["token"]
    return str(token)


def _object(version: str, kind: str, name: str = "", **more: str) -> Json:
    meta = {"name": name, **more} if name else dict(more)
    return {"apiVersion": version, "kind": kind, "metadata": meta}
