"""The shipped guardrails on a test bed, bound to one namespace, and the identities that meet them."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from bed_client import Json, path_of
from bed_objects import until

if TYPE_CHECKING:
    from bed_base import Bed
    from bed_client import Answer

ROOT = Path(__file__).parents[2]
C9S = "c9s.run/v1alpha1"
ADMISSION = "admissionregistration.k8s.io/v1"
RBAC = "rbac.authorization.k8s.io"
PLURALS = {
    "ConfigMap": ("v1", "configmaps"),
    "ValidatingAdmissionPolicy": (ADMISSION, "validatingadmissionpolicies"),
    "ValidatingAdmissionPolicyBinding": (ADMISSION, "validatingadmissionpolicybindings"),
}
KINDS = {"Config": "configs", "Topology": "topologies", "Node": "nodes"}
MANAGER = "clabernetes-service-account"
RECONCILER = "c9s-reconciler"
GITOPS = "argocd-application-controller"
USER = "alice"


def shipped(bed: Bed, overlay: str) -> list[Json]:
    """Render a folder of manifests, as ``kubectl apply -k`` does."""
    done = bed.kubectl("kustomize", str(ROOT / "manifests" / overlay))
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


class Site:
    """Guardrails of a namespace; ``act`` does something in somebody's name."""

    def __init__(self, bed: Bed, namespace: str, overlay: str) -> None:
        self.bed, self.namespace = bed, namespace
        self._suffix = secrets.token_hex(3)
        self._made: list[str] = []
        names = (MANAGER, RECONCILER, GITOPS, USER)
        self._tokens = {name: bed.service_account(namespace, name) for name in names}
        self._let_all(names)
        self._install(overlay)

    def _let_all(self, names: tuple[str, ...]) -> None:
        """Everybody may do everything here: only the guardrails refuse."""
        subjects = [
            {"kind": "ServiceAccount", "name": name, "namespace": self.namespace} for name in names
        ]
        binding = {
            "apiVersion": f"{RBAC}/v1",
            "kind": "RoleBinding",
            "metadata": {"name": "all"},
            "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": "cluster-admin"},
            "subjects": subjects,
        }
        with self.bed.client() as client:
            client.create(path_of(f"{RBAC}/v1", "rolebindings", self.namespace), binding).ok()

    def _install(self, overlay: str) -> None:
        # Policies have no namespace: others use this server, so each gets a name and a selector of its own.
        here = {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}}
        with self.bed.client() as client:
            for obj in shipped(self.bed, overlay):
                version, plural = PLURALS[obj["kind"]]
                where = self.namespace if obj["kind"] == "ConfigMap" else ""
                if where:
                    obj["metadata"]["namespace"] = where
                    obj["data"]["writers"] = obj["data"]["writers"].replace(":c9s:", f":{where}:")
                else:
                    obj["metadata"]["name"] += f"-{self._suffix}"
                    self._made.append(path_of(version, plural, "", obj["metadata"]["name"]))
                if obj["kind"].endswith("Binding"):
                    obj["spec"]["policyName"] += f"-{self._suffix}"
                    obj["spec"]["matchResources"] = {"namespaceSelector": here}
                    if "paramRef" in obj["spec"]:
                        obj["spec"]["paramRef"]["namespace"] = self.namespace
                client.create(path_of(version, plural, where), obj).ok()

    def remove(self) -> None:
        """Take away what has no namespace."""
        with self.bed.client() as client:
            for path in self._made:
                client.delete(path)

    def bound(self, **values: str) -> None:
        """Set parameters, such as ``config_maxBatchSize``."""
        data = {key.replace("_", "."): value for key, value in values.items()}
        path = path_of("v1", "configmaps", self.namespace, "c9s-guardrails")
        with self.bed.client() as client:
            client.patch(path, {"data": data}).ok()

    def create(self, who: str, body: Json) -> Answer:
        kind = body["kind"]
        version, plural = ("v1", "pods") if kind == "Pod" else (C9S, KINDS[kind])
        with self.bed.client(self._tokens[who]) as client:
            return client.create(path_of(version, plural, self.namespace), body)

    def patch(self, who: str, target: str, body: Any, **query: str) -> Answer:
        """Send a merge patch (a mapping), or a JSON patch (a list); ``target`` as in ``configs/clabernetes``."""
        content = (
            "application/json-patch+json"
            if isinstance(body, list)
            else "application/merge-patch+json"
        )
        with self.bed.client(self._tokens[who]) as client:
            return client.patch(self.path(target), body, content, **query)

    def apply(self, who: str, target: str, body: Json, manager: str) -> Answer:
        with self.bed.client(self._tokens[who]) as client:
            return client.apply(self.path(target), body, manager)

    def delete(self, who: str, target: str) -> Answer:
        with self.bed.client(self._tokens[who]) as client:
            return client.delete(self.path(target))

    def path(self, target: str) -> str:
        plural, _, name = target.partition("/")
        return path_of("v1" if plural == "pods" else C9S, plural, self.namespace, name)

    def wait_in_force(self, refused: str) -> None:
        """Wait until the server knows the policies: ``refused`` is what a request of the user's then meets."""
        path = path_of(C9S, "nodes", self.namespace)
        body = node("probe", {"c9s.run/startup-admitted": "x"})

        def is_met() -> bool:
            with self.bed.client(self._tokens[USER]) as client:
                answer = client.create(path, body, dryRun="All")
            return refused.encode() in answer.body

        until("the guardrails are in force", is_met)


def config(**rollout: int) -> Json:
    spec = {"rollout": rollout} if rollout else {}
    return {
        "apiVersion": C9S,
        "kind": "Config",
        "metadata": {"name": "clabernetes"},
        "spec": spec,
    }


def topology(name: str = "lab", **rollout: int) -> Json:
    text = "name: lab\ntopology: {nodes: {r1: {kind: linux, image: a}}}\n"
    spec = {"definition": {"containerlab": text}} | ({"rollout": rollout} if rollout else {})
    return {"apiVersion": C9S, "kind": "Topology", "metadata": {"name": name}, "spec": spec}


def node(name: str, annotations: Json | None = None) -> Json:
    metadata = {"name": name, "annotations": annotations or {}}
    spec = {"kind": "linux", "image": "alpine:3"}
    return {"apiVersion": C9S, "kind": "Node", "metadata": metadata, "spec": spec}


def pod(name: str, *, device: bool = True, gate: bool = False, grant: str = "") -> Json:
    metadata: Json = {"name": name, "labels": {"c9s.run/direct-workload": "r1"} if device else {}}
    if grant:
        metadata["annotations"] = {"c9s.run/startup-host-admitted": grant}
    spec: Json = {"containers": [{"name": "c", "image": "alpine:3"}]}
    if gate:
        spec["schedulingGates"] = [{"name": "toolkit.c9s.run/startup"}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
