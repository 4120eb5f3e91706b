"""What stays of each kind of object when names are taken out: the fields a diagnosis reads, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.diagnosis.redactparts import LIMITS, Json, Parts, filled, time_of
from kubectl_c9s.resources import labels

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.dump import Config
    from kubectl_c9s.diagnosis.redactnames import Names
    from kubectl_c9s.resources.live import NodeProfile, Rollout
    from kubectl_c9s.resources.observed import Link, ObservedNode, ObservedPod, ObservedTopology
    from kubectl_c9s.resources.surroundings import Event, Host, Lease, Workload

_SHARED: Final = "container:"


class Redactor:
    """Makes objects anew with new names; ``apiVersion`` and ``kind`` are the caller's."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._parts = Parts(names)

    def config(self, config: Config) -> Json:
        """Keep the limits of a Config; the name that all have stays."""
        meta = self._parts.meta(config.metadata, self._names.app(config.metadata.name))
        return {"metadata": meta, "spec": _limits(config.spec.rollout)}

    def topology(self, topology: ObservedTopology) -> Json:
        """Keep limits, counts and conditions of a Topology."""
        status = topology.status
        found = filled(
            nodeCount=status.node_count,
            conditions=self._parts.conditions(status.conditions),
            error=self._names.text(status.error or ""),
            topologyState=self._names.word(status.topology_state or ""),
        )
        meta = self._parts.meta(topology.metadata)
        return {"metadata": meta, "spec": _limits(topology.spec.rollout), "status": found}

    def node(self, node: ObservedNode) -> Json:
        """Keep of a Node of c9s whose Pod it shares, its profile's name, and its status."""
        mode, profile = node.spec.network_mode or "", node.spec.profile
        spec: Json = {}
        if mode.startswith(_SHARED):
            spec["network-mode"] = _SHARED + self._names.name(mode.removeprefix(_SHARED))
        if profile is not None and profile.name:
            spec["profileRef"] = {"name": self._names.name(profile.name)}
        status = filled(
            conditions=self._parts.conditions(node.status.conditions),
            readiness=self._names.word(node.status.readiness or ""),
        )
        return {"metadata": self._parts.meta(node.metadata), "spec": spec, "status": status}

    def link(self, link: Link) -> Json:
        """Keep the ends of a Link, not the interfaces."""
        ends = {
            key: {"nodeName": self._names.name(end.node_name)}
            for key, end in (("endpointA", link.spec.endpoint_a), ("endpointB", link.spec.endpoint_b))
        }  # fmt: skip
        conditions = self._parts.conditions(link.status.conditions)
        status = filled(conditions=conditions, tunnelID=link.status.tunnel_id)
        return {"metadata": self._parts.meta(link.metadata), "spec": ends, "status": status}

    def profile(self, profile: NodeProfile) -> Json:
        """Keep of a NodeProfile for whom probes are off."""
        probes = profile.spec.status_probes
        spec: Json = {}
        if probes is not None:
            excluded = [self._names.name(one) for one in probes.excluded_nodes or ()]
            spec["statusProbes"] = filled(enabled=probes.enabled, excludedNodes=excluded)
        return {"metadata": self._parts.meta(profile.metadata), "spec": spec}

    def workload(self, workload: Workload, name: str | None, *, image: bool) -> Json:
        """Keep the counts of a Deployment or ReplicaSet; with ``image`` also which one it runs, by a code."""
        status = workload.status
        spec = filled(replicas=workload.spec.replicas)
        containers = workload.spec.template.spec.containers if image else None
        if containers:
            images = [{"image": self._names.name(one.image)} for one in containers]
            spec["template"] = {"spec": {"containers": images}}
        found = filled(
            replicas=status.replicas,
            availableReplicas=status.available_replicas,
            conditions=self._parts.conditions(status.conditions),
        )
        return {
            "metadata": self._parts.meta(workload.metadata, name),
            "spec": spec,
            "status": found,
        }

    def pod(self, pod: ObservedPod) -> Json:
        """Keep of a Pod what tells how far it is: no commands, environment, volumes, addresses.

        Only of the manager's own Pods it matters whether they run the same image.
        """
        spec, status, names = pod.spec, pod.status, self._names
        own = pod.metadata.label(labels.COMPONENT) is not None
        found = filled(
            nodeName=names.name(spec.node_name or ""),
            containers=self._parts.containers(spec.containers, images=own),
            initContainers=self._parts.containers(spec.init_containers),
            schedulingGates=[{"name": names.key(one.name)} for one in spec.scheduling_gates or ()],
        )
        seen = filled(
            phase=names.word(status.phase),
            reason=names.word(status.reason or ""),
            message=names.text(status.message or ""),
            conditions=self._parts.conditions(status.conditions),
            containerStatuses=self._parts.statuses(status.container_statuses),
            initContainerStatuses=self._parts.statuses(status.init_container_statuses),
        )
        return {"metadata": self._parts.meta(pod.metadata), "spec": found, "status": seen}

    def host(self, host: Host) -> Json:
        """Keep taints and conditions of a host."""
        names = self._names
        taints = [
            filled(
                key=names.key(one.key), effect=names.word(one.effect), timeAdded=time_of(one.time_added)
            )
            for one in host.spec.taints or ()
        ]  # fmt: skip
        spec = filled(taints=taints, unschedulable=host.spec.unschedulable or None)
        status = {"conditions": self._parts.conditions(host.status.conditions)}
        return {"metadata": self._parts.meta(host.metadata), "spec": spec, "status": status}

    def lease(self, lease: Lease, name: str, holder: str) -> Json:
        """Keep a Lease; who holds it is worked out by the caller."""
        spec = filled(
            holderIdentity=holder,
            leaseDurationSeconds=lease.spec.lease_duration_seconds,
            renewTime=time_of(lease.spec.renew_time),
        )
        return {"metadata": self._parts.meta(lease.metadata, name), "spec": spec}

    def event(self, event: Event, number: int) -> Json:
        """Keep an Event; its own name would tell the object's."""
        about, names = event.about, self._names
        place = filled(
            apiVersion=names.key(about.api_version),
            kind=names.word(about.kind),
            namespace=names.name(about.namespace),
            name=names.name(about.name),
            uid=names.uid(about.uid),
        )
        head = filled(name=f"event-{number}", namespace=names.name(about.namespace))
        return filled(
            metadata=head,
            involvedObject=place,
            reason=names.word(event.reason),
            message=names.text(event.message),
            type="Warning",
            count=event.count,
            lastTimestamp=time_of(event.last),
        )


def _limits(rollout: Rollout | None) -> Json:
    if rollout is None:
        return {}
    limits = zip(LIMITS, (rollout.batch_size, rollout.max_concurrent_per_host), strict=True)
    return {"rollout": filled(**dict(limits))}
