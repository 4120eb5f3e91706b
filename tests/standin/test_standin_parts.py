"""What the stand-in makes of labs and Nodes: objects, plans, status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import standin_names as names
import standin_plan as plans
from standin_lab import Refused, compile_lab, is_of
from standin_status import Verdict, change, node_status, topology_status
from standin_views import view_node

if TYPE_CHECKING:
    from standin_views import Json


def _node(name: str = "a", **spec: Any) -> Json:
    meta = {"name": name, "namespace": "lab", "uid": f"uid-{name}", "generation": 3}
    return {"metadata": meta, "spec": {"kind": "linux", "image": "busybox"} | spec}


def _topology(text: str) -> Json:
    meta = {"name": "t", "namespace": "lab", "uid": "uid-t"}
    return {"metadata": meta, "spec": {"definition": {"containerlab": text}}}


def test_a_gated_deployment_has_the_gate_first_and_its_volume() -> None:
    body = plans.deployment([_node(), _node("b")], "sha256:0", "clabernetes", gated=True)
    spec = body["spec"]["template"]["spec"]
    assert [one["name"] for one in spec["initContainers"]] == [
        "startup-gate",
        "planner",
        "clabwire",
    ]
    items = spec["volumes"][0]["downwardAPI"]["items"]
    assert {one["path"]: one["fieldRef"]["fieldPath"] for one in items} == {
        "uid": "metadata.uid",
        "admitted": "metadata.annotations['c9s.run/startup-host-admitted']",
    }
    assert plans.is_gated(body)
    assert not plans.is_gated(plans.deployment([_node()], "sha256:0", "c", gated=False))


def test_a_pod_names_its_primary_and_the_uid_of_the_primarys_node() -> None:
    body = plans.deployment([_node(), _node("b")], "sha256:0", "clabernetes", gated=False)
    meta = body["spec"]["template"]["metadata"]
    assert meta["annotations"] == {
        names.NODE_UID: "uid-a",
        names.DIGEST: "sha256:0",
        names.DEFAULT_CONTAINER: plans.container_name(_node()),
    }
    assert meta["labels"][names.WORKLOAD] == "a"
    assert body["spec"]["selector"] == {"matchLabels": {names.WORKLOAD: "a"}}
    rules = {key: body["spec"][key] for key in ("replicas", "revisionHistoryLimit", "strategy")}
    assert rules == {
        "replicas": 1,
        "revisionHistoryLimit": 0,
        "strategy": {"type": "Recreate"},
    }


def test_admission_annotations_never_reach_a_template_and_change_no_digest() -> None:
    held, plain = _node(), _node()
    held["metadata"]["annotations"] = dict.fromkeys((names.HOLD, names.ADMITTED), "uid-t")
    text = str(plans.deployment([held], "sha256:0", "clabernetes", gated=True)["spec"]["template"])
    assert names.HOLD not in text
    assert names.ADMITTED not in text
    assert plans.digest_of([held], None, "t") == plans.digest_of([plain], None, "t")
    assert plans.digest_of([plain], None, "t") != plans.digest_of([_node(type="x")], None, "t")


def test_a_lab_inherits_and_has_links_profile_and_owner() -> None:
    text = """
    topology:
      defaults: {kind: linux}
      kinds: {linux: {image: of-kind}}
      groups: {g: {image: of-group}}
      nodes: {b: {group: g}, a: , c: {network-mode: "container:a"}}
      links: [{endpoints: ["a:eth1", "b:Eth1/1"]}]
    """
    lab = compile_lab(_topology(text), "clabernetes")
    assert {one["metadata"]["name"]: one["spec"]["image"] for one in lab.nodes} == {
        "a": "of-kind",
        "b": "of-group",
        "c": "of-kind",
    }
    assert [one["kind"] for one in lab.objects] == ["NodeProfile", "Link", "Node", "Node", "Node"]
    assert lab.links[0]["metadata"]["name"] == "a-eth1-b-eth1-1-5f733134"
    assert all(is_of(one, "t", "clabernetes") for one in lab.objects)
    view = view_node({"metadata": lab.nodes[0]["metadata"] | {"uid": "u"}, "spec": {}})
    assert view.topology == "uid-t"


@pytest.mark.parametrize(
    ("topology", "words"),
    [
        ("nodes: {a: {image: x, cpu: 1}}", "does not know cpu"),
        ("nodes: {a: {network-mode: host}}", "unsupported network-mode"),
        ("nodes: {a: {network-mode: 'container:b'}}", "unknown network-mode primary 'b'"),
        ("nodes: {a: {network-mode: 'container:a'}}", "circle"),
        ("nodes: {a: }, links: [{endpoints: ['a:e1']}]", "two endpoints"),
        ("nodes: {a: }, links: [{endpoints: ['a:e1', 'b:e1']}]", "unknown link endpoint 'b'"),
        ("nodes: [", "failed parsing"),
    ],
)
def test_what_the_small_compiler_does_not_know_is_refused(topology: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        compile_lab(_topology(f"topology: {{{topology}}}"), "clabernetes")


def test_the_holder_has_the_literal_prefix_and_63_characters_at_most() -> None:
    assert names.holder("pod-1", "abcdefghijkl") == "clabernetes-pod-1-abcdefghijkl"
    long = names.holder("p" * 50, "abcdefghijkl")
    assert len(long) == 63
    assert long.startswith(f"clabernetes-{'p' * 43}-")


def _pod(*, ready: bool) -> Json:
    main = {"name": plans.container_name(_node()), "ready": ready, "restartCount": 1}
    planner = {"name": "planner", "state": {"terminated": {"exitCode": 0}}}
    clabwire = {"name": "clabwire", "started": True, "state": {"running": {}}}
    main["state"] = {"running": {}}
    return {"status": {"containerStatuses": [main], "initContainerStatuses": [planner, clabwire]}}


def test_a_status_counts_for_its_generation_and_keeps_the_times_of_what_stays() -> None:
    node, container = _node(), plans.container_name(_node())
    applied = Verdict(digest="sha256:0")
    node["status"] = node_status(node, applied, _pod(ready=False), container, "then")
    assert node["status"]["readiness"] == "notready"
    status = node_status(node, applied, _pod(ready=True), container, "now")
    assert status["readiness"] == "ready"
    assert {one["observedGeneration"] for one in status["conditions"]} == {3}
    times = {one["type"]: one["lastTransitionTime"] for one in status["conditions"]}
    assert (times["Prepared"], times["ContainersReady"]) == ("then", "now")
    assert status["directContainers"][0]["restartCount"] == 1
    assert set(change(node["status"], status)) == {
        "readiness",
        "conditions",
        "directContainers",
    }


def test_a_refused_plan_leaves_the_digest_and_no_word_about_pods() -> None:
    node = _node() | {"status": {"planDigest": "sha256:0", "directContainers": [{}]}}
    status = node_status(node, Verdict("PlanUnsupported", "no"), None, "c", "now")
    assert [one["type"] for one in status["conditions"]] == ["NodeProfileResolved", "PlanApplied"]
    patch = change(node["status"], status)
    assert "planDigest" not in patch
    assert patch["directContainers"] is None


@pytest.mark.parametrize(
    ("before", "ready", "error", "state"),
    [
        ("", "notready", "", "deploying"),
        ("deploying", "ready", "", "running"),
        ("running", "notready", "", "degraded"),
        ("running", "ready", "no", "deployfailed"),
    ],
)
def test_a_topology_says_how_its_lab_is(before: str, ready: str, error: str, state: str) -> None:
    topology = _topology("") | {"status": {"topologyState": before}}
    nodes = [{"status": {"readiness": ready}}]
    status = topology_status(topology, nodes, 0, error, "ChildResourceConflict", "now")
    assert status["topologyState"] == state
    assert status["topologyReady"] == (state == "running")
