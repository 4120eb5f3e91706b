"""The folder ``manifests/`` on a real API server, as it is shipped: applied, changed over, removed without a trace."""

from __future__ import annotations

import copy
import functools
import http.client
import json
import secrets
import urllib.parse
from typing import TYPE_CHECKING, Any

import bed_sources
import pytest
from bed_client import path_of
from bed_objects import until
from bed_own import Wish
from bed_plugin import may_build, using
from manifests_tools import APF, MANIFESTS, RBAC, as_list, of_kind, printed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_client import ApiClient, Json
    from bed_own import OwnBed

MODES = pytest.mark.parametrize("mode", ["report", "enforce"])
RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted"}
STRICT = "--validate=strict"
DEPLOYMENT = path_of("apps/v1", "deployments", "c9s", "c9s-reconciler")
BUDGET = path_of("policy/v1", "poddisruptionbudgets", "c9s", "c9s-reconciler")
POLICY = path_of("toolkit.c9s.run/v1alpha1", "rolloutpolicies", "c9s", "rollout")
CRD = "crd/rolloutpolicies.toolkit.c9s.run"
KINDS = (
    "sa,clusterrole,clusterrolebinding,role,rolebinding,networkpolicy,pdb,deployment,configmap,"
    "flowschema,prioritylevelconfiguration,validatingadmissionpolicy,validatingadmissionpolicybinding"
)


@pytest.fixture(scope="module")
def bed() -> Iterator[
    OwnBed
]:  # names and namespaces of the manifests are fixed: nobody else may use them
    name = f"{bed_sources.PRIVATE}manifests-{secrets.token_hex(3)}"
    build = may_build()
    make = functools.partial(bed_sources.obtain_own, name, Wish(nodes=2), may_build=build)
    with using(name, make) as bed:
        with bed.client() as client:
            namespace = {"apiVersion": "v1", "kind": "Namespace"}
            meta = {"metadata": {"name": "c9s", "labels": RESTRICTED}}
            client.create(path_of("v1", "namespaces"), namespace | meta).ok()
            account = path_of("v1", "serviceaccounts", "c9s", "default")
            until("the namespace is ready", lambda: client.get(account).status == 200)
        yield bed


@pytest.fixture
def client(bed: OwnBed) -> Iterator[ApiClient]:
    """Give an administrator of a server that has the kind and nothing else of the manifests."""
    done(bed, "apply", "-k", place("crds"))
    done(bed, "wait", "--for=condition=Established", CRD)
    with bed.client() as client:
        yield client
    for folder in ("overlays/enforce", "apf", "guardrails"):
        done(bed, "delete", "-k", place(folder), "--ignore-not-found")


def place(folder: str) -> str:
    return str(MANIFESTS / folder)


def done(bed: OwnBed, *args: str, text: str = "") -> str:
    """Run kubectl, which has to say that it is done; give its words."""
    found = bed.kubectl(*args, text=text)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def rollout(bed: OwnBed) -> None:
    done(bed, "rollout", "status", "deployment/c9s-reconciler", "-n", "c9s", "--timeout=90s")


@MODES
def test_an_overlay_is_taken_where_pods_are_restricted(
    bed: OwnBed, client: ApiClient, mode: str
) -> None:
    folder = place(f"overlays/{mode}")
    done(bed, "apply", "-k", folder, STRICT, "--server-side", "--dry-run=server")
    assert client.get(DEPLOYMENT).status == 404
    done(bed, "apply", "-k", folder, STRICT)
    rollout(bed)
    pods = client.get(path_of("v1", "pods", "c9s")).ok()["items"]
    assert len(pods) == 2
    assert client.get(POLICY).ok()["spec"]["mode"] == mode.capitalize()
    budget = client.get(BUDGET).ok()["metadata"]["resourceVersion"]
    again = done(bed, "apply", "-k", folder, STRICT).splitlines()
    changed = [line.partition(" ")[0] for line in again if not line.endswith(" unchanged")]
    # kubectl sends the selector of a budget each time anew, and the server takes it for what it is.
    assert changed == ["poddisruptionbudget.policy/c9s-reconciler"]
    assert client.get(BUDGET).ok()["metadata"]["resourceVersion"] == budget


@MODES
def test_what_the_command_prints_is_applied_as_it_is(
    bed: OwnBed, client: ApiClient, mode: str
) -> None:
    flags = ["--mode", mode, "--priority", "--guardrails=warn", "--profile=burst", "--replicas=1"]
    text = as_list(printed(*flags))
    done(bed, "apply", "-f", "-", STRICT, "--server-side", text=text)
    rollout(bed)
    assert client.get(DEPLOYMENT).ok()["spec"]["replicas"] == 1


BREAKS: dict[str, dict[str, Any]] = {
    "runs as root": {"runAsNonRoot": False},
    "any capability": {"capabilities": {}},
    "privilege escalation": {"allowPrivilegeEscalation": True},
    "no seccomp": {"seccompProfile": {"type": "Unconfined"}},
}


@pytest.mark.parametrize("change", BREAKS.values(), ids=BREAKS.keys())
def test_its_pods_are_restricted_and_would_be_refused_with_less(
    client: ApiClient, change: dict[str, Any]
) -> None:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "c9s-reconciler"}}
    client.create(path_of("v1", "serviceaccounts", "c9s"), account)
    pod = pod_of(printed())
    path = path_of("v1", "pods", "c9s")
    client.create(path, pod, dryRun="All", fieldValidation="Strict").ok()
    pod["spec"]["containers"][0]["securityContext"] |= change
    answer = client.create(path, pod, dryRun="All")
    assert answer.status == 403
    assert 'violates PodSecurity "restricted' in answer.json()["message"]


