"""Made-up recorded starts: a small model of a start with chance from a seed, seen by stamps and by a clock."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.measurement.run import (
    Anchor,
    Churn,
    Device,
    HostCount,
    KindChurn,
    Limits,
    Manifest,
    Peak,
    Replayed,
    RequestDelta,
    Run,
    Sample,
    Usage,
)
from kubectl_c9s.measurement.statistics import distribution

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.measurement.run import Verdict

ZERO: Final = 1_770_000_000.25
"""When the anchor was made, by the server; stamps cut the fraction off."""
EARLY: Final = 4.0
"""The recording began so many seconds before."""
STAMPED: Final = frozenset(
    {"created", "deployment", "replicaSet", "pod", "scheduled", "sandbox", "preparing", "prepared", "passed",
     "started", "ready"}
)  # fmt: skip
PLAIN: Final = ("pod", "scheduled", "sandbox", "started", "ready")
MANIFEST: Final = Manifest(
    tool="0.1.0",
    server="v1.37.2",
    namespace="lab",
    lab="clos",
    definition="sha256:5f1d",
    images={"router:24.1": "router@sha256:aa11", "host:3": "host@sha256:bb22"},
    manager_images=("manager@sha256:cc33",),
    limits=Limits(25, 4),
    planner_replicas=2,
    image_state="warm",
    families=("IPv4", "IPv6"),
    hosts=10,
    local_start="2026-02-02T10:00:00Z",
)


@dataclass(frozen=True)
class Wish:
    """What a start is to be like; ``slow_host`` takes three times as long for a sandbox and to boot."""

    devices: int = 300
    hosts: int = 10
    batch: int = 25
    boot: float = 19.0
    slow_host: str = ""
    seed: int = 1


def lab_run(wish: Wish | None = None, manifest: Manifest = MANIFEST) -> Run:
    """Give a whole start of a lab that is let in batch by batch."""
    wish = wish or Wish()
    chance = Random(wish.seed)  # noqa: S311 - no secret
    devices = [_device(index, times, wish) for index, times in enumerate(_lab_times(wish, chance))]
    return _run(wish, devices, manifest)


def plain_run(wish: Wish | None = None, invalid: tuple[str, ...] = ()) -> Run:
    """Give a replay of the Pods of a lab with plain Pods."""
    wish = wish or Wish()
    chance = Random(wish.seed)  # noqa: S311 - no secret
    devices = []
    for index, lab in enumerate(_lab_times(wish, chance)):
        times = {"pod": lab["pod"], "scheduled": lab["scheduled"], "sandbox": lab["sandbox"]}
        times["started"] = times["sandbox"] + chance.uniform(0.3, 1.2)
        times["ready"] = times["started"] + chance.uniform(0.1, 0.6)
        devices.append(_device(index, times, wish))
    off = distribution(chance.gauss(0.02, 0.01) for _ in devices)
    manifest = Manifest(
        tool="0.1.0", workload="plain-pods", server="v1.37.2", namespace="replay", image_state="warm",
        images={"busybox:1": "busybox@sha256:dd44"}, families=("IPv4", "IPv6"), hosts=wish.hosts,
    )  # fmt: skip
    run = _run(wish, devices, manifest)
    replay = Replayed("schedule.json", off, distribution([-1.0, 0.0, 1.0]), invalid)
    return changed(run, churn=None, replay=replay)


def cancelled_run(wish: Wish | None = None, verdict: Verdict = "interrupted") -> Run:
    """Give a start of which a third of the devices had not come far when the recording ended."""
    whole = lab_run(wish)
    known = len(whole.devices) * 2 // 3
    late = {"created", "admitted", "planned", "deployment"}
    devices = [
        one
        if index < known
        else Device(
            one.namespace,
            one.name,
            stamps={name: at for name, at in one.stamps.items() if name in late},
            observed={name: at for name, at in one.observed.items() if name in late},
        )
        for index, one in enumerate(whole.devices)
    ]
    return changed(whole, verdict=verdict, devices=tuple(devices), overall={})


def changed(run: Run, **changes: Any) -> Run:
    """Give a run with some fields replaced."""
    return msgspec.structs.replace(run, **changes)


def _host(index: int, wish: Wish) -> str:
    return f"worker-{index % wish.hosts:02}"


def _lab_times(wish: Wish, chance: Random) -> Iterator[dict[str, float]]:
    """Give the true times of each device, in seconds since the anchor."""
    free_at = 0.8
    slots: dict[str, list[float]] = {}
    for first in range(0, wish.devices, wish.batch or wish.devices):
        members = range(first, min(first + (wish.batch or wish.devices), wish.devices))
        made = [
            _way(index, free_at + 0.025 * place, wish, slots, chance)
            for place, index in enumerate(members)
        ]
        yield from made
        free_at = max(times["sandbox"] for times in made) + 0.25


def _way(
    index: int, admitted: float, wish: Wish, slots: dict[str, list[float]], chance: Random
) -> dict[str, float]:
    factor = 3.0 if _host(index, wish) == wish.slow_host else 1.0
    times = {"created": 0.002 * index, "planned": max(admitted, 0.9) + chance.uniform(0.02, 0.1)}
    times["admitted"] = admitted
    at = max(times["planned"], admitted)
    for name, low, high in (
        ("deployment", 0.1, 1.0), ("replicaSet", 0.5, 2.5), ("pod", 0.1, 1.0), ("scheduled", 0.01, 0.1),
        ("sandbox", 0.6 * factor, 3.0 * factor), ("preparing", 0.1, 0.4), ("prepared", 0.4, 1.6),
    ):  # fmt: skip
        at += chance.uniform(low, high)
        times[name] = at
    busy = slots.setdefault(_host(index, wish), [0.0] * 4)
    busy.sort()
    times["granted"] = at = max(at, busy[0] + 0.1) + 0.03
    times["passed"] = at = at + chance.uniform(0.5, 1.5)
    times["started"] = at = at + chance.gauss(wish.boot, wish.boot / 8) * (factor + 1) / 2
    times["ready"] = at + chance.uniform(0.2, 1.5)
    busy[0] = times["started"]
    return times


def _device(index: int, times: dict[str, float], wish: Wish) -> Device:
    delay = 0.015
    return Device(
        "lab",
        f"r{index:04}",
        pod=f"r{index:04}-7d9f",
        host=_host(index, wish),
        image="router:24.1" if index % 5 else "host:3",
        stamps={
            name: float(math.floor(ZERO + at)) for name, at in times.items() if name in STAMPED
        },
        observed={name: round(EARLY + at + delay, 3) for name, at in times.items()},
        addresses=(f"10.{index >> 8}.{index & 255}.7", f"fd00::{index:x}"),
    )


def _run(wish: Wish, devices: Sequence[Device], manifest: Manifest) -> Run:
    end = max(one.observed["ready"] for one in devices)
    moments = [2.0 * number for number in range(int(end / 2) + 2)]
    samples = tuple(_sample(at, devices, wish) for at in moments)
    return Run(
        verdict="reached",
        expected=len(devices),
        elapsed=moments[-1],
        manifest=manifest,
        anchor=Anchor("Topology", "lab/clos", float(math.floor(ZERO))),
        overall={
            "pods": max(one.observed["pod"] for one in devices),
            "started": max(one.observed["started"] for one in devices),
            "ready": end,
        },
        devices=tuple(devices),
        peaks=_peaks(samples),
        samples=samples,
        churn=_churn(len(devices), wish.seed),
    )


def _sample(at: float, devices: Sequence[Device], wish: Wish) -> Sample:
    hosts = {_host(index, wish): HostCount() for index in range(wish.hosts)}
    for one in devices:
        seen = {name for name, when in one.observed.items() if when <= at}
        if "scheduled" in seen:
            count = hosts[one.host]
            count.pods += 1
            gated = "granted" in one.observed
            boots = "granted" in seen or not gated
            state = "started" if "started" in seen else "booting" if boots else "queued"
            setattr(count, state, getattr(count, state) + 1)
            count.ready += "ready" in seen
    usage = {
        name: Usage(0.2 + count.booting, 1e9 + 4e8 * count.pods) for name, count in hosts.items()
    }
    return Sample(at, hosts, usage)


def _peaks(samples: Sequence[Sample]) -> dict[str, Peak]:
    found: dict[str, Peak] = {}
    for sample in samples:
        for name, count in sample.hosts.items():
            if name not in found or count.booting > found[name].booting:
                found[name] = Peak(count.booting, sample.elapsed)
    return found


def _churn(devices: int, seed: int) -> Churn:
    verbs = (
        ("POST", "pods", "201", 1),
        ("PATCH", "nodes.c9s.run", "200", 3),
        ("PUT", "leases", "200", 0.5),
    )
    return Churn(
        requests=tuple(RequestDelta(verb, kind, code, devices * each + seed) for verb, kind, code, each in verbs),
        too_many=0.0,
        rejected={"queue-full": 0.0},
        latency={"pods": 0.055, "deployments": 0.025},
        etcd={"put": 0.002},
        seconds=200.0,
        events={"scheduler": devices, "kubelet": devices * 4},
        kinds={"pods": KindChurn(devices, devices * 9, 0, devices * 60_000, 0, 0)},
    )  # fmt: skip
