"""Writes the Deployments of planned groups, and tells of refusals in Events."""

from __future__ import annotations

import http.client
import threading
import time
import uuid
from typing import TYPE_CHECKING, Final

import standin_gates as gates
import standin_names as names
import standin_plan as plans
from bed_client import path_of
from standin_api import WriteRefused
from standin_clock import exact
from standin_status import LEFT, Verdict

if TYPE_CHECKING:
    from standin_session import Session
    from standin_views import Json, NodeView

REPORTER: Final = "clabernetes-node-controller"
REFUSALS: Final = {
    http.client.FORBIDDEN: "DeploymentApplyFailed",
    http.client.UNPROCESSABLE_ENTITY: "DeploymentInvalid",
}


class Workloads:
    """Deployments of groups, and the account their Pods run as."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._prepared: set[str] = set()

    def apply(
        self, primary: NodeView, members: list[Json], verdict: Verdict, there: Json | None
    ) -> Verdict:
        """Create or change the Deployment of a group; give the verdict on that."""
        if there is not None and not _is_of(there, primary):
            words = f"Deployment {primary.full_name} belongs to somebody else"
            return Verdict("PlanArtifactConflict", words)
        self._prepare(primary.namespace)
        store, api = self._session.deployment_store, self._session.api
        body = self._render(primary, members, verdict.digest, there)
        try:
            if there is None:
                store.put(api.create(store.kind.path(primary.namespace), body))
            else:
                version = {"resourceVersion": there["metadata"]["resourceVersion"]}
                body["metadata"] |= version
                store.put(api.update(store.kind.path(primary.namespace, primary.name), body))
        except WriteRefused as error:
            if error.status in REFUSALS:
                return Verdict(REFUSALS[error.status], f"{error.words}; {LEFT}")
            if there is None and (found := self._find(primary)) is not None:
                return self.apply(primary, members, verdict, found)
            raise
        return verdict

    def _render(
        self, primary: NodeView, members: list[Json], digest: str, there: Json | None
    ) -> Json:
        session = self._session
        topologies = session.topology_store.views()
        gated = (
            gates.is_gated(session.limits[1], primary, topologies)
            if there is None
            else plans.is_gated(there)
        )
        test = session.settings.chance.delays(primary.full_name)
        own = members[0]["metadata"].get("annotations") or {}
        test |= {key: value for key, value in own.items() if key.startswith(names.TEST)}
        if failure := session.faults.now.failure(primary.full_name):
            test[names.FAIL] = failure
        return plans.deployment(
            members, digest, session.settings.app, gated=gated, test_annotations=test
        )

    def _find(self, primary: NodeView) -> Json | None:
        """Read a Deployment that the watch has not shown: it lacks our label, or it is new."""
        store = self._session.deployment_store
        answer = self._session.api.client.get(store.kind.path(primary.namespace, primary.name))
        return answer.json() if answer.status == http.client.OK else None

    def _prepare(self, namespace: str) -> None:
        """Make the account of device Pods, once for each namespace; one without Deployments may have been made anew."""
        with self._lock:
            if namespace in self._prepared and self._session.deployment_store.has_any(namespace):
                return
            labels = {names.APP: self._session.settings.app}
            meta = {"name": plans.ACCOUNT, "namespace": namespace, "labels": labels}
            body = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": meta}
            try:
                self._session.api.create(path_of("v1", "serviceaccounts", namespace), body)
            except WriteRefused as error:
                if error.status != http.client.CONFLICT:
                    raise
            self._prepared.add(namespace)


def _is_of(deployment: Json, primary: NodeView) -> bool:
    owners = deployment["metadata"].get("ownerReferences") or []
    return any(one.get("uid") == primary.uid for one in owners)


def tell(session: Session, node: Json, status: Json) -> None:
    """Make an Event of a plan that was refused (diagnosis.md §3)."""
    kinds = ("NodeProfileResolved", "PlanApplied")
    false = [
        one for one in status["conditions"] if one["type"] in kinds and one["status"] == "False"
    ]
    before = {one["type"]: one for one in (node.get("status") or {}).get("conditions") or []}
    for one in false:
        if before.get(one["type"], {}).get("reason") != one["reason"]:
            meta = node["metadata"]
            path = path_of("events.k8s.io/v1", "events", meta["namespace"])
            session.api.create(path, _event(meta, one))


def _event(meta: Json, condition: Json) -> Json:
    regarding = {"apiVersion": names.VERSION, "kind": "Node"}
    regarding |= {key: meta[key] for key in ("name", "namespace", "uid", "resourceVersion")}
    return {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {
            "name": f"{meta['name']}.{uuid.uuid4().hex[:16]}",
            "namespace": meta["namespace"],
        },
        "eventTime": exact(time.time()),
        "reportingController": REPORTER,
        "reportingInstance": f"{REPORTER}-0",
        "action": "UpdateDirectStatus",
        "reason": condition["reason"],
        "type": "Warning",
        "note": f'Node "{meta["name"]}" condition {condition["type"]} is False',
        "regarding": regarding,
    }
