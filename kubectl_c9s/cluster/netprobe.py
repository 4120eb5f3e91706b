"""Network checks carried out: the Pods of a lab or a replay, each asked by one command in its primary container."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import ApiError, Forbidden, NotFound, Unauthorized, Unreachable
from kubectl_c9s.cluster.inparallel import WORKERS, in_parallel
from kubectl_c9s.cluster.patience import backoff
from kubectl_c9s.cluster.podexec import Ran, Target, run
from kubectl_c9s.cluster.reading import list_objects
from kubectl_c9s.measurement import netchecks, netreport, netscript
from kubectl_c9s.measurement.netanswers import ERROR, UNDECIDED
from kubectl_c9s.measurement.netmembers import WORKLOAD, NetNode, NetPod, members, ring
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.cluster.inparallel import Call
    from kubectl_c9s.measurement.netmembers import Pair
    from kubectl_c9s.measurement.netreport import Checked, Report
    from kubectl_c9s.measurement.netscript import Step

LIMIT: Final = 300.0
EACH: Final = 60.0
"""Seconds for one device: a ping waits 3, but a name server that is silent makes it wait for longer."""
_MOST: Final = 256 * 1024
_TRIES: Final = 3
_BUSY: Final = 429
_FAULT: Final = 500
_FATAL: Final = (Forbidden, Unauthorized)


class Wish(NamedTuple):
    """What to check, and within which bounds: devices at a time, and seconds for everything.

    ``name_format`` gives the name of a neighbour; ``{name}`` in it is its Node, ``{namespace}`` its namespace.
    """

    checks: tuple[str, ...] = netscript.CHECKS
    name_format: str = netscript.NAME_FORMAT
    workers: int = WORKERS
    limit: float = LIMIT


class _Question(NamedTuple):
    pair: Pair
    steps: tuple[Step, ...]


def verify(
    connection: Connection,
    pods: Iterable[NetPod],
    nodes: Iterable[NetNode] = (),
    wish: Wish | None = None,
    notes: Sequence[str] = (),
) -> Report:
    """Check the Ready ones of some Pods, of labs and replays alike; the others are listed.

    Raises Forbidden without the right to enter Pods. What cannot be asked otherwise, and what is not done in time,
    stands in the report.
    """
    begun, wish = time.monotonic(), wish or Wish()
    pods = list(pods)
    found = members((one for one in pods if one.is_ready), nodes)
    late = sorted(
        f"{one.metadata.namespace}/{one.metadata.name}" for one in pods if not one.is_ready
    )
    checked = _checked(connection, ring(found), wish)
    return netreport.report(checked, wish.checks, time.monotonic() - begun, late, notes)


def _checked(connection: Connection, pairs: Sequence[Pair], wish: Wish) -> list[Checked]:
    questions = [
        _Question(pair, netscript.steps(pair, wish.checks, wish.name_format)) for pair in pairs
    ]

    def ask(question: _Question, call: Call) -> Ran | None:
        return _asked(connection, question, call) if question.steps else None

    came = in_parallel(questions, ask, workers=wish.workers, limit=wish.limit, fatal=_FATAL)
    return [
        _entry(question, wish.checks, answer)
        for question, answer in zip(questions, came, strict=True)
    ]


def _asked(connection: Connection, question: _Question, call: Call) -> Ran:
    """Run the script of a device; a server or kubelet that is busy is asked again."""
    member = question.pair.member
    target = Target(member.namespace, member.pod, member.container)
    words = netscript.command(question.steps)
    for attempt in range(_TRIES):
        try:
            return run(
                connection, target, words, limit=call.left(EACH), most=_MOST, cancel=call.cancel
            )
        except (ApiError, Unreachable) as error:
            if attempt + 1 == _TRIES or not _passes(error) or call.left() <= 0:
                raise
        call.cancel.wait(min(backoff(attempt), call.left()))
    raise AssertionError  # pragma: no cover - the loop ends before


def _passes(error: ApiError | Unreachable) -> bool:
    if isinstance(error, Unreachable):
        return error.transient
    return error.status == _BUSY or error.status > _FAULT


def _entry(question: _Question, checks: Collection[str], came: Ran | C9sError | None) -> Checked:
    pair, steps = question
    if isinstance(came, C9sError):
        return netchecks.not_asked(pair, checks, steps, ERROR, came.message)
    if came is None:
        return netchecks.not_asked(pair, checks, steps, UNDECIDED, "not asked in time")
    printed = came.stdout.decode("utf-8", "replace")
    found = netscript.outputs(printed)
    if not found and not came.timed_out and not came.cut:
        why = came.stderr.decode("utf-8", "replace").strip() or came.message or "it said nothing"
        return netchecks.not_entered(pair, checks, steps, why)
    trouble = "" if came.timed_out else f"the command ended early: {came.message or 'cut off'}"
    return netchecks.checked(pair, checks, steps, printed, trouble)


def neighbour_probe(
    connection: Connection,
    pods: Iterable[NetPod],
    *,
    workers: int = WORKERS,
    limit: float = LIMIT,
) -> list[dict[str, Any]]:
    """Let each Pod ping the addresses of the next by name, the last those of the first (measurement.md §4).

    Gives an entry a Pod, sorted by name: ``pod`` (``namespace/name``), ``ok``, and ``crossWorker``, or ``error`` with
    words where it was not ok because it could not be asked or not in time. A Pod that is not Ready, and one that is
    alone, is an error, too. Raises Forbidden.
    """
    pods = list(pods)
    wish = Wish((netscript.NEIGHBOUR_ADDRESS,), workers=workers, limit=limit)
    found = [
        _probed(one)
        for one in _checked(connection, ring(members(p for p in pods if p.is_ready)), wish)
    ]
    found += [
        {"pod": f"{one.metadata.namespace}/{one.metadata.name}", "ok": False, "error": "not Ready"}
        for one in pods
        if not one.is_ready
    ]
    return sorted(found, key=lambda one: str(one["pod"]))


def _probed(device: Checked) -> dict[str, Any]:
    pod = f"{device.namespace}/{device.pod}"
    if netreport.is_met(device):
        return {"pod": pod, "ok": True, "crossWorker": device.cross_host}
    bad = [one for one in device.checks if one.result != "passed"]
    if bad and all(one.result == "failed" for one in bad):
        return {"pod": pod, "ok": False, "crossWorker": device.cross_host}
    return {"pod": pod, "ok": False, "error": bad[0].detail if bad else "no address to ask for"}


def read_pods(connection: Connection, namespace: str | None, selector: str) -> list[NetPod]:
    """List Pods by labels, in one namespace or in all."""
    listing = list_objects(
        connection,
        kinds.PODS,
        NetPod,
        namespace=namespace,
        selectors={"labelSelector": selector},
    )
    return listing.items


def read_nodes(
    connection: Connection, namespace: str | None, lab: str | None = None
) -> tuple[list[NetNode], str]:
    """List the Nodes of all labs, or of one, with their management addresses.

    Without the right or the kind there are none, and words why; for one lab that is raised, because without its Nodes
    nobody knows its Pods.
    """
    selectors = {"labelSelector": f"{labels.TOPOLOGY_OWNER}={lab}"} if lab else None
    try:
        listing = list_objects(
            connection, kinds.NODES, NetNode, namespace=namespace, selectors=selectors
        )
    except (Forbidden, NotFound) as error:
        if lab:
            raise
        return [], f"management addresses are not checked: {error.message}"
    return listing.items, ""


def of_nodes(pods: Iterable[NetPod], nodes: Iterable[NetNode]) -> list[NetPod]:
    """Give the device Pods of some Nodes: a Pod names only its primary (admission.md §1)."""
    wanted = {(one.metadata.namespace, one.metadata.name) for one in nodes}
    return [pod for pod in pods if (pod.metadata.namespace, pod.metadata.label(WORKLOAD)) in wanted]
