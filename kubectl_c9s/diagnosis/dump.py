"""A snapshot of a cluster as a diagnosis reads it, and how it is made out of JSON (diagnosis.md §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.live import NodeProfile, OwnedMeta, Rollout
from kubectl_c9s.resources.moments import seconds_of
from kubectl_c9s.resources.objects import CONFIG_NAME
from kubectl_c9s.resources.observed import (
    Link,
    ObservedMeta,
    ObservedNode,
    ObservedPod,
    ObservedTopology,
)
from kubectl_c9s.resources.surroundings import Event, Host, Lease, RawEvent, Workload, event_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_C9S: Final = "c9s.run"
_MARKS: Final = b"c9s.run/startup-"  # begins the annotations whose time of writing tells something
SNAPSHOT_VERSION: Final = 1
"""The newest form of a snapshot that is understood; a field that is only added does not make a new one."""


class ConfigSpec(msgspec.Struct):
    """Spec of a Config."""

    rollout: Rollout | None = None


class Config(msgspec.Struct):
    """A Config."""

    metadata: OwnedMeta
    spec: ConfigSpec = msgspec.field(default_factory=ConfigSpec)


class Dump(msgspec.Struct):
    """The objects of a cluster, by kind.

    ``collected`` are the kinds that were asked for, as kubectl names them (``nodes.c9s.run``, ``pods``): what is
    missing in one of these is not there. ``namespace`` is set when only that one was looked at.
    """

    configs: list[Config] = []
    topologies: list[ObservedTopology] = []
    nodes: list[ObservedNode] = []
    links: list[Link] = []
    profiles: list[NodeProfile] = []
    deployments: list[Workload] = []
    replica_sets: list[Workload] = []
    pods: list[ObservedPod] = []
    events: list[Event] = []
    hosts: list[Host] = []
    leases: list[Lease] = []
    collected: set[str] = msgspec.field(default_factory=set)
    namespace: str | None = None

    def config_in(self, namespace: str) -> Config | None:
        """Give the Config that a manager of a namespace reads."""
        here = (one for one in self.configs if one.metadata.namespace == namespace)
        return next((one for one in here if one.metadata.name == CONFIG_NAME), None)


class Head(msgspec.Struct, rename="camel"):
    """What an object is."""

    api_version: str = ""
    kind: str = ""


class SnapshotHeader(msgspec.Struct, rename="camel"):
    """What a snapshot of ours says about itself (docs/schemas/snapshot.json).

    ``at`` is the server's time, ``namespace`` the only one that was looked at, ``manager_namespace`` what was said by
    hand. ``unseen`` has a reason for each kind that could not be read, ``resource_versions`` the version of each list;
    what was read of the manager's namespace besides stands under ``kind@namespace``.
    """

    version: int
    at: str
    collected: list[str]
    namespace: str | None = None
    manager_namespace: str | None = None
    server_version: str | None = None
    unseen: dict[str, str] = {}
    resource_versions: dict[str, str] = {}
    redacted: bool = False


class RawList(msgspec.Struct, rename={"api_version": "apiVersion", "snapshot": "c9sSnapshot"}):
    """A List, or any object: its items are not decoded yet."""

    api_version: str = ""
    kind: str = ""
    snapshot: SnapshotHeader | None = None
    items: list[msgspec.Raw] | None = None


# Group and kind → kubectl's name of the kind, field of Dump, type.
_KINDS: Final[dict[tuple[str, str], tuple[str, str, type]]] = {
    (_C9S, "Config"): ("configs.c9s.run", "configs", Config),
    (_C9S, "Topology"): ("topologies.c9s.run", "topologies", ObservedTopology),
    (_C9S, "Node"): ("nodes.c9s.run", "nodes", ObservedNode),
    (_C9S, "Link"): ("links.c9s.run", "links", Link),
    (_C9S, "NodeProfile"): ("nodeprofiles.c9s.run", "profiles", NodeProfile),
    ("apps", "Deployment"): ("deployments.apps", "deployments", Workload),
    ("apps", "ReplicaSet"): ("replicasets.apps", "replica_sets", Workload),
    ("", "Pod"): ("pods", "pods", ObservedPod),
    ("", "Node"): ("nodes", "hosts", Host),
    ("", "Event"): ("events", "events", RawEvent),
    ("events.k8s.io", "Event"): ("events", "events", RawEvent),
    ("coordination.k8s.io", "Lease"): ("leases.coordination.k8s.io", "leases", Lease),
}
FIELDS: Final[dict[str, tuple[str, type]]] = {
    name: (field, kind_type) for name, field, kind_type in _KINDS.values()
}
"""Field of a dump and type of its objects, by kubectl's name of the kind."""
WANTED: Final = tuple(dict.fromkeys(name for name, _, _ in _KINDS.values()))
"""The kinds a diagnosis wants to see, as kubectl names them."""


