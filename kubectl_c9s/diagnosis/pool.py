"""The workers that make plans (causes.md row 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.diagnosis.finding import Evidence, Finding, pod_ref
from kubectl_c9s.diagnosis.quotes import workload_ref
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.leases import MANAGER

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.case import Case
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.resources.observed import ObservedPod
    from kubectl_c9s.resources.surroundings import Workload

_PART: Final = "planner-pool"
_SEVERAL: Final = 2


class Pool(NamedTuple):
    """What is wrong with the workers: none of them can serve, or some cannot."""

    none: Evidence | None = None
    some: Evidence | None = None


def planner_pool_starved(case: Case) -> Finding | None:
    """Row 14: workers are missing, or of another version than the manager.

    With some of the workers there the pool is only slower, so several Nodes have to wait for it; with none that can
    serve, one is enough: a batch of one would never show more.
    """
    pool = case.context.pool
    if case.planned or case.deployment is not None:
        return None
    evidence = pool.none or (pool.some if case.context.unplanned >= _SEVERAL else None)
    if evidence is None:
        return None
    return case.finding("planner-pool-starved", evidence, since=case.since_without_pod)


def find_pool(world: World) -> Pool:
    """Look at the pool: its Deployment, and the images of its Pods and of the manager's."""
    app, home = world.place.app, world.place.namespace
    pool = world.deployments.get((home, f"{app}-{_PART}"))
    workers = pods_of_component(world, _PART)
    managers = pods_of_component(world, "manager")
    if pool is not None and not pool.status.available_replicas:
        return Pool(none=_too_few(pool))
    images = {image for pod in managers if (image := _image(pod))}
    strange = [pod for pod in workers if images and _image(pod) not in ("", *images)]
    if strange:
        text = f"workers of {app}-{_PART} run {_image(strange[0])}, the manager {', '.join(sorted(images))}"
        evidence = Evidence(pod_ref(strange[0].metadata), "spec", text)
        return Pool(none=evidence) if len(strange) == len(workers) else Pool(some=evidence)
    if pool is not None and pool.status.available_replicas < (pool.spec.replicas or 1):
        return Pool(some=_too_few(pool))
    return Pool(none=_other_template(world, pool) if not (managers and workers) else None)


def _too_few(pool: Workload) -> Evidence:
    wanted = 1 if pool.spec.replicas is None else pool.spec.replicas
    available = pool.status.available_replicas
    text = f"{available} of {wanted} workers of {pool.metadata.name} are available"
    return Evidence(workload_ref(pool.metadata, "Deployment"), "status", text)


def pods_of_component(world: World, component: str) -> list[ObservedPod]:
    """Give the Pods of a part of the manager, in its namespace."""
    return [
        pod
        for pod in world.dump.pods
        if pod.metadata.namespace == world.place.namespace
        and pod.metadata.label(labels.COMPONENT) == component
        and pod.metadata.label(labels.APP) == world.place.app
    ]


def _image(pod: ObservedPod) -> str:
    return next((one.image for one in pod.spec.containers or ()), "")


def _other_template(world: World, pool: Workload | None) -> Evidence | None:
    """Compare the templates, where the dump has no Pods of the manager's namespace."""
    app, home = world.place.app, world.place.namespace
    manager = world.deployments.get((home, f"{app}{MANAGER}"))
    if pool is None or manager is None:
        return None
    own, other = (
        next((one.image for one in workload.spec.template.spec.containers or ()), "")
        for workload in (pool, manager)
    )
    if not own or not other or own == other:
        return None
    text = f"workers of {app}-{_PART} run {own}, the manager {other}"
    return Evidence(workload_ref(pool.metadata, "Deployment"), "spec", text)
