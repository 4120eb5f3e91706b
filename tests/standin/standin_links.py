"""Keeps the status of Links: accepted, resolved, numbered (diagnosis.md §3)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from standin_clock import now
from standin_index import ends
from standin_queue import Controller
from standin_status import change
from standin_views import condition

if TYPE_CHECKING:
    from standin_session import Session
    from standin_views import Json

HOST: Final = "host"  # a reserved end: the Kubernetes host
WORKERS: Final = 4


class Links:
    """The controller of Links."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._controller: Controller[tuple[str, str]] = Controller(
            "links", self._reconcile, WORKERS
        )
        self._numbering = threading.Lock()
        self._last = 0

    def start(self) -> None:
        """Begin; numbers that were given stay taken."""
        taken = (
            one.get("status", {}).get("tunnelID", 0) for one in self._session.link_store.views()
        )
        self._last = max(taken, default=0)
        self._controller.start()

    def stop(self) -> None:
        """Let no worker go on."""
        self._controller.stop()

    def look(self, namespace: str, name: str) -> None:
        """Look at a Link soon."""
        self._controller.queue.add((namespace, name))

    def look_at_node(self, namespace: str, node: str) -> None:
        """Look at the Links that end at a Node."""
        for name in self._session.wires.of_node(namespace, node):
            self.look(namespace, name)

    def _reconcile(self, key: tuple[str, str]) -> float | None:
        session, link = self._session, self._session.link_store.body(*key)
        if link is None or "deletionTimestamp" in link["metadata"]:
            return None
        patch = change(link.get("status"), self._status(link))
        if patch:
            path = session.link_store.kind.path(*key, "status")
            session.link_store.put(session.api.patch(path, {"status": patch}))
        return None

    def _status(self, link: Json) -> Json:
        reason, resolved = self._resolve(link)
        status = link.get("status") or {}
        accepted = "True" if reason == "Accepted" else "False"
        same = condition(status, "Accepted") == accepted
        found = {
            "type": "Accepted",
            "status": accepted,
            "reason": reason,
            "message": f"the Link's verdict is {reason}",
            "observedGeneration": link["metadata"].get("generation", 1),
            "lastTransitionTime": status["conditions"][0]["lastTransitionTime"] if same else now(),
        }
        new: Json = {"conditions": [found]}
        if resolved:
            new["resolvedEndpoints"] = dict(zip(("endpointA", "endpointB"), resolved, strict=True))
            if needs_tunnel(self._session, link):
                new["tunnelID"] = status.get("tunnelID") or self._number()
        return new

    def _resolve(self, link: Json) -> tuple[str, list[Json]]:
        meta, resolved = link["metadata"], []
        for node, interface in ends(link):
            winner = self._session.wires.winner(meta["namespace"], node, interface)
            if node != HOST and winner not in (None, meta["name"]):
                return "EndpointConflict", []
            view = self._session.node_store.view(meta["namespace"], node)
            if view is None and node != HOST:
                return "EndpointsUnresolved", []
            resolved.append({"nodeName": node} | ({"uid": view.uid} if view else {}))
        return "Accepted", resolved

    def _number(self) -> int:
        with self._numbering:
            self._last += 1
            return self._last


def needs_tunnel(session: Session, link: Json) -> bool:
    """Tell whether the ends of a Link are in different Pods."""
    namespace = link["metadata"]["namespace"]
    nodes = [node for node, _ in ends(link)]
    return HOST not in nodes and len({session.groups.primary(namespace, one) for one in nodes}) > 1


def is_usable(session: Session, link: Json) -> bool:
    """Tell whether a plan can be made with a Link: it is accepted and has the number it needs."""
    status = link.get("status") or {}
    accepted = condition(status, "Accepted") == "True"
    return accepted and ("tunnelID" in status or not needs_tunnel(session, link))
