"""``kubectl c9s apply`` on a bad day: nothing lost, nothing written twice, an exit code that tells the truth."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from audit_reader import AuditLog, accepted_twice
from bed_client import path_of
from bed_objects import until
from bed_own import Wish
from bed_state import is_free
from fault_handle import fault_proxy

if TYPE_CHECKING:
    from collections.abc import Callable

    from audit_reader import Entry
    from bed_client import ApiClient, Json
    from bed_own import OwnBed
    from fault_handle import FaultProxy

ROOT = Path(__file__).parents[2]
C9S = "c9s.run/v1alpha1"
PLURALS = ("nodeprofiles", "links", "nodes")
PATCH = {"verb": "patch", "agent": "kubectl-c9s/.*", "resource": r".*\.c9s\.run"}
BAD_DAY = Path(__file__).with_name("rules") / "bad-day.yaml"
ENOUGH_RUNS = 8


def chain(length: int) -> list[Json]:
    """Make a lab of one profile and a chain of devices: twice as many objects as devices."""
    devices = [f"r{number}" for number in range(length)]
    nodes = [("Node", one, {"kind": "linux", "image": "none", "profileRef": {"name": "lab"}})
             for one in devices]  # fmt: skip
    links = [
        ("Link", f"{a}-{b}", {"endpointA": end(a, "eth1"), "endpointB": end(b, "eth2")})
        for a, b in itertools.pairwise(devices)
    ]
    profile = ("NodeProfile", "lab", {"imagePull": {"policy": "Always"}})
    return [
        {
            "apiVersion": C9S,
            "kind": kind,
            "metadata": {"name": name, "labels": {"c9s.run/topologyOwner": "lab"}},
            "spec": spec,
        }
        for kind, name, spec in (profile, *links, *nodes)
    ]


def end(node: str, interface: str) -> Json:
    return {"nodeName": node, "interfaceName": interface}


@dataclasses.dataclass
class Lab:
    """A lab in a file, a namespace for it, and the way there."""

    path: Path
    namespace: str
    kubeconfig: Path
    names: set[str]

    def start(self) -> subprocess.Popen[str]:
        """Begin to apply."""
        command = [sys.executable, "-m", "kubectl_c9s", "apply", f"--filename={self.path}"]
        command += [f"--namespace={self.namespace}", f"--kubeconfig={self.kubeconfig}"]
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def apply(self) -> tuple[int, str]:
        """Apply, and give the exit code and what was said to the user."""
        with self.start() as process:
            out, err = process.communicate(timeout=300)
        assert "Traceback" not in err
        return process.returncode, out + err

    def there(self, client: ApiClient) -> set[str]:
        """Give the names that the server has."""
        lists = [client.get(path_of(C9S, plural, self.namespace)).ok() for plural in PLURALS]
        return {item["metadata"]["name"] for one in lists for item in one["items"]}


def lab_of(tmp_path: Path, namespace: str, proxy: FaultProxy, devices: int) -> Lab:
    objects = chain(devices)
    path = tmp_path / "lab.json"
    path.write_text(
        json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8"
    )
    names = {one["metadata"]["name"] for one in objects}
    return Lab(path, namespace, proxy.kubeconfig, names)


def patches(log: AuditLog, lab: Lab) -> list[Entry]:
    return log.writes(namespace=lab.namespace, verb="patch", accepted=True)


def test_sixty_objects_through_refusals_and_losses_are_each_written_once(
    own_bed: OwnBed, proxy: FaultProxy, tmp_path: Path
) -> None:
    with own_bed.namespace("faults") as namespace, own_bed.client() as client:
        lab = lab_of(tmp_path, namespace, proxy, 30)
        log = AuditLog(own_bed.audit_log)
        proxy.load(BAD_DAY)
        runs = 0
        while not honest(lab, client):
            runs += 1
            assert runs < ENOUGH_RUNS
        assert len(lab.names) == 60
        assert all(proxy.fired().values()), proxy.fired()
        log.catch_up(client)
        assert accepted_twice(patches(log, lab)) == {}
        assert {one.name for one in patches(log, lab)} == lab.names
        proxy.rules()
        again = AuditLog(own_bed.audit_log)
        assert lab.apply()[0] == 0
        again.catch_up(client)
        assert again.writes(namespace=namespace) == []


def honest(lab: Lab, client: ApiClient) -> bool:
    """Apply, and tell whether it says that all is done: zero is a promise, and a failure has a reason to show."""
    code, said = lab.apply()
    complete = lab.there(client) == lab.names
    assert (code == 0 and complete) or (code != 0 and "error:" in said), (code, said)
    return code == 0


def test_a_server_killed_in_the_middle_of_an_apply_is_no_loss(
    private_bed: Callable[[Wish], OwnBed], tmp_path: Path
) -> None:
    bed = private_bed(Wish(nodes=0))
    with fault_proxy(bed.kubeconfig, tmp_path / "proxy") as proxy, bed.namespace() as namespace:
        lab = lab_of(tmp_path, namespace, proxy, 20)
        log = AuditLog(bed.audit_log)
        # Eight writes come through, all later ones are held until the server is dead.
        proxy.rules({"name": "hold", "match": {**PATCH, "after": 8}, "do": "hang"})
        with lab.start() as process:
            until("eight are written", lambda: len(patches(log, lab)) == 8)
            until("others are held", lambda: proxy.fired()["hold"] > 0)
            bed.kill("kube-apiserver")
            # The first thread of a killed process may be gone before the last one lets go of the port.
            until("its port is free", lambda: is_free(bed.state.ports["kube-apiserver"]))
            proxy.rules()
            bed.start("kube-apiserver")
            _, err = process.communicate(timeout=300)
        assert "Traceback" not in err
        bed.wait_healthy("kube-apiserver")
        with bed.client() as client:
            assert process.returncode != 0 or lab.there(client) == lab.names
            assert process.returncode == 0 or "error:" in err
            code, said = lab.apply()
            assert code == 0, said
            assert lab.there(client) == lab.names
            log.catch_up(client)
            # What the server had written before it died, it need not have written into its log.
            assert accepted_twice(patches(log, lab)) == {}
            again = AuditLog(bed.audit_log)
            assert lab.apply()[0] == 0
            again.catch_up(client)
            assert again.writes(namespace=namespace) == []
