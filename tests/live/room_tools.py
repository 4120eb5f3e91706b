"""Connections of the room ``cluster`` to a small server, and a Node as that server has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from silent_server import Reply, Request

from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.kubeconfig import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

NODE = {
    "apiVersion": "c9s.run/v1alpha1",
    "kind": "Node",
    "metadata": {"name": "r1", "namespace": "ns"},
    "spec": {"kind": "linux"},
}
OWNED = {"manager": "kubectl-c9s", "operation": "Apply", "fieldsV1": {"f:spec": {"f:kind": {}}}}
LIVE: dict[str, Any] = {
    **NODE,
    "metadata": {"name": "r1", "namespace": "ns", "managedFields": [OWNED]},
}
NOTHING = Reply(200, {"metadata": {}, "items": []})


def in_turn(*replies: Reply) -> Callable[[Request], Reply]:
    """Give these answers one after the other, the last for ever."""
    left = list(replies)

    def answer(_: Request) -> Reply:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def connect(url: str, timeout: float = 300.0) -> Connection:
    return Connection(
        load_settings({"server": url, "kubeconfig": ""}, {"KUBECONFIG": "/none"}), timeout
    )
