"""Logs of a CNI read from its Pods: two hosts at a time, streamed through exec, never whole in memory.

Readers of others can be installed: a distribution names an object as in :mod:`kubectl_c9s.measurement.cni.reader`, or a
class that makes one without arguments, as an entry point of the group ``kubectl_c9s.cni``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import Forbidden
from kubectl_c9s.cluster.inparallel import in_parallel
from kubectl_c9s.cluster.podexec import Target, stream
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.measurement.cni import BUILT_IN
from kubectl_c9s.measurement.cni.reader import Lines
from kubectl_c9s.measurement.cni.report import CniReport, HostTimes
from kubectl_c9s.measurement.netmembers import NetPod
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.inparallel import Call
    from kubectl_c9s.measurement.cni.reader import Reader

AUTO: Final = "auto"
GROUP: Final = "kubectl_c9s.cni"
HOSTS_AT_A_TIME: Final = 2
LIMIT: Final = 600.0


def readers() -> Mapping[str, Reader]:
    """Give all readers by name, those of the tool first; one that is installed can replace one of them.

    Raises C9sError for one that cannot be loaded.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - only when logs are read

    found: dict[str, Reader] = {one.name: one for one in BUILT_IN}
    for point in entry_points(group=GROUP):
        try:
            made = point.load()
            found[point.name] = made() if isinstance(made, type) else made
        except Exception as error:
            raise C9sError(
                f"the CNI reader {point.name} of {point.value} cannot be used: {error}"
            ) from error
    return found


def read_times(  # noqa: PLR0913 - what to read, by keyword
    connection: Connection,
    namespace: str,
    since: float | None,
    *,
    wanted: str = AUTO,
    hosts: Collection[str] | None = None,
    known: Mapping[str, Reader] | None = None,
    limit: float = LIMIT,
) -> CniReport:
    """Read how long Pods of a namespace waited for addresses, of all hosts or of some.

    ``wanted`` is the name of a reader, or ``auto`` for the first whose Pods exist. Where none fits the report says so.
    Raises UsageError for an unknown name, and Forbidden without the right to enter the CNI's Pods.
    """
    known = readers() if known is None else known
    if wanted != AUTO and wanted not in known:
        raise UsageError(
            f"there is no CNI reader {wanted!r}", hint=f"known: {AUTO}, {', '.join(known)}"
        )
    tried = list(known.values()) if wanted == AUTO else [known[wanted]]
    notes: list[str] = []
    for reader in tried:
        pods = _pods(connection, reader, notes)
        if pods:
            chosen = [pod for pod in pods if hosts is None or (pod.spec.node_name or "") in hosts]
            found = _read(connection, reader, chosen, (namespace, since), limit)
            return CniReport(reader.name, namespace, since, tuple(found))
    names = ", ".join(reader.name for reader in tried)
    why = "; ".join(notes) or f"no Pods of {names} were found"
    return CniReport("", namespace, since, (), f"not available: {why}")


def _pods(connection: Connection, reader: Reader, notes: list[str]) -> list[NetPod]:
    """List the Pods of a reader that run, one a host; a namespace that may not be seen is noted."""
    for namespace in reader.source.namespaces:
        try:
            listing = list_objects(
                connection,
                kinds.PODS,
                NetPod,
                namespace=namespace,
                selectors={"labelSelector": reader.source.selector},
            )
        except Forbidden as error:
            notes.append(error.message)
            continue
        by_host = {
            pod.spec.node_name: pod
            for pod in listing.items
            if pod.spec.node_name and pod.status.phase == "Running"
        }
        if by_host:
            return [by_host[host] for host in sorted(by_host)]
    return []


def _read(
    connection: Connection,
    reader: Reader,
    pods: Sequence[NetPod],
    lines: tuple[str, float | None],
    limit: float,
) -> list[HostTimes]:
    def ask(pod: NetPod, call: Call) -> HostTimes:
        return _of_host(connection, reader, pod, lines, call)

    came = in_parallel(pods, ask, workers=HOSTS_AT_A_TIME, limit=limit, fatal=(Forbidden,))
    found = []
    for pod, answer in zip(pods, came, strict=True):
        if isinstance(answer, HostTimes):
            found.append(answer)
            continue
        why = answer.message if isinstance(answer, C9sError) else "not read in time"
        found.append(HostTimes(pod.spec.node_name or "", pod.metadata.name, None, why))
    return found


def _of_host(
    connection: Connection,
    reader: Reader,
    pod: NetPod,
    wanted: tuple[str, float | None],
    call: Call,
) -> HostTimes:
    """Read the log of a host; what was read before a break is kept."""
    source, parser, lines = reader.source, reader.parser(*wanted), Lines()
    target = Target(pod.metadata.namespace, pod.metadata.name, source.container)
    why = ""
    try:
        for piece in stream(
            connection, target, source.command, limit=call.left(LIMIT), cancel=call.cancel
        ):
            for line in lines.feed(piece):
                parser.feed(line)
        for line in lines.end():
            parser.feed(line)
    except Forbidden:
        raise
    except C9sError as error:
        why = error.message
    return HostTimes(pod.spec.node_name or "", pod.metadata.name, parser.result(), why)
