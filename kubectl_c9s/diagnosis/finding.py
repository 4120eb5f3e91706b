"""What a rule finds about one workload, Pod, Topology, host or installation (causes.md §§2, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from kubectl_c9s.resources.objects import API_VERSION

if TYPE_CHECKING:
    from kubectl_c9s.resources.live import Meta

State: TypeAlias = Literal["stuck", "config", "slow", "waits", "note", "quiet"]
"""In the order of a report; what is quiet is not reported."""
STATES: tuple[State, ...] = ("stuck", "config", "slow", "waits", "note", "quiet")


class Ref(NamedTuple):
    """An object as reports name it; ``namespace`` is empty for core Nodes."""

    api_version: str
    kind: str
    namespace: str
    name: str

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


def node_ref(meta: Meta) -> Ref:
    """Name a c9s Node."""
    return Ref(API_VERSION, "Node", meta.namespace, meta.name)


def topology_ref(meta: Meta) -> Ref:
    """Name a Topology."""
    return Ref(API_VERSION, "Topology", meta.namespace, meta.name)


def config_ref(meta: Meta) -> Ref:
    """Name a Config."""
    return Ref(API_VERSION, "Config", meta.namespace, meta.name)


def pod_ref(meta: Meta) -> Ref:
    """Name a Pod."""
    return Ref("v1", "Pod", meta.namespace, meta.name)


def host_ref(name: str) -> Ref:
    """Name a host: a core Node."""
    return Ref("v1", "Node", "", name)


def lease_ref(namespace: str, name: str) -> Ref:
    """Name a Lease."""
    return Ref("coordination.k8s.io/v1", "Lease", namespace, name)


class Evidence(NamedTuple):
    """Something that was seen: on which object, where in it, the text verbatim, when (RFC 3339) and how often."""

    about: Ref
    source: Literal["condition", "event", "status", "spec", "annotation"]
    text: str
    time: str = ""
    times: int = 1


class Finding(NamedTuple):
    """A cause of one thing.

    ``unit`` is what precedence is asked about: UID of a primary Node or Pod, or a name of its own. ``objects`` are
    what the report blames, ``since`` is in seconds since 1970, None when nothing tells.
    """

    code: str
    unit: str
    objects: tuple[Ref, ...]
    state: State
    since: float | None = None
    sub: str = ""
    remedies: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
