"""The audit log of a real server, read back: what was asked, by whom, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit_reader import AuditLog, accepted_twice, count
from bed_client import path_of

if TYPE_CHECKING:
    from bed_own import OwnBed


def test_writes_of_a_client_are_found_in_order_with_their_codes(own_bed: OwnBed) -> None:
    agent = "audited/1"
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "it"}}
    with own_bed.namespace("faults") as namespace, own_bed.client(agent=agent) as client:
        log = AuditLog(own_bed.audit_log)
        collection = path_of("v1", "configmaps", namespace)
        path = f"{collection}/it"
        client.create(collection, body).ok()
        assert client.create(collection, body).status == 409
        client.patch(path, {"data": {"a": "b"}}, dryRun="All").ok()
        client.patch(path, {"data": {"a": "b"}}).ok()
        client.get(path).ok()
        client.delete(path).ok()
        log.when(lambda found: len(found) >= 6, namespace=namespace, agent=agent)
        writes = log.writes(namespace=namespace, agent=agent)
    assert [(one.verb, one.code) for one in writes] == [
        ("create", 201),
        ("create", 409),
        ("patch", 200),
        ("delete", 200),
    ]
    assert count(writes, "resource", "accepted") == {
        ("configmaps", True): 3,
        ("configmaps", False): 1,
    }
    assert {one.user for one in writes} == {"testbed-admin"}
    assert accepted_twice(writes) == {("configmaps", namespace, "it"): 3}


def test_writes_are_told_apart_by_user(own_bed: OwnBed) -> None:
    with own_bed.namespace("faults") as namespace:
        log = AuditLog(own_bed.audit_log)
        token = own_bed.service_account(namespace, "small")
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "it"}}
        collection = path_of("v1", "configmaps", namespace)
        with own_bed.client(token) as small, own_bed.client() as admin:
            assert small.create(collection, body).status == 403
            admin.create(collection, body).ok()
        user = f"system:serviceaccount:{namespace}:small"
        log.when(lambda found: len(found) >= 2, resource="configmaps", namespace=namespace,
                 verb="create", agent="testbed")  # fmt: skip
        codes = {
            one.user: one.code
            for one in log.writes(namespace=namespace, resource="configmaps", agent="testbed")
        }
    assert codes == {user: 403, "testbed-admin": 201}
