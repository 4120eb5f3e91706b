"""Plain Pods of a replay: how they are asked for, and by what they are known (measurement.md §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement.watched import PLAIN, Workloads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.measurement.schedule import Entry, Schedule
    from kubectl_c9s.measurement.watched import WatchedPod
    from kubectl_c9s.resources.objects import KubeObject

APP: Final = "c9s-plain-pod"
"""Value of ``app.kubernetes.io/name`` on the Pods."""
REPLAY: Final = "c9s.run/replay"
"""Label: the id of the replay that made an object."""
MANAGED_BY: Final = "app.kubernetes.io/managed-by"
MANAGER: Final = "kubectl-c9s"
CLOCK: Final = "benchmark-clock"
"""The ConfigMap whose creation begins the clock of the server's stamps."""
HOSTNAME: Final = "kubernetes.io/hostname"
_APP_NAME: Final = "app.kubernetes.io/name"
_COMMAND: Final = ("sleep", "2147483647")


def own_labels(replay: str) -> dict[str, str]:
    """Give the labels of everything that a replay makes."""
    return {MANAGED_BY: MANAGER, REPLAY: replay}


def namespace_body(name: str, replay: str) -> KubeObject:
    """Make the namespace of a replay."""
    metadata = {"name": name, "labels": own_labels(replay)}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


def clock_body(namespace: str, replay: str) -> KubeObject:
    """Make the ConfigMap whose creation is the anchor."""
    metadata = {"name": CLOCK, "namespace": namespace, "labels": own_labels(replay)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


def pod_body(entry: Entry, namespace: str, hostname: str, replay: str) -> KubeObject:
    """Make a plain Pod that is kept on a host by the value of its label ``kubernetes.io/hostname``."""
    labels = {_APP_NAME: APP, **own_labels(replay)}
    container = {
        "name": "sleep",
        "image": entry.image,
        "imagePullPolicy": "IfNotPresent",
        "command": list(_COMMAND),
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}},
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": entry.name, "namespace": namespace, "labels": labels},
        "spec": {
            "automountServiceAccountToken": False,
            "terminationGracePeriodSeconds": 1,
            "restartPolicy": "Never",
            "nodeSelector": {HOSTNAME: hostname},
            "containers": [container],
        },
    }


def is_of(labels: dict[str, str] | None, replay: str) -> bool:
    """Tell whether an object was made by a replay, by its labels."""
    found = labels or {}
    return found.get(MANAGED_BY) == MANAGER and found.get(REPLAY) == replay


def workloads(schedule: Schedule) -> Workloads:
    """Say which Pods a recording of a replay counts: those of its schedule, under their own names."""
    names = frozenset(one.name for one in schedule.entries)

    def device(pod: WatchedPod) -> str:
        return pod.metadata.name if pod.metadata.name in names else ""

    return Workloads(device, PLAIN.primary)


def strangers(pods: Iterable[WatchedPod], schedule: Schedule, replay: str) -> list[str]:
    """Name the Pods that are not of a replay, in order."""
    names = frozenset(one.name for one in schedule.entries)
    return sorted(
        one.metadata.name
        for one in pods
        if one.metadata.name not in names or not is_of(one.metadata.labels, replay)
    )
