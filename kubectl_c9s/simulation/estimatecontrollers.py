"""The limit of the controllers' requests from records: their part of the start is replayed under several limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.builtin import BUILT_IN
from kubectl_c9s.simulation.controllers import Controller
from kubectl_c9s.simulation.distribution import Distribution
from kubectl_c9s.simulation.eventloop import EventLoop
from kubectl_c9s.simulation.stages import Client, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kubectl_c9s.simulation.recording import DeviceTimes, Record

_COARSE: Final = (5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0)
_FINE: Final = (2**-0.5, 2**-0.25, 2**0.25, 2**0.5)
_AS_GOOD: Final = 1.1
"""The default stays unless another limit leaves a tenth less unexplained, and 50 ms: ours."""
_MARGIN: Final = 0.05
_NEW: Final = 600.0
"""Seconds after which a ReplicaSet or Pod is none of the start: a rollout or a replacement. Ours."""


def controllers(records: Sequence[Record]) -> tuple[Client, Client]:
    """Give the controllers of Deployments and of ReplicaSets; both run with the same limit, the process's own."""
    starts = [_starts(record) for record in records]
    count = sum(map(len, starts))
    if not count:
        return BUILT_IN.replica_set, BUILT_IN.pod
    default = BUILT_IN.replica_set.rate
    errors = {rate: _error(starts, rate) for rate in _COARSE}
    best = min(errors, key=errors.__getitem__)
    errors |= {best * factor: _error(starts, best * factor) for factor in _FINE}
    best = min(errors, key=errors.__getitem__)
    text = "recorded"
    if errors[default] <= errors[best] * _AS_GOOD + _MARGIN:
        best, text = default, "recorded, agrees with the default limit"
    rests = _rests(starts, best)
    found = []
    for client, rest in zip((BUILT_IN.replica_set, BUILT_IN.pod), rests, strict=True):
        middle = max(sorted(rest)[len(rest) // 2], 0.0) if rest else 0.0
        burst = max(round(best * client.burst / client.rate), 1)
        delay = Distribution(seconds=(middle, middle))
        found.append(
            client._replace(origin=Origin(text, count), rate=best, burst=burst, delay=delay)
        )
    return found[0], found[1]


def _starts(record: Record) -> list[DeviceTimes]:
    return [
        device
        for device, made, following in record.between(ms.DEPLOYMENT, ms.REPLICA_SET)
        if following - made < _NEW and device.seconds.get(ms.POD, following) - following < _NEW
    ]


def _error(starts: Iterable[Sequence[DeviceTimes]], rate: float) -> float:
    rests = [abs(rest) for part in _rests(starts, rate) for rest in part]
    return sum(rests) / len(rests)


def _rests(starts: Iterable[Sequence[DeviceTimes]], rate: float) -> tuple[list[float], list[float]]:
    """Give what a limit does not explain of the time until each ReplicaSet, and from there until each Pod."""
    first: list[float] = []
    second: list[float] = []
    for devices in starts:
        replica_sets, pods = _replay(devices, rate)
        for number, device in enumerate(devices):
            at = device.seconds
            first.append(at[ms.REPLICA_SET] - replica_sets[number])
            if ms.POD in at:
                step = pods[number] - replica_sets[number]
                second.append(at[ms.POD] - at[ms.REPLICA_SET] - step)
    return first, second


def _replay(
    devices: Sequence[DeviceTimes], rate: float
) -> tuple[dict[int, float], dict[int, float]]:
    """Give when each device would get its ReplicaSet and its Pod; the rest of its way is as recorded."""
    loop = EventLoop()
    replica_sets: dict[int, float] = {}
    pods: dict[int, float] = {}

    def replica_set_made(number: int) -> None:
        replica_sets[number] = loop.now
        lower.add(number)

    def pod_made(number: int) -> None:
        pods[number] = loop.now
        lower.heard(number)
        ready = devices[number].seconds.get(ms.READY)
        if ready is not None:
            loop.at(max(ready, loop.now), lower.heard, number)

    def nothing(number: int) -> None:
        """Ignore what the Deployments' status says."""

    limited = [
        client._replace(rate=rate, burst=max(round(rate * client.burst / client.rate), 1))
        for client in (BUILT_IN.replica_set, BUILT_IN.pod)
    ]
    upper: Controller[int] = Controller(limited[0], loop, replica_set_made, nothing)
    lower: Controller[int] = Controller(limited[1], loop, pod_made, upper.heard)
    for number, device in enumerate(devices):
        loop.at(device.seconds[ms.DEPLOYMENT], upper.add, number)
    loop.run()
    return replica_sets, pods
