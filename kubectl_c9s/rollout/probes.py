"""Devices for which a limit per host means little: nothing tells when they have booted (admission.md §5.3).

Without a startup probe a slot is free as soon as the container runs. A probe that asks another device may never
succeed while that one waits for a slot: the slot is then never free.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.rollout.groups import primary_of
from kubectl_c9s.rollout.views import PRIMARY_CONTAINER, WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kubectl_c9s.resources.live import LabNode, NodeProfile, Pod

_MODE: Final = "container:"
_WORD: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_PATH: Final = re.compile(r"/\S*")
_HERE: Final = frozenset({"", "localhost", "127.0.0.1", "::1"})


class ProbeGaps(NamedTuple):
    """``namespace/name`` of primaries without a startup probe, and (primary, peer it asks) for the others."""

    unprobed: tuple[str, ...]
    asks_peer: tuple[tuple[str, str], ...]


def probe_gaps(
    nodes: Iterable[LabNode], profiles: Iterable[NodeProfile], pods: Iterable[Pod]
) -> ProbeGaps:
    """Look at Nodes through their profiles, and at the Pods that are there already.

    A Node counts by its Pod when it has one; a secondary has no Pod and no slot of its own.
    """
    nodes = list(nodes)
    leads = _leads(nodes)
    known = {(one.metadata.namespace, one.metadata.name): one for one in profiles}
    running = {
        (one.metadata.namespace, one.metadata.label(WORKLOAD)): one
        for one in pods
        if one.metadata.deletion_timestamp is None
    }
    unprobed, asking = [], []
    for node in nodes:
        if _shared(node) is not None:
            continue
        meta = node.metadata
        full, look = f"{meta.namespace}/{meta.name}", _Peers(meta.name, leads[meta.namespace])
        if pod := running.get((meta.namespace, meta.name)):
            probe = _startup_probe(pod)
            peer = next(look.of_probe(probe or {}), None)
            missing = probe is None
        else:
            missing = not _is_probed(node, known)
            words = (node.spec.healthcheck.test or []) if node.spec.healthcheck else []
            peer = next(look.named(words), None)
        if missing:
            unprobed.append(full)
        elif peer:
            asking.append((full, peer))
    return ProbeGaps(tuple(unprobed), tuple(asking))


def _shared(node: LabNode) -> str | None:
    mode = node.spec.network_mode or ""
    return mode.removeprefix(_MODE) if mode.startswith(_MODE) else None


def _leads(nodes: Iterable[LabNode]) -> dict[str, dict[str, str]]:
    """Give the primary of every Node, by namespace and name."""
    shares: dict[str, dict[str, str | None]] = {}
    for node in nodes:
        shares.setdefault(node.metadata.namespace, {})[node.metadata.name] = _shared(node)
    return {
        namespace: {name: primary_of(name, here) for name in here}
        for namespace, here in shares.items()
    }


def _is_probed(node: LabNode, profiles: dict[tuple[str, str], NodeProfile]) -> bool:
    """Ask the profile; one that is not there says nothing against its Node."""
    reference = node.spec.profile
    profile = profiles.get((node.metadata.namespace, reference.name)) if reference else None
    if profile is None:
        return True
    probes = profile.spec.status_probes
    if probes is None or not probes.enabled:
        return False
    return node.metadata.name not in (probes.excluded_nodes or ())


def _startup_probe(pod: Pod) -> dict[str, Any] | None:
    primary = pod.metadata.annotation(PRIMARY_CONTAINER)
    found = (one for one in pod.spec.containers or () if one.name == primary)
    return next((one.startup_probe for one in found), None)


class _Peers:
    """Finds whom a probe of one Node asks; ``leads`` has all Nodes of its namespace with their primaries.

    Who runs in the same Pod is no peer: it never waits for another slot.
    """

    def __init__(self, own: str, leads: Mapping[str, str]) -> None:
        self._own, self._leads = own, leads

    def of_probe(self, probe: dict[str, Any]) -> Iterator[str]:
        """Give what a probe of a Pod asks elsewhere: a host of its own, or another Node in its command."""
        for kind in ("tcpSocket", "httpGet"):
            host = str((probe.get(kind) or {}).get("host") or "")
            if host not in _HERE and self._leads.get(host) != self._own:
                yield host
        # The program itself may be called like a Node.
        yield from self.named(((probe.get("exec") or {}).get("command") or ())[1:])

    def named(self, words: Iterable[str]) -> Iterator[str]:
        """Give the Nodes that words of a command name; an absolute path names none."""
        for word in words:
            if _PATH.fullmatch(word):
                continue
            for found in _WORD.finditer(word):
                if self._leads.get(found.group(), self._own) != self._own:
                    yield found.group()
