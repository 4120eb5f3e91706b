"""A witness of a run: what two watches of its own have seen, in the order of resourceVersions.

It counts by itself and knows nothing of the gates' code.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final, Self

import standin_names as names
from bed_client import path_of
from standin_api import Stream
from standin_run import wait_for
from standin_views import view_node, view_pod

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_client import Access, ApiClient
    from standin_views import Json, NodeView, PodView

NODES: Final = (names.VERSION, "nodes")
PODS: Final = ("v1", "pods")


class Witness:
    """Sees every version of Nodes and Pods of a namespace, between ``with`` and its end."""

    def __init__(self, access: Access, client: ApiClient, namespace: str) -> None:
        self._client = client
        self._paths = [path_of(*kind, namespace) for kind in (NODES, PODS)]
        self._events: list[tuple[int, str, Json]] = []
        query = {"watch": "1", "resourceVersion": "0", "timeoutSeconds": "600"}
        self._streams = [Stream(access, path, query, 630.0) for path in self._paths]
        self._threads = [
            threading.Thread(target=self._read, args=(stream,), daemon=True)
            for stream in self._streams
        ]

    def __enter__(self) -> Self:
        for stream, thread in zip(self._streams, self._threads, strict=True):
            stream.__enter__()
            thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        for stream, thread in zip(self._streams, self._threads, strict=True):
            stream.cut()
            thread.join()
            stream.__exit__()

    def _read(self, stream: Stream) -> None:
        try:
            for line in stream:
                event = json.loads(line)
                version = int(event["object"]["metadata"]["resourceVersion"])
                self._events.append((version, event["type"], event["object"]))
        except OSError:
            return  # it was cut

    def catch_up(self) -> None:
        """Wait until what is there now has been seen."""
        for path in self._paths:
            for body in self._client.get(path).ok()["items"]:
                wait_for("the witness catches up", partial(self._has_seen, body))

    def _has_seen(self, body: Json) -> bool:
        version = int(body["metadata"]["resourceVersion"])
        return any(seen == version for seen, _, _ in list(self._events))

    def worst(self, count: Callable[[list[NodeView], list[PodView]], int]) -> int:
        """Give the greatest count over all moments."""
        nodes: dict[str, NodeView] = {}
        pods: dict[str, PodView] = {}
        worst = 0
        for _, kind, body in sorted(self._events, key=lambda event: event[0]):
            uid = body["metadata"]["uid"]
            if body["apiVersion"] == names.VERSION:
                nodes[uid] = view_node(body)
            else:
                pods[uid] = view_pod(body)
            if kind == "DELETED":
                nodes.pop(uid, None)
                pods.pop(uid, None)
            worst = max(worst, count(list(nodes.values()), list(pods.values())))
        return worst


def _without_sandbox(nodes: list[NodeView], pods: list[PodView]) -> int:
    steady = {pod.node_uid for pod in pods if pod.sandbox and not pod.deleting}
    return sum(node.uid not in steady for node in nodes if node.shares is None)


def admitted_without_sandbox(nodes: list[NodeView], pods: list[PodView]) -> int:
    """Count primaries with the mark whose Pods have no sandbox."""
    return _without_sandbox([node for node in nodes if node.mark == node.uid], pods)


def released_without_sandbox(nodes: list[NodeView], pods: list[PodView]) -> int:
    """Count primaries without a hold whose Pods have no sandbox."""
    return _without_sandbox([node for node in nodes if not node.hold], pods)


def booting_on_a_host(_nodes: list[NodeView], pods: list[PodView]) -> int:
    """Count the Pods with a grant that have not started, on the host that has most of them."""
    booting = [pod.host for pod in pods if pod.grant == pod.uid and not pod.started]
    return max(Counter(booting).values(), default=0)


def started_without_grant(_nodes: list[NodeView], pods: list[PodView]) -> int:
    """Count the gated Pods that run and were never let through."""
    return sum(pod.gated and pod.phase == "Running" and pod.grant != pod.uid for pod in pods)
