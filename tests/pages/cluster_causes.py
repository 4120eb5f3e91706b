"""What the commands on pages of causes are about, beyond the two labs that are ready: objects of those names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from bed_client import path_of
from cluster_objects import MANAGER, config_path, made
from standin_run import wait_for
from standin_views import condition

if TYPE_CHECKING:
    from bed_client import Json
    from page_cluster import Cluster

LAB: Final = "lab"


def make_all(cluster: Cluster) -> None:
    """Make them."""
    cluster.client.apply(
        config_path(LAB), made(names.VERSION, "Config", names.CONFIG, spec={})
    ).ok()
    for plural, name in (("nodes", "r1"), ("topologies", "metro")):
        path = path_of(names.VERSION, plural, LAB, name)
        cluster.client.patch(path, {"metadata": {"labels": {names.IGNORE: "true"}}}).ok()
    for version, plural, namespace, body in _objects():
        cluster.make(version, plural, namespace, body)
    cluster.make("v1", "events", LAB, _event())
    # One without a sandbox would stand in the way of a batch: `rollout set` refuses then.
    wait_for("Pods without a Node have a sandbox", lambda: {"r0", "r7"} <= _with_sandbox(cluster))


def _with_sandbox(cluster: Cluster) -> set[str]:
    return {
        node
        for node, pod in cluster.pods(LAB).items()
        if condition(pod.get("status") or {}, names.SANDBOX) == "True"
    }


def _objects() -> list[tuple[str, str, str, Json]]:
    secret = made("v1", "Secret", "pull", data={})
    quota = made("v1", "ResourceQuota", "few", spec={"hard": {"pods": "100"}})
    lease = made("coordination.k8s.io/v1", "Lease", "c9s-reconciler", spec={})
    return [
        ("v1", "secrets", LAB, secret),
        ("v1", "resourcequotas", LAB, quota),
        ("coordination.k8s.io/v1", "leases", MANAGER, lease),
        # A Pod whose Node is gone, one that no release of today's manager has made, and one of the reconciler.
        ("v1", "pods", LAB, _pod("r1-6c9f7d5b8-x2v4k", {names.WORKLOAD: "r0", names.APP: "clabernetes"})),
        ("v1", "pods", LAB, _pod("r1-old", {names.WORKLOAD: "r7"})),
        ("v1", "pods", MANAGER, _pod("c9s-reconciler-0", {"app.kubernetes.io/name": "c9s-reconciler"})),
    ]  # fmt: skip


def _pod(name: str, labels: dict[str, str]) -> Json:
    containers = [
        {"name": one, "image": "busybox:1.37"} for one in ("device", "clabwire", "planner")
    ]
    return made("v1", "Pod", name, labels=labels, spec={"containers": containers})


def _event() -> Json:
    seen: dict[str, Any] = {"count": 1, "type": "Warning", "source": {"component": "kubelet"}}
    about = {"kind": "Pod", "apiVersion": "v1", "name": "r1-old", "namespace": LAB}
    return made(
        "v1", "Event", "r1-old.1", reason="FailedCreatePodSandBox", message="no address is free",
        involvedObject=about, **seen,
    )  # fmt: skip
