"""Profiles, plans, Links: why an admitted workload is not planned (causes.md rows 6, 11 to 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.finding import Evidence, Finding, Ref, node_ref
from kubectl_c9s.diagnosis.quotes import of_condition
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.groups import primary_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.resources.observed import Link

_WAITING: Final = ("PlanPending", "PlanMissingInput")
_REFUSALS: Final = ("InvalidSpec", "EndpointsUnresolved", "EndpointConflict")
_NO_TUNNEL: Final = "no-tunnel-id"


def network_mode_cycle(case: Case) -> Finding | None:
    """Row 6: the primary counts itself to the group of another one; every Node of the circle is named."""
    primary = case.group.primary
    if primary.shares is None or primary.shares == primary.name:
        return None
    nodes = {
        node.name: node
        for node in case.world.snapshot.nodes
        if node.namespace == primary.namespace and not node.deleting
    }
    shares = {name: node.shares for name, node in nodes.items()}
    if primary_of(primary.name, shares) == primary.name:
        return None
    circle = [primary.name]
    while (following := shares[circle[-1]]) not in circle and following is not None:
        circle.append(following)
    text = " -> ".join([*circle, circle[0]])
    evidence = Evidence(case.ref, "spec", f"network-mode: container:{primary.shares} ({text})")
    since = seconds_of(case.node.metadata.creation_timestamp)
    objects = tuple(node_ref(case.world.nodes[nodes[name].uid].metadata) for name in circle)
    return case.finding("network-mode-cycle", evidence, since=since, objects=objects)


def profile_unresolved(case: Case) -> Finding | None:
    """Row 11."""
    condition = case.condition("NodeProfileResolved")
    if condition is None or condition.status != "False":
        return None
    since = seconds_of(condition.last_transition_time)
    evidence = of_condition(case.ref, condition)
    return case.finding("profile-unresolved", evidence, since=since, sub=condition.reason or "")


def plan_failed(case: Case) -> Finding | None:
    """Row 12: the planner, or the API server for what it made, said no.

    ``PlanMissingInput`` fits row 13, too, which would never have it if this row always went first: with a Link that is
    not ready it is row 13, which names the Link; without one nothing but this row is left.
    """
    condition = case.condition("PlanApplied")
    if condition is None or condition.status != "False" or condition.reason == "PlanPending":
        return None
    if condition.reason == "PlanMissingInput" and next(_bad_links(case), None):
        return None
    reason = condition.reason or ""
    if reason.startswith(("OCIMetadata", "ImagePullSecret")):
        remedy = "fix-image"
    else:
        remedy = "fix-policy" if reason.startswith("Deployment") else "fix-spec"
    since = seconds_of(condition.last_transition_time)
    evidence = of_condition(case.ref, condition)
    return case.finding("plan-failed", evidence, since=since, sub=reason, remedies=(remedy,))


def plan_waiting_links(case: Case) -> Finding | None:
    """Row 13."""
    condition = case.condition("PlanApplied")
    if condition is not None and condition.reason not in _WAITING:
        return None
    found = list(_bad_links(case))
    if not found:
        return None
    subs = [reason or _NO_TUNNEL for reason, _ in found]
    sub = min(subs, key=lambda one: _REFUSALS.index(one) if one in _REFUSALS else len(_REFUSALS))
    evidence = [evidence for _, evidence in found]
    if condition is not None:
        evidence.append(of_condition(case.ref, condition))
    return case.finding("plan-waiting-links", *evidence, since=case.since_without_pod, sub=sub)


def _bad_links(case: Case) -> Iterator[tuple[str, Evidence]]:
    """Give why Links of the group keep it from being planned: the reason of a refusal, or none, and what was seen."""
    links = {
        link.metadata.uid: link
        for member in case.group.members
        for link in case.world.links.get((member.namespace, member.name), ())
    }
    for link in links.values():
        ref = Ref("c9s.run/v1alpha1", "Link", link.metadata.namespace, link.metadata.name)
        conditions = link.status.conditions or ()
        accepted = next((one for one in conditions if one.type == "Accepted"), None)
        if accepted is not None and accepted.status == "False":
            yield accepted.reason or "", of_condition(ref, accepted)
        elif link.status.tunnel_id is None and _leaves_pod(case, link):
            yield (
                "",
                Evidence(
                    ref, "status", f"no tunnelID: the ends of {ref.full_name} are in different Pods"
                ),
            )


def _leaves_pod(case: Case, link: Link) -> bool:
    """Tell whether the ends are in different Pods, as far as the Nodes are known."""
    ends = (link.spec.endpoint_a.node_name, link.spec.endpoint_b.node_name)
    groups = [case.world.group_of.get((link.metadata.namespace, end)) for end in ends]
    return None not in groups and groups[0] is not groups[1]
