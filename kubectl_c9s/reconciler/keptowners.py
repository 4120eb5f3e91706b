"""What stays in memory of what stands around devices: Deployments, ReplicaSets, Links, Events (see ``kept``)."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from kubectl_c9s.reconciler.kept import only
from kubectl_c9s.reconciler.sharing import SHARED
from kubectl_c9s.resources import devicepods
from kubectl_c9s.resources.live import Meta, OwnerReference
from kubectl_c9s.resources.observed import Endpoint, Link, LinkSpec, LinkStatus
from kubectl_c9s.resources.surroundings import (
    Event,
    RawEvent,
    Template,
    TemplateContainer,
    TemplateSpec,
    Workload,
    WorkloadSpec,
    WorkloadStatus,
    event_of,
)

_SET_LABELS: Final = (devicepods.WORKLOAD,)
_TOLD: Final = ("Available", "ReplicaFailure")
_QUOTED: Final = ("ReplicaFailure",)


class KeptPlainMeta(Meta, rename="camel", gc=False):
    """Metadata of an object that is known by its name and its owner."""

    def shrink(self) -> None:
        """Keep what names it, and when it was made."""
        self.resource_version = ""
        self.namespace = SHARED.text(self.namespace)
        self.creation_timestamp = SHARED.text(self.creation_timestamp)
        self.annotations = None


class KeptOwner(OwnerReference, rename="camel", gc=False):
    """An owner reference."""


class KeptDeployment(Workload, gc=False):
    """A Deployment: it is known by the name of its Node."""

    metadata: KeptPlainMeta

    def __post_init__(self) -> None:
        """Make it small."""
        self.metadata.shrink()
        self.metadata.labels = self.metadata.owner_references = None
        self.spec, self.status = _spec(self.spec), _status(self.status)


class KeptReplicaSet(Workload, gc=False):
    """A ReplicaSet: it is known by the UIDs of its owners, or by its label."""

    metadata: KeptPlainMeta

    def __post_init__(self) -> None:
        """Make it small."""
        meta = self.metadata
        meta.shrink()
        meta.labels = only(meta.labels, _SET_LABELS)
        owners: Any = tuple(KeptOwner(uid=one.uid) for one in meta.owner_references or ())
        meta.owner_references = owners or None
        self.spec, self.status = _spec(self.spec), _status(self.status)


def _spec(spec: WorkloadSpec) -> WorkloadSpec:
    """Keep the replicas and the image: the first one is compared, of the parts of the manager."""
    image = next((one.image for one in spec.template.spec.containers or ()), "")
    key = ("workload", spec.replicas, image)
    small = [TemplateContainer(image=image)] if image else None
    return SHARED.keep(
        key, WorkloadSpec(spec.replicas, Template(spec=TemplateSpec(containers=small)))
    )


def _status(status: WorkloadStatus) -> WorkloadStatus:
    """Keep the conditions that tell something; that there are any tells something, too."""
    found = status.conditions or ()
    told = [one for one in found if one.type in _TOLD] or found[:1]
    status.conditions = SHARED.conditions(told, _QUOTED) or None
    return SHARED.keep(("status", msgspec.json.encode(status)), status)


class KeptEndpoint(Endpoint, rename="camel", gc=False):
    """An end of a Link."""


class KeptLinkSpec(LinkSpec, rename="camel", gc=False):
    """Spec of a Link."""

    endpoint_a: KeptEndpoint = msgspec.field(default_factory=KeptEndpoint)
    endpoint_b: KeptEndpoint = msgspec.field(default_factory=KeptEndpoint)


class KeptLinkStatus(LinkStatus, rename={"tunnel_id": "tunnelID"}, gc=False):
    """Status of a Link."""


class KeptLink(Link, gc=False):
    """A Link: its ends, and whether it was accepted."""

    metadata: KeptPlainMeta
    spec: KeptLinkSpec = msgspec.field(default_factory=KeptLinkSpec)
    status: KeptLinkStatus = msgspec.field(default_factory=KeptLinkStatus)

    def __post_init__(self) -> None:
        """Make it small."""
        self.metadata.shrink()
        self.metadata.labels = self.metadata.owner_references = None
        self.spec.endpoint_a.interface_name = self.spec.endpoint_b.interface_name = ""
        told = [one for one in self.status.conditions or () if one.type == "Accepted"]
        self.status.conditions = SHARED.conditions(told, ("Accepted",)) or None


class Uid(msgspec.Struct, gc=False):
    """Metadata of what is only ever known by its UID."""

    uid: str = ""


class SeenEvent(msgspec.Struct, gc=False):
    """An Event as it is kept."""

    metadata: Uid
    event: Event


def seen_event(raw: RawEvent) -> SeenEvent:
    """Keep of an Event what is read of it."""
    return SeenEvent(Uid(raw.metadata.uid), event_of(raw))
