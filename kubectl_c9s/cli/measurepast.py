"""A start after the fact, from a dump or from what a cluster has now: what stamps tell (measurement.md §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kubectl_c9s import __version__
from kubectl_c9s.cli.connecting import connect, only_namespace
from kubectl_c9s.cli.dumps import moment, read_files
from kubectl_c9s.cli.measureview import write_result
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.runtarget import RunTarget
from kubectl_c9s.measurement import watched
from kubectl_c9s.measurement.afterwards import afterwards
from kubectl_c9s.measurement.run import Manifest
from kubectl_c9s.measurement.runmanifest import limits_of
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import RefusedInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kubectl_c9s.diagnosis.dump import Dump
    from kubectl_c9s.measurement.run import Run


def look_back(flags: Mapping[str, Any], name: str | None, given: Mapping[str, Any]) -> int:
    """Make a run of what is there; give 0 when the goal is reached, else 1."""
    run = _of_files(flags, name, given) if given["paths"] else _of_cluster(flags, name, given)
    if not run.devices:
        raise RefusedInput(
            "there is no device in it: neither a Node of c9s.run nor a Pod of one",
            hint="without NAME, and with -A, all devices count",
        )
    target = RunTarget(given["target"])
    target.begin(run)
    print_notes(run.notes)
    write_result(run, given["output"])
    return 0 if run.verdict == "reached" else 1


def _of_files(flags: Mapping[str, Any], name: str | None, given: Mapping[str, Any]) -> Run:
    at = moment(given["at"]) if given["at"] else None
    taken = read_files(given["paths"], at, flags.get("manager_namespace"))
    dump = taken.dump
    kinds: dict[str, Sequence[Any]] = {
        watched.TOPOLOGIES: dump.topologies,
        watched.NODES: dump.nodes,
        watched.DEPLOYMENTS: [watched.Made(one.metadata) for one in dump.deployments],
        watched.REPLICA_SETS: [watched.Made(one.metadata) for one in dump.replica_sets],
        watched.PODS: dump.pods,
    }
    namespace = only_namespace(flags)
    objects = {
        kind: [one for one in found if _is_meant(kind, one, namespace, name)]
        for kind, found in kinds.items()
        if kind in dump.collected
    }
    manifest = _manifest(dump, taken.place.namespace, namespace, name)
    run = afterwards(objects, taken.now, given["goal"], given["count"], manifest)
    return _with_notes(run, taken.notes)


def _is_meant(kind: str, item: Any, namespace: str | None, lab: str | None) -> bool:
    """Tell whether an object is one that a recording of the lab would watch (cluster/labfeeds.py)."""
    meta = item.metadata
    if namespace is not None and meta.namespace != namespace:
        return False
    if lab is None:
        return True
    if kind == watched.TOPOLOGIES:
        return bool(meta.name == lab)
    if kind in (watched.NODES, watched.PODS):
        return bool(meta.label(labels.TOPOLOGY_OWNER) == lab)
    return True


def _manifest(dump: Dump, manager: str, namespace: str | None, lab: str | None) -> Manifest:
    config = dump.config_in(manager)
    known = "configs.c9s.run" in dump.collected
    return Manifest(
        tool=__version__,
        namespace=namespace or "",
        lab=lab or "",
        limits=limits_of(config.spec.rollout if config else None) if known else None,
        topology_limits={
            f"{one.metadata.namespace}/{one.metadata.name}": limits_of(one.spec.rollout)
            for one in dump.topologies
            if namespace in (None, one.metadata.namespace)
        },
    )


def _of_cluster(flags: Mapping[str, Any], name: str | None, given: Mapping[str, Any]) -> Run:
    from kubectl_c9s.cluster.labfeeds import read_once  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.runmanifest import Scope, collect  # noqa: PLC0415 - likewise

    connection = connect(flags)
    namespace = None if flags.get("all_namespaces") else connection.namespace
    found = read_once(connection, namespace, name)
    scope = Scope(namespace or "", name or "", flags.get("manager_namespace"))
    collected = collect(connection, scope)
    run = afterwards(found.objects, found.now, given["goal"], given["count"], collected.manifest)
    return _with_notes(run, (*found.unseen.values(), *collected.notes))


def _with_notes(run: Run, notes: Iterable[str]) -> Run:
    import msgspec  # noqa: PLC0415 - after the flags are known

    return msgspec.structs.replace(run, notes=tuple(dict.fromkeys((*run.notes, *notes))))
