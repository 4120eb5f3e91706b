"""What ``check`` finds out about a cluster: a line a fact (cli.md, check; config-and-chart.md §§1, 4)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import ApiError, Forbidden, NotFound
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.resources import labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject

Level = Literal["ok", "warning", "failed", "unknown"]
_OLD_CRD: Final = "launcherprofiles.c9s.run"
_OURS: Final = (kinds.CONFIGS, kinds.TOPOLOGIES, kinds.NODES, kinds.LINKS, kinds.NODE_PROFILES)
_COMPONENT: Final = "c9s.run/component"
_LEASE: Final = "-manager"
_PREFIX: Final = "clabernetes-"
_LONGEST_HOLDER: Final = 63
_CUT_HOLDER: Final = 55
_OLDEST: Final = (1, 29)
_QPS: Final = re.compile(r"--kube-api-qps=([0-9.]+)")
_CONTROL_PLANE: Final = ("kube-controller-manager", "kube-scheduler")


class Fact(NamedTuple):
    """One line: a stable name, how it is, what was seen, what helps."""

    name: str
    level: Level
    text: str
    hint: str = ""


def check_cluster(
    connection: Connection, manager_namespace: str | None, *, before_install: bool
) -> Iterator[Fact]:
    """Look at everything; what may not be read is ``unknown``."""
    yield from _try("server", lambda: _server(connection))
    yield from _try("crds", lambda: _crds(connection))
    if before_install:
        return
    yield from _try("manager", lambda: _manager(connection, manager_namespace))
    yield from _try("capacity", lambda: _capacity(connection))
    yield from _try("control-plane", lambda: _control_plane(connection))


def _try(name: str, look: Callable[[], Iterator[Fact]]) -> Iterator[Fact]:
    try:
        yield from list(look())
    except Forbidden as error:
        yield Fact(name, "unknown", error.message, "'kubectl c9s rights check' prints the Role")
    except ApiError as error:
        yield Fact(name, "unknown", error.message)


def _server(connection: Connection) -> Iterator[Fact]:
    found = msgspec.json.decode(connection.get("/version", "ask for the version"))
    text = str(found.get("gitVersion", "?"))
    numbers = re.match(r"v?(\d+)\.(\d+)", text)
    version = (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
    if version < _OLDEST:
        yield Fact(
            "server",
            "failed",
            f"server {text}",
            "PodReadyToStartContainers needs Kubernetes 1.29 or newer",
        )
    else:
        yield Fact("server", "ok", f"server {text} at {connection.server}")


def _crds(connection: Connection) -> Iterator[Fact]:
    item: type[dict[str, Any]] = dict
    found = {
        crd["metadata"]["name"]: crd for crd in list_objects(connection, kinds.CRDS, item).items
    }
    present = [one for one in _OURS if one.full_name in found]
    absent = [one.full_name for one in _OURS if one.full_name not in found]
    if not present:
        yield Fact(
            "crds", "failed", "no CRDs of c9s.run are installed", "install clabernetes first"
        )
        return
    if _OLD_CRD in found:
        yield Fact(
            "crds", "failed", "CRDs of clabernetes 0.8 are installed", "upgrade to 0.9 or newer"
        )
    elif absent:
        yield Fact(
            "crds",
            "failed",
            f"missing: {', '.join(absent)}",
            "install the CRDs of the newest chart",
        )
    else:
        yield Fact("crds", "ok", f"{len(present)} CRDs of c9s.run")
    for resource in (kinds.CONFIGS, kinds.TOPOLOGIES):
        crd = found.get(resource.full_name)
        if crd is not None and not _has_rollout(crd):
            text = f"{resource.kind} has no field spec.rollout"
            yield Fact("rollout-field", "failed", text, "install the CRDs of the newest chart")


def _has_rollout(crd: KubeObject) -> bool:
    for version in crd["spec"]["versions"]:
        schema = version.get("schema", {}).get("openAPIV3Schema", {})
        if "rollout" in schema.get("properties", {}).get("spec", {}).get("properties", {}):
            return True
    return False


def _manager(connection: Connection, wanted: str | None) -> Iterator[Fact]:
    pods = _manager_pods(connection, wanted)
    namespaces = sorted({pod["metadata"]["namespace"] for pod in pods})
    if not namespaces:
        yield Fact(
            "manager",
            "failed",
            "no manager Pod is running",
            "install clabernetes, or scale its manager up",
        )
        return
    if len(namespaces) > 1:
        text = f"managers in several namespaces: {', '.join(namespaces)}"
        yield Fact(
            "manager", "failed", text, "name one with --manager-namespace, remove the others"
        )
        return
    yield from _leader(connection, namespaces[0], pods)
    yield from _config(connection, namespaces[0])


def _manager_pods(connection: Connection, namespace: str | None) -> list[KubeObject]:
    item: type[dict[str, Any]] = dict
    selectors = {"labelSelector": f"{_COMPONENT}=manager"}
    return list_objects(
        connection, kinds.PODS, item, namespace=namespace, selectors=selectors
    ).items


def _leader(connection: Connection, namespace: str, pods: list[KubeObject]) -> Iterator[Fact]:
    item: type[dict[str, Any]] = dict
    apps = {(pod["metadata"].get("labels") or {}).get(labels.APP, "") for pod in pods}
    leases = [
        lease
        for lease in list_objects(connection, kinds.LEASES, item, namespace=namespace).items
        if lease["metadata"]["name"] in {f"{app}{_LEASE}" for app in apps}
    ]
    if not leases:
        yield Fact(
            "leader",
            "failed",
            f"no Lease of a manager in {namespace}",
            "look at the logs of the manager Pods",
        )
        return
    spec = leases[0].get("spec") or {}
    holder = spec.get("holderIdentity") or ""
    active = [pod["metadata"]["name"] for pod in pods if _holds(holder, pod["metadata"]["name"])]
    if not holder or not _is_fresh(spec):
        yield Fact(
            "leader",
            "failed",
            f"{len(pods)} manager Pod(s), none leads",
            "look at the logs of the manager Pods",
        )
    elif len(active) != 1:
        yield Fact(
            "leader",
            "failed",
            f"the holder {holder!r} is no manager Pod",
            "wait for the Lease to run out",
        )
    else:
        yield Fact("leader", "ok", f"{active[0]} leads in {namespace}, {len(pods) - 1} on standby")


def _holds(holder: str, pod: str) -> bool:
    """Tell whether a Pod is the holder; a holder of 63 characters was cut and ends in a digest."""
    text = f"{_PREFIX}{pod}-"
    if len(holder) >= _LONGEST_HOLDER:
        return text.startswith(holder[:_CUT_HOLDER]) or holder.startswith(text)
    return holder.startswith(text)


def _is_fresh(spec: dict[str, Any]) -> bool:
    renewed = spec.get("renewTime")
    if not renewed:
        return False
    moment = datetime.fromisoformat(str(renewed))
    age = (datetime.now(UTC) - moment).total_seconds()
    return age <= float(spec.get("leaseDurationSeconds") or 60)


def _config(connection: Connection, namespace: str) -> Iterator[Fact]:
    item: type[dict[str, Any]] = dict
    configs = list_objects(connection, kinds.CONFIGS, item).items
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


def _capacity(connection: Connection) -> Iterator[Fact]:
    item: type[dict[str, Any]] = dict
    hosts = list_objects(connection, kinds.CORE_NODES, item).items
    room = sum(int(host.get("status", {}).get("allocatable", {}).get("pods", 0)) for host in hosts)
    try:
        devices = len(list_objects(connection, kinds.NODES, item).items)
    except NotFound:
        devices = 0
    text = f"{len(hosts)} hosts with room for {room} Pods, {devices} c9s Nodes"
    level: Level = "warning" if devices > room else "ok"
    yield Fact(
        "capacity",
        level,
        text,
        "raise maxPods of the kubelets, or add hosts" if devices > room else "",
    )


def _control_plane(connection: Connection) -> Iterator[Fact]:
    item: type[dict[str, Any]] = dict
    for component in _CONTROL_PLANE:
        selectors = {"labelSelector": f"component={component}"}
        pods = list_objects(
            connection, kinds.PODS, item, namespace="kube-system", selectors=selectors
        ).items
        if not pods:
            text = f"flags of {component} cannot be read here"
            hint = (
                "its default --kube-api-qps=20 makes about 4 Deployments a second into Pods"
                if "manager" in component
                else ""
            )
            yield Fact("control-plane", "unknown", text, hint)
            continue
        words = " ".join(
            word
            for one in pods[0]["spec"]["containers"]
            for word in (one.get("command") or []) + (one.get("args") or [])
        )
        rate = _QPS.search(words)
        level: Level = "ok" if rate else "warning"
        text = (
            f"{component}: --kube-api-qps={rate[1]}"
            if rate
            else f"{component} has the default client limits"
        )
        yield Fact(
            "control-plane",
            level,
            text,
            "" if rate else "large starts want --kube-api-qps=200 --kube-api-burst=300",
        )
