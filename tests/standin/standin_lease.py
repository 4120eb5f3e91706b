"""The Lease of the manager: taken, renewed, released, and left to grow old (config-and-chart.md §4)."""

from __future__ import annotations

import dataclasses
import datetime as dt
import http.client
import time
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from bed_client import path_of
from standin_clock import exact

if TYPE_CHECKING:
    from bed_client import ApiClient
    from standin_views import Json

VERSION: Final = "coordination.k8s.io/v1"


@dataclasses.dataclass(frozen=True)
class Timers:
    """Seconds: how long a Lease lasts, when its holder gives up, how often it is renewed."""

    duration: int = 60
    deadline: float = 40.0
    retry: float = 8.0


class Lease:
    """One Lease by name. Every write is at the resourceVersion that was read."""

    def __init__(
        self, client: ApiClient, namespace: str, name: str, labels: dict[str, str]
    ) -> None:
        self._client, self._name = client, name
        self._path = path_of(VERSION, "leases", namespace)
        self._labels = labels

    def read(self) -> Json | None:
        """Give the Lease, None when there is none."""
        answer = self._client.get(f"{self._path}/{self._name}")
        return None if answer.status == http.client.NOT_FOUND else answer.ok()

    def acquire(self, holder: str, timers: Timers, *, age: float = 0.0) -> bool:
        """Take the Lease, or renew it, if nobody else has it; tell whether that was done.

        ``age`` seconds ago is when it then says to have been renewed.
        """
        lease, moment = self.read(), time.time() - age
        spec: Json = (lease or {}).get("spec") or {}
        other = spec.get("holderIdentity") not in (None, "", holder)
        if other and _seconds_left(spec) > 0:
            return False
        new = {
            "holderIdentity": holder,
            "leaseDurationSeconds": timers.duration,
            "acquireTime": exact(moment),
            "renewTime": exact(moment),
            "leaseTransitions": spec.get("leaseTransitions", 0) + bool(lease),
        }
        if spec.get("holderIdentity") == holder:
            new |= {key: spec[key] for key in ("acquireTime", "leaseTransitions")}
        return self._write(lease, new)

    def release(self, holder: str) -> None:
        """Give the Lease back if it is ours: the holder becomes empty."""
        lease = self.read()
        if lease is None or lease["spec"].get("holderIdentity") != holder:
            return
        moment = exact(time.time())
        new = {"holderIdentity": "", "leaseDurationSeconds": 1, "renewTime": moment}
        self._write(lease, lease["spec"] | new)

    def make(self) -> None:
        """Make a Lease that nobody holds, if there is none."""
        if self.read() is None:
            self._write(None, {"holderIdentity": "", "leaseDurationSeconds": 1})

    def _write(self, lease: Json | None, spec: dict[str, Any]) -> bool:
        if lease is None:
            meta = {"name": self._name, "labels": self._labels}
            body = {"apiVersion": VERSION, "kind": "Lease", "metadata": meta, "spec": spec}
            answer = self._client.create(self._path, body)
        else:
            path = f"{self._path}/{self._name}"
            answer = self._client.request("PUT", path, lease | {"spec": spec})
        if answer.status == http.client.CONFLICT:
            return False
        answer.ok()
        return True


def _seconds_left(spec: Json) -> float:
    if not spec.get("renewTime"):
        return 0.0
    renewed = dt.datetime.fromisoformat(spec["renewTime"]).timestamp()
    return float(renewed + spec.get("leaseDurationSeconds", 0) - time.time())


def lease_labels(app: str) -> dict[str, str]:
    """Give the labels of both Leases of an installation: they are the same."""
    return {names.APP: app, names.NAME: f"{app}-manager", names.COMPONENT: "manager"}