class Reader:
    """Takes JSON texts apart into a dump; each may be an object, a List, or a list of a kind."""

    def __init__(self) -> None:
        self.dump = Dump()
        self.header: SnapshotHeader | None = None
        self.captured_at: float | None = None
        self._decoders: dict[type, msgspec.json.Decoder[Any]] = {}
        self._head = msgspec.json.Decoder(Head)
        self._list = msgspec.json.Decoder(RawList)

    def take(self, text: bytes) -> int:
        """Take one JSON text; give how many objects of known kinds it had.

        Raises msgspec.DecodeError, and RefusedInput for a second snapshot: each shows a moment of its own.
        """
        whole = self._list.decode(text)
        if whole.snapshot is not None:
            self._take_header(whole.snapshot)
        if whole.items is None:
            return self._one(msgspec.Raw(text), whole.api_version, whole.kind)
        # The items of a typed list, such as PodList, do not say what they are.
        of_list = whole.kind.removesuffix("List")
        return sum(self._item(item, whole.api_version, of_list) for item in whole.items)

    def _take_header(self, header: SnapshotHeader) -> None:
        """Believe a snapshot of ours: what it has asked for and not found is not there."""
        if header.version > SNAPSHOT_VERSION:
            raise RefusedInput(f"a snapshot of version {header.version} needs a newer kubectl-c9s")
        if self.header is not None:
            moments = f"{self.header.at} and {header.at}"
            raise RefusedInput(f"there are two snapshots, of {moments}", hint="name one of them")
        self.header = header
        self.captured_at = seconds_of(header.at)
        self.dump.collected.update(header.collected)
        self.dump.namespace = header.namespace

    def _item(self, item: msgspec.Raw, api_version: str, kind: str) -> int:
        head = self._head.decode(item)
        return self._one(item, head.api_version or api_version, head.kind or kind)

    def _one(self, item: msgspec.Raw, api_version: str, kind: str) -> int:
        group = api_version.rpartition("/")[0]
        known = _KINDS.get((group, kind))
        if known is None:
            return 0
        name, field, kind_type = known
        decoder = self._decoders.setdefault(kind_type, msgspec.json.Decoder(kind_type))
        obj = decoder.decode(item)
        let_go(obj)
        getattr(self.dump, field).append(event_of(obj) if kind_type is RawEvent else obj)
        self.dump.collected.add(name)
        return 1


def let_go(obj: Any) -> None:
    """Let go of the text an object was read from; of most objects nobody asks when something was written."""
    if isinstance(obj.metadata, ObservedMeta):
        owned = obj.metadata.managed_fields
        obj.metadata.managed_fields = owned.copy() if _MARKS in bytes(owned) else msgspec.Raw()


def dump_of(objects: Mapping[str, Iterable[Any]], namespace: str | None) -> Dump:
    """Make a dump of objects that were decoded already, by kubectl's name of their kind."""
    dump = Dump(namespace=namespace)
    for name, found in objects.items():
        field, kind_type = FIELDS[name]
        setattr(dump, field, list(map(event_of, found)) if kind_type is RawEvent else list(found))
        dump.collected.add(name)
    return dump


def read_dump(texts: Iterable[bytes]) -> Dump:
    """Read a foreign dump: a kind without a single object counts as not collected (causes.md §4)."""
    reader = Reader()
    for text in texts:
        reader.take(text)
    return reader.dump
