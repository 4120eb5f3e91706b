"""A control plane on which nothing moves by itself, with installations whose stand-in manager leads only when told to.

There is an API server and nothing else: no controller, no scheduler, no kubelet. So what changes while a stand-in
leads is what it does, and nobody answers it: no Pod comes up and none goes on.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import standin_names as names
from bed_client import path_of
from split_lab import command
from standin_lease import lease_labels
from standin_run import STRATEGIC, Standin, config, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from bed_client import ApiClient
    from bed_own import OwnBed
    from split_lab import Answer
    from standin_views import Json

MANAGER: Final = "clabernetes-manager-0"


def make_namespace(client: ApiClient, name: str) -> None:
    """Make a namespace that takes Pods; no controller makes the account they run as."""
    meta = {"metadata": {"name": name}}
    client.create(
        path_of("v1", "namespaces"), {"apiVersion": "v1", "kind": "Namespace"} | meta
    ).ok()
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
    client.create(path_of("v1", "serviceaccounts", name), account).ok()


@dataclass(frozen=True)
class Site:
    """An installation: its manager's namespace, the value of ``c9s.run/app``, its stand-in."""

    bed: OwnBed
    client: ApiClient
    standin: Standin
    namespace: str
    app: str
    home: Path

    def limit(self, block: Mapping[str, int] | None) -> None:
        """Replace the Config by one with this block."""
        path, body = config(self.namespace, **(block or {}))
        if block is None:
            del body["spec"]["rollout"]
        self.client.delete(path)
        self.client.create(path_of(names.VERSION, "configs", self.namespace), body).ok()

    def block(self, target: str, space: str) -> Mapping[str, int] | None:
        """Read the block of a Config or a Topology."""
        plural, name = "configs", names.CONFIG
        if target != "config":
            plural, name = "topologies", target.partition("/")[2]
        path = path_of(names.VERSION, plural, space or self.namespace, name)
        found: Mapping[str, int] | None = self.client.get(path).ok()["spec"].get("rollout")
        return found

    def set_limits(self, target: str, space: str, flags: Iterable[str]) -> tuple[Answer, Json]:
        """Run ``rollout set`` and give its answer, and the change that it has printed."""
        where = ("-n", space) if space else ()
        with mock.patch.dict(os.environ, {"XDG_STATE_HOME": str(self.home)}):
            answer = command(
                "rollout", "set", target, *flags, "-o", "json", "--yes", *where,
                "--manager-namespace", self.namespace, "--kubeconfig", str(self.bed.kubeconfig),
            )  # fmt: skip
        assert answer.code in {0, 4}, answer.err
        (change,) = json.loads(answer.out)["changes"]
        return answer, change

    @contextlib.contextmanager
    def leading(self, reconciled: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Let the stand-in lead until it has nothing left to do; then it leads no more.

        ``reconciled`` are paths of Topologies that it has to look at twice. Gives its tally.
        """
        self.standin.faults()
        try:
            wait_for("the stand-in leads", lambda: self.standin.state()["leading"])
            for path in [*reconciled] * 2:
                wait_for(f"{path} is looked at", functools.partial(self._is_reconciled, path))
                self.client.patch(f"{path}/status", {"status": {"topologyState": None}}).ok()
            yield self._at_rest()
        finally:
            self.standin.faults(no_leader=True)
            wait_for("nobody leads", lambda: not self.standin.state()["leading"])

    def _is_reconciled(self, path: str) -> bool:
        return "topologyState" in self.client.get(path).ok().get("status", {})

    def _at_rest(self) -> dict[str, Any]:
        """Wait for two passes of the queue after which it has done no more than before."""
        while True:
            before = self._tally()
            for _ in range(2):
                self._pass()
            after = self._tally()
            if all(before[key] == after[key] for key in ("marks", "grants")) and before["passes"]:
                return after

    def _pass(self) -> None:
        """Wake the queue, which may rest, and wait until it has begun a pass since."""
        count = self._tally()["passes"]
        path = path_of(names.VERSION, "configs", self.namespace, names.CONFIG)
        note = {f"{names.TEST}woken": str(time.monotonic_ns())}
        self.client.patch(path, {"metadata": {"annotations": note}}).ok()
        wait_for("the queue makes a pass", lambda: self._tally()["passes"] > count)

    def _tally(self) -> dict[str, Any]:
        found: dict[str, Any] = self.standin.state()["tally"]
        return found


@contextlib.contextmanager
def installed(bed: OwnBed, home: Path, namespace: str, app: str) -> Iterator[Site]:
    """Install a manager whose stand-in runs and does not lead; its one Pod is Ready because we say so."""
    with bed.client() as client:
        make_namespace(client, namespace)
        meta = {"name": MANAGER, "labels": lease_labels(app)}
        spec: Json = {"nodeName": "h0", "automountServiceAccountToken": False}
        spec["containers"] = [{"name": "manager", "image": "manager"}]
        pods = path_of("v1", "pods", namespace)
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}
        client.create(pods, pod).ok()
        ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
        client.patch(f"{pods}/{MANAGER}/status", {"status": ready}, STRATEGIC).ok()
        arguments = ("--no-leader", f"--app-name={app}")
        log = home / f"{namespace}.log"
        standin = Standin(bed, log, namespace=namespace, arguments=arguments)
        standin.start(leads=False)
        try:
            yield Site(bed, client, standin, namespace, app, home)
        finally:
            standin.stop()
