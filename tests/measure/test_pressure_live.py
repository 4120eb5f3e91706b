"""The API server's counters on a real server: exactly what was asked, and a word where they cannot be had."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from bed_client import ApiClient, read_kubeconfig
from bed_objects import until
from bed_own import Wish
from bed_state import locked, operation_lock
from pressure_live import CLASSES, METRICS, connected, runtime_class, somebody

from kubectl_c9s.cluster.pressure import take
from kubectl_c9s.measurement.pressure import pressure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bed_own import OwnBed

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.measurement.pressure import PressureSnapshot

NAME = "runtimeclasses.node.k8s.io"
VERBS = ["create", "delete", "get", "list"]
MAY = {"apiGroups": ["node.k8s.io"], "resources": ["runtimeclasses"], "verbs": VERBS}
LEASES = {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "list"]}
WANTED = {
    ("POST", "201"): 3,
    ("POST", "409"): 2,
    ("POST", "422"): 1,
    ("GET", "404"): 4,
    ("GET", "200"): 1,
    ("LIST", "200"): 5,
    ("DELETE", "200"): 3,
}


def ask(client: ApiClient) -> None:
    """Send the requests that are to be found again."""
    names = [f"c9s-{secrets.token_hex(4)}" for _ in range(3)]
    statuses = [client.create(CLASSES, runtime_class(name)).status for name in names]
    statuses += [client.create(CLASSES, runtime_class(names[0])).status for _ in range(2)]
    statuses.append(client.create(CLASSES, runtime_class("c9s-bad", "NO")).status)
    statuses += [client.get(f"{CLASSES}/c9s-nobody").status for _ in range(4)]
    statuses.append(client.get(f"{CLASSES}/{names[0]}").status)
    statuses += [client.get(CLASSES).status for _ in range(5)]
    statuses += [client.delete(f"{CLASSES}/{name}").status for name in names]
    assert statuses == [201] * 3 + [409] * 2 + [422] + [404] * 4 + [200] * 9


def counted(before: PressureSnapshot, after: PressureSnapshot) -> dict[tuple[str, str], float]:
    """Give requests of the kind by verb and code, without the watches of the server itself."""
    churn = pressure(before, after).churn
    assert churn.void == ""
    found = [one for one in churn.requests if one.resource == NAME and one.verb != "WATCH"]
    return {(one.verb, one.code): one.count for one in found}


def after_all(connection: Connection, before: PressureSnapshot) -> PressureSnapshot:
    """Read again once the last request is counted, which is after it was answered."""
    taken = [take(connection)]

    def is_counted() -> bool:
        if counted(before, taken[-1]).get(("DELETE", "200"), 0) >= WANTED["DELETE", "200"]:
            return True
        taken.append(take(connection))
        return False

    until("the last request is counted", is_counted)
    return taken[-1]


def test_a_known_number_of_requests_is_found_exactly(own_bed: OwnBed, tmp_path: Path) -> None:
    with (
        locked(
            operation_lock("runtimeclasses")
        ),  # who runs this test at the same time asks the same
        own_bed.namespace() as namespace,
        somebody(own_bed, namespace, tmp_path, METRICS, LEASES, MAY) as kubeconfig,
        connected(kubeconfig) as connection,
    ):
        before = take(connection)
        with ApiClient(read_kubeconfig(kubeconfig)) as client:
            ask(client)
        after = after_all(connection, before)
    assert counted(before, after) == WANTED
    churn = pressure(before, after).churn
    assert churn.latency[NAME] > 0
    assert churn.etcd["create"] > 0
    assert churn.seconds == after.moment - before.moment
    assert after.servers == 1


def test_without_the_right_to_the_counters_a_note_names_it(own_bed: OwnBed, tmp_path: Path) -> None:
    with (
        own_bed.namespace() as namespace,
        somebody(own_bed, namespace, tmp_path) as kubeconfig,
        connected(kubeconfig) as connection,
    ):
        snapshot = take(connection)
    assert snapshot.scrape is None
    assert snapshot.servers is None
    counters, leader = snapshot.notes
    assert "the right 'get' on the nonResourceURL /metrics is missing" in counters
    assert "leases" in leader
    assert "kube-controller-manager" in leader
    assert "could not be read" in pressure(snapshot, snapshot).churn.void


def is_back(bed: OwnBed) -> bool:
    """Start the server unless it lives: a client that still calls it may hold its port for a moment."""
    bed.start("kube-apiserver")
    return bed.healthy("kube-apiserver")


def test_a_server_that_began_anew_in_between_voids_its_counters(
    private_bed: Callable[[Wish], OwnBed],
) -> None:
    bed = private_bed(Wish(nodes=1))
    with connected(bed.kubeconfig) as connection:
        before = take(connection)
        bed.kill("kube-apiserver")
        until("the server is back", lambda: is_back(bed), 180)
        found = pressure(before, take(connection))
    assert found.churn.void == "the API server began anew in between, and its counters with it"
    assert not found.churn.requests
