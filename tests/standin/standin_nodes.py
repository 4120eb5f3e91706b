"""The controller of Nodes: plans a group when the gates let it, makes its Deployment, keeps the Nodes' status."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import standin_gates as gates
import standin_names as names
import standin_plan as plans
from standin_clock import now
from standin_judge import Waits, judge
from standin_queue import Controller
from standin_status import Verdict, change, node_status
from standin_workloads import Workloads, tell

if TYPE_CHECKING:
    from standin_session import Session
    from standin_store import Key
    from standin_views import Json, NodeView, PodView

log = logging.getLogger("standin")

HELD_AGAIN: Final = 60.0
DEPENDENCY_AGAIN: Final = 60.0
FAST_TRIES: Final = 5
FAST_AGAIN: Final = 2.0
SOON: Final = 0.4  # seconds in which changes of a Pod become one look


class Nodes:
    """The controller of Nodes; its key is a primary, and it keeps the status of the whole group."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._controller: Controller[Key] = Controller(
            "nodes", self._reconcile, session.settings.workers
        )
        self._workloads = Workloads(session)
        self._lock = threading.Lock()
        self._tries: dict[
            Key, int
        ] = {}  # without what a plan needs; of a key that is with a worker
        self._pods: defaultdict[Key, set[str]] = defaultdict(set)

    def start(self) -> None:
        """Begin."""
        self._controller.start()

    def stop(self) -> None:
        """Let no worker go on."""
        self._controller.stop()

    def look(self, namespace: str, name: str) -> None:
        """Look at a primary soon."""
        self._controller.queue.add((namespace, name))

    def pod_changed(self, pod: PodView, *, gone: bool) -> None:
        """Look at the primary of a Pod."""
        if not pod.device:
            return
        key = pod.namespace, pod.workload
        with self._lock:
            (self._pods[key].discard if gone else self._pods[key].add)(pod.name)
        self._controller.queue.add(key, SOON)

    def link_changed(self, namespace: str, ends: list[str]) -> None:
        """Look at the primaries at both ends of a Link."""
        for node in ends:
            self.look(*self._session.groups.primary(namespace, node))

    def profile_changed(self, namespace: str, name: str) -> None:
        """Look at the primaries of the Nodes that name a profile."""
        for body in self._session.node_store.bodies(namespace):
            if (body["spec"].get("profileRef") or {}).get("name") == name:
                self.look(*self._session.groups.primary(namespace, body["metadata"]["name"]))

    def _reconcile(self, key: Key) -> float | None:
        session = self._session
        primary = session.node_store.view(*key)
        # In a circle everybody is somebody else's secondary (admission.md §2): no Deployment is ever made.
        if primary is None or session.groups.primary(*key) != key:
            return None
        if primary.deleting or primary.ignored:
            return None
        if primary.hold:
            return HELD_AGAIN
        if session.limits[0] > 0 and primary.mark != primary.uid:
            return None
        members = [key[1], *session.groups.secondaries(*key)]
        found = [session.node_store.body(key[0], name) for name in members]
        return self._bring(primary, [one for one in found if one is not None])

    def _bring(self, primary: NodeView, members: list[Json]) -> float | None:
        """Plan a group, make its Deployment and keep its status."""
        session, key = self._session, (primary.namespace, primary.name)
        there = session.deployment_store.body(*key)
        again = None
        try:
            verdict = judge(session, members)
            if verdict.applied and not _is_current(there, verdict.digest):
                self._think(members, pending=there is not None)
                verdict = self._workloads.apply(primary, members, verdict, there)
            self._tries.pop(key, None)
        except Waits as wait:
            self._tries[key] = self._tries.get(key, 0) + 1
            if wait.verdict is None or (wait.patient and self._tries[key] <= FAST_TRIES):
                return FAST_AGAIN
            verdict, again = wait.verdict, DEPENDENCY_AGAIN
        pod = self._pod(primary)
        for member in members:
            self._keep_status(member, verdict, pod)
        return again

    def _think(self, members: list[Json], *, pending: bool) -> None:
        """Take the time that planning takes."""
        session, average = self._session, self._session.faults.now.slow_planning
        if average <= 0:
            return
        if pending:
            verdict = Verdict("PlanPending", "the spec has changed and is being planned")
            for member in members:
                self._keep_status(member, verdict, None)
        name = "{namespace}/{name}".format_map(members[0]["metadata"])
        session.api.pause(session.settings.chance.between(f"{name} plan", 0.5, 1.5) * average)

    def _pod(self, primary: NodeView) -> Json | None:
        store, key = self._session.pod_store, (primary.namespace, primary.name)
        with self._lock:
            known = list(self._pods[key])
        views = [view for name in known if (view := store.view(key[0], name)) is not None]
        newest = gates.newest_pods(views).get(primary.uid)
        return store.body(newest.namespace, newest.name) if newest else None

    def _keep_status(self, node: Json, verdict: Verdict, pod: Json | None) -> None:
        session, meta = self._session, node["metadata"]
        new = node_status(node, verdict, pod, plans.container_name(node), now())
        patch = change(node.get("status"), new)
        if not patch:
            return
        path = session.node_store.kind.path(meta["namespace"], meta["name"], "status")
        session.node_store.put(session.api.patch(path, {"status": patch}))
        tell(session, node, new)


def _is_current(there: Json | None, digest: str) -> bool:
    """Tell whether a Deployment is that of a plan, and nobody has scaled it."""
    if there is None or "deletionTimestamp" in there["metadata"]:
        return False
    annotations = there["metadata"].get("annotations") or {}
    return annotations.get(names.DIGEST) == digest and there["spec"].get("replicas") == 1
