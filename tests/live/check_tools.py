"""A manager as ``check`` sees it: Pods, a Lease, a Config."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from bed_client import Json, path_of

if TYPE_CHECKING:
    from bed_client import ApiClient


def manager(
    client: ApiClient, namespace: str, name: str = "clabernetes-manager-1", app: str = "clabernetes"
) -> None:
    labels = {"c9s.run/component": "manager", "c9s.run/app": app}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": labels},
        "spec": {"containers": [{"name": "manager", "image": "manager:1"}]},
    }
    client.create(path_of("v1", "pods", namespace), pod).ok()


def lease(client: ApiClient, namespace: str, holder: str, age: float = 0.0) -> None:
    now = dt.datetime.now(dt.UTC) - dt.timedelta(seconds=age)
    body = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "clabernetes-manager", "namespace": namespace},
        "spec": {
            "holderIdentity": holder,
            "leaseDurationSeconds": 60,
            "renewTime": now.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        },
    }
    client.create(path_of("coordination.k8s.io/v1", "leases", namespace), body).ok()


def config(namespace: str, **rollout: int) -> Json:
    return {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Config",
        "metadata": {"name": "clabernetes", "namespace": namespace},
        "spec": {"rollout": rollout},
    }
