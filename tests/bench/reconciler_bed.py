"""An installation for bench_reconciler.py: the reconciler's rights and policy, and devices in any number.

The devices are made as objects; nothing runs them. The controllers, the scheduler and KWOK are ended before, for they
would work on for minutes after the last object is there.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.append(str(Path(__file__).parents[1] / "testbed"))
sys.path.append(str(Path(__file__).parents[2]))  # the bed takes the CRDs from the product

import yaml
from bed_client import path_of
from bed_objects import until
from reconciler_devices import LABS, device_objects, manager_objects, topology
from snapshot_parts import Json

if TYPE_CHECKING:
    from bed_client import ApiClient
    from bed_own import OwnBed
    from snapshot_parts import Json

HOME = "c9s"
ACCOUNT = "c9s-reconciler"
POLICY = {
    "mode": "Enforce",
    "config": {"batchSize": 100, "maxConcurrentPerHost": 20},
    "topologies": [{"match": {"namespaces": ["lab-*"]}, "batchSize": {"default": 0}}],
}
THREADS = 12
PLURALS = {
    "Namespace": "namespaces",
    "Config": "configs",
    "Lease": "leases",
    "Node": "nodes",
    "Pod": "pods",
    "Event": "events",
    "Deployment": "deployments",
    "ReplicaSet": "replicasets",
    "Link": "links",
    "Topology": "topologies",
    "ServiceAccount": "serviceaccounts",
    "ClusterRole": "clusterroles",
    "ClusterRoleBinding": "clusterrolebindings",
    "Role": "roles",
    "RoleBinding": "rolebindings",
    "CustomResourceDefinition": "customresourcedefinitions",
    "RolloutPolicy": "rolloutpolicies",
}
INSTALLED = (
    "CustomResourceDefinition", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding",
)  # fmt: skip


class Account(NamedTuple):
    """Where the reconciler's kubeconfig is, and who it is."""

    kubeconfig: Path
    namespace: str = HOME


def install(bed: OwnBed, folder: Path) -> Account:
    """Give the reconciler its rights and its policy, and a kubeconfig of its ServiceAccount."""
    command = [sys.executable, "-m", "kubectl_c9s", "reconciler", "manifests", "--mode", "enforce"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with bed.client() as client:
        namespace(client, HOME)
        for obj in yaml.safe_load_all(text):
            if obj["kind"] in INSTALLED:
                apply(client, obj)
        policy: Json = {"apiVersion": "toolkit.c9s.run/v1alpha1", "kind": "RolloutPolicy"}
        policy |= {"metadata": {"name": "rollout", "namespace": HOME}, "spec": POLICY}
        until("the policy is taken", lambda: _taken(client, policy))
        for obj in manager_objects(HOME):
            apply(client, obj)
        token = client.create(
            path_of("v1", "serviceaccounts", HOME, ACCOUNT, "token"),
            {
                "apiVersion": "authentication.k8s.io/v1",
                "kind": "TokenRequest",
                "spec": {"expirationSeconds": 7200},
            },
        ).ok()["status"]["token"]
    target = folder / "reconciler.kubeconfig"
    target.write_text(bed.access.as_token(token).kubeconfig(), encoding="utf-8")
    return Account(target)


def _taken(client: ApiClient, policy: Json) -> bool:
    return client.apply(path_to(policy), policy).status < 300


def fill(bed: OwnBed, devices: int, hosts: list[str]) -> None:
    """Make labs with as many devices; the bed does nothing but serve afterwards."""
    with bed.client() as client:
        for lab in range(LABS):
            namespace(client, f"lab-{lab}")
        owners = [create(client, topology(lab, devices))["metadata"]["uid"] for lab in range(LABS)]
    for name in ("kwok", "kube-scheduler", "kube-controller-manager"):
        bed.kill(name)
    local = threading.local()
    made = itertools.count(1)

    def make(number: int) -> None:
        client = getattr(local, "client", None)
        if client is None:
            client = local.client = bed.client()
        host = hosts[number % len(hosts)]
        for one in device_objects(number, owners[number % LABS], host):
            one(lambda obj: create(client, obj))
        done = next(made)
        if done % 1000 == 0:
            print(f"{done} devices are there", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(make, range(devices)):
            pass


def namespace(client: ApiClient, name: str) -> None:
    """Make a namespace that takes Pods."""
    client.create(
        path_of("v1", "namespaces"),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}},
    )
    account = path_of("v1", "serviceaccounts", name, "default")
    until(f"{account} exists", lambda: client.get(account).status == 200)


def path_to(obj: Json, *, collection: bool = False, sub: str = "") -> str:
    """Give the path of an object, or of where it is created."""
    meta = obj["metadata"]
    name = "" if collection else meta["name"]
    return path_of(obj["apiVersion"], PLURALS[obj["kind"]], meta.get("namespace", ""), name, sub)


def apply(client: ApiClient, obj: Json) -> Json:
    """Apply an object."""
    return client.apply(path_to(obj), {k: v for k, v in obj.items() if k != "status"}).ok()


def create(client: ApiClient, obj: Json) -> Json:
    """Create an object, with its status where it has one; give what the server made of it."""
    body = {key: value for key, value in obj.items() if key != "status"}
    made = client.create(path_to(obj, collection=True), body).ok()
    if "status" in obj:
        path = path_to(obj, sub="status")
        made = client.patch(path, {"status": obj["status"]}).ok()
    return made
