"""Faults on the way to a Pod, each in a lab of its own that they hold up: plans, Links, Topologies, creation."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import standin_names as names
from faults_play import Fault
from standin_lab_tools import LINUX

if TYPE_CHECKING:
    from collections.abc import Callable

    from bed_client import Json
    from faults_lab import Lab
    from faults_site import Site


def refused(site: Site, *, reason: str, remedy: str) -> Fault:
    """Let the planner refuse the first device with a reason; then let it plan."""
    lab = site.lab("plan")
    full_name = f"{lab.namespace}/a"
    site.node_faults("plan_refused", {full_name: reason})
    lab.start()
    return Fault(
        "plan-failed",
        lambda: [lab.node_ref()],
        remedy,
        lambda: lab.planned("a", reason),
        lambda: site.node_faults("plan_refused", {full_name: None}),
        says=reason,
    )


def no_image(site: Site) -> Fault:
    """Define a device without an image; then mend the definition."""
    lab = site.lab("image")
    lab.start({"a": {"kind": "bare"}, "b": LINUX})

    return Fault(
        "plan-failed",
        lambda: [lab.node_ref()],
        "fix-spec",
        lambda: lab.planned("a", "PlanInvalidInput"),
        lambda: lab.redefine({"a": LINUX, "b": LINUX}),
        says="spec.image is empty",
    )


def name_taken(site: Site) -> Fault:
    """Let the name of a Deployment be taken; then take the other one away."""
    lab = site.lab("taken")
    pod = {"containers": [{"name": "c", "image": "busybox:1.37"}]}
    template = {"metadata": {"labels": {"theirs": "yes"}}, "spec": pod}
    selector = {"matchLabels": {"theirs": "yes"}}
    spec = {"replicas": 0, "selector": selector, "template": template}
    meta = {"name": "a", "labels": {names.APP: names.CONFIG}}
    lab.make("apps/v1", "Deployment", "a", metadata=meta, spec=spec)
    lab.start()
    return Fault(
        "plan-failed",
        lambda: [lab.node_ref()],
        "fix-spec",
        lambda: lab.planned("a", "PlanArtifactConflict"),
        lambda: lab.drop("apps/v1", "deployments", "a"),
        says="PlanArtifactConflict",
    )


def deployment_refused(site: Site) -> Fault:
    """Let a policy refuse Deployments; then lift it."""
    lab = site.lab("policy", refuse="deployments")
    lab.start()
    return _refused_deployment(lab, "DeploymentInvalid", lambda: lab.label(refuse=None))


def deployment_quota(site: Site) -> Fault:
    """Allow no Deployments in the namespace; then allow ten."""
    lab = site.lab("few")
    lab.quota("count/deployments.apps", 0)
    lab.start()
    cure = functools.partial(lab.quota, "count/deployments.apps", 10)
    return _refused_deployment(lab, "DeploymentApplyFailed", cure)


def _refused_deployment(lab: Lab, reason: str, cure: Callable[[], object]) -> Fault:
    def lift() -> None:
        cure()
        # The manager looks at every Node again within a minute; a change of the Node lets it look now.
        lab.say(lab.path("nodes", "a"), annotations={f"{names.TEST}look": "again"})

    return Fault(
        "plan-failed",
        lambda: [lab.node_ref()],
        "fix-policy",
        lambda: lab.planned("a", reason),
        lift,
        says=reason,
    )


def _link(name: str, one: str, other: str) -> Json:
    halves = (half.split(":") for half in (one, other))
    ends = [{"nodeName": node, "interfaceName": interface} for node, interface in halves]
    return {"metadata": {"name": name}, "spec": {"endpointA": ends[0], "endpointB": ends[1]}}


def _bad_link(lab: Lab, reason: str) -> bool:
    found = lab.client.get(lab.path("links")).ok()["items"]
    conditions = [one for link in found for one in link.get("status", {}).get("conditions", [])]
    return reason in {one["reason"] for one in conditions}


def interface_taken(site: Site) -> Fault:
    """Let somebody else's Link claim an interface of the lab; then delete that Link."""
    lab = site.lab("claimed")
    lab.device("z")
    lab.make(names.VERSION, "Link", "0", **_link("0", "a:eth1", "z:eth1"))
    lab.start("ab", ["a:eth1", "b:eth1"])
    return Fault(
        "plan-waiting-links",
        lambda: [lab.node_ref()],
        "fix-spec",
        lambda: _bad_link(lab, "EndpointConflict") and lab.released("a"),
        lambda: lab.drop(names.VERSION, "links", "0"),
        says="EndpointConflict",
    )


def end_missing(site: Site) -> Fault:
    """Let a Link of the first device lead to a Node that is not there; then make that Node."""
    lab = site.lab("end")
    lab.make(names.VERSION, "Link", "up", **_link("up", "a:eth9", "z:eth1"))
    lab.start()
    return Fault(
        "plan-waiting-links",
        lambda: [lab.node_ref()],
        "fix-spec",
        lambda: _bad_link(lab, "EndpointsUnresolved") and lab.released("a"),
        lambda: lab.device("z"),
        says="EndpointsUnresolved",
    )


def quota(site: Site) -> Fault:
    """Allow no Pods in the namespace; then allow ten."""
    lab = site.lab("quota")
    lab.quota("pods", 0)
    lab.start()
    return Fault(
        "quota-exceeded",
        lambda: [lab.node_ref()],
        "raise-quota",
        lambda: lab.says("a", "exceeded quota"),
        lambda: lab.quota("pods", 10),
        says="exceeded quota",
    )


def pod_security(site: Site) -> Fault:
    """Let Pod Security refuse the Pods; then let the namespace be as it was."""
    lab = site.lab("psa")
    level = "pod-security.kubernetes.io/enforce"
    path = f"/api/v1/namespaces/{lab.namespace}"
    lab.say(path, labels={level: "restricted"})
    lab.start()
    return Fault(
        "pod-rejected",
        lambda: [lab.node_ref()],
        "fix-policy",
        lambda: lab.says("a", "violates PodSecurity"),
        lambda: lab.say(path, labels={level: None}),
        says="violates PodSecurity",
    )


def pod_refused(site: Site) -> Fault:
    """Let an admission policy refuse the Pods; then lift it."""
    lab = site.lab("refused", refuse="pods")
    lab.start()
    return Fault(
        "pod-rejected",
        lambda: [lab.node_ref()],
        "fix-policy",
        lambda: lab.says("a", "denied request"),
        lambda: lab.label(refuse=None),
        says="ValidatingAdmissionPolicy",
    )


def webhook_down(site: Site) -> Fault:
    """Let a webhook be asked that nobody answers; then ask it no more."""
    lab = site.lab("webhook", webhook="yes")
    lab.start()
    return Fault(
        "pod-rejected",
        lambda: [lab.node_ref()],
        "fix-policy",
        lambda: lab.says("a", "failed calling webhook"),
        lambda: lab.label(webhook=None),
        says="failed calling webhook",
    )
