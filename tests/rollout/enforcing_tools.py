"""Objects, policies and circumstances as the reconciler meets them.

Modules of the product are asked by name at each call: a planted mutant takes the place of what is in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from owned_objects import entry
from policy_objects import policy
from rollout_world import World

from kubectl_c9s.rollout import enforcing as decisions
from kubectl_c9s.rollout import holding, ownwrites, policyfile
from kubectl_c9s.rollout.limits import Limits, limits_of
from kubectl_c9s.rollout.probes import ProbeGaps
from kubectl_c9s.rollout.proposal import Surroundings

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.holding import Circumstances
    from kubectl_c9s.rollout.ownwrites import History
    from kubectl_c9s.rollout.policyfile import RolloutPolicy

ARGO = {"argocd.argoproj.io/instance": "labs"}
NOW = 1000.0


def enforcing(**spec: Any) -> RolloutPolicy:
    """Make a policy that puts things right, of the namespace ``c9s``."""
    obj = policy(**{"mode": "Enforce"} | spec)
    obj["metadata"]["namespace"] = "c9s"
    return policyfile.policy_of(obj)


def config(block: Any = None, *owners: KubeObject, version: str = "7", **meta: Any) -> KubeObject:
    """Make a Config; a block of None is absent, and there is more in its spec."""
    head: KubeObject = {
        "namespace": "c9s",
        "name": "clabernetes",
        "uid": "config",
        "resourceVersion": version,
    }
    head |= {"managedFields": list(owners)} if owners else {}
    spec: KubeObject = {"imagePull": {"policy": "Always"}}
    return _object("Config", head | meta, spec, block)


def topology(
    space: str, block: Any = None, *owners: KubeObject, version: str = "7", **meta: Any
) -> KubeObject:
    """Make the Topology of a namespace; its UID is the namespace's name, as in a :class:`World`."""
    head: KubeObject = {"namespace": space, "name": "lab", "uid": space, "resourceVersion": version}
    head |= {"managedFields": list(owners)} if owners else {}
    spec: KubeObject = {"definition": {"containerlab": "name: lab\n"}}
    return _object("Topology", head | meta, spec, block)


def _object(kind: str, metadata: KubeObject, spec: KubeObject, block: Any) -> KubeObject:
    spec = spec if block is None else spec | {"rollout": dict(block)}
    return {"apiVersion": "c9s.run/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def around(world: World | None = None) -> Surroundings:
    """Give what is seen of a world."""
    world = world or World()
    return Surroundings(world.snapshot, Limits(world.batch, world.per_host), ProbeGaps((), ()))


def with_labs(*topologies: KubeObject) -> Surroundings:
    """Give what is seen where these Topologies are, without Nodes."""
    world = World()
    for one in topologies:
        limits = limits_of(one["spec"].get("rollout"))
        world.lab(one["metadata"]["namespace"], "", limits.batch, limits.per_host)
    return around(world)


def how(now: float = NOW, **said: Any) -> Circumstances:
    """Give circumstances in which everything is well, but for what is said."""
    return holding.Circumstances(now, **said)


def fought(now: float = NOW) -> History:
    """Give the memory of three writes of the last minutes that others have undone."""
    found = ownwrites.History()
    for number in range(3):
        found = found.sending(str(number), Limits(5), now - 120 + 60 * number)
        found = found.answered(str(number + 1)).shown(str(number + 1), Limits(9))
    return found


def by(manager: str, *fields: str, operation: str = "Update", **more: Any) -> KubeObject:
    """Make the entry of a field manager that owns fields."""
    return entry(manager, operation, *fields, **more)


def waiting(**limits: int) -> World:
    """Give a world in which workloads wait behind the batch of the Config, and others for slots."""
    world = World(**limits)
    world.node("a/r1")
    world.node("a/r2")
    world.node("a/r3", mark="a/r3")
    for _ in range(3):
        world.pod("a/r3", sandbox=True, gated=True)
    return world


def decide(policy: Any, obj: Any, seen: Any = None, said: Any = None, history: Any = None) -> Any:
    """Decide about one object, by default where all is well and nothing was written."""
    seen = seen or (with_labs(obj) if obj["kind"] == "Topology" else around())
    history = history or ownwrites.History()
    return decisions.decide(policy, obj, seen, said or how(), history)


def decide_all(
    policy: Any, cfg: Any, labs: Any, seen: Any, said: Any = None, **histories: Any
) -> Any:
    """Decide about all objects; histories by UID."""
    return decisions.decide_all(policy, cfg, labs, seen, said or how(), histories)
