"""The test bed's API server: what tests of live commands rely on."""

from __future__ import annotations

import json
import secrets
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_go import KUBERNETES, cached
from bed_objects import until

from kubectl_c9s.resources.crd import crd
from kubectl_c9s.resources.schema_source import KINDS

if TYPE_CHECKING:
    from bed_base import Bed
    from bed_client import ApiClient, Json
    from bed_own import OwnBed

CASES = Path(__file__).parents[1] / "split/cases"
ACCEPTED = sorted(path.parent.name for path in CASES.glob("*/expected.json"))
C9S = "c9s.run/v1alpha1"
PLURALS = {kind: crd(kind)["spec"]["names"]["plural"] for kind in KINDS}


def strictly(client: ApiClient, one: Json, namespace: str) -> tuple[int, str]:
    """Create an object in a namespace under strict validation; give the status and the server's words."""
    body = one | {"metadata": one["metadata"] | {"namespace": namespace}}
    path = path_of(one["apiVersion"], PLURALS[one["kind"]], namespace)
    answer = client.create(path, body, fieldValidation="Strict")
    return answer.status, "" if answer.status == 201 else answer.json()["message"]


def test_the_server_says_the_version_of_its_binary(own_bed: OwnBed) -> None:
    tool = own_bed.state.tools["kube-apiserver"]
    printed = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True)
    with own_bed.client() as client:
        version = client.get("/version").ok()["gitVersion"]
    assert printed.stdout.split() == ["Kubernetes", version]
    if Path(tool) == cached("kube-apiserver"):
        assert version == f"v{KUBERNETES}" == "v1.37.2"


def test_our_five_kinds_are_served(bed: Bed) -> None:
    with bed.client() as client:
        found = client.get(f"/apis/{C9S}").ok()["resources"]
    assert {one["kind"] for one in found if "/" not in one["name"]} == set(KINDS)
    with_status = {
        one["name"].partition("/")[0] for one in found if one["name"].endswith("/status")
    }
    assert "topologies" in with_status


@pytest.mark.parametrize("case", ACCEPTED)
def test_the_server_takes_the_objects_of_a_case_under_strict_validation(
    bed: Bed, case: str
) -> None:
    expected = json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))
    objects = [one for part in ("nodeProfiles", "links", "nodes") for one in expected[part]]
    with bed.namespace("case") as namespace, bed.client() as client:
        answers = {one["metadata"]["name"]: strictly(client, one, namespace) for one in objects}
    assert objects
    assert {name: answer for name, answer in answers.items() if answer[0] != 201} == {}


def test_strict_validation_refuses_a_field_that_is_not_in_our_schemas(bed: Bed) -> None:
    link: Json = json.loads((CASES / "01-two-node-srl/expected.json").read_text(encoding="utf-8"))
    one = link["links"][0]
    one["spec"]["colour"] = "red"
    with bed.namespace() as namespace, bed.client() as client:
        status, message = strictly(client, one, namespace)
    assert status in {400, 422}
    assert "colour" in message


def test_a_token_may_do_what_its_role_says_and_nothing_else(bed: Bed) -> None:
    with bed.namespace() as namespace, bed.client() as admin:
        token = bed.service_account(namespace, "reader")
        path = path_of(C9S, "nodes", namespace)
        with bed.client(token) as reader:
            refused = reader.get(path)
            assert refused.status == 403
            assert f"system:serviceaccount:{namespace}:reader" in refused.json()["message"]
            allow(admin, namespace, "reader", {"resources": ["nodes"], "verbs": ["list"]})
            until("the role has effect", lambda: reader.get(path).status == 200)
            assert reader.get(path_of(C9S, "links", namespace)).status == 403
            assert reader.get(f"{path}/some").status == 403


def allow(admin: ApiClient, namespace: str, account: str, rule: Json) -> None:
    group = "rbac.authorization.k8s.io"
    meta = {"name": account, "namespace": namespace}
    role: Json = {"apiVersion": f"{group}/v1", "kind": "Role", "metadata": meta}
    role["rules"] = [{"apiGroups": ["c9s.run"], **rule}]
    binding = role | {
        "kind": "RoleBinding",
        "roleRef": {"apiGroup": group, "kind": "Role", "name": account},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": namespace}],
    }
    del binding["rules"]
    admin.create(path_of(f"{group}/v1", "roles", namespace), role).ok()
    admin.create(path_of(f"{group}/v1", "rolebindings", namespace), binding).ok()


def test_a_token_of_another_server_is_refused(bed: Bed) -> None:
    with bed.client("e30.e30.e30") as stranger:
        assert stranger.get("/api").status == 401


def test_a_deleted_namespace_takes_its_objects_with_it(bed: Bed) -> None:
    nodes = json.loads((CASES / "01-two-node-srl/expected.json").read_text(encoding="utf-8"))
    with bed.client() as client:
        with bed.namespace() as namespace:
            for one in nodes["nodes"]:
                assert strictly(client, one, namespace) == (201, "")
            assert len(client.get(path_of(C9S, "nodes", namespace)).ok()["items"]) == 2
        path = path_of("v1", "namespaces", name=namespace)
        until(f"{namespace} is gone", lambda: client.get(path).status == 404)
        assert client.get(path_of(C9S, "nodes", namespace)).ok()["items"] == []


def test_a_quota_is_kept(bed: Bed) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        maps = path_of("v1", "configmaps", namespace)
        used = len(client.get(maps).ok()["items"])
        quota = quota_of(namespace, {"count/configmaps": str(used + 1)})
        path = path_of("v1", "resourcequotas", namespace)
        client.create(path, quota).ok()
        until("the quota counts", lambda: "used" in client.get(f"{path}/few").ok()["status"])
        # The published root certificate is one of them, and may have come between list and quota.
        answers = [client.create(maps, configmap(namespace)) for _ in range(3)]
    assert [one.status for one in answers][-1] == 403
    assert "exceeded quota: few" in answers[-1].json()["message"]


def quota_of(namespace: str, hard: dict[str, str]) -> Json:
    meta = {"name": "few", "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": meta, "spec": {"hard": hard}}


def configmap(namespace: str, name: str = "") -> Json:
    meta = {"name": name or f"map-{secrets.token_hex(4)}", "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta}


def test_the_audit_log_has_every_write_with_its_user_and_its_end(own_bed: OwnBed) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as admin:
        token = own_bed.service_account(namespace, "writer")
        maps = path_of("v1", "configmaps", namespace)
        admin.create(maps, configmap(namespace, "taken")).ok()
        with own_bed.client(token, agent="audited/1") as writer:
            assert writer.delete(f"{maps}/taken").status == 403
        admin.delete(f"{maps}/taken").ok()
        wanted = {
            ("testbed-admin", "create", "taken", 201),
            (f"system:serviceaccount:{namespace}:writer", "delete", "taken", 403),
            ("testbed-admin", "delete", "taken", 200),
        }
        until("the writes are in the audit log", lambda: written(own_bed, maps) >= wanted)
        assert {one for one in written(own_bed, maps) if one[2] == "taken"} == wanted


def written(bed: OwnBed, collection: str) -> set[tuple[str, str, str, int]]:
    """Read who did what to which object of a collection, and how it ended."""
    found = set()
    for line in bed.audit_log.read_text(encoding="utf-8").splitlines(keepends=True):
        if f'"requestURI":"{collection}' in line and line.endswith(
            "\n"
        ):  # the last may be half there
            entry = json.loads(line)
            name, code = entry["objectRef"].get("name", ""), entry["responseStatus"]["code"]
            found.add((entry["user"]["username"], entry["verb"], name, code))
    return found
