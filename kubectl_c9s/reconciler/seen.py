"""From what the watches show to what the pure rooms judge by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.diagnosis.dump import FIELDS, dump_of
from kubectl_c9s.reconciler.feeds import MANAGER_PODS, WHOLE
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.objects import CONFIG_NAME, name_of, namespace_of
from kubectl_c9s.rollout.assemble import Views, snapshot_of
from kubectl_c9s.rollout.limits import Limits, limits_of
from kubectl_c9s.rollout.patches import block_of
from kubectl_c9s.rollout.probes import ProbeGaps
from kubectl_c9s.rollout.proposal import Surroundings
from kubectl_c9s.rollout.views import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.diagnosis.dump import Dump
    from kubectl_c9s.diagnosis.world import Place
    from kubectl_c9s.reconciler.kept import KeptNode, KeptPod
    from kubectl_c9s.reconciler.view import Look
    from kubectl_c9s.resources.objects import KubeObject

_NO_GAPS: Final = ProbeGaps((), ())
_WHOLE: Final = {one.full_name: one for one in WHOLE}


def config_in(look: Look, namespace: str) -> KubeObject | None:
    """Give the Config that the manager of a namespace reads."""
    for obj in whole(look, kinds.CONFIGS.full_name):
        if (namespace_of(obj), name_of(obj)) == (namespace, CONFIG_NAME):
            return obj
    return None


def whole(look: Look, name: str) -> list[KubeObject]:
    """Give the objects of a kind that is written, each saying what it is: those of a list do not."""
    kind = _WHOLE[name]
    head = {"apiVersion": kind.api_version, "kind": kind.kind}
    return [head | obj for obj in look.of(name)]


def around(look: Look, config: KubeObject | None, place: Place) -> Surroundings:
    """Give what the impact of a write is judged by."""
    limits = limits_of(block_of(config) if config else None)
    topologies = _typed(look, kinds.TOPOLOGIES.full_name)
    views = views_in(look.of(kinds.NODES.full_name), look.of(kinds.PODS.full_name), place.app)
    return Surroundings(snapshot_of(limits, topologies, views), limits, _NO_GAPS)


def views_in(nodes: Iterable[KeptNode], pods: Iterable[KeptPod], app: str) -> Views:
    """Give the views of an installation: each was made when its object was read."""
    return Views(
        tuple(one.view for one in nodes if one.view is not None),
        tuple(
            one.view
            for one in pods
            if one.view is not None and one.metadata.label(labels.APP) == app
        ),
    )


NOBODY: Final = Surroundings(Snapshot(0, 0), Limits(), _NO_GAPS)
"""Surroundings for when nothing is to be written."""


def dump_in(look: Look) -> Dump:
    """Give the dump that ``diagnose`` would look at."""
    names = [name for name in look.objects if name in FIELDS]
    found = {name: _typed(look, name) if name in _WHOLE else look.of(name) for name in names}
    if kinds.PODS.full_name in found:
        both = look.objects[kinds.PODS.full_name] | look.objects.get(MANAGER_PODS, {})
        found[kinds.PODS.full_name] = list(both.values())
    events = found.pop(kinds.EVENTS.full_name, None)
    dump = dump_of(found, None)
    if events is not None:
        dump.events = [one.event for one in events]
        dump.collected.add(kinds.EVENTS.full_name)
    return dump


def _typed(look: Look, name: str) -> list[Any]:
    text = msgspec.json.encode(look.of(name))
    found: list[Any] = msgspec.json.decode(text, type=list[FIELDS[name][1]])  # type: ignore[misc]
    return found
