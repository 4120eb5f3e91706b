"""At rest nothing is written but the Lease (audit log)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from reconcile_site import Site


@pytest.mark.parametrize(
    "seconds",
    [120, pytest.param(600, marks=pytest.mark.full)],
)
def test_nothing_is_written_at_rest_but_the_lease(site: Site, seconds: int) -> None:
    site.config(batchSize=9)
    for number in range(5):
        site.topology(f"lab-{number}", batchSize=number)
    rules = [{"match": {"namespaces": [site.lab]}, "batchSize": {"max": 3}}]
    site.policy(config={"batchSize": 5}, topologies=rules)
    first, second = (site.kubeconfig(site.account(name)) for name in ("one", "two"))
    with site.managed(), site.running(first) as one, site.running(second) as two:
        one.ready()
        two.ready()
        site.until("Enforced")
        time.sleep(12)  # counts of hosts are told once in ten seconds
        site.mark()
        time.sleep(seconds)
        assert site.writes() == []
        renewals = site.audit.writes(resource="leases.coordination.k8s.io", name="c9s-reconciler")
    assert len(renewals) > seconds / 3
