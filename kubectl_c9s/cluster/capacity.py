"""What large starts need of a cluster: room for Pods, clients that are not held back, seats for requests."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import NotFound
from kubectl_c9s.cluster.facts import Fact, Level, read_all
from kubectl_c9s.resources import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject

_QPS: Final = re.compile(r"--kube-api-qps=([0-9.]+)")
_INFLIGHT: Final = re.compile(r"--max-(mutating-)?requests-inflight=([0-9]+)")
_DEFAULT_INFLIGHT: Final = {"": 400, "mutating-": 200}
_CLIENTS: Final = ("kube-controller-manager", "kube-scheduler")
_LEVEL: Final = "workload-low"
_HINTS: Final = {
    "kube-controller-manager": "its default --kube-api-qps=20 makes about 4 Deployments a second into Pods"
}


def check_capacity(connection: Connection) -> Iterator[Fact]:
    """Compare the hosts' maxPods with the number of devices."""
    hosts = read_all(connection, kinds.CORE_NODES)
    room = sum(_pods(host) for host in hosts)
    try:
        devices = len(read_all(connection, kinds.NODES))
    except NotFound:  # the kind is missing, which the line about CRDs says
        devices = 0
    text = f"{len(hosts)} hosts with room for {room} Pods, {devices} c9s Nodes"
    if devices > room:
        hint = "raise maxPods of the kubelets, or add hosts"
        yield Fact("capacity", "warning", text, hint)
    else:
        yield Fact("capacity", "ok", text)


def _pods(host: KubeObject) -> int:
    """Give how many Pods a host takes; none while its kubelet has not said so."""
    allocatable = (host.get("status") or {}).get("allocatable") or {}
    return quantity.parse(allocatable.get("pods", 0)) // quantity.parse(1)


def check_control_plane(connection: Connection) -> Iterator[Fact]:
    """Say how fast the control plane's clients may be and how many requests the server takes at once."""
    for component in _CLIENTS:
        words = _command_line(connection, component)
        if words is None:
            text = f"flags of {component} cannot be read here"
            yield Fact("control-plane", "unknown", text, _HINTS.get(component, ""))
            continue
        rate = _QPS.search(words)
        level: Level = "ok" if rate else "warning"
        said = f"--kube-api-qps={rate[1]}" if rate else "the default client limits"
        hint = "" if rate else "large starts want --kube-api-qps=200 --kube-api-burst=300"
        yield Fact("control-plane", level, f"{component} has {said}", hint)
    yield _fairness(connection)


def _command_line(connection: Connection, component: str) -> str | None:
    """Give the words of a component's command line; None where it is no Pod, as in a managed cluster."""
    selectors = {"labelSelector": f"component={component}"}
    pods = read_all(connection, kinds.PODS, "kube-system", selectors)
    if not pods:
        return None
    containers = pods[0]["spec"]["containers"]
    return " ".join(
        word for one in containers for word in (one.get("command") or []) + (one.get("args") or [])
    )


def _fairness(connection: Connection) -> Fact:
    """Say how many requests run at once, and how many of these are for users and controllers outside the system."""
    words = _command_line(connection, "kube-apiserver")
    limits = dict(_DEFAULT_INFLIGHT)
    limits |= {kind or "": int(number) for kind, number in _INFLIGHT.findall(words or "")}
    total = sum(limits.values())
    known = "" if words is not None else " (the defaults: its flags cannot be read here)"
    shares = {
        level["metadata"]["name"]: int(limited.get("nominalConcurrencyShares", 30))
        for level in read_all(connection, kinds.PRIORITY_LEVELS)
        if (limited := (level.get("spec") or {}).get("limited")) is not None
    }
    text = f"kube-apiserver takes {total} requests at once{known}"
    if _LEVEL not in shares or not sum(shares.values()):
        return Fact("fairness", "ok", f"{text}, not shared out between levels")
    seats = math.ceil(total * shares[_LEVEL] / sum(shares.values()))
    return Fact("fairness", "ok", f"{text}, {seats} of them on the level {_LEVEL}")
