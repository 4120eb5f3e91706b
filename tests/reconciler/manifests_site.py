"""The rendered account and rights of the reconciler on a shared server, and requests in its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bed_client import path_of
from manifests_tools import RBAC, WIDE, printed

if TYPE_CHECKING:
    from bed_base import Bed
    from bed_client import ApiClient, Json

C9S = "c9s.run/v1alpha1"
TOOLKIT = "toolkit.c9s.run/v1alpha1"
LEASES = "coordination.k8s.io/v1", "leases"
EVENTS = "events.k8s.io/v1", "events"
CRDS = "apiextensions.k8s.io/v1", "customresourcedefinitions"
NAME = "c9s-reconciler"
FORBIDDEN = 403
PLURALS = {
    "ServiceAccount": ("v1", "serviceaccounts"),
    **{kind: (RBAC, f"{kind.lower()}s") for kind in ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")},
}  # fmt: skip


class Places(NamedTuple):
    """Namespaces: of the reconciler, of the manager, of a lab."""

    own: str
    manager: str
    lab: str


class Account:
    """The reconciler's account with the rights of a mode, real objects that it meets, and a client with its token."""

    def __init__(self, bed: Bed, places: Places, mode: str) -> None:
        self._bed, self.places, self.mode = bed, places, mode
        flags = ["--mode", mode, "-n", places.own, "--manager-namespace", places.manager]
        self._objects = [one for one in printed(*flags) if one["kind"] in PLURALS]
        with bed.client() as client:
            for one in self._objects:
                where = one["metadata"].get("namespace", "")
                client.create(path_of(*PLURALS[one["kind"]], where), one).ok()
            self._make(client)
        self.client = bed.client(self._token())

    def _token(self) -> str:
        request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
        path = path_of("v1", "serviceaccounts", self.places.own, NAME, "token")
        with self._bed.client() as client:
            return str(client.create(path, request).ok()["status"]["token"])

    def _make(self, client: ApiClient) -> None:
        own, manager, lab = self.places
        definition = {"containerlab": "name: lab\ntopology: {nodes: {r1: {kind: linux}}}\n"}
        for namespace in (manager, lab):
            config = made(C9S, "Config", "clabernetes", spec={})
            client.create(path_of(C9S, "configs", namespace), config).ok()
        topology = made(C9S, "Topology", "lab", spec={"definition": definition})
        client.create(path_of(C9S, "topologies", lab), topology).ok()
        node = made(C9S, "Node", "r1", spec={"kind": "linux", "image": "alpine:3"})
        client.create(path_of(C9S, "nodes", lab), node).ok()
        for name, namespace in ((NAME, own), ("other", own), (NAME, manager)):
            lease = made("coordination.k8s.io/v1", "Lease", name, spec={})
            client.create(path_of(*LEASES, namespace), lease).ok()

    def status(self, method: str, path: str, body: Json | None = None, **query: str) -> int:
        """Send one request; a write is only tried out. Give the status."""
        if method != "GET":
            query["dryRun"] = "All"
        content = "application/merge-patch+json" if method == "PATCH" else "application/json"
        answer = self.client.request(method, path, body, query=query, content=content)
        return answer.status

    def remove(self) -> None:
        """Take away what has no namespace."""
        self.client.close()
        with self._bed.client() as client:
            for one in self._objects:
                if one["kind"] in WIDE:
                    client.delete(path_of(*PLURALS[one["kind"]], name=one["metadata"]["name"]))


def made(version: str, kind: str, name: str, **parts: Any) -> Json:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **parts}


def rules_review(client: ApiClient, namespace: str) -> set[tuple[str, str, str, str]]:
    """Ask what somebody may do in a namespace: group, resource, name (empty: any), verb."""
    body = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectRulesReview",
        "spec": {"namespace": namespace},
    }
    path = path_of("authorization.k8s.io/v1", "selfsubjectrulesreviews")
    status = client.create(path, body).ok()["status"]
    assert status["incomplete"] is False
    return {
        (group, resource, name, verb)
        for rule in status["resourceRules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for name in rule.get("resourceNames") or [""]
        for verb in rule["verbs"]
    }
