"""Who takes part in network checks: devices and plain Pods as the API server shows them, each with its neighbour."""

from __future__ import annotations

import ipaddress
import itertools
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from kubectl_c9s.resources.live import Meta, PodSpec, PodStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WORKLOAD: Final = "c9s.run/direct-workload"
"""Label of a device Pod: the primary's Node (admission.md §1)."""
_PRIMARY: Final = "kubectl.kubernetes.io/default-container"


class PodIP(msgspec.Struct):
    """An address of a Pod."""

    ip: str = ""


class NetPodStatus(PodStatus):
    """Status of a Pod with its addresses."""

    pod_ips: list[PodIP] | None = msgspec.field(default=None, name="podIPs")


class NetPod(msgspec.Struct):
    """A Pod, as far as network checks read it; made of an object by ``msgspec.convert(pod, NetPod)``."""

    metadata: Meta
    spec: PodSpec = msgspec.field(default_factory=PodSpec)
    status: NetPodStatus = msgspec.field(default_factory=NetPodStatus)

    @property
    def is_ready(self) -> bool:
        """Tell whether it is Ready and not on its way out."""
        ready = self.status.condition("Ready")
        return ready is not None and ready.status == "True" and not self.metadata.deletion_timestamp


class Management(msgspec.Struct, rename="camel"):
    """The management allocation of a device: addresses with prefix."""

    ipv4: str = ""
    ipv6: str = ""


class NetNodeStatus(msgspec.Struct, rename="camel"):
    """Status of a c9s Node with its management allocation."""

    direct_management: Management | None = None


class NetNode(msgspec.Struct):
    """A c9s Node, as far as network checks read it."""

    metadata: Meta
    status: NetNodeStatus = msgspec.field(default_factory=NetNodeStatus)


class Member(NamedTuple):
    """A device or a plain Pod that is asked.

    ``name`` is its Node's, or the Pod's. ``addresses`` are those of the Pod's status, ``management`` those that were
    allocated to the device, with prefix (``10.1.0.5/24``). ``container`` is the primary.
    """

    namespace: str
    name: str
    pod: str
    host: str = ""
    container: str = ""
    addresses: tuple[str, ...] = ()
    management: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """Give ``namespace/pod``."""
        return f"{self.namespace}/{self.pod}"

    @property
    def all_addresses(self) -> tuple[str, ...]:
        """Give the addresses of the Pod and of the device, each once, without prefix."""
        allocated = (one.partition("/")[0] for one in self.management)
        return tuple(dict.fromkeys((*self.addresses, *allocated)))


def members(pods: Iterable[NetPod], nodes: Iterable[NetNode] = ()) -> list[Member]:
    """Make members of Pods, sorted by namespace and name."""
    allocated = {
        (one.metadata.namespace, one.metadata.name): one.status.direct_management for one in nodes
    }
    found = [_member(pod, allocated) for pod in pods]
    return sorted(found, key=lambda one: (one.namespace, one.name, one.pod))


def _member(pod: NetPod, allocated: dict[tuple[str, str], Management | None]) -> Member:
    meta = pod.metadata
    node = meta.label(WORKLOAD)
    given = allocated.get((meta.namespace, node or "")) or Management()
    containers = pod.spec.containers or ()
    primary = meta.annotation(_PRIMARY) or (containers[0].name if containers else "")
    return Member(
        meta.namespace,
        node or meta.name,
        meta.name,
        pod.spec.node_name or "",
        primary,
        tuple(_addresses(one.ip for one in pod.status.pod_ips or ())),
        tuple(text for text in (given.ipv4, given.ipv6) if _is_interface(text)),
    )


def _addresses(texts: Iterable[str]) -> Iterator[str]:
    """Give the addresses in their one spelling; a text that is none, or has a zone, is left out."""
    for text in texts:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            continue
        if "%" not in text:
            yield str(address)


def _is_interface(text: str) -> bool:
    """Tell whether a text is an address with a prefix."""
    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return False
    return "/" in text and "%" not in text


def is_ipv6(address: str) -> bool:
    """Tell the family of an address, with or without prefix."""
    return ":" in address


class Pair(NamedTuple):
    """A member and the next one of its namespace; None where it is alone."""

    member: Member
    neighbour: Member | None

    @property
    def cross_host(self) -> bool:
        """Tell whether they are on two hosts."""
        return self.neighbour is not None and self.member.host != self.neighbour.host


def ring(found: Iterable[Member]) -> list[Pair]:
    """Give each member its next one by name in its namespace, the last the first (measurement.md §4)."""
    pairs = []
    for _, group in itertools.groupby(found, key=lambda one: one.namespace):
        row = list(group)
        nexts = [*row[1:], row[0]] if len(row) > 1 else [None]
        pairs += [Pair(*two) for two in zip(row, nexts, strict=True)]
    return pairs
