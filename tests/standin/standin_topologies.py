"""The controller of Topologies: makes the whole lab, lifts its holds batch by batch, keeps the counts."""

from __future__ import annotations

import concurrent.futures
import logging
import time
import uuid
from typing import TYPE_CHECKING, Final

import standin_gates as gates
import standin_names as names
from standin_clock import now
from standin_lab import Lab, Refused, compile_lab, is_of
from standin_queue import Controller
from standin_status import change, topology_status

if TYPE_CHECKING:
    from standin_session import Session
    from standin_store import Key, Store
    from standin_views import Json, NodeView, PodView, TopologyView

log = logging.getLogger("standin")

SOON: Final = 0.2  # seconds in which changes of many Nodes become one look
AGAIN: Final = 1.0
CONFLICT_AGAIN: Final = 10.0
PROGRESS_EVERY: Final = 2.0
WRITERS: Final = 8


class Topologies:
    """One worker for all Topologies; what it makes at once is made by several hands."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._controller: Controller[Key] = Controller("topologies", self._reconcile, 1)
        self._hands = concurrent.futures.ThreadPoolExecutor(WRITERS, "make")
        self._compiled: dict[tuple[str, int], Lab] = {}
        self._written: dict[Key, float] = {}

    def start(self) -> None:
        """Begin."""
        self._controller.start()

    def stop(self) -> None:
        """Let no worker go on."""
        self._controller.stop()
        self._hands.shutdown()

    def look(self, namespace: str, name: str) -> None:
        """Look at a Topology soon."""
        self._controller.queue.add((namespace, name), SOON)

    def node_changed(self, node: NodeView) -> None:
        """Look at the Topologies that own a Node."""
        owners = {one.uid for one in node.owners}
        for topology in self._session.topology_store.views() if owners else ():
            if topology.uid in owners:
                self.look(topology.namespace, topology.name)

    def pod_changed(self, pod: PodView) -> None:
        """Look at the Topologies that own a Pod's Node."""
        if pod.device and (node := self._session.node_store.view(pod.namespace, pod.workload)):
            self.node_changed(node)

    def _reconcile(self, key: Key) -> float | None:
        store = self._session.topology_store
        body, view = store.body(*key), store.view(*key)
        if body is None or view is None or "deletionTimestamp" in body["metadata"]:
            return None
        if names.IGNORE in (body["metadata"].get("labels") or {}):
            return None
        try:
            lab = self._compile(body)
        except Refused as error:
            return self._keep_status(body, None, str(error), "notready")
        if foreign := self._foreign(lab, view):
            words = f"duplicate resources found in the {key[0]} namespace: {', '.join(foreign)}"
            self._keep_status(body, lab, words, "ChildResourceConflict")
            return CONFLICT_AGAIN
        self._make(lab, view)
        self._prune(lab, view)
        held = self._release(lab, view)
        status = self._keep_status(body, lab, "", "")
        return AGAIN if held else status

    def _compile(self, body: Json) -> Lab:
        identity = body["metadata"]["uid"], body["metadata"].get("generation", 1)
        if identity not in self._compiled:
            self._compiled[identity] = compile_lab(body, self._session.settings.app)
        return self._compiled[identity]

    def _store_of(self, body: Json) -> Store[NodeView] | Store[Json]:
        session = self._session
        if body["kind"] == "Node":
            return session.node_store
        return session.link_store if body["kind"] == "Link" else session.profile_store

    def _foreign(self, lab: Lab, view: TopologyView) -> list[str]:
        """Name the objects that are in the way: called as ours should be, and not ours."""
        found = []
        for body in lab.objects:
            there = self._store_of(body).body(view.namespace, body["metadata"]["name"])
            if there is not None and not is_of(there, view.name, self._session.settings.app):
                found.append(f"{body['kind'].lower()}/{body['metadata']['name']}")
        return found

    def _make(self, lab: Lab, view: TopologyView) -> None:
        """Create what is missing and mend what differs: profiles first, Nodes last (admission.md §3.1)."""
        for bodies in (lab.profiles, lab.links, lab.nodes):
            jobs = [self._hands.submit(self._make_one, body, view) for body in bodies]
            try:
                for job in jobs:
                    job.result()
            finally:  # after a refusal the others are not tried
                for job in jobs:
                    job.cancel()

    def _make_one(self, body: Json, view: TopologyView) -> None:
        store, api, meta = self._store_of(body), self._session.api, body["metadata"]
        there = store.body(view.namespace, meta["name"])
        if there is None:
            new = body | {"metadata": meta | self._birth(body, view)}
            store.put(api.create(store.kind.path(view.namespace), new))
            return
        labels = there["metadata"].get("labels") or {}
        if all(there["spec"].get(key) == value for key, value in body["spec"].items()):
            gone = set(there["spec"]) - set(body["spec"]) if body["kind"] == "Node" else set()
            if not gone and labels | meta["labels"] == labels:
                return
        spec = dict.fromkeys(there["spec"]) | body["spec"]
        version = there["metadata"]["resourceVersion"]
        patch = {"metadata": {"resourceVersion": version, "labels": meta["labels"]}, "spec": spec}
        store.put(api.patch(store.kind.path(view.namespace, meta["name"]), patch))

    def _birth(self, body: Json, view: TopologyView) -> Json:
        """Give a new Node its hold (admission.md §3.1), or that of a Topology that is none."""
        if body["kind"] != "Node" or view.batch <= 0:
            return {}
        full_name = f"{view.namespace}/{body['metadata']['name']}"
        foreign = self._session.faults.now.has_foreign_hold(full_name)
        hold = str(uuid.uuid5(uuid.NAMESPACE_OID, view.uid)) if foreign else view.uid
        return {"annotations": {names.HOLD: hold}}

    def _prune(self, lab: Lab, view: TopologyView) -> None:
        """Delete what is ours and no longer defined."""
        session = self._session
        wanted = {(body["kind"], body["metadata"]["name"]) for body in lab.objects}
        stores: dict[str, Store[NodeView] | Store[Json]] = {
            "Node": session.node_store,
            "Link": session.link_store,
            "NodeProfile": session.profile_store,
        }
        for kind, store in stores.items():
            for body in store.bodies(view.namespace):
                meta = body["metadata"]
                surplus = (kind, meta["name"]) not in wanted and "deletionTimestamp" not in meta
                if surplus and is_of(body, view.name, session.settings.app):
                    session.api.delete(store.kind.path(view.namespace, meta["name"]), meta["uid"])

    def _release(self, lab: Lab, view: TopologyView) -> bool:
        """Make a pass of the Topology's batch; tell whether Nodes are still held."""
        session, expected = self._session, {body["metadata"]["name"] for body in lab.nodes}
        nodes = session.node_store.views()
        given = gates.topology_pass(view, expected, nodes, session.pod_store.views())
        for node in given.releases:
            path = session.node_store.kind.path(node.namespace, node.name)
            session.node_store.put(session.api.annotate(path, node.version, names.HOLD, None))
            log.info("released %s", node.full_name)
        if given.failure:
            log.error("Topology %s/%s: %s", view.namespace, view.name, given.failure)
        held = {node.name for node in nodes if node.hold and node.namespace == view.namespace}
        return bool(held & expected - {node.name for node in given.releases})

    def _keep_status(self, body: Json, lab: Lab | None, error: str, reason: str) -> float | None:
        """Write the status if it differs; progress alone at most every two seconds."""
        session, meta = self._session, body["metadata"]
        key = meta["namespace"], meta["name"]
        wanted = lab.nodes if lab else ()
        nodes = [session.node_store.body(key[0], one["metadata"]["name"]) for one in wanted]
        links = len(lab.links) if lab else 0
        new = topology_status(body, nodes, links, error, reason, now())
        patch = change(body.get("status"), new)
        wait = self._written.get(key, 0.0) + PROGRESS_EVERY - time.monotonic()
        if set(patch) == {"readyNodeCount"} and wait > 0:
            return wait
        if patch:
            path = session.topology_store.kind.path(*key, "status")
            session.topology_store.put(session.api.patch(path, {"status": patch}))
            self._written[key] = time.monotonic()
        return None
