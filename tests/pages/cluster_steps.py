"""Steps that make the cluster what a page speaks of; each takes the cluster, and a stack that undoes it."""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from bed_door import forwarded
from bed_plugin import required
from cluster_objects import MANAGER
from gometrics_process import Process, build

if TYPE_CHECKING:
    from contextlib import ExitStack

    from page_cluster import Cluster

PORTS: Final = 9090, 6060  # those of the managers, and where port-forward listens by itself


def limited(cluster: Cluster, _: ExitStack, **rollout: int) -> None:
    """Let the Config have limits."""
    cluster.limit(**rollout)


def doors(cluster: Cluster, stack: ExitStack) -> None:
    """Put a process with metrics and profiles behind the ports of all managers."""
    for port in PORTS:
        _want_free(port)
    folder = Path(tempfile.mkdtemp(prefix="c9s-gometrics-"))
    stack.callback(shutil.rmtree, folder)
    process = stack.enter_context(Process(build(folder), "manager"))
    ports = dict(zip(PORTS, process.ports, strict=True))
    stack.enter_context(forwarded(cluster.bed, MANAGER, ports))


def _want_free(port: int) -> None:
    """Skip the page where its port is taken on this machine; where a bed is required, say it as a failure."""
    with contextlib.closing(socket.socket()) as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            words = f"port {port}, which the page speaks of, is taken on this machine"
            pytest.fail(words, pytrace=False) if required() else pytest.skip(words)


def network(cluster: Cluster, _: ExitStack) -> None:
    """Let each device find every address that a Pod may have, and those of the lab their neighbours by name."""
    addresses = {name: pod["status"]["podIP"] for name, pod in cluster.pods().items()}
    cluster.tools.inside(*(f"10.128.{high}.{low}/32" for high in range(4) for low in range(256)))
    for name, address in addresses.items():
        words = f"echo 'PING {name} ({address}): 56 data bytes'; exit 0"
        cluster.tools.answer(name, words)
