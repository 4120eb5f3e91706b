"""Where the manager of a dump lives, and when the dump was taken, as far as it says so itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.diagnosis.world import Place
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.leases import MANAGER
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.diagnosis.dump import Dump


def find_place(dump: Dump, wanted: str | None) -> Place:
    """Find the manager by its Pods, else by its Lease, else by the only Config; ``wanted`` is its namespace.

    Raises UsageError when several namespaces could be meant.
    """
    for found in (_by_pods(dump), _by_leases(dump), _by_configs(dump)):
        places = {namespace: app for namespace, app in found if wanted in (None, namespace)}
        if len(places) > 1:
            names = ", ".join(sorted(places))
            hint = "name the manager's namespace with --manager-namespace"
            raise UsageError(f"several namespaces have a manager: {names}", hint=hint)
        for namespace, app in places.items():
            return Place(namespace, app)
    return Place(wanted or "", labels.APP_VALUE)


def _by_pods(dump: Dump) -> Iterator[tuple[str, str]]:
    for pod in dump.pods:
        meta = pod.metadata
        if meta.label(labels.COMPONENT) == "manager":
            yield meta.namespace, meta.label(labels.APP) or labels.APP_VALUE


def _by_leases(dump: Dump) -> Iterator[tuple[str, str]]:
    for lease in dump.leases:
        meta = lease.metadata
        if meta.label(labels.COMPONENT) == "manager" and meta.name.endswith(MANAGER):
            yield meta.namespace, meta.name.removesuffix(MANAGER)


def _by_configs(dump: Dump) -> Iterator[tuple[str, str]]:
    for config in dump.configs:
        yield config.metadata.namespace, labels.APP_VALUE


def newest_time(dump: Dump) -> float | None:
    """Give the newest moment a dump mentions: it was taken then or a little later; None when it mentions none."""
    times = [seconds_of(lease.spec.renew_time) for lease in dump.leases]
    times += [seconds_of(event.last) for event in dump.events]
    for pod in dump.pods:
        times.append(seconds_of(pod.metadata.creation_timestamp))
        times += [seconds_of(one.last_transition_time) for one in pod.status.conditions or ()]
    for node in dump.nodes:
        times.append(seconds_of(node.metadata.creation_timestamp))
    known = [time for time in times if time is not None]
    return max(known) if known else None
