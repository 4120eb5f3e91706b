"""The way of each device: what its Node, Deployment, ReplicaSet and newest Pod have reached, and when that was seen.

The newest object of a kind wins, with its stamps and what was seen of it: a Pod that was replaced only counts. Within
an object the first time stays, also when the condition is lost again. What was so already in the first list of its
kind has a stamp alone: nobody saw it happen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from kubectl_c9s.measurement.run import MILESTONES, Device

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.measurement.reached import Step
    from kubectl_c9s.measurement.watched import WatchedPod

_ORDER: Final = {name: position for position, name in enumerate(MILESTONES)}


class Part(msgspec.Struct):
    """What one object has reached; ``created`` in seconds since 1970."""

    created: float
    reached: set[str] = msgspec.field(default_factory=set)
    stamps: dict[str, float] = msgspec.field(default_factory=dict)
    observed: dict[str, float] = msgspec.field(default_factory=dict)

    def take(self, steps: Iterable[Step], observed: float | None) -> None:
        """Take what an object shows; ``observed`` is None for what nobody saw happen."""
        for milestone, stamp in steps:
            if milestone in self.reached:
                continue
            self.reached.add(milestone)
            if stamp is not None:
                self.stamps[milestone] = stamp
            if observed is not None:
                self.observed[milestone] = observed


class PodPart(Part):
    """A Pod, besides what it is as it was seen last."""

    name: str = ""
    host: str = ""
    image: str = ""
    addresses: tuple[str, ...] = ()
    restarts: int = 0

    def describe(self, pod: WatchedPod, primary: str) -> None:
        """Take over host, image, addresses and restarts; what a Pod has lost stays."""
        self.host = pod.spec.node_name or self.host
        if not self.image:
            containers = pod.spec.containers or ()
            self.image = next((one.image for one in containers if one.name == primary), "")
        if pod.status.pod_ips:
            self.addresses = tuple(one.ip for one in pod.status.pod_ips if one.ip)
        for status in pod.status.container_statuses or ():
            if status.name == primary:
                self.restarts = max(self.restarts, status.restart_count)


class Way(msgspec.Struct):
    """A device: its newest objects by kind, and how many Pods it has had."""

    namespace: str
    name: str
    parts: dict[str, Part] = msgspec.field(default_factory=dict)
    pods: int = 0

    def follow(self, kind: str, part: Part) -> None:
        """Take an object that was not seen before; it counts unless a newer one does.

        Of equally old ones the one that is seen later is newer: a watch shows them in the order they were made.
        """
        self.pods += isinstance(part, PodPart)
        known = self.parts.get(kind)
        if known is None or part.created >= known.created:
            self.parts[kind] = part

    def has(self, kind: str, milestone: str) -> bool:
        """Tell whether the newest object of a kind has reached a milestone."""
        part = self.parts.get(kind)
        return part is not None and milestone in part.reached

    def device(self) -> Device:
        """Give the device as it is known now."""
        parts = self.parts.values()
        pod = next((one for one in parts if isinstance(one, PodPart)), PodPart(0.0))
        return Device(
            self.namespace,
            self.name,
            pod=pod.name,
            host=pod.host,
            image=pod.image,
            stamps=_joined([one.stamps for one in parts]),
            observed=_joined([one.observed for one in parts]),
            addresses=pod.addresses,
            restarts=pod.restarts,
            replaced=max(self.pods - 1, 0),
        )


def _joined(times: Iterable[dict[str, float]]) -> dict[str, float]:
    """Put milestones together, in the order of a device's way."""
    found = {name: time for one in times for name, time in one.items()}
    return {name: found[name] for name in sorted(found, key=_ORDER.__getitem__)}
