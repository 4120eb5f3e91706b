"""Somebody with few rights on a test bed, and the roles that ``rights`` prints."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import yaml
from bed_client import Json, path_of
from live_tools import c9s
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

    from bed_base import Bed
    from split_lab import Answer

RBAC = "rbac.authorization.k8s.io"


class Person:
    """Somebody with a ServiceAccount in a namespace of their own, and the roles they are given."""

    def __init__(self, bed: Bed, namespace: str, folder: Path) -> None:
        self.bed, self.namespace, self.folder = bed, namespace, folder
        self.new_namespace = f"{namespace}-new"
        self.kubeconfig = folder / "kubeconfig"
        token = bed.service_account(namespace, "person")
        self.kubeconfig.write_text(bed.access.as_token(token).kubeconfig(), encoding="utf-8")
        self.cluster_role = f"{namespace}-{secrets.token_hex(3)}"

    def may(self, roles: list[Json]) -> None:
        """Give these roles, as ``rights`` prints them."""
        with self.bed.client() as client:
            for role in roles:
                wide = role["kind"] == "ClusterRole"
                where = "" if wide else role["metadata"].get("namespace", self.namespace)
                name = self.cluster_role if wide else role["metadata"]["name"]
                role["metadata"] = {"name": name} | ({} if wide else {"namespace": where})
                plural = "clusterroles" if wide else "roles"
                client.apply(path_of(f"{RBAC}/v1", plural, where, name), role).ok()
                account = {"kind": "ServiceAccount", "name": "person", "namespace": self.namespace}
                binding = {
                    "apiVersion": f"{RBAC}/v1",
                    "kind": f"{role['kind']}Binding",
                    "metadata": role["metadata"],
                    "roleRef": {"apiGroup": RBAC, "kind": role["kind"], "name": name},
                    "subjects": [account],
                }
                path = path_of(f"{RBAC}/v1", f"{plural[:-1]}bindings", where, name)
                client.apply(path, binding).ok()

    def leave(self) -> None:
        """Take away what is not in the namespace."""
        with self.bed.client() as client:
            for plural in ("clusterroles", "clusterrolebindings"):
                client.delete(path_of(f"{RBAC}/v1", plural, name=self.cluster_role))
            client.delete(path_of("v1", "namespaces", name=self.new_namespace))

    def missing(self, name: str) -> list[str]:
        answer = self.call("rights", *name.replace("--", "").split(), "--check")
        return [line for line in answer.out.splitlines() if line.startswith("missing: ")]

    def call(self, *args: str) -> Answer:
        return c9s(self.bed, *args, "-n", self.namespace, kubeconfig=self.kubeconfig)


def words_of(name: str) -> list[str]:
    """Give the words for ``rights``: flags of a command need the command's own rights, too."""
    return name.replace("--", "").split()


def printed(name: str, namespace: str) -> list[Json]:
    answer = command("rights", *words_of(name), "-n", namespace)
    assert answer.code == 0, answer.err
    return list(yaml.safe_load_all(answer.out))


def without(roles: list[Json], group: str, resource: str, verb: str) -> list[Json]:
    """Take one verb of one rule away."""
    for role in roles:
        for rule in role["rules"]:
            if (rule["apiGroups"], rule["resources"]) == ([group], [resource]):
                rule["verbs"] = [one for one in rule["verbs"] if one != verb]
        role["rules"] = [rule for rule in role["rules"] if rule["verbs"]]
    return roles
