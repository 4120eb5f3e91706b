"""One stand-in manager that looks after many namespaces at once, and what ``diagnose`` says of all of them."""

from __future__ import annotations

import dataclasses
import itertools
import json
import time
from typing import TYPE_CHECKING, Any, Final

import standin_names as names
from bed_client import path_of
from faults_lab import HOST, MADE, Lab
from faults_policies import load, unload
from split_lab import Answer, command
from standin_clock import exact, now
from standin_lease import VERSION as LEASES
from standin_run import STRATEGIC, config, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bed_client import ApiClient, Json
    from bed_own import OwnBed
    from standin_run import Standin

QUICK: Final = ("--slow-after=1s", "--stalled-after=3s")  # nobody waits five minutes for a stall
HOSTS: Final = ("testbed-node-0", "testbed-node-1")  # where labs are that are about no host
GONE_WITHIN: Final = 90.0  # seconds until what a test has left is gone


@dataclasses.dataclass
class Site:
    """A bed with one stand-in for all namespaces that begin with ``prefix``.

    ``wrong`` are the stand-in's faults, ``undo`` has what brings the bed itself in order again.
    """

    bed: OwnBed
    client: ApiClient
    standin: Standin
    prefix: str
    wrong: dict[str, Any] = dataclasses.field(default_factory=dict)
    labs: list[Lab] = dataclasses.field(default_factory=list)
    hosts: list[str] = dataclasses.field(default_factory=list)
    undo: list[Callable[[], object]] = dataclasses.field(default_factory=list)
    _numbers: itertools.count[int] = dataclasses.field(default_factory=itertools.count)

    def lab(self, what: str, host: str | None = "", **labels: str) -> Lab:
        """Make a namespace for a lab on one host, None for any; labels are those of faults_policies.py."""
        number = next(self._numbers)
        name = f"{self.prefix}{number:03}-{what}"
        given = {f"{names.TEST}{key}": value for key, value in labels.items()}
        if host is not None:
            given[HOST] = host or HOSTS[number % len(HOSTS)]
        meta = {"name": name, "labels": given}
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": meta}
        self.client.create(path_of("v1", "namespaces"), body).ok()
        lab = Lab(self.client, self.standin, name, self)
        self.labs.append(lab)
        return lab

    def host(self, name: str) -> str:
        """Add a host that takes Pods."""
        name = f"{self.prefix}{name}"
        labels = {"kubernetes.io/hostname": name}
        body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}
        self.client.create(path_of("v1", "nodes"), body).ok()
        self.hosts.append(name)
        return name

    def pressure(self, host: str, status: str) -> None:
        """Let a host say whether its disk is full."""
        said = {"type": "DiskPressure", "status": status, "lastTransitionTime": now()}
        path = path_of("v1", "nodes", name=host, sub="status")
        self.client.patch(path, {"status": {"conditions": [said]}}, STRATEGIC).ok()

    def take_lease(self, name: str) -> None:
        """Hold a Lease of the manager's namespace for a minute, as who has a part in the installation."""
        spec = {"holderIdentity": name, "leaseDurationSeconds": 60, "renewTime": exact(time.time())}
        meta = {"name": name}
        body = {"apiVersion": LEASES, "kind": "Lease", "metadata": meta, "spec": spec}
        self.client.apply(path_of(LEASES, "leases", self.standin.namespace, name), body).ok()

    def faults(self, **faults: Any) -> None:
        """Change faults of the stand-in; None takes one away."""
        changed = self.wrong | faults
        self.wrong = {key: value for key, value in changed.items() if value is not None}
        self.standin.faults(**self.wrong)

    def node_faults(self, kind: str, changes: dict[str, str | None]) -> None:
        """Change faults that are by Node, ``plan_refused`` or ``device_fails``."""
        changed = {**self.wrong.get(kind, {}), **changes}
        self.faults(**{kind: {key: value for key, value in changed.items() if value is not None}})

    def limit(self, **rollout: int) -> None:
        """Write the Config, by default with no limit, and wait until the leader has seen it."""
        limits = {"batchSize": 0, "maxConcurrentPerHost": 0} | rollout
        self.write_limits(**limits)
        wanted = list(limits.values())
        wait_for("the leader sees the limits", lambda: self.standin.state()["limits"] == wanted)

    def write_limits(self, **rollout: int) -> None:
        """Write the Config."""
        self.client.apply(*config(self.standin.namespace, **rollout)).ok()

    def diagnose(self, *args: str, kubeconfig: Path | None = None) -> Answer:
        """Run the command on all namespaces."""
        place = ("--manager-namespace", self.standin.namespace)
        file = ("--kubeconfig", str(kubeconfig or self.bed.kubeconfig))
        return command("diagnose", "--fail-on=never", *place, *file, *args)

    def report(self, *args: str, kubeconfig: Path | None = None) -> Json:
        """Give the report as JSON, by default with small thresholds."""
        answer = self.diagnose("-o", "json", *(args or QUICK), kubeconfig=kubeconfig)
        assert answer.code == 0, answer.err
        report: Json = json.loads(answer.out)
        return report

    def unready(self) -> list[str]:
        """Name the Nodes of all labs that are not ready, and those that are not there."""
        found = self.client.get(path_of(names.VERSION, "nodes")).ok()["items"]
        ready = {
            (one["metadata"]["namespace"], one["metadata"]["name"])
            for one in found
            if (one.get("status") or {}).get("readiness") == "ready"
        }
        wanted = {(lab.namespace, name) for lab in self.labs for name in lab.wanted}
        return sorted("/".join(one) for one in wanted - ready)

    def wait_ready(self) -> None:
        """Wait until every device of every lab is ready: the batches go on."""
        try:
            wait_for("all is ready", lambda: not self.unready(), 90)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.unready()}") from None

    def wait(self, what: str, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        wait_for(what, holds)

    def mend(self) -> None:
        """Bring the bed in order: what was done to it last is undone first."""
        while self.undo:
            self.undo.pop()()

    def clear(self) -> None:
        """Take away what a test has made, so that the next one finds the bed empty."""
        self.mend()
        self.wrong = {}
        self.standin.faults()
        for lab in self.labs:
            lab.clear()
        wait_for("the labs are gone", lambda: not self._left(), GONE_WITHIN)
        for name in self.hosts:
            self.client.delete(path_of("v1", "nodes", name=name))
        self.labs.clear()
        self.hosts.clear()

    def _left(self) -> list[str]:
        paths = [path_of(*one) for one in MADE]
        found = [one["metadata"] for path in paths for one in self.client.get(path).ok()["items"]]
        return [meta["name"] for meta in found if meta["namespace"].startswith(self.prefix)]

    def _others(self) -> list[str]:
        plurals = ("nodes", "topologies", "configs")
        lists = [self.client.get(path_of(names.VERSION, one)).ok() for one in plurals]
        lists.append(self.client.get(path_of("v1", "pods"), labelSelector=names.APP).ok())
        return [one["metadata"]["name"] for found in lists for one in found["items"]]

    def open(self) -> None:
        """Load the policies that labels of namespaces ask for, and let the stand-in lead."""
        wait_for("others are gone", lambda: not self._others(), GONE_WITHIN)
        load(self.client, self.prefix)
        self.standin.start()

    def close(self) -> None:
        """Take all away, so that nobody has to wait for the end of the namespaces."""
        self.standin.stop()
        unload(self.client, self.prefix)
        own = self.standin.namespace
        for version, plural in ((names.VERSION, "configs"), *MADE[-3:]):
            self.client.delete(path_of(version, plural, own), gracePeriodSeconds="0")
