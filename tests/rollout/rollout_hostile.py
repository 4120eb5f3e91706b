"""Installations as JSON of the API, with every shape the gates may meet: circles, leftovers, equal times, strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from hypothesis import strategies as st
from msgspec.structs import replace

from kubectl_c9s.resources.live import LabNode, Pod, Topology
from kubectl_c9s.rollout.assemble import assemble
from kubectl_c9s.rollout.limits import Limits

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from kubectl_c9s.rollout.views import Snapshot

Json = dict[str, Any]

SPACES = {"a": ("T1", "T2"), "a-b": ("T3",), "b": ()}
"""Namespaces, and the UIDs of the Topologies there; ``a-b/x`` sorts before ``a/x`` as a text and after it as a pair."""
NAMES = ("n", "n-1", "n1", "n10", "n9")
TIMES = (None, *(f"2026-01-01T00:00:0{second}Z" for second in (1, 1, 2, 3)))
REFERENCE = {"apiVersion": "c9s.run/v1alpha1", "kind": "Topology", "controller": True}
ODD_MODES = (None, "container:gone", "container:", "Container:n", "host", "")
STRANGE = (
    {"controller": False},
    {"controller": None},
    {"kind": "Node"},
    {"apiVersion": "apps/v1"},
    {"apiVersion": "c9s.run/v1"},
    {"uid": "a Topology that is gone"},
)
LIMITS: Final = [
    None, {}, {"batchSize": 0}, {"batchSize": 1}, {"batchSize": 2}, {"batchSize": 3},
    {"maxConcurrentPerHost": 1}, {"batchSize": 1, "maxConcurrentPerHost": 2},
]  # fmt: skip


class Installation(NamedTuple):
    """Bodies of objects. ``defined`` has the names that each Topology's definition has, by UID."""

    batch: int
    per_host: int
    nodes: list[Json]
    pods: list[Json]
    topologies: list[Json]
    defined: dict[str, frozenset[str]]


def mostly(usual: Any, *others: Any) -> SearchStrategy[Any]:
    """Draw a value that is as usual three times out of four."""
    return st.sampled_from([usual] * (3 * len(others) or 1) + list(others))


def without_none(body: Json) -> Json:
    """Leave out what is absent."""
    return {key: value for key, value in body.items() if value is not None}


@st.composite
def nodes(draw: DrawFn, namespace: str, name: str, others: list[str]) -> Json:
    """Draw a Node; ``others`` are those whose Pod it may share."""
    uid = f"{namespace}/{name}"
    known = SPACES[namespace]
    shared = [f"container:{one}" for one in others]
    owners = [REFERENCE | {"uid": one} | draw(mostly({}, *STRANGE)) for one in known]
    hold = draw(st.sampled_from([None, *known[:1]]))
    annotations = {
        "c9s.run/startup-hold": draw(mostly(hold, None, "", "stranger")),
        "c9s.run/startup-admitted": draw(st.sampled_from([None, None, uid, "", "older"])),
    }
    meta = {
        "namespace": namespace,
        "name": name,
        "uid": uid,
        "creationTimestamp": draw(st.sampled_from(TIMES)),
        "deletionTimestamp": draw(mostly(None, None, None, TIMES[1])),
        "labels": draw(mostly(None, {}, {"c9s.run/ignoreReconcile": ""})),
        "annotations": without_none(annotations),
        "ownerReferences": draw(mostly(owners[:1], owners, None)),
    }
    mode = draw(mostly(draw(st.sampled_from([None, *shared])), *ODD_MODES))
    return {"metadata": without_none(meta), "spec": without_none({"network-mode": mode})}


