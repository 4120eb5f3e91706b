"""One thing wrong with one new device, of a given age: what blocks a batch (rows 2, 3, 5, 6, 11 to 25).

Each function plants a fault into a site and gives the short names of what is to be blamed. ``full`` names the device,
``lab`` its Topology or None, ``age`` how long it is so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diagnosis_objects import Json, condition, put
from diagnosis_stages import running, terminate

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from diagnosis_dump import Site

    Plant: TypeAlias = Callable[[Site, str, Json | None, float], set[str]]

QUOTA = 'pods "x" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=1, limited: pods=1'
SECURITY = 'pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged'
DENIED = 'admission webhook "guard.example" denied the request: no devices here'
WEBHOOK = (
    'Internal error occurred: failed calling webhook "guard.example": context deadline exceeded'
)
CNI = "Failed to create pod sandbox: plugin type=calico failed (add): cannot allocate new block"
MISSING = 'MountVolume.SetUp failed for volume "payload-0" : configmap "r2-startup" not found'
CACHE = 'MountVolume.SetUp failed for volume "payload-0" : failed to sync configmap cache: timed out waiting for the condition'  # noqa: E501 - a kubelet's sentence
ATTACH = "Multi-Attach error for volume pvc-1: Volume is already used by pod(s) x"
SLOW = "Unable to attach or mount volumes: unmounted volumes=[payload-0]: timed out waiting for the condition"
FULL = "0/2 nodes are available: 2 Too many pods. preemption: 0/2 nodes are available: 2 No preemption victims found."


def _device(site: Site, full: str, lab: Json | None, age: float, **flags: Any) -> Json:
    return site.node(full, lab, made=flags.pop("made", age + 5), **flags)


def silent_host(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    site.blocked(_device(site, full, lab, age), since=age + 2, host="worker-2")
    site.not_ready("worker-2", age)
    return {f"Node {full}", "Host worker-2"}


def old_pod(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    pod = site.run(_device(site, full, lab, age, made=age + 900), made=age + 800)
    terminate(pod, age, "example.com/wait")
    return {f"Node {full}"}


def circle(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    other = f"{full}-b"
    names = [one.rpartition("/")[2] for one in (full, other)]
    _device(site, full, lab, age, shares=names[1])
    _device(site, other, lab, age, shares=names[0])
    return {f"Node {full}", f"Node {other}"}


def planning(kind: str, reason: str) -> Plant:
    def plant(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
        site.say(_device(site, full, lab, age), kind, "False", reason, age)
        return {f"Node {full}"}

    return plant


def links(refused: str) -> Plant:
    def plant(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
        peer = site.node(f"{full}-peer", lab, made=9000)
        site.run(peer, made=8000)
        site.link(_device(site, full, lab, age, made=age), peer, tunnel=None, refused=refused)
        return {f"Node {full}"}

    return plant


def pool(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    _device(site, full, lab, age, made=age)
    site.pool["status"]["availableReplicas"] = 0
    return {f"Node {full}"}


def refused(message: str) -> Plant:
    def plant(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
        site.refuse(site.replica_set(_device(site, full, lab, age), age), message, age)
        return {f"Node {full}"}

    return plant


def no_replicas(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    site.deployment(_device(site, full, lab, age), age)["spec"]["replicas"] = 0
    return {f"Node {full}"}


def no_plan(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    _device(site, full, lab, age, made=age)
    return {f"Node {full}"}


def no_deployment(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    site.plan(_device(site, full, lab, age), age)
    return {f"Node {full}"}


def no_pod(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    site.replica_set(_device(site, full, lab, age), age)
    return {f"Node {full}"}


def gated(*gates: str) -> Plant:
    def plant(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
        site.gated(_device(site, full, lab, age), *gates, since=age)
        paced = set(gates) == {"toolkit.c9s.run/startup"}
        return {"Lease c9s/c9s-reconciler"} if paced else {f"Node {full}"}

    return plant


def unbound(message: str) -> Plant:
    def plant(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
        site.unbound(_device(site, full, lab, age), message, since=age)
        return {f"Node {full}"}

    return plant


def pressure(kind: str) -> Plant:
    def plant(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
        site.blocked(_device(site, full, lab, age), since=age + 2, host="worker-2")
        site.pressed("worker-2", kind, age)
        return {f"Node {full}", "Host worker-2"}

    return plant


def evicted(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    said = {
        "phase": "Failed",
        "reason": "Evicted",
        "message": "The node was low on resource: memory.",
    }
    site.blocked(_device(site, full, lab, age), since=age, host="worker-2", **said)
    return {f"Node {full}", "Host worker-2"}


def warned(reason: str, message: str, *, new_api: bool = False) -> Plant:
    def plant(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
        pod = site.blocked(_device(site, full, lab, age), since=age)
        if reason:
            site.event(pod, reason, message, min(age, 10), new_api=new_api)
        return {f"Node {full}"}

    return plant


def unreported(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    node = _device(site, full, lab, age)
    site.pod(node, age, sandbox=None, primary=running(age, started=True))
    return {f"Node {full}"}


def unavailable(site: Site, full: str, lab: Json | None, age: float) -> set[str]:
    """Let a device that ran for a day have no Pod any more."""
    owner = site.replica_set(_device(site, full, lab, age, made=90000), 86400)
    deployment = next(
        one
        for one in site.objects
        if owner["metadata"]["ownerReferences"][0]["uid"] == one["metadata"]["uid"]
    )
    put(deployment["status"].setdefault("conditions", []), condition("Available", "False", age))
    return {f"Node {full}"}