def pod_of(objects: list[Json]) -> Json:
    template = copy.deepcopy(of_kind(objects, "Deployment")["spec"]["template"])
    template["metadata"]["name"] = "probe"
    return {"apiVersion": "v1", "kind": "Pod", **template}


def test_a_field_that_no_kind_has_would_be_refused(bed: OwnBed, client: ApiClient) -> None:
    objects = printed()
    of_kind(objects, "RolloutPolicy")["spec"]["pacing"] = {}
    found = bed.kubectl("apply", "-f", "-", STRICT, "--dry-run=server", text=as_list(objects))
    assert found.returncode == 1
    assert 'unknown field "pacing"' in found.stderr
    assert client.get(POLICY).status == 404


def test_going_back_to_reporting_takes_the_rights_of_enforcing_away(
    bed: OwnBed, client: ApiClient
) -> None:
    def verbs() -> set[str]:
        paths = [
            path_of(RBAC, "clusterroles", name="c9s-reconciler"),
            path_of(RBAC, "roles", "c9s", "c9s-reconciler-manager"),
        ]
        rules = [rule for path in paths for rule in client.get(path).ok()["rules"]]
        return {verb for rule in rules if "c9s.run" in rule["apiGroups"] for verb in rule["verbs"]}

    done(bed, "apply", "-k", place("overlays/enforce"))
    assert "patch" in verbs()
    done(bed, "apply", "-k", place("overlays/report"))
    assert verbs() == {"get", "list", "watch"}
    assert client.get(POLICY).ok()["spec"]["mode"] == "Report"


def test_without_the_kind_all_but_its_policy_is_applied_and_a_second_time_that_too(
    bed: OwnBed, client: ApiClient, tmp_path: Path
) -> None:
    done(bed, "delete", "-k", place("crds"))
    folder = place("overlays/report")
    fresh = f"--cache-dir={tmp_path}"  # one that has never seen the kind
    first = bed.kubectl("apply", "-k", folder, STRICT, fresh)
    assert first.returncode == 1
    assert "ensure CRDs are installed first" in first.stderr
    done(bed, "wait", "--for=condition=Established", CRD)
    done(bed, "apply", "-k", folder, STRICT)
    assert client.get(POLICY).ok()["spec"]["mode"] == "Report"


def test_nothing_is_left_when_it_is_removed(bed: OwnBed, client: ApiClient) -> None:
    def left() -> str:
        part = "app.kubernetes.io/part-of=kubectl-c9s"
        return done(bed, "get", KINDS, "-A", "-o", "name", "-l", part)

    folders = ("overlays/enforce", "apf", "guardrails")
    for folder in folders:
        done(bed, "apply", "-k", place(folder), STRICT)
    assert len(left().splitlines()) >= 15
    done(bed, "delete", "rolloutpolicies.toolkit.c9s.run", "-A", "--all")
    for folder in folders:
        done(bed, "delete", "-k", place(folder), "--ignore-not-found")
    assert left() == ""
    assert client.get(path_of("toolkit.c9s.run/v1alpha1", "rolloutpolicies")).status == 404
    assert client.get(path_of("v1", "namespaces", name="c9s")).status == 200


def test_each_request_comes_to_its_level_of_priority(bed: OwnBed, client: ApiClient) -> None:
    done(bed, "apply", "-k", place("overlays/enforce"))
    done(bed, "apply", "-k", place("apf"), STRICT)
    token = path_of("v1", "serviceaccounts", "c9s", "c9s-reconciler", "token")
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    access = bed.access.as_token(client.create(token, body).ok()["status"]["token"])
    levels = {
        client.get(path_of(APF, "prioritylevelconfigurations", name=name)).ok()["metadata"]["uid"]: name
        for name in ("c9s-critical", "c9s-bulk", "workload-low")
    }  # fmt: skip

    def level(method: str, path: str) -> str:
        url = urllib.parse.urlsplit(access.server)
        server = http.client.HTTPSConnection(url.hostname or "", url.port, context=access.tls())
        headers = {
            "Authorization": f"Bearer {access.token}",
            "Content-Type": "application/merge-patch+json" if method == "PATCH" else "application/json",
        }  # fmt: skip
        server.request(method, path, json.dumps({}) if method != "GET" else None, headers)
        with server.getresponse() as answer:
            uid = answer.getheader("X-Kubernetes-PF-PriorityLevel-UID")
        server.close()
        return levels.get(uid or "", str(uid))

    lease = path_of("coordination.k8s.io/v1", "leases", "c9s", "c9s-reconciler")
    until("the levels count", lambda: level("GET", lease) == "c9s-critical")
    assert level("PATCH", lease) == "c9s-critical"
    assert level("PATCH", path_of("c9s.run/v1alpha1", "configs", "c9s", "clabernetes")) == "c9s-critical"  # fmt: skip
    assert level("PATCH", f"{POLICY}/status") == "c9s-critical"
    assert level("POST", path_of("events.k8s.io/v1", "events", "c9s")) == "workload-low"
    assert level("GET", path_of("v1", "pods")) == "c9s-bulk"
    assert level("GET", path_of("coordination.k8s.io/v1", "leases", "c9s")) == "c9s-bulk"
