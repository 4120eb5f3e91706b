"""Drift is put right on a real server with the rights of the manifests: once, and nothing else is touched."""

from __future__ import annotations

import copy
import math
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

from audit_reader import select
from reconcile_process import wait_for

if TYPE_CHECKING:
    from audit_reader import Entry
    from reconcile_site import Site

LABS, DRIFTS = 20, 3
MINE = {"batchSize": 5, "maxConcurrentPerHost": 0}


def rule(site: Site, **bounds: Any) -> list[dict[str, Any]]:
    return [{"match": {"namespaces": [site.lab]}, **bounds}]


def without(obj: dict[str, Any]) -> dict[str, Any]:
    """Give an object without what every write changes."""
    found = copy.deepcopy(obj)
    for key in ("resourceVersion", "generation", "managedFields"):
        found["metadata"].pop(key)
    return found


def test_drift_is_put_right_and_nothing_else_is_touched(site: Site) -> None:
    site.config(batchSize=7, maxConcurrentPerHost=3)
    site.topology(batchSize=9, maxConcurrentPerHost=8)
    site.topology("free", batchSize=2)
    before = [site.client.get(one).ok() for one in (site.config_path, site.topology_path())]
    site.policy(config={"batchSize": 5}, topologies=rule(site, batchSize={"max": 4}))
    with site.running(site.kubeconfig(site.account("one"))):
        site.until("Enforced")
    after = [site.client.get(one).ok() for one in (site.config_path, site.topology_path())]
    assert after[0]["spec"]["rollout"] == {"batchSize": 5, "maxConcurrentPerHost": 3}
    assert after[1]["spec"]["rollout"] == {"batchSize": 4, "maxConcurrentPerHost": 8}
    for old, new in zip(before, after, strict=True):
        old["spec"]["rollout"] = new["spec"]["rollout"]
        assert without(old) == without(new)
    assert site.block(site.topology_path("free")) == {"batchSize": 2}, "it meets the bound"
    entries = site.writes(resource={"configs.c9s.run", "topologies.c9s.run"})
    assert [one.code for one in entries] == [200, 200]
    rows = site.status()["enforced"]["writes"]
    assert {(row["object"].split()[0], row["old"], row["new"]) for row in rows} == {
        ("Config", 7, 5),
        ("Topology", 9, 4),
    }


def test_an_explicit_zero_stays_and_a_dropped_one_is_no_drift(site: Site) -> None:
    site.config(batchSize=0, maxConcurrentPerHost=4)
    site.topology(batchSize=0)
    site.policy(config=MINE, topologies=rule(site, batchSize={"default": 3}))
    with site.managed(), site.running(site.kubeconfig(site.account("one"))):
        site.until("Enforced")
        assert site.block(site.config_path) == MINE
        assert site.block(site.topology_path()) == {"batchSize": 0}
        site.mark()
        site.set(site.config_path, "manager", maxConcurrentPerHost=None)
        site.set(site.config_path, batchSize=6)
        wait_for("put right", lambda: site.block(site.config_path).get("batchSize") == 5)
        site.until("Enforced")
        entries = site.writes(resource="configs.c9s.run")
    assert [one.code for one in entries] == [200], "the zero that went was no drift"
    assert site.block(site.config_path) == {"batchSize": 5}


def test_each_drift_is_put_right_with_one_write_and_soon(site: Site) -> None:
    """The figure is printed; design.md asks for 2 s at p99. What is asserted is that it comes at all."""
    names = [f"lab-{number}" for number in range(LABS)]
    for name in names:
        site.topology(name, batchSize=4)
    site.policy(topologies=rule(site, batchSize={"max": 4}))
    with site.running(site.kubeconfig(site.account("one"))):
        site.until("Enforced")
        site.mark()
        # Each is undone less than three times: more would be a fight.
        for name in names * DRIFTS:
            path = site.topology_path(name)
            site.set(path, batchSize=9)
            wait_for("put right", lambda path=path: site.block(path)["batchSize"] == 4, 30)  # type: ignore[misc]
        site.audit.catch_up(site.client)
        entries = list(select(site.audit.entries(), verb="patch", resource="topologies.c9s.run"))
    own = [one for one in entries if one.agent.startswith("kubectl-c9s/")]
    assert len(own) == LABS * DRIFTS, "one write for each"
    assert all(one.accepted for one in own)
    seconds = sorted(waits(entries))
    assert len(seconds) == LABS * DRIFTS
    p99 = seconds[math.ceil(len(seconds) * 0.99) - 1]
    sys.stdout.write(
        f"{len(seconds)} drifts: median {seconds[len(seconds) // 2]:.3f} s, p99 {p99:.3f} s\n"
    )


def waits(entries: list[Entry]) -> list[float]:
    """Give the seconds from each foreign write to the end of the one that puts it right, by the server's clock."""
    begun: dict[str, datetime] = {}
    found = []
    for one in entries:
        if one.agent.startswith("kubectl-c9s/"):
            found.append((datetime.fromisoformat(one.ended) - begun.pop(one.name)).total_seconds())
        else:
            begun[one.name] = datetime.fromisoformat(one.ended)
    return found
