"""The manager of a cluster: where it is, which Pod leads, which Config it reads (config-and-chart.md §§1, 4)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import NotFound
from kubectl_c9s.cluster.facts import Fact, read_all
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.leases import MANAGER, is_holder
from kubectl_c9s.resources.surroundings import Lease

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject

_ENDED: Final = frozenset({"Succeeded", "Failed"})


def check_manager(connection: Connection, wanted: str | None) -> Iterator[Fact]:
    """Look for the one manager, in one namespace or in all."""
    pods = manager_pods(connection, wanted)
    places = sorted({(pod["metadata"]["namespace"], _app(pod)) for pod in pods})
    where = f" in {wanted}" if wanted else ""
    if not places:
        hint = "install clabernetes, or scale its manager up"
        yield Fact("manager", "failed", f"no manager Pod is running{where}", hint)
        if wanted:
            yield from _config(connection, wanted)
        return
    if len(places) > 1:
        names = ", ".join(f"{namespace} ({app})" for namespace, app in places)
        hint = "name a namespace with --manager-namespace, or remove the others"
        yield Fact("manager", "failed", f"several managers: {names}", hint)
        return
    (namespace, app) = places[0]
    yield _leader(connection, namespace, app, pods)
    yield from _config(connection, namespace)


def manager_pods(connection: Connection, namespace: str | None) -> list[KubeObject]:
    """List the manager Pods that have not ended."""
    selectors = {"labelSelector": f"{labels.COMPONENT}=manager"}
    return [
        pod
        for pod in read_all(connection, kinds.PODS, namespace, selectors)
        if (pod.get("status") or {}).get("phase") not in _ENDED
    ]


def app_of(pod: KubeObject) -> str:
    """Give the installation of a manager Pod; one that does not say is of the usual name."""
    return str((pod["metadata"].get("labels") or {}).get(labels.APP, labels.APP_VALUE))


def _app(pod: KubeObject) -> str:
    return str((pod["metadata"].get("labels") or {}).get(labels.APP, ""))


def _leader(connection: Connection, namespace: str, app: str, pods: list[KubeObject]) -> Fact:
    # Chosen by name: the Lease of the init containers carries the same labels.
    leases = list_objects(connection, kinds.LEASES, Lease, namespace=namespace).items
    lease = next((one for one in leases if one.metadata.name == f"{app}{MANAGER}"), None)
    logs = "look at the logs of the manager Pods"
    if lease is None:
        return Fact("leader", "failed", f"no Lease {app}{MANAGER} in {namespace}", logs)
    holder = lease.spec.holder_identity or ""
    if not lease.is_held(time.time()):
        text = f"{len(pods)} manager Pod(s) on standby in {namespace}, none leads"
        return Fact("leader", "failed", text, logs)
    active = [pod["metadata"]["name"] for pod in pods if is_holder(holder, pod["metadata"]["name"])]
    if len(active) != 1:
        text = f"the holder {holder!r} of the Lease is no manager Pod"
        return Fact("leader", "failed", text, "wait for the Lease to run out")
    standby = len(pods) - 1
    return Fact("leader", "ok", f"{active[0]} leads in {namespace}, {standby} on standby")


def _config(connection: Connection, namespace: str) -> Iterator[Fact]:
    try:
        configs = read_all(connection, kinds.CONFIGS)
    except NotFound:  # the kind is missing, which the line about CRDs says
        return
    there = [one for one in configs if one["metadata"]["namespace"] == namespace]
    elsewhere = sorted(
        one["metadata"]["namespace"] for one in configs if one["metadata"]["namespace"] != namespace
    )
    if there:
        rollout = (there[0].get("spec") or {}).get("rollout") or {}
        limits = (
            ", ".join(f"{key}={value}" for key, value in sorted(rollout.items())) or "no limits"
        )
        yield Fact("config", "ok", f"Config in {namespace}: {limits}")
    else:
        yield Fact(
            "config",
            "warning",
            f"no Config in {namespace}: no limit applies",
            "create Config/clabernetes there",
        )
    if elsewhere:
        text = f"a Config in {', '.join(elsewhere)} is ignored by the manager"
        yield Fact("config-misplaced", "warning", text, f"move it to {namespace}")
