"""Groups, profiles, plans: why an admitted workload is not planned (causes.md rows 6, 7, 11 to 14, 45)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.case import of_condition
from kubectl_c9s.diagnosis.finding import Evidence, Finding, Ref, node_ref
from kubectl_c9s.diagnosis.timing import by_age
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.rollout.groups import primary_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import Link

_POOL: Final = "-planner-pool"
_FEW: Final = 2
_WAITING: Final = ("PlanPending", "PlanMissingInput")


def network_mode_cycle(case: Case) -> Finding | None:
    """Row 6: the primary counts itself to the group of another one."""
    primary = case.group.primary
    if primary.shares is None or primary.shares == primary.name:
        return None
    shares = {
        node.name: node.shares
        for node in case.world.snapshot.nodes
        if node.namespace == primary.namespace
    }
    if primary_of(primary.name, shares) == primary.name:
        return None
    circle = [primary.name]
    while (following := shares[circle[-1]]) not in circle and following is not None:
        circle.append(following)
    text = " -> ".join([*circle, circle[0]])
    evidence = Evidence(case.ref, "spec", f"network-mode: container:{primary.shares} ({text})")
    since = seconds_of(case.node.metadata.creation_timestamp)
    return case.finding("network-mode-cycle", evidence, since=since)


def profile_unresolved(case: Case) -> Finding | None:
    """Row 11."""
    condition = case.condition("NodeProfileResolved")
    if condition is None or condition.status != "False":
        return None
    since = seconds_of(condition.last_transition_time)
    evidence = of_condition(case.ref, condition)
    return case.finding("profile-unresolved", evidence, since=since, sub=condition.reason or "")


def plan_failed(case: Case) -> Finding | None:
    """Row 12: the planner, or the API server for what it made, said no."""
    condition = case.condition("PlanApplied")
    if condition is None or condition.status != "False" or condition.reason == "PlanPending":
        return None
    if condition.reason == "PlanMissingInput" and next(_bad_links(case), None):
        return None  # row 13 says which Link
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
    sub = next((reason for _, reason, _ in found if reason), "no-tunnel-id")
    evidence = [evidence for _, _, evidence in found]
    if condition is not None:
        evidence.append(of_condition(case.ref, condition))
    return case.finding("plan-waiting-links", *evidence, since=case.since_without_pod, sub=sub)


def _bad_links(case: Case) -> Iterator[tuple[Link, str, Evidence]]:
    """Give the Links of the group that keep it from being planned, with the reason of a refusal."""
    seen: set[str] = set()
    for member in case.group.members:
        for link in case.world.links.get((member.namespace, member.name), ()):
            if link.metadata.uid in seen:
                continue
            seen.add(link.metadata.uid)
            meta = link.metadata
            ref = Ref("c9s.run/v1alpha1", "Link", meta.namespace, meta.name)
            accepted = next(
                (one for one in link.status.conditions or () if one.type == "Accepted"), None
            )
            if accepted is not None and accepted.status == "False":
                yield link, accepted.reason or "", of_condition(ref, accepted)
            elif link.status.tunnel_id is None and _leaves_pod(case, link):
                yield link, "", Evidence(ref, "status", "no tunnelID")


def _leaves_pod(case: Case, link: Link) -> bool:
    """Tell whether the ends are in different Pods, as far as the Nodes are known."""
    ends = (link.spec.endpoint_a.node_name, link.spec.endpoint_b.node_name)
    groups = [case.world.group_of.get((link.metadata.namespace, end)) for end in ends]
    return None not in groups and groups[0] is not groups[1]


def planner_pool_starved(case: Case) -> Finding | None:
    """Row 14: workers are missing, or of another version than the manager."""
    if case.planned or case.deployment is not None:
        return None
    evidence = pool_evidence(case.world)
    if evidence is None:
        return None
    if case.context.unplanned < _FEW and not evidence.times:
        return None
    shown = evidence._replace(times=1)
    return case.finding("planner-pool-starved", shown, since=case.since_without_pod)


def pool_evidence(world: World) -> Evidence | None:
    """Say what is wrong with the pool; ``times`` is 0 while some of its workers are there."""
    name = f"{world.place.app}{_POOL}"
    pool = world.deployments.get((world.place.namespace, name))
    if pool is None:
        return None
    ref = Ref("apps/v1", "Deployment", world.place.namespace, name)
    wanted = 1 if pool.spec.replicas is None else pool.spec.replicas
    available = pool.status.available_replicas
    if available < wanted:
        return Evidence(
            ref,
            "status",
            f"{available} of {wanted} workers of {name} are available",
            times=int(not available),
        )
    manager = world.deployments.get((world.place.namespace, f"{world.place.app}-manager"))
    images = [
        one.spec.template.spec.containers[0].image
        for one in (pool, manager)
        if one is not None and one.spec.template.spec.containers
    ]
    if len(images) == 2 and images[0] != images[1]:  # noqa: PLR2004 - the two Deployments
        return Evidence(
            ref, "spec", f"workers of {name} run {images[0]}, the manager {images[1]}", times=1
        )
    return None


def missing_primaries(world: World) -> Iterator[Finding]:
    """Row 7: Nodes that resolve to a name that no Node has; any of them, held or not."""
    if not world.grouping.missing or not world.has("nodes.c9s.run"):
        return
    spaces: dict[str, dict[str, str | None]] = {}
    for node in world.snapshot.nodes:
        if not node.deleting:
            spaces.setdefault(node.namespace, {})[node.name] = node.shares
    for view in world.snapshot.nodes:
        if view.deleting or view.shares is None:
            continue
        shares = spaces[view.namespace]
        primary = primary_of(view.name, shares)
        if primary in shares:
            continue
        meta = world.nodes[view.uid].metadata
        since = seconds_of(meta.creation_timestamp)
        ref = node_ref(meta)
        text = f"network-mode: container:{view.shares} leads to {primary}, which is no Node of {view.namespace}"
        yield Finding(
            "network-mode-missing-primary", view.uid, (ref,), by_age(world, since), since,
            remedies=("fix-spec",), evidence=(Evidence(ref, "spec", text),),
        )  # fmt: skip


def ignored_primaries(world: World) -> Iterator[Finding]:
    """Row 45: the label keeps the primary out, and its members go with it."""
    for group in world.grouping.groups:
        if group.primary.ignored:
            refs = tuple(node_ref(world.nodes[member.uid].metadata) for member in group.members)
            evidence = Evidence(refs[0], "spec", "label c9s.run/ignoreReconcile")
            yield Finding(
                "ignored-primary", f"note/{group.primary.uid}", refs, "note",
                remedies=("remove-label",), evidence=(evidence,),
            )  # fmt: skip
