"""Schedules, saved Pods and devices for the tests of ``measure schedule`` and ``measure replay``."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bed_client import path_of

from kubectl_c9s.measurement import run as runs
from kubectl_c9s.measurement.schedule import Entry, Origin, Schedule, in_order, write_schedule
from kubectl_c9s.resources.moments import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bed_base import Bed
    from bed_client import ApiClient, Json

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs/schemas/arrival-schedule.json"
RUN_SCHEMA = ROOT / "docs/schemas/startup-run.json"
BEGIN = 1_796_079_904.0
FILES = {"schedule.json", "run.json", "submissions.json", "pods.json", "progress.jsonl"}
"""What a replay leaves behind."""
HOSTS = [f"testbed-node-{number}" for number in range(3)]


def schedule_of(count: int, step: float = 0.0, hosts: Iterable[str] = HOSTS) -> Schedule:
    """Make a schedule of Pods that come ``step`` seconds apart, on hosts in turn."""
    known = list(hosts)
    entries = in_order(
        Entry(f"d{number:03}", known[number % len(known)], number * step, "busybox:1.37", "lab")
        for number in range(count)
    )
    return Schedule(source="a test", origin=Origin("Node", "lab/d000", BEGIN), entries=entries)


def schedule_file(folder: Path, schedule: Schedule) -> str:
    """Write a schedule and give its path."""
    path = folder / "schedule.json"
    path.write_bytes(write_schedule(schedule))
    return str(path)


def saved_pod(name: str, at: float = BEGIN, host: str = "h1", namespace: str = "lab") -> Json:
    """Make the Pod of a device as it is saved: two containers, of which the second is the primary."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{name}-5d4f-x",
            "namespace": namespace,
            "uid": f"uid-{namespace}-{name}",
            "creationTimestamp": text_of(at),
            "labels": {"c9s.run/direct-workload": name},
            "annotations": {"kubectl.kubernetes.io/default-container": name},
        },
        "spec": {
            "nodeName": host,
            "containers": [
                {"name": "side", "image": "side:1"},
                {"name": name, "image": f"device-{name}:2"},
            ],
        },
    }


def saved_object(kind: str, name: str, at: float = BEGIN, namespace: str = "lab") -> Json:
    """Make a c9s object as it is saved."""
    metadata = {"name": name, "namespace": namespace, "creationTimestamp": text_of(at)}
    return {"apiVersion": "c9s.run/v1alpha1", "kind": kind, "metadata": metadata, "spec": {}}


def a_list(*items: Json) -> bytes:
    """Write a ``v1`` List."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


def device(name: str, at: float, host: str = HOSTS[0], *addresses: str) -> runs.Device:
    """Make a device whose Pod was created at a stamp."""
    return runs.Device(
        "replay", name, pod=name, host=host, stamps={runs.POD: at}, addresses=addresses
    )


class Program:
    """A replay in a process of its own, through some kubeconfig."""

    def __init__(self, kubeconfig: Path, folder: Path, schedule: Schedule) -> None:
        self.folder = folder / "out"
        self.namespace = f"replay-{secrets.token_hex(4)}"
        self._kubeconfig = kubeconfig
        self._path = schedule_file(folder, schedule)

    def start(self, *flags: str) -> subprocess.Popen[str]:
        """Start it."""
        command = [sys.executable, "-m", "kubectl_c9s", "measure", "replay", self._path]
        command += ["--kubeconfig", str(self._kubeconfig), "--namespace", self.namespace]
        command += ["--output-dir", str(self.folder), "--ip-family", "ipv4", *flags]
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def run(self, *flags: str) -> tuple[int, str]:
        """Run it to its end; give the exit code and what it said."""
        with self.start(*flags) as process:
            out, err = process.communicate(timeout=300)
        assert "Traceback" not in err, err
        return process.returncode, out + err

    def read(self, name: str) -> Any:
        """Read a file that it has written."""
        return json.loads((self.folder / name).read_text("utf-8"))

    def files(self) -> set[str]:
        """Name the files that it has written."""
        return {path.name for path in self.folder.iterdir()}


def labels_of_namespace(client: ApiClient, name: str) -> dict[str, str]:
    """Give the labels of a namespace that is there."""
    found: dict[str, str] = (
        client.get(path_of("v1", "namespaces", name=name)).ok()["metadata"].get("labels", {})
    )
    return found


def is_going(bed: Bed, name: str) -> bool:
    """Tell whether a namespace is gone or on its way."""
    with bed.client() as client:
        answer = client.get(path_of("v1", "namespaces", name=name))
    return answer.status == 404 or "deletionTimestamp" in answer.ok()["metadata"]


def drop(bed: Bed, name: str) -> None:
    """Delete a namespace."""
    with bed.client() as client:
        client.delete(path_of("v1", "namespaces", name=name))
