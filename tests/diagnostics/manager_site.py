"""Manager Pods on fake hosts, the Lease one of them holds, and Go processes behind their ports."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Final

import standin_names as names
from bed_client import Json, path_of
from bed_door import forwarded
from bed_objects import until
from standin_clock import exact

from kubectl_c9s.cluster.activepod import METRICS_PORT, PPROF_PORT, Active, Place, find_active
from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.fetching import Limits, fetch_from
from kubectl_c9s.cluster.kubeconfig import load_settings
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from gometrics_process import Process

LEASES: Final = "coordination.k8s.io/v1"
IMAGE: Final = "registry.invalid/manager:1"


def holder_of(pod: str) -> str:
    """Give what the manager in a Pod writes into the Lease."""
    return names.holder(pod, "a1b2c3d4e5f6")


class Site:
    """An installation in a namespace of a bed; nothing of it is there before it is made."""

    def __init__(self, bed: OwnBed, namespace: str, app: str = "clabernetes") -> None:
        self.bed, self.namespace, self.app = bed, namespace, app
        self.place = Place(namespace, app)
        self.processes: dict[str, Process] = {}
        self._transitions = 0

    def connection(self, kubeconfig: Path | None = None) -> Connection:
        """Connect as the product does."""
        place = str(kubeconfig or self.bed.kubeconfig)
        return Connection(load_settings({"kubeconfig": place}, {}))

    def make_pod(self, name: str, diagnostics: str | None = "true", app: str = "") -> None:
        """Make a manager Pod and wait until it is Ready; ``diagnostics`` is what its environment says, if anything."""
        env = [] if diagnostics is None else [{"name": "C9S_DIAGNOSTICS", "value": diagnostics}]
        beside = {"name": "beside", "image": "none"}
        manager = {"name": "manager", "image": IMAGE, "env": env}
        steps = ("sandbox", "started", "ready")
        body: Json = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": name,
                "labels": {"c9s.run/component": "manager", "c9s.run/app": app or self.app},
                "annotations": {f"testbed.c9s.run/{step}-delay": "10ms" for step in steps},
            },
            "spec": {"nodeName": "testbed-node-0", "containers": [beside, manager]},
        }
        path = path_of("v1", "pods", self.namespace)
        with self.bed.client() as client:
            client.create(path, body).ok()
            until(f"{name} is ready", lambda: _ready(client.get(f"{path}/{name}").ok()))

    def lead(self, pod: str, *, age: float = 0.0) -> None:
        """Let a Pod hold the Lease, renewed so many seconds ago; nobody for an empty name."""
        self.write_lease(holder_of(pod) if pod else "", age=age)

    def write_lease(self, holder: str, *, age: float = 0.0) -> None:
        """Write the Lease; it then holds for an hour, since nobody renews it."""
        self._transitions += 1
        spec = {
            "holderIdentity": holder,
            "leaseDurationSeconds": 3600,
            "renewTime": exact(time.time() - age),
            "leaseTransitions": self._transitions,
        }
        name = f"{self.app}-manager"
        body = {"apiVersion": LEASES, "kind": "Lease", "metadata": {"name": name}, "spec": spec}
        with self.bed.client() as client:
            client.apply(path_of(LEASES, "leases", self.namespace, name), body).ok()

    def remove_lease(self) -> None:
        with self.bed.client() as client:
            client.delete(path_of(LEASES, "leases", self.namespace, f"{self.app}-manager"))

    @contextlib.contextmanager
    def doors(self, pods: dict[str, Process]) -> Iterator[None]:
        """Put processes behind the ports of Pods, and wait until they can be reached."""
        with contextlib.ExitStack() as stack:
            for pod, process in pods.items():
                ports = {METRICS_PORT: process.ports.metrics, PPROF_PORT: process.ports.pprof}
                stack.enter_context(forwarded(self.bed, self.namespace, ports, [pod]))
            with contextlib.closing(self.connection()) as connection:
                for pod in pods:
                    self._await(connection, pod)
            yield

    def _await(self, connection: Connection, pod: str) -> None:
        self.lead(pod)
        active = find_active(connection, self.place)
        until(f"{pod} answers", lambda: got(connection, active, "/who") is not None)


def got(connection: Connection, active: Active, path: str) -> bytes | None:
    """Get what the active Pod serves, None if it does not."""
    with contextlib.suppress(C9sError):
        return b"".join(fetch_from(connection, active, METRICS_PORT, path, Limits(10.0)))
    return None


def _ready(pod: Json) -> bool:
    conditions = pod.get("status", {}).get("conditions") or []
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
