"""The one table of causes: what ``diagnose``, ``explain``, the pages and the tests know of each (causes.md §1).

Rows stand in the order of precedence: of several causes that fit one object the upper one is its cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind: TypeAlias = Literal["end", "time", "slot", "waits", "config", "note", "derived"]
"""``end``: stuck at any age; ``time``: by age; ``slot``: by the startup probe's allowance; ``waits``: normal waiting;
``config``: a misconfiguration; ``note``: never more than a remark; ``derived``: only beside a stuck cause."""


class Cause(NamedTuple):
    """One row: scopes it can hold (G, T, H, I), kinds of its objects, its class, its main remedy, one line on it.

    The class is that of most cases; a rule may know better for a sub.
    """

    scopes: str
    objects: str
    kind: Kind
    remedies: tuple[str, ...]
    summary: str


# fmt: off
CAUSES: Final[Mapping[str, Cause]] = {
    "manager-no-leader": Cause("GTH", "Lease", "end", ("restore-manager",), "no manager leads, so nothing moves"),
    "pacer-down": Cause("G", "Lease", "end", ("restore-pacer",), "Pods wait for a pacer that does not run"),
    "host-not-ready": Cause("GTHI", "Node Host", "time", ("repair-host",), "a host does not answer"),
    "orphan-boot": Cause("HI", "Pod", "time", ("finish-deletion",), "a booting Pod without a Node stops all grants"),
    "old-pod-terminating": Cause("GTI", "Node", "time", ("finish-deletion",), "an old Pod does not go, so none comes"),
    "network-mode-cycle": Cause("GTI", "Node", "end", ("fix-spec",), "Nodes share a Pod in a circle"),
    "network-mode-missing-primary": Cause("TI", "Node", "time", ("fix-spec",), "the Node that owns the Pod is missing"),
    "hold-foreign-topology": Cause("T", "Node", "end", ("reemit-node",), "a hold belongs to another Topology"),
    "inventory-incomplete": Cause("T", "Topology", "time", ("fix-spec",), "a Topology lacks some of its Nodes"),
    "topology-ignored": Cause("TI", "Topology", "end", ("remove-label",), "a Topology is left out by its label"),
    "profile-unresolved": Cause("GTI", "Node", "end", ("fix-spec",), "the NodeProfile is missing, or two differ"),
    "plan-failed": Cause("GTI", "Node", "end", ("fix-spec", "fix-image", "fix-policy"), "the planner refused the Node"),
    "plan-waiting-links": Cause("GTI", "Node", "time", ("fix-spec",), "planning waits for a Link"),
    "planner-pool-starved": Cause("GTI", "Node", "time", ("fix-pool",), "the planner pool has too few workers"),
    "quota-exceeded": Cause("GTI", "Node", "end", ("raise-quota",), "a quota keeps the Pod from being made"),
    "pod-rejected": Cause("GTI", "Node", "end", ("fix-policy",), "an admission policy refuses the Pod"),
    "scaled-to-zero": Cause("GTI", "Node", "time", ("fix-spec",), "the Deployment has 0 replicas"),
    "deployment-controller-lag": Cause("I", "Node", "waits", ("wait",), "the Deployment has no ReplicaSet yet"),
    "no-pod-unknown": Cause("GTI", "Node", "time", ("restore-manager", "repair-control-plane"), "it has no Pod"),
    "scheduling-gated": Cause("GTI", "Node", "time", ("lift-gate",), "a scheduling gate keeps the Pod back"),
    "unschedulable": Cause("GTI", "Node", "time", ("add-capacity", "fix-spec", "restore-object"), "no host takes it"),
    "host-pressure": Cause("GTI", "Node Host", "time", ("repair-host",), "a host is short of disk, memory or PIDs"),
    "volume-mount": Cause("GTHI", "Node", "time", ("restore-object", "repair-host", "wait"), "a volume is not mounted"),
    "sandbox-failed": Cause("GTHI", "Node", "time", ("fix-cni", "repair-host"), "the Pod gets no sandbox"),
    "condition-unavailable": Cause("GTI", "Node", "end", ("upgrade-kubelet",), "the host does not report sandboxes"),
    "image-pull": Cause("HI", "Pod", "time", ("fix-image",), "an image cannot be pulled"),
    "container-config": Cause("HI", "Pod", "time", ("restore-object", "fix-workload"), "a container cannot be made"),
    "preparation-failed": Cause("HI", "Pod", "end", ("fix-workload",), "preparation of the device failed"),
    "connectivity-not-ready": Cause("HI", "Pod", "time", ("repair-host",), "the links of the device do not come up"),
    "primary-crashloop": Cause("HI", "Pod", "end", ("fix-workload",), "the device crashes again and again"),
    "startup-probe-needs-peer": Cause("HI", "Pod", "slot", ("fix-probe",), "startup probes wait for queued devices"),
    "startup-probe-failing": Cause("HI", "Pod", "slot", ("fix-probe",), "the startup probe of a device fails"),
    "grant-not-projected": Cause("HI", "Pod", "time", ("repair-host",), "a grant does not reach the gate in the Pod"),
    "owner-topology-missing": Cause("H", "Pod", "time", ("restore-object",), "a queued Pod's Topology is not there"),
    "gate-without-manager": Cause("H", "Pod", "end", ("restore-manager",), "Pods wait at the gate and nobody opens it"),
    "config-not-observed": Cause("GHI", "Config", "time", ("restore-manager",), "the manager has not seen the Config"),
    "topology-stalled-behind-global": Cause("T", "Topology", "derived", (), "others block the batch a lab waits for"),
    "blocked-by-other-lab": Cause("G", "Topology", "derived", (), "workloads of other labs block a lab"),
    "replacement-blocks": Cause("GT", "Node", "derived", (), "the blocker is a restart of a device that ran before"),
    "config-misplaced": Cause("I", "Config", "config", ("move-config",), "a Config the manager does not read"),
    "slot-limit": Cause("I", "Pod", "waits", ("wait",), "all slots of a host are taken, as the limit says"),
    "config-missing": Cause("I", "", "note", ("create-config",), "there is no Config, so no limit applies"),
    "limit-disabled": Cause("I", "", "note", ("set-limit",), "no limit is in force, and many devices start at once"),
    "combined-burst": Cause("I", "Topology", "note", ("set-limit",), "batches of several Topologies add up"),
    "ignored-primary": Cause("I", "Node", "note", ("remove-label",), "a Node is left out by its label"),
    "grant-stale": Cause("I", "Pod", "note", (), "a grant belongs to another Pod"),
    "unlabelled-workload": Cause("I", "Pod", "note", (), "a device Pod lacks what the manager knows it by"),
    "startup-probe-missing": Cause("I", "Pod", "note", ("fix-probe",), "a slot is free as soon as the device runs"),
}
# fmt: on

NUMBERS: Final[Mapping[str, int]] = {code: number for number, code in enumerate(CAUSES, 1)}
"""Precedence of each code, from 1; lower goes first."""

SUBS: Final[Mapping[str, tuple[str, ...]]] = {
    "inventory-incomplete": ("ChildResourceConflict", "missing-nodes"),
    "profile-unresolved": ("NodeProfileNotFound", "NodeProfileConflict"),
    "plan-failed": ("OCIMetadata", "ImagePullSecret", "Deployment"),
    "plan-waiting-links": ("InvalidSpec", "EndpointsUnresolved", "EndpointConflict", "no-tunnel-id"),
    "no-pod-unknown": ("no-plan", "no-deployment", "no-replicaset", "no-pod"),
    "unschedulable": (
        "too-many-pods", "insufficient-", "node-selector", "taint", "cordoned", "unbound-pvc",
        "topology-spread", "other",
    ),
    "host-pressure": ("DiskPressure", "MemoryPressure", "PIDPressure", "Evicted"),
    "volume-mount": ("not-found", "attach", "cache-sync", "other"),
    "sandbox-failed": ("unexplained",),
    "image-pull": ("InvalidImageName", "ErrImageNeverPull"),
    "container-config": ("CreateContainerConfigError",),
}  # fmt: skip
"""Subs of a code, or what they begin with, in the order of the table: of equally frequent ones the upper one stands
for the entry."""
