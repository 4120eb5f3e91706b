"""Runs the stand-in as a process of its own, for tests: started, asked, disturbed, killed, started again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.parse
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from bed_client import path_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_base import Bed
    from bed_client import ApiClient
    from standin_views import Json

HERE: Final = Path(__file__).parent
STAGES: Final = tuple(sorted(str(path) for path in (HERE / "stages").glob("*.yaml")))
# What a bed's KWOK is started with so that Pods of devices behave like devices; for bed_own.Wish.
BED_FLAGS: Final = {"kwok": [f"--config={','.join(STAGES)}"]}
STRATEGIC: Final = "application/strategic-merge-patch+json"
WITHIN: Final = 60.0  # seconds; a busy machine needs a few


def wait_for(what: str, holds: Callable[[], object], within: float = WITHIN) -> None:
    """Wait until something holds; AssertionError with its name when it does not come true."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, f"waited {within:.0f} s in vain: {what}"
        time.sleep(0.1)


class Standin:
    """A stand-in manager on a bed; ``namespace`` is the manager's own, ``scope`` a pattern of its labs'."""

    def __init__(
        self,
        bed: Bed,
        log: Path,
        *,
        namespace: str = "c9s",
        scope: str = "*",
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.namespace = namespace
        self._log = log
        self._command = [
            *(sys.executable, str(HERE / "manager.py"), f"--kubeconfig={bed.kubeconfig}"),
            *(f"--namespace={namespace}", f"--scope={scope}", "--lease=3,2,0.5", *arguments),
        ]
        self._process: subprocess.Popen[str] | None = None
        self._port = 0

    def start(self, *, leads: bool = True) -> None:
        """Start the process; wait until it answers, and until it leads."""
        with self._log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )
        assert self._process.stdout is not None, "it was asked for"
        line = self._process.stdout.readline()
        assert line.startswith("CONTROL="), f"the stand-in did not start:\n{self.log()}"
        self._port = urllib.parse.urlsplit(line.strip().partition("=")[2]).port or 0
        if leads:
            wait_for("the stand-in leads", lambda: self.state()["leading"])

    @property
    def pid(self) -> int | None:
        """Give the number of its process, None when it does not run."""
        return self._process.pid if self._process else None

    def stop(self) -> None:
        """End it cleanly: it releases its Lease. Nothing when it does not run."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without warning: its Lease must expire before another leads."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.wait(WITHIN)
            if process.stdout is not None:
                process.stdout.close()

    def log(self) -> str:
        """Give the end of what it has said."""
        return self._log.read_text(encoding="utf-8")[-4000:] if self._log.exists() else ""

    def state(self) -> dict[str, Any]:
        """Ask what it is doing (``Leader.state``)."""
        return self._ask("GET", "/state")

    def faults(self, **faults: object) -> None:
        """Replace all faults (``Faults``); without any it is well again."""
        self._ask("PUT", "/faults", faults)

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=30)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            response = connection.getresponse()
            answer: dict[str, Any] = json.loads(response.read())
        finally:
            connection.close()
        assert response.status == 200, answer
        return answer


def config(namespace: str, **rollout: int) -> tuple[str, Json]:
    """Give path and body of the Config with limits, to be applied."""
    body = {
        "apiVersion": names.VERSION,
        "kind": "Config",
        "metadata": {"name": names.CONFIG, "namespace": namespace},
        "spec": {"rollout": rollout},
    }
    return path_of(names.VERSION, "configs", namespace, names.CONFIG), body


def topology(namespace: str, name: str, nodes: dict[str, Json], **rollout: int) -> Json:
    """Make a Topology of busybox devices without links."""
    inner = {"kinds": {"linux": {"image": "busybox:1.37"}}, "nodes": nodes}
    text = json.dumps({"name": name, "topology": inner})
    return {
        "apiVersion": names.VERSION,
        "kind": "Topology",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"definition": {"containerlab": text}, "rollout": rollout},
    }


def fail_host(client: ApiClient, host: str) -> None:
    """Let a fake host be lost: it is NotReady, and nothing moves on it any more, not even deletions.

    Its devices' Pods are no longer Ready, as the control plane says after some time; all else in them stays.
    """
    _say(client, path_of("v1", "nodes", name=host), {f"{names.TEST}not-ready": "true"})
    for path in _pods_on(client, host):
        _say(client, path, {f"{names.TEST}frozen": "true"})
        status = {"conditions": [{"type": "Ready", "status": "False"}]}
        client.patch(f"{path}/status", {"status": status}, STRATEGIC)


def heal_host(client: ApiClient, host: str) -> None:
    """Let a lost host come back."""
    for path in _pods_on(client, host):
        _say(client, path, {f"{names.TEST}frozen": None})
    _say(client, path_of("v1", "nodes", name=host), {f"{names.TEST}not-ready": None})


def _pods_on(client: ApiClient, host: str) -> list[str]:
    found = client.get(path_of("v1", "pods"), fieldSelector=f"spec.nodeName={host}").ok()["items"]
    metas = [
        pod["metadata"] for pod in found if names.WORKLOAD in pod["metadata"].get("labels", {})
    ]
    return [path_of("v1", "pods", meta["namespace"], meta["name"]) for meta in metas]


def _say(client: ApiClient, path: str, annotations: dict[str, str | None]) -> None:
    answer = client.patch(path, {"metadata": {"annotations": annotations}})
    if answer.status != 404:  # a Pod may be gone meanwhile
        answer.ok()
