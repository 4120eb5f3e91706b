"""Events and the manifest of a run as a real server gives them, and what a missing right leaves out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from bed_client import path_of
from bed_objects import until
from live_tools import C9S, path_to, small_lab
from pressure_live import connected, somebody

from kubectl_c9s.cluster.eventcounts import read_event_counts
from kubectl_c9s.cluster.runmanifest import Scope, collect, collect_plain
from kubectl_c9s.measurement.run import Limits
from kubectl_c9s.resources.moments import text_of

if TYPE_CHECKING:
    from pathlib import Path

    from bed_base import Bed
    from bed_client import ApiClient, Json

DEVICE = {"c9s.run/direct-workload": "r1", "c9s.run/topologyOwner": "lab"}
MANAGER = {"c9s.run/component": "manager", "c9s.run/app": "clabernetes"}


def pod(name: str, labels: dict[str, str], image: str = "alpine:3") -> Json:
    """Make a Pod that no host takes."""
    spec: Json = {"containers": [{"name": "main", "image": image}], "schedulerName": "nobody"}
    metadata = {"name": name, "labels": labels}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def told(client: ApiClient, namespace: str, body: Json, identity: str, *addresses: str) -> None:
    """Create a Pod and say what its container was made of, as a kubelet does."""
    path = path_of("v1", "pods", namespace)
    client.create(path, body).ok()
    name, image = body["metadata"]["name"], body["spec"]["containers"][0]["image"]
    status: Json = {
        "containerStatuses": [
            {"name": "main", "image": image, "imageID": identity, "ready": True, "restartCount": 0}
        ],
        "podIP": addresses[0],
        "podIPs": [{"ip": one} for one in addresses],
    }
    client.patch(f"{path}/{name}/status", {"status": status}).ok()


def prepared(client: ApiClient, namespace: str) -> None:
    """Make an installation and a lab with a device in one namespace."""
    rollout = {"batchSize": 4, "maxConcurrentPerHost": 2}
    _create(client, namespace, C9S, "Config", "clabernetes", {"rollout": rollout})
    pool = {"c9s.run/component": "planner-pool"}
    template = {
        "metadata": {"labels": pool},
        "spec": {"containers": [{"name": "p", "image": "c9s:1"}]},
    }
    spec = {"replicas": 0, "selector": {"matchLabels": pool}, "template": template}
    _create(client, namespace, "apps/v1", "Deployment", "pool", spec, pool)
    for one in small_lab():
        client.apply(path_to(one, namespace), one).ok()
    told(client, namespace, pod("manager", MANAGER, "c9s:1"), "c9s@sha256:aa", "10.9.0.1")
    told(client, namespace, pod("r1", DEVICE), "alpine@sha256:bb", "10.9.0.2", "fd09::2")
    other = pod("other", DEVICE | {"c9s.run/topologyOwner": "x"})
    told(client, namespace, other, "alpine@sha256:cc", "10.9.0.3")


def _create(  # noqa: PLR0913, PLR0917 - the parts of an object
    client: ApiClient, namespace: str, version: str, kind: str, name: str, spec: Json,
    labels: Json | None = None,
) -> None:  # fmt: skip
    meta = {"name": name, "labels": labels or {}}
    body = {"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec}
    plural = {"Config": "configs", "Deployment": "deployments"}[kind]
    client.create(path_of(version, plural, namespace), body).ok()


def test_the_manifest_has_what_was_asked_for_and_under_which_conditions(bed: Bed) -> None:
    with (
        bed.namespace() as namespace,
        bed.client() as client,
        connected(bed.kubeconfig) as connection,
    ):
        prepared(client, namespace)
        scope = Scope(namespace, "lab", namespace, "2026-01-02T03:04:05Z")
        found = collect(connection, scope, "warm")
        profile = path_of(C9S, "nodeprofiles", namespace, "lab")
        client.patch(profile, {"metadata": {"annotations": {"a": "b"}}}).ok()
        same = collect(connection, scope).manifest.definition
        client.patch(profile, {"spec": {"imagePull": {"policy": "Never"}}}).ok()
        other = collect(connection, scope).manifest.definition
        nothing = collect(connection, Scope(namespace, "nolab", namespace)).manifest
    manifest = found.manifest
    assert found.notes == ()
    assert manifest.images == {"alpine:3": "alpine@sha256:bb"}
    assert manifest.manager_images == ("c9s@sha256:aa",)
    assert (manifest.limits, manifest.topology_limits) == (Limits(4, 2), {})
    assert manifest.planner_replicas == 0
    assert manifest.families == ("IPv4", "IPv6")
    assert (manifest.namespace, manifest.lab, manifest.image_state) == (namespace, "lab", "warm")
    assert manifest.local_start == "2026-01-02T03:04:05Z"
    assert manifest.server.startswith("v1.")
    assert manifest.definition == same != other
    assert (nothing.definition, nothing.images) == ("", {})


def test_a_topology_is_what_was_asked_for_whatever_its_limits_are(bed: Bed) -> None:
    definition = {"definition": {"containerlab": "name: lab\ntopology: {nodes: {}}\n"}}
    with (
        bed.namespace() as namespace,
        bed.client() as client,
        connected(bed.kubeconfig) as connection,
    ):
        path = path_of(C9S, "topologies", namespace)
        body = {
            "apiVersion": C9S,
            "kind": "Topology",
            "metadata": {"name": "lab"},
            "spec": definition,
        }
        client.create(path, body).ok()
        scope = Scope(namespace, "lab", namespace)
        first = collect(connection, scope).manifest
        client.patch(f"{path}/lab", {"spec": {"rollout": {"batchSize": 7}}}).ok()
        second = collect(connection, scope).manifest
    assert first.definition == second.definition != ""
    assert first.topology_limits == {f"{namespace}/lab": Limits(0, 0)}
    assert second.topology_limits == {f"{namespace}/lab": Limits(7, 0)}


def test_plain_pods_are_all_those_of_the_namespace(bed: Bed) -> None:
    with (
        bed.namespace() as namespace,
        bed.client() as client,
        connected(bed.kubeconfig) as connection,
    ):
        told(client, namespace, pod("p", {}), "alpine@sha256:bb", "10.9.0.2")
        found = collect_plain(connection, Scope(namespace), "cold", "sha256:12")
    assert found.notes == ()
    assert found.manifest.workload == "plain-pods"
    assert (found.manifest.definition, found.manifest.image_state) == ("sha256:12", "cold")
    assert found.manifest.images == {"alpine:3": "alpine@sha256:bb"}


def test_every_missing_right_is_a_note_and_the_rest_is_collected(bed: Bed, tmp_path: Path) -> None:
    with (
        bed.namespace() as namespace,
        somebody(bed, namespace, tmp_path) as kubeconfig,
        connected(kubeconfig) as connection,
    ):
        found = collect(connection, Scope(namespace, "lab"))
        events = read_event_counts(connection, [namespace], 0.0)
    notes = "\n".join(found.notes)
    for part in (
        "limits of Topologies",
        "limits of the Config",
        "images, address families",
        "no digest",
    ):
        assert part in notes
    assert found.manifest.tool
    assert found.manifest.limits is None
    assert found.manifest.definition == ""
    assert events.counts.reporters == {}
    (note,) = events.notes
    assert note.startswith(f"Events in {namespace} are not counted: ")


def test_events_of_both_apis_are_counted_from_the_beginning_on(bed: Bed) -> None:
    since = time.time()
    with (
        bed.namespace() as namespace,
        bed.client() as client,
        connected(bed.kubeconfig) as connection,
    ):
        about = {"kind": "Pod", "namespace": namespace, "name": "r1"}
        for name, age, more in [
            ("old", 90, {}),
            ("kept", 90, {"lastTimestamp": text_of(since)}),
            ("new", 0, {}),
        ]:
            body = _old_event(name, about, since - age, count=3, **more)
            client.create(path_of("v1", "events", namespace), body).ok()
        body = _new_event("series", about, since)
        client.create(path_of("events.k8s.io/v1", "events", namespace), body).ok()
        found = read_event_counts(connection, [namespace, namespace], float(int(since)))
    assert found.counts.reporters == {"c9s.run/tester": 5, "tester": 4}
    assert found.counts.earlier == 1
    assert found.notes == ("Events that had begun before the run (1) are counted once each",)


def test_the_scheduler_is_a_reporter_of_a_pod_that_found_a_host(bed: Bed) -> None:
    if bed.source != "own":
        pytest.skip("a Pod would really run here")
    with (
        bed.namespace() as namespace,
        bed.client() as client,
        connected(bed.kubeconfig) as connection,
    ):
        body = pod("p", {})
        del body["spec"]["schedulerName"]
        client.create(path_of("v1", "pods", namespace), body).ok()

        def counts() -> dict[str, int]:
            return read_event_counts(connection, [namespace], 0.0).counts.reporters

        until("the scheduler has reported", lambda: bool(counts()))
        assert counts() == {"default-scheduler": 1}


def _old_event(name: str, about: Json, at: float, **more: Any) -> Json:
    return {
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": name}, "involvedObject": about, "type": "Normal",
        "reason": "Tested", "message": "m", "source": {"component": "tester"}, "firstTimestamp": text_of(at),
        "lastTimestamp": text_of(at), **more,
    }  # fmt: skip


def _new_event(name: str, about: Json, at: float) -> Json:
    stamp = text_of(at).replace("Z", ".000001Z")
    return {
        "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": name}, "regarding": about,
        "type": "Normal", "reason": "Tested", "note": "m", "action": "Test", "eventTime": stamp,
        "reportingController": "c9s.run/tester", "reportingInstance": "here",
        "series": {"count": 5, "lastObservedTime": stamp},
    }  # fmt: skip
