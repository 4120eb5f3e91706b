"""The kubelet's door: lets port-forwards to Pods of a namespace end at servers of a test."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING

from bed_client import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bed_base import Bed

VERSION = "kwok.x-k8s.io/v1alpha1"


@contextlib.contextmanager
def forwarded(
    bed: Bed, namespace: str, ports: dict[int, int], names: Sequence[str] = ()
) -> Iterator[None]:
    """Connect ports of Pods in a namespace to ports on loopback, as ``{of the Pod: local}``.

    Without ``names`` those of every Pod. KWOK hears of it through a watch: the first connections may still be refused.
    """
    name = f"testbed-{secrets.token_hex(4)}"
    body = {
        "apiVersion": VERSION,
        "kind": "ClusterPortForward",
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchNamespaces": [namespace]}
            | ({"matchNames": list(names)} if names else {}),
            "forwards": [
                {"ports": [port], "target": {"address": "127.0.0.1", "port": local}}
                for port, local in ports.items()
            ],
        },
    }
    collection = path_of(VERSION, "clusterportforwards")
    with bed.client() as client:
        client.create(collection, body).ok()
        try:
            yield
        finally:
            client.delete(f"{collection}/{name}")
