"""What ``rollout simulate`` starts from: records of stage times, a dump of objects, a cluster, or nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cli.dumps import Taken, dump_of_lists, read_files, server_time
from kubectl_c9s.diagnosis.place import find_place
from kubectl_c9s.files.objectlists import STDIN, read_whole
from kubectl_c9s.measurement.runfile import is_run, read_run
from kubectl_c9s.resources.errors import C9sError, UsageError
from kubectl_c9s.rollout.limits import limits_in
from kubectl_c9s.simulation.builtin import BUILT_IN
from kubectl_c9s.simulation.estimate import stage_times
from kubectl_c9s.simulation.fromobjects import Objects, present
from kubectl_c9s.simulation.fromrun import record_of_run
from kubectl_c9s.simulation.recording import check_times, is_record, read_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kubectl_c9s.resources.surroundings import Host
    from kubectl_c9s.simulation.fromobjects import Present
    from kubectl_c9s.simulation.recording import Record
    from kubectl_c9s.simulation.stages import StageTimes

LIVE: Final = "live"
_NEEDED: Final = ("configs.c9s.run", "topologies.c9s.run", "nodes.c9s.run", "pods")
_USEFUL: Final = ("deployments.apps", "replicasets.apps", "nodes")
_KEEPS_OFF: Final = frozenset({"NoSchedule", "NoExecute"})


class Source(NamedTuple):
    """What was read: records, and at most one installation as it is; ``notes`` say how it was read."""

    text: str
    records: tuple[Record, ...] = ()
    objects: Objects | None = None
    found: Present | None = None
    notes: tuple[str, ...] = ()

    @property
    def stages(self) -> StageTimes:
        """Work out the stage times of everything that was read."""
        records = [*self.records, *([self.found.record] if self.found else ())]
        return stage_times(records) if records else BUILT_IN

    @property
    def hosts(self) -> list[str]:
        """Name the hosts: those of the installation, or those that recorded Pods were on."""
        records = [self.found.record] if self.found else self.records
        used = {host for record in records for host in record.hosts}
        return sorted({*(self.objects.hosts if self.objects else ()), *used})


def read_source(paths: Sequence[str], flags: Mapping[str, Any]) -> Source:
    """Read what ``--from`` names: records, files that together are one dump, or the cluster."""
    records: list[Record] = []
    dumps: list[str] = []
    for path in paths:
        record = None if path == LIVE else _record(path)
        if record is None:
            dumps.append(path)
        else:
            records.append(record)
    if LIVE in dumps and len(dumps) > 1:
        raise UsageError("--from takes the cluster or a snapshot; besides it, records alone")
    names = [f"{len(records)} record(s)"] if records else []
    names += ["the cluster" if path == LIVE else path for path in dumps]
    text = f"stage times from {', '.join(names)}" if names else "built-in stage times"
    if not dumps:
        return Source(text, tuple(records))
    namespace = flags.get("manager_namespace")
    taken = _live(flags) if dumps == [LIVE] else read_files(dumps, None, namespace)
    objects = _objects(taken)
    return Source(text, tuple(records), objects, present(objects), taken.notes)


def _live(flags: Mapping[str, Any]) -> Taken:
    """Read the whole cluster, as the gates see it; say which kinds may not be read that a forecast uses."""
    from kubectl_c9s.cli.connecting import connect  # noqa: PLC0415 - slow to import
    from kubectl_c9s.cluster.capture import capture  # noqa: PLC0415 - likewise

    wanted = flags.get("manager_namespace")
    captured = capture(connect(flags), None, wanted)
    unseen = {one.resource.full_name: one.unseen for one in captured.collections if one.unseen}
    for kind in _NEEDED:
        if kind in unseen:
            raise C9sError(
                unseen[kind], hint="'kubectl c9s rights rollout simulate' prints the Role"
            )
    dump = dump_of_lists(captured)
    now, doubt = server_time(captured)
    notes = [unseen[kind] for kind in _USEFUL if kind in unseen]
    return Taken(dump, find_place(dump, wanted), now, (*notes, *doubt))


def _record(path: str) -> Record | None:
    """Read the file of a record, or of a recorded start; None for anything else."""
    if path == STDIN or os.path.isdir(path):  # noqa: PTH112 - bytes and odd names pass unchanged
        return None
    data = read_whole(path)
    if is_record(data):
        return check_times(read_record(data, path), path)
    return check_times(record_of_run(read_run(data, path)), path) if is_run(data) else None


def _objects(taken: Taken) -> Objects:
    dump, place = taken.dump, taken.place
    config = dump.config_in(place.namespace)
    return Objects(
        limits_in(config.spec.rollout if config else None),
        dump.topologies,
        dump.nodes,
        dump.deployments,
        dump.replica_sets,
        dump.pods,
        sorted(host.metadata.name for host in dump.hosts if _takes_pods(host)),
        place.app,
        taken.now,
    )


def _takes_pods(host: Host) -> bool:
    """Tell whether a host takes Pods as they come: not cordoned, and without a taint that keeps them off."""
    taints = host.spec.taints or ()
    return not host.spec.unschedulable and not any(one.effect in _KEEPS_OFF for one in taints)