@st.composite
def pods(draw: DrawFn, number: int, known: list[Json]) -> Json:
    """Draw a Pod of one of the known Nodes, or of nobody."""
    node = draw(st.sampled_from(known))["metadata"]
    uid = f"pod-{number}"
    labels = {"c9s.run/app": "clabernetes", "c9s.run/direct-workload": node["name"]}
    annotations = {
        "c9s.run/direct-node-uid": draw(mostly(node["uid"], "nobody", None)),
        "c9s.run/startup-host-admitted": draw(st.sampled_from([None, None, uid, "older", ""])),
        "kubectl.kubernetes.io/default-container": draw(mostly("main", "side", None)),
    }
    meta = {
        "namespace": draw(mostly(node["namespace"], "b")),
        "name": f"x-{draw(st.integers(0, 9))}-{number}",
        "uid": uid,
        "creationTimestamp": draw(st.sampled_from(TIMES)),
        "deletionTimestamp": draw(mostly(None, None, None, TIMES[1])),
        "labels": draw(mostly(labels, labels, labels | {"c9s.run/app": "other"}, None)),
        "annotations": without_none(annotations),
    }
    inits = draw(st.sampled_from([[{"name": "startup-gate"}], [{"name": "planner"}], None]))
    spec = {"nodeName": draw(mostly("h1", "h2", None)), "initContainers": inits}
    ready = draw(mostly("True", "False", "Unknown"))
    sandbox = {"type": "PodReadyToStartContainers", "status": ready}
    started = [draw(st.sampled_from([None, True, False])) for _ in range(2)]
    names = ("main", "side")
    status = {
        "phase": draw(mostly("Running", "Pending", "Failed", "Succeeded", None)),
        "conditions": draw(mostly([{"type": "Ready", "status": "True"}, sandbox], [], None)),
        "containerStatuses": [
            without_none({"name": name, "started": one})
            for name, one in zip(names, started, strict=True)
        ],
    }
    return {
        "metadata": without_none(meta),
        "spec": without_none(spec),
        "status": without_none(status),
    }


@st.composite
def installations(draw: DrawFn, *, circles: bool = True) -> Installation:
    """Draw an installation."""
    full_names = [(space, name) for space in SPACES for name in NAMES]
    chosen = draw(st.lists(st.sampled_from(full_names), unique=True, min_size=2, max_size=9))
    drawn = []
    for index, (space, name) in enumerate(chosen):
        others = [one for owner, one in (chosen if circles else chosen[:index]) if owner == space]
        drawn.append(draw(nodes(space, name, others)))
    topologies, defined = [], {}
    for space, uids in SPACES.items():
        for uid in draw(st.sets(st.sampled_from(uids))) if uids else ():
            rollout = draw(st.sampled_from(LIMITS))
            meta = {"namespace": space, "name": uid.lower(), "uid": uid}
            topologies.append({"metadata": meta, "spec": without_none({"rollout": rollout})})
            here = [name for owner, name in chosen if owner == space]
            mine = [one["metadata"]["name"] for one in drawn if is_owned(one, uid)]
            some = st.frozensets(st.sampled_from(NAMES), max_size=3)
            defined[uid] = draw(mostly(frozenset(mine), frozenset(here), draw(some)))
    return Installation(
        draw(st.integers(0, 3)),
        draw(st.integers(0, 2)),
        drawn,
        [draw(pods(number, drawn)) for number in range(draw(st.integers(0, 8)))],
        topologies,
        defined,
    )


def is_owned(node: Json, topology: str) -> bool:
    """Tell whether a Node has an owner reference to a Topology's UID."""
    owners = node["metadata"].get("ownerReferences", [])
    return any(owner["uid"] == topology for owner in owners)


def read(found: Installation) -> Snapshot:
    """Read an installation as the product does, and tell it the definitions."""
    snapshot = assemble(
        Limits(found.batch, found.per_host),
        msgspec.convert(found.topologies, list[Topology]),
        msgspec.convert(found.nodes, list[LabNode]),
        msgspec.convert(found.pods, list[Pod]),
    )
    labs = (
        replace(one, defined=found.defined[one.uid], expected=len(found.defined[one.uid]))
        for one in snapshot.topologies
    )
    return replace(snapshot, topologies=tuple(labs))
