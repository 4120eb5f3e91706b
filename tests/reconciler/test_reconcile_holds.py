"""Held back, and said so, in each case of policy.md "Enforcing", on a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of
from bed_own import Wish
from reconcile_process import wait_for
from reconcile_site import C9S, CRDS, Site, load_kinds, made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from fault_handle import FaultProxy


@pytest.fixture
def kept(site: Site) -> Iterator[Site]:
    """Give a site with a Config that is not as its policy wants it, and a manager that leads."""
    site.config(batchSize=9)
    with site.managed():
        yield site


def is_untouched(site: Site) -> bool:
    return not site.writes(resource={"configs.c9s.run", "topologies.c9s.run"})


def held(site: Site, reason: str, *flags: str, kubeconfig: Path | None = None) -> dict[str, Any]:
    """Run a reconciler until it gives a reason; nothing may have been written."""
    way = kubeconfig or site.kubeconfig(site.account("one"))
    with site.running(way, *flags):
        found = site.until(reason)
    assert found["status"] == "False"
    assert is_untouched(site)
    assert site.block(site.config_path) == {"batchSize": 9}
    return found


def test_a_policy_that_reports(kept: Site) -> None:
    kept.policy(mode="Report", config={"batchSize": 5})
    assert f"Config {kept.own}/clabernetes" in held(kept, "ReportMode")["message"]
    assert kept.status()["enforced"]["drifted"] == 1


def test_a_suspended_policy(kept: Site) -> None:
    kept.policy(suspend=True, config={"batchSize": 5})
    held(kept, "Suspended")


def test_an_owner_that_would_put_it_back(kept: Site) -> None:
    kept.set(kept.config_path, "kustomize-controller", batchSize=8)
    kept.set(kept.config_path, "kustomize-controller", batchSize=9)
    kept.policy(config={"batchSize": 5})
    assert "kustomize-controller" in held(kept, "GitOpsOwner")["message"]


def test_a_release_against_the_guard(kept: Site) -> None:
    waiting(kept)
    kept.policy(config={"batchSize": 0})
    assert "allowRelease" in held(kept, "Guard")["message"]


def waiting(site: Site) -> None:
    """Let a workload wait behind the batch: it has no mark, and nobody gives it one."""
    node = made(C9S, "Node", "r1", spec={"kind": "linux", "image": "alpine:3"})
    site.client.create(path_of(C9S, "nodes", site.lab), node).ok()


def test_a_release_while_no_manager_leads(site: Site) -> None:
    site.config(batchSize=9)
    waiting(site)
    site.policy(config={"batchSize": 0}, guards={"allowRelease": True})
    held(site, "NoLeader")
    with site.managed(), site.running(site.kubeconfig(site.account("two"))):
        site.until("Enforced")
    assert site.block(site.config_path) == {"batchSize": 0}


def test_somebody_who_undoes_what_is_written(kept: Site) -> None:
    kept.policy(config={"batchSize": 5})
    with kept.running(kept.kubeconfig(kept.account("one"))):
        for _ in range(3):
            wait_for("written", lambda: kept.block(kept.config_path) == {"batchSize": 5})
            kept.set(kept.config_path, batchSize=9)
        assert kept.until("Fighting")["status"] == "False"
        kept.set(kept.config_path, batchSize=8)
        kept.until("Fighting")
        assert len(kept.writes(resource="configs.c9s.run")) == 3
    assert kept.block(kept.config_path) == {"batchSize": 8}


def test_no_config_to_write_to(site: Site) -> None:
    site.policy(config={"batchSize": 5})
    with site.running(site.kubeconfig(site.account("one"))):
        site.until("ConfigMissing")
        site.config(batchSize=9)
        site.until("Enforced")


def test_a_watch_that_falls_silent(kept: Site, faults: FaultProxy) -> None:
    """The stream looks alive, and nothing comes: by the time it is noticed nothing may have been written."""
    kept.policy(config={"batchSize": 9})
    token = kept.account("one")
    agent = "kubectl-c9s/.*"
    way = kept.kubeconfig(token, faults.access)
    with kept.running(way, "--watch-silence=3s") as one:
        kept.until("Enforced")
        match = {"agent": agent, "resource": "configs.c9s.run"}
        faults.rules(
            {"match": match | {"verb": "watch"}, "do": "silent"},
            {"match": match | {"verb": "list|get"}, "do": "unavailable"},
        )
        faults.cut()
        kept.client.patch(kept.config_path, {"metadata": {"labels": {"seen": "no"}}}).ok()
        found = kept.until("StaleView")
        assert "configs.c9s.run" in found["message"]
        assert "configs.c9s.run" in one.unready("nothing has been heard")
        kept.policy(config={"batchSize": 5})
        kept.until("StaleView")
        assert is_untouched(kept)
        faults.rules()
        faults.cut()
        kept.until("Enforced")
    assert kept.block(kept.config_path) == {"batchSize": 5}


def test_kinds_without_the_field(private_bed: Callable[[Wish], OwnBed], tmp_path: Path) -> None:
    bed = private_bed(Wish(nodes=0))
    load_kinds(bed)
    with bed.client() as client:
        path = f"{CRDS}/configs.c9s.run"
        crd = client.get(path).ok()
        for version in crd["spec"]["versions"]:
            version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"].pop(
                "rollout", None
            )
        client.patch(path, {"spec": {"versions": crd["spec"]["versions"]}}).ok()
    with bed.namespace("c9s") as own, bed.namespace("lab") as lab:
        site = Site(bed, own, lab, tmp_path)
        spec = {"imagePull": {"policy": "Always"}}
        config = made(C9S, "Config", "clabernetes", spec=spec)
        client = site.client
        client.create(path_of(C9S, "configs", own), config).ok()
        site.policy(config={"batchSize": 5})
        with site.running(site.kubeconfig(site.account("one"))):
            assert site.until("Unsupported")["status"] == "False"
            site.mark()
            assert not [one for one in site.writes() if one.accepted]
        site.end()
