"""Guardrails on a real API server, for the manager, a user and a GitOps tool, each with a token of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_objects import until
from guard_site import GITOPS, MANAGER, RECONCILER, USER, config, node, pod, topology

if TYPE_CHECKING:
    from bed_client import Answer
    from guard_site import Site

CONFIG = "configs/clabernetes"
ALLOW = {"metadata": {"annotations": {"toolkit.c9s.run/allow-release": "true"}}}
UNGATE = [{"op": "remove", "path": "/spec/schedulingGates"}]
EVERYBODY = pytest.mark.parametrize("who", [MANAGER, USER, GITOPS, RECONCILER])
FORBIDDEN = 403


def refused(answer: Answer, *words: str) -> None:
    assert answer.status == FORBIDDEN, answer.body
    for word in words:
        assert word in answer.json()["message"]


@EVERYBODY
def test_a_value_above_the_cap_is_refused_whoever_writes_it(site: Site, who: str) -> None:
    site.create(USER, config(batchSize=5)).ok()
    site.bound(config_maxBatchSize="100", topology_maxConcurrentPerHost="4")
    body = {"spec": {"rollout": {"batchSize": 101}}}
    until("the cap counts", lambda: site.patch(who, CONFIG, body, dryRun="All").status == FORBIDDEN)
    refused(site.patch(who, CONFIG, body), "batchSize 101 is above 100")
    site.patch(who, CONFIG, {"spec": {"rollout": {"batchSize": 100}}}).ok()
    refused(site.create(who, topology(maxConcurrentPerHost=5)), "maxConcurrentPerHost 5 is above 4")
    site.create(who, topology(batchSize=101, maxConcurrentPerHost=4)).ok()


def test_what_was_above_before_the_cap_came_can_still_be_written(site: Site) -> None:
    site.create(USER, config(batchSize=500)).ok()
    site.bound(config_maxBatchSize="100")
    high = {"spec": {"rollout": {"batchSize": 501}}}
    until(
        "the cap counts", lambda: site.patch(USER, CONFIG, high, dryRun="All").status == FORBIDDEN
    )
    site.patch(MANAGER, CONFIG, {"metadata": {"labels": {"a": "b"}}}).ok()
    refused(site.patch(USER, CONFIG, {"spec": {"rollout": {"maxConcurrentPerHost": 1}}}), "500")


@EVERYBODY
@pytest.mark.parametrize("field", ["batchSize", "maxConcurrentPerHost"])
@pytest.mark.parametrize("kind", ["configs/clabernetes", "topologies/lab"])
def test_a_limit_is_not_switched_off_by_accident(
    site: Site, who: str, field: str, kind: str
) -> None:
    made = config if kind == CONFIG else topology
    site.create(USER, made(batchSize=5, maxConcurrentPerHost=2)).ok()
    for body in (
        {"spec": {"rollout": {field: 0}}},
        {"spec": {"rollout": {field: None}}},
        {"spec": {"rollout": None}},
    ):
        refused(site.patch(who, kind, body), "would be switched off", "allow-release=true")
    site.patch(who, kind, {"spec": {"rollout": {field: 1}}}).ok()
    site.patch(who, kind, ALLOW | {"spec": {"rollout": {field: 0}}}).ok()


def test_server_side_apply_that_gives_a_limit_up_is_refused_as_well(site: Site) -> None:
    kept = {"imagePull": {"policy": "Always"}}
    whole = config() | {"spec": {"rollout": {"batchSize": 5}, **kept}}
    site.apply(GITOPS, CONFIG, whole, "argocd-controller").ok()
    less = config() | {"spec": kept}
    refused(site.apply(GITOPS, CONFIG, less, "argocd-controller"), "batchSize 5")


def test_a_config_with_limits_is_not_deleted_by_accident(site: Site) -> None:
    site.create(USER, config(batchSize=5)).ok()
    refused(site.delete(USER, CONFIG), "batchSize 5 would be switched off")
    site.patch(USER, CONFIG, ALLOW).ok()
    site.delete(USER, CONFIG).ok()
    site.create(USER, topology(batchSize=5)).ok()
    site.delete(USER, "topologies/lab").ok()


def test_a_namespace_goes_with_its_config(site: Site) -> None:
    site.create(USER, config(batchSize=5)).ok()
    with site.bed.client() as client:
        path = path_of("v1", "namespaces", name=site.namespace)
        client.delete(path).ok()
        until("the namespace is gone", lambda: client.get(path).status == 404)


@pytest.mark.parametrize("who", [USER, GITOPS])
@pytest.mark.parametrize("key", ["c9s.run/startup-admitted", "c9s.run/startup-hold"])
def test_startup_marks_are_the_managers(site: Site, who: str, key: str) -> None:
    refused(site.create(who, node("r1", {key: "x"})), key, "by the manager alone", who)
    site.create(who, node("r1")).ok()
    mark = {"metadata": {"annotations": {key: "x"}}}
    refused(site.patch(who, "nodes/r1", mark), key)
    site.patch(MANAGER, "nodes/r1", mark).ok()
    site.patch(who, "nodes/r1", {"metadata": {"annotations": {"note": "x"}}}).ok()
    refused(site.patch(who, "nodes/r1", {"metadata": {"annotations": {key: None}}}), key)


@pytest.mark.parametrize("who", [USER, GITOPS])
def test_a_grant_of_a_host_is_the_managers(site: Site, who: str) -> None:
    refused(site.create(who, pod("p1", grant="x")), "startup-host-admitted")
    site.create(who, pod("p1")).ok()
    grant = {"metadata": {"annotations": {"c9s.run/startup-host-admitted": "x"}}}
    refused(site.patch(who, "pods/p1", grant), "startup-host-admitted")
    site.patch(MANAGER, "pods/p1", grant).ok()


def test_a_pod_does_not_become_a_device_with_a_grant(site: Site) -> None:
    site.create(USER, pod("p1", device=False, grant="x")).ok()
    label = {"metadata": {"labels": {"c9s.run/direct-workload": "r1"}}}
    refused(site.patch(USER, "pods/p1", label), "startup-host-admitted")


def test_the_gate_of_the_pacer_is_taken_away_by_the_reconciler_alone(site: Site) -> None:
    refused(site.create(USER, pod("p1", gate=True)), "toolkit.c9s.run/startup")
    path = path_of("v1", "namespaces", name=site.namespace)
    with site.bed.client() as client:
        client.patch(path, {"metadata": {"labels": {"toolkit.c9s.run/pacing": "enabled"}}}).ok()
    until("the label counts", lambda: site.create(USER, pod("p1", gate=True)).status != FORBIDDEN)
    for who in (USER, GITOPS):
        refused(site.patch(who, "pods/p1", UNGATE), "the reconciler's")
    site.patch(RECONCILER, "pods/p1", UNGATE).ok()


def test_without_its_parameters_nothing_keeps_the_manager_from_working(site: Site) -> None:
    with site.bed.client() as client:
        client.delete(path_of("v1", "configmaps", site.namespace, "c9s-guardrails")).ok()
    mark = {"c9s.run/startup-admitted": "x"}
    until("they are gone", lambda: site.create(MANAGER, node("r1", mark)).status < 300)


def test_the_warning_overlay_refuses_nothing(warning_site: Site) -> None:
    warning_site.create(USER, config(batchSize=5)).ok()
    warning_site.patch(USER, CONFIG, {"spec": {"rollout": {"batchSize": 0}}}).ok()
    warning_site.create(USER, node("r1", {"c9s.run/startup-admitted": "x"})).ok()
