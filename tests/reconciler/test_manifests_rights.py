"""The rights of each mode, with the token of the account that is shipped: all that is needed, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_objects import until
from manifests_site import (
    C9S,
    CRDS,
    EVENTS,
    FORBIDDEN,
    LEASES,
    NAME,
    TOOLKIT,
    Account,
    Places,
    made,
    rules_review,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_base import Bed
    from bed_client import Json

READ = ("get", "list", "watch")
SEEN = {
    "c9s.run": ("configs", "topologies", "nodes", "links"),
    "": ("pods", "nodes", "events"),
    "apps": ("deployments", "replicasets"),
}
VERSIONS = {"c9s.run": C9S, "": "v1", "apps": "apps/v1"}
LIMITS = {"spec": {"rollout": {"batchSize": 5}}}


@pytest.fixture(scope="module", params=["report", "enforce"])
def account(bed: Bed, request: pytest.FixtureRequest) -> Iterator[Account]:
    with (
        bed.namespace("own") as own,
        bed.namespace("manager") as manager,
        bed.namespace("lab") as lab,
    ):
        one = Account(bed, Places(own, manager, lab), request.param)
        try:
            pods = path_of("v1", "pods")
            until("the rights count", lambda: one.status("GET", pods, limit="1") != FORBIDDEN)
            yield one
        finally:
            one.remove()


def cluster_wide(mode: str) -> set[tuple[str, str, str, str]]:
    found = {(group, name, "", verb) for group, names in SEEN.items() for name in names for verb in READ}  # fmt: skip
    return found | ({("c9s.run", "topologies", "", "patch")} if mode == "enforce" else set())


def in_own(_: str) -> set[tuple[str, str, str, str]]:
    lease = "coordination.k8s.io", "leases"
    return {(*lease, "", "create"), *((*lease, NAME, verb) for verb in ("get", "patch"))}


def in_managers(mode: str) -> set[tuple[str, str, str, str]]:
    toolkit = "toolkit.c9s.run"
    found = {(toolkit, "rolloutpolicies", "", verb) for verb in READ}
    found.add((toolkit, "rolloutpolicies/status", "", "patch"))
    found |= {("coordination.k8s.io", "leases", "", verb) for verb in READ}
    found.add(("events.k8s.io", "events", "", "create"))
    config = ("c9s.run", "configs", "clabernetes", "patch")
    return found | ({config} if mode == "enforce" else set())


def test_it_may_do_exactly_this_and_nothing_else(bed: Bed, account: Account) -> None:
    own, manager, lab = account.places
    with bed.client(bed.service_account(lab, f"nobody-{account.mode}")) as nobody:
        everybody = rules_review(nobody, lab)
    wide = cluster_wide(account.mode)
    assert rules_review(account.client, lab) - everybody == wide
    assert rules_review(account.client, own) - everybody == wide | in_own(account.mode)
    assert rules_review(account.client, manager) - everybody == wide | in_managers(account.mode)


def test_what_it_watches_can_be_listed_and_watched(account: Account) -> None:
    manager = account.places.manager
    paths = [path_of(VERSIONS[group], name) for group, names in SEEN.items() for name in names]
    paths.append(path_of(*LEASES, manager))
    for path in paths:
        assert account.status("GET", path, limit="1") == 200, path
    for path in (
        paths[-1],
        path_of("v1", "pods"),
    ):  # each takes a second; the rules of all are compared above
        assert account.status("GET", path, watch="true", timeoutSeconds="1") == 200, path
    # The kind is not on a shared server: who may not ask is told so before that.
    policies = path_of(TOOLKIT, "rolloutpolicies", manager)
    assert account.status("GET", policies) != FORBIDDEN
    status = path_of(TOOLKIT, "rolloutpolicies", manager, "p", "status")
    assert account.status("PATCH", status, {"status": {}}) != FORBIDDEN


def test_its_lease_and_its_events_can_be_written(account: Account) -> None:
    own, manager, _ = account.places
    lease = path_of(*LEASES, own, NAME)
    assert account.status("GET", lease) == 200
    assert account.status("PATCH", lease, {"spec": {"holderIdentity": "me"}}) == 200
    new = made("coordination.k8s.io/v1", "Lease", "new", spec={})
    assert account.status("POST", path_of(*LEASES, own), new) == 201
    event = made(
        "events.k8s.io/v1", "Event", "p.1", eventTime="2026-01-01T00:00:00.000000Z", type="Normal",
        reason="Enforced", action="Enforce", note="text", reportingController="toolkit.c9s.run/c9s-reconciler",
        reportingInstance="me",
        regarding={"apiVersion": TOOLKIT, "kind": "RolloutPolicy", "namespace": manager, "name": "p"},
    )  # fmt: skip
    event["metadata"]["namespace"] = manager
    assert account.status("POST", path_of(*EVENTS, manager), event) == 201


def test_limits_are_written_in_the_mode_that_enforces_alone(account: Account) -> None:
    wanted = 200 if account.mode == "enforce" else FORBIDDEN
    config = path_of(C9S, "configs", account.places.manager, "clabernetes")
    topology = path_of(C9S, "topologies", account.places.lab, "lab")
    assert account.status("PATCH", config, LIMITS) == wanted
    assert account.status("PATCH", topology, LIMITS) == wanted


def test_what_it_has_no_business_with_is_forbidden(account: Account) -> None:
    own, manager, lab = account.places
    label = {"metadata": {"labels": {"a": "b"}}}
    pod = made("v1", "Pod", "p", spec={"containers": [{"name": "c", "image": "a"}]})
    refused: list[tuple[str, str, Json | None]] = [
        ("PATCH", path_of(C9S, "configs", lab, "clabernetes"), LIMITS),
        ("PATCH", path_of(C9S, "topologies", lab, "lab", "status"), {"status": {}}),
        ("DELETE", path_of(C9S, "topologies", lab, "lab"), None),
        ("DELETE", path_of(C9S, "configs", manager, "clabernetes"), None),
        ("PATCH", path_of(C9S, "nodes", lab, "r1"), label),
        ("DELETE", path_of(C9S, "nodes", lab, "r1"), None),
        ("PATCH", path_of("v1", "pods", lab, "p"), label),
        ("DELETE", path_of("v1", "pods", lab, "p"), None),
        ("POST", path_of("v1", "pods", own), pod),
        ("POST", path_of("v1", "pods", lab, "p", "exec"), None),
        ("GET", path_of("v1", "secrets"), None),
        ("GET", path_of("v1", "secrets", own), None),
        ("GET", path_of("v1", "configmaps", manager), None),
        ("PATCH", path_of(TOOLKIT, "rolloutpolicies", manager, "p"), {"spec": {}}),
        ("GET", path_of(TOOLKIT, "rolloutpolicies", lab), None),
        ("PATCH", path_of(*LEASES, own, "other"), {"spec": {}}),
        ("PATCH", path_of(*LEASES, manager, NAME), {"spec": {}}),
        ("GET", path_of(*LEASES), None),
        ("POST", path_of(*EVENTS, lab), made("events.k8s.io/v1", "Event", "e")),
        ("GET", path_of(*CRDS), None),
        ("PATCH", path_of(*CRDS, name="topologies.c9s.run"), label),
        ("POST", path_of("v1", "serviceaccounts", own, NAME, "token"), {}),
        ("GET", path_of("rbac.authorization.k8s.io/v1", "roles", own), None),
    ]
    statuses = {f"{method} {path}": account.status(method, path, body) for method, path, body in refused}  # fmt: skip
    assert statuses == dict.fromkeys(statuses, FORBIDDEN)
