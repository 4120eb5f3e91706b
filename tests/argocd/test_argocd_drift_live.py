"""A lab that Argo CD has applied and that runs is in sync, in each of the ways in which Argo CD compares."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from argocd_lab import Site, rendered

if TYPE_CHECKING:
    from argocd_harness import ArgoCd
    from argocd_lab import Json
    from bed_own import OwnBed
    from standin_lab_tools import Labs

WAYS = ("", "structured", "server")
FILE = {"filePath": "/etc/motd", "configMapName": "motd", "configMapPath": "motd"}


@pytest.fixture
def site(argocd: ArgoCd, rules: dict[str, str], device_bed: OwnBed, labs: Labs) -> Site:
    labs.limit(batchSize=5)
    labs.standin.start()
    return Site(argocd, rules, device_bed, labs)


def differing(site: Site, objects: list[Json], way: str, rules: dict[str, str]) -> set[str]:
    """Name the kinds of which an object is out of sync."""
    pairs = [(one, site.live(one["kind"])[one["metadata"]["name"]]) for one in objects]
    found = site.argocd.differing(pairs, rules, way=way, kubeconfig=str(site.bed.kubeconfig))
    return {one["kind"] for one, out in zip(objects, found, strict=True) if out}


def test_a_lab_that_runs_is_in_sync(site: Site) -> None:
    objects = rendered(site.labs.namespace, ("a", "b"), "a:eth1-b:eth1")
    node = next(one for one in objects if one["kind"] == "Node")
    node["spec"]["filesFromConfigMap"] = [FILE]
    assert site.sync(objects)["phase"] == "Succeeded"
    site.wait("all are ready", lambda: site.labs.ready() == {"a", "b"})
    live = site.live("Node")["a"]
    assert live["metadata"]["annotations"]["c9s.run/startup-admitted"] == live["metadata"]["uid"]
    assert live["spec"]["filesFromConfigMap"][0]["mode"] == "read"
    assert {way: differing(site, objects, way, site.rules) for way in WAYS} == {
        way: set() for way in WAYS
    }
    # With ServerSideApply=true Argo CD compares in this way, which needs the settings.
    assert differing(site, objects, "structured", {}) == {"Node"}


@pytest.mark.parametrize("way", WAYS)
def test_a_commit_is_out_of_sync(site: Site, way: str) -> None:
    objects = rendered(site.labs.namespace, ("a", "b"), "a:eth1-b:eth1")
    assert site.sync(objects)["phase"] == "Succeeded"
    after: Any = copy.deepcopy(objects)
    for one in after:
        if one["kind"] == "Node":
            one["spec"]["image"] = "busybox:1.38"
    assert differing(site, after, way, site.rules) == {"Node"}
