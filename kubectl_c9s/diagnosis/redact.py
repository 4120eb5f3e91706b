"""A dump without names: the same objects under other names, so that it gives the same diagnosis.

Only what a diagnosis reads is kept (:mod:`redactobjects`); objects it never looks at are left out. Names keep their
order, because of equally old workloads the first by name goes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.diagnosis.redactnames import Names
from kubectl_c9s.diagnosis.redactobjects import Redactor
from kubectl_c9s.diagnosis.redactwords import LEASES, PRODUCT
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.leases import MANAGER, is_holder
from kubectl_c9s.rollout.views import WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.diagnosis.dump import Dump
    from kubectl_c9s.resources.live import Meta
    from kubectl_c9s.resources.surroundings import Lease, Workload

Json = dict[str, Any]
_POOL: Final = "-planner-pool"
_HELD: Final = f"{PRODUCT}-"
_LONGEST: Final = 63
_C9S, _APPS = "c9s.run/v1alpha1", "apps/v1"


class Redacted(NamedTuple):
    """Objects by kind, as kubectl names it, and the names they have now."""

    objects: dict[str, list[Json]]
    names: Names


def redact(dump: Dump, manager_namespace: str | None = None, texts: Iterable[str] = ()) -> Redacted:
    """Give the objects of a dump under new names; a ``manager_namespace`` that was given by hand counts, too.

    ``texts`` are those that the caller wants to translate afterwards.
    """
    names = Names()
    made = _Making(dump, manager_namespace, names)
    made.objects()  # the first pass: which names there are
    for namespace in filter(None, (dump.namespace, manager_namespace)):
        names.name(namespace)
    for text in texts:
        names.text(text)
    names.settle()
    return Redacted(made.objects(), names)


class _Making:
    """Which objects are kept, and what depends on several of them."""

    def __init__(self, dump: Dump, manager_namespace: str | None, names: Names) -> None:
        self._dump = dump
        self._names = names
        self._redactor = Redactor(names)
        managers: list[Meta] = [pod.metadata for pod in dump.pods if _is_manager(pod.metadata)]
        managers += [lease.metadata for lease in dump.leases if _is_manager(lease.metadata)]
        configs: list[Meta] = [config.metadata for config in dump.configs]
        self._homes = {meta.namespace for meta in (*managers, *configs)} | {manager_namespace or ""}
        self._apps = {meta.label(labels.APP) or PRODUCT for meta in managers} | {PRODUCT}
        self._apps |= {meta.name.removesuffix(MANAGER) for meta in managers}
        self._devices = {(node.metadata.namespace, node.metadata.name) for node in dump.nodes}
        self._uids: set[str] = set()

    def objects(self) -> dict[str, list[Json]]:
        """Make everything anew."""
        dump, make = self._dump, self._redactor
        found: dict[str, list[Json]] = {
            "configs.c9s.run": [_typed(_C9S, "Config", make.config(one)) for one in dump.configs],
            "topologies.c9s.run": [
                _typed(_C9S, "Topology", make.topology(one)) for one in dump.topologies
            ],
            "nodes.c9s.run": [_typed(_C9S, "Node", make.node(one)) for one in dump.nodes],
            "links.c9s.run": [_typed(_C9S, "Link", make.link(one)) for one in dump.links],
            "nodeprofiles.c9s.run": [
                _typed(_C9S, "NodeProfile", make.profile(one)) for one in dump.profiles
            ],
            "deployments.apps": list(self._deployments()),
            "replicasets.apps": list(self._replica_sets()),
            "pods": list(self._pods()),
            "nodes": [_typed("v1", "Node", make.host(one)) for one in dump.hosts],
            "leases.coordination.k8s.io": list(self._leases()),
        }
        found["events"] = list(self._events(found))
        return found

    def _deployments(self) -> Iterator[Json]:
        for one in self._dump.deployments:
            own = self._own_name(one)
            if own is not None:
                yield _typed(_APPS, "Deployment", self._redactor.workload(one, own, image=True))
            # A device may be called like the manager's Deployment: then it is looked up by both names.
            if (one.metadata.namespace, one.metadata.name) in self._devices:
                yield _typed(_APPS, "Deployment", self._redactor.workload(one, None, image=False))

    def _own_name(self, workload: Workload) -> str | None:
        """Give the new name of the manager's Deployment and its pool's: rules put it together of the installation's."""
        meta = workload.metadata
        if meta.namespace not in self._homes:
            return None
        for suffix in (MANAGER, _POOL):
            app = meta.name.removesuffix(suffix)
            if meta.name.endswith(suffix) and app in self._apps:
                return self._names.app(app) + suffix
        return None

    def _replica_sets(self) -> Iterator[Json]:
        kept = {
            one.metadata.uid
            for one in self._dump.deployments
            if (one.metadata.namespace, one.metadata.name) in self._devices
        }
        for one in self._dump.replica_sets:
            owners = {owner.uid for owner in one.metadata.owner_references or ()}
            if owners & kept or one.metadata.label(WORKLOAD) is not None:
                made = self._redactor.workload(one, None, image=False)
                yield _typed(_APPS, "ReplicaSet", made)

    def _pods(self) -> Iterator[Json]:
        for one in self._dump.pods:
            meta = one.metadata
            if (
                meta.label(WORKLOAD) is not None
                or meta.namespace in self._homes
                or _is_manager(meta)
            ):
                yield _typed("v1", "Pod", self._redactor.pod(one))

    def _leases(self) -> Iterator[Json]:
        """Keep those of the manager's namespace: that there is one tells that it was looked at."""
        for one in self._dump.leases:
            name = one.metadata.name
            if one.metadata.namespace in self._homes or name in LEASES or _is_manager(one.metadata):
                made = self._redactor.lease(one, self._lease_name(name), self._holder(one))
                yield _typed("coordination.k8s.io/v1", "Lease", made)

    def _lease_name(self, name: str) -> str:
        if name in LEASES:
            return name
        if name.endswith(MANAGER):
            return self._names.app(name.removesuffix(MANAGER)) + MANAGER
        return self._names.name(name)

    def _holder(self, lease: Lease) -> str:
        """Give a holder by which the same Pods are recognised as before: its text begins with the name of one."""
        old = lease.spec.holder_identity or ""
        if not old:
            return ""
        here = lease.metadata.namespace
        pods = {
            pod.metadata.name: self._names.name(pod.metadata.name)
            for pod in self._dump.pods
            if pod.metadata.namespace == here and _is_manager(pod.metadata)
        }
        meant = [new for name, new in pods.items() if is_holder(old, name)]
        common = _common_start([f"{_HELD}{new}-" for new in meant])
        rest = self._names.name(old.removeprefix(_HELD))
        # One that is cut after 63 characters may fit several Pods; one that fits none must go on to fit none.
        longest = max(meant, key=len, default="")
        tried = (
            f"{_HELD}{longest}-holder", common.ljust(_LONGEST, "0"), f"{_HELD}{rest}", "somebody-else",
        )  # fmt: skip
        wanted = [is_holder(old, name) for name in pods]
        return next(
            (one for one in tried if [is_holder(one, new) for new in pods.values()] == wanted),
            tried[0 if meant else -1],
        )

    def _events(self, found: dict[str, list[Json]]) -> Iterator[Json]:
        """Keep the Warnings about objects that are kept."""
        if not self._uids:  # the first pass: UIDs are still what they were
            self._uids = {
                str(one["metadata"].get("uid")) for objects in found.values() for one in objects
            }
        for number, one in enumerate(self._dump.events):
            if one.warning and one.about.uid and one.about.uid in self._uids:
                yield _typed("v1", "Event", self._redactor.event(one, number))


def _common_start(texts: list[str]) -> str:
    """Give what all texts begin with."""
    first, last = min(texts, default=""), max(texts, default="")
    length = next(
        (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other),
        min(len(first), len(last)),
    )
    return first[:length]


def _is_manager(meta: Meta) -> bool:
    return meta.label(labels.COMPONENT) == "manager"


def _typed(api_version: str, kind: str, body: Json) -> Json:
    return {"apiVersion": api_version, "kind": kind, **body}
