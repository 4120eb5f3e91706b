"""What a chart has put into the manager's namespace: managers as Pods, the planner pool, the second Lease."""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING, Final

import standin_names as names
from bed_client import APPLY_PATCH, path_of
from standin_lease import Lease, lease_labels
from standin_plan import IMAGE
from standin_views import condition

if TYPE_CHECKING:
    from bed_client import ApiClient
    from standin_views import Json

POOL: Final = 4  # planners
FAST: Final = {f"{names.TEST}{step}-delay": "10ms" for step in ("sandbox", "started", "ready")}


class Installation:
    """The objects of an installation that are there whoever leads."""

    def __init__(self, client: ApiClient, namespace: str, app: str) -> None:
        self._client, self._namespace, self._app = client, namespace, app

    def make(self, replicas: int, *, diagnostics: bool = False) -> None:
        """Make them, or bring them to what they should be; ``diagnostics`` is the chart's value of that name."""
        meta = {"name": self._namespace}
        answer = self._client.create(
            path_of("v1", "namespaces"), {"apiVersion": "v1", "kind": "Namespace", "metadata": meta}
        )
        if answer.status != http.client.CONFLICT:
            answer.ok()
        labels = lease_labels(self._app)
        selector = {names.APP: self._app, names.COMPONENT: "manager"}
        environment = {"APP_NAME": self._app, "C9S_DIAGNOSTICS": str(diagnostics).lower()}
        env = [{"name": name, "value": value} for name, value in environment.items()]
        container = {"name": "manager", "image": IMAGE, "env": env}
        self._apply(f"{self._app}-manager", replicas, labels, selector, {"containers": [container]})
        self.set_pool(starved=False)
        Lease(self._client, self._namespace, f"{self._app}-init", labels).make()

    def set_pool(self, *, starved: bool) -> None:
        """Let the planners run, or let none of them find a host."""
        labels = {
            names.APP: self._app,
            names.COMPONENT: "planner-pool",
            f"{names.GROUP}/planner-pool": self._app,
        }
        selector = {f"{names.GROUP}/planner-pool": self._app}
        spec: Json = {"containers": [{"name": "planner", "image": IMAGE}]}
        if starved:
            spec["nodeSelector"] = {f"{names.TEST}nowhere": "true"}
        self._apply(f"{self._app}-planner-pool", POOL, labels, selector, spec)

    def _apply(
        self, name: str, replicas: int, labels: dict[str, str], selector: dict[str, str], pod: Json
    ) -> None:
        template = {"metadata": {"labels": labels, "annotations": FAST}, "spec": pod}
        body = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": name, "labels": labels},
            "spec": {
                "replicas": replicas,
                "strategy": {"type": "Recreate"},  # a starved pool has no planner left over
                "selector": {"matchLabels": selector},
                "template": template,
            },
        }
        path = path_of("apps/v1", "deployments", self._namespace, name)
        query = {"fieldManager": "helm", "force": "true"}
        self._client.request("PATCH", path, body, query=query, content=APPLY_PATCH).ok()

    def managers(self) -> list[str]:
        """Name the manager Pods that are Ready and stay."""
        selector = f"{names.APP}={self._app},{names.COMPONENT}=manager"
        path = path_of("v1", "pods", self._namespace)
        pods = self._client.get(path, labelSelector=selector).ok()["items"]
        return sorted(
            pod["metadata"]["name"]
            for pod in pods
            if "deletionTimestamp" not in pod["metadata"]
            and condition(pod.get("status") or {}, "Ready") == "True"
        )

    def own_config(self) -> None:
        """Let the manager's Deployment own the Config, as a leader does after its start (config-and-chart.md §1).

        A full update by the manager's own types: a limit of 0 comes back as an absent field.
        """
        answer = self._client.get(path_of(names.VERSION, "configs", self._namespace, names.CONFIG))
        name = f"{self._app}-manager"
        owner = self._client.get(path_of("apps/v1", "deployments", self._namespace, name))
        if answer.status != http.client.OK or owner.status != http.client.OK:
            return
        config, uid = answer.json(), owner.json()["metadata"]["uid"]
        owners = config["metadata"].get("ownerReferences") or []
        if any(one["uid"] == uid for one in owners):
            return
        reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name, "uid": uid}
        config["metadata"]["ownerReferences"] = [*owners, reference]
        rollout = config["spec"].get("rollout")
        if rollout is not None:
            config["spec"]["rollout"] = {key: value for key, value in rollout.items() if value}
        path = path_of(names.VERSION, "configs", self._namespace, names.CONFIG)
        query = {"fieldManager": "manager"}
        self._client.request("PUT", path, config, query=query)  # a conflict leaves it for next time
