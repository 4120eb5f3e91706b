"""How a start went on as tables: progress, arrivals, batches, hosts, and the slowest of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement.stages import CLOCKS
from kubectl_c9s.output.measuretables import NOTHING, Table, memory, number, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.measurement.batches import Batches
    from kubectl_c9s.measurement.report import StartReport
    from kubectl_c9s.measurement.stages import Clock

_MOMENTS: Final = 12


def progress_tables(one: StartReport) -> Iterator[Table]:
    """Give how many devices had reached what at some moments, a table for each kind of time."""
    for clock in CLOCKS:
        went = one.progress[clock]
        if went is None:
            continue
        moments = went.moments
        step = -(-len(moments) // _MOMENTS)
        chosen = sorted({*range(step - 1, len(moments), step), len(moments) - 1})
        rows = [
            (f"{moments[index]:g}s", *(str(counts[index]) for counts in went.reached.values()))
            for index in chosen
        ]
        yield Table(
            f"Progress by {clock} times",
            ("before", *went.reached),
            rows,
            f"Devices that had reached each milestone; seconds since {went.origin}.",
        )


def arrivals_tables(one: StartReport) -> Iterator[Table]:
    """Say how Pods came."""
    rows = [
        (
            clock,
            str(came.pods),
            seconds(came.first, clock),
            seconds(came.last, clock),
            f"{came.per_second:.1f}/s",
            f"{came.peak:.1f}/s at {came.peak_at:g}s",
        )
        for clock in CLOCKS
        if (came := one.arrivals[clock])
    ]
    head = ("times", "pods", "first", "last", "mean", "most")
    yield Table("Arrival of Pods", head, rows)


def batch_tables(one: StartReport) -> Iterator[Table]:
    """Give the batches that were found, a table for each kind of time."""
    for clock in CLOCKS:
        found = one.batches[clock]
        if found and found.batches:
            yield Table(
                f"Batches found by {clock} times",
                ("batch", "devices", "first", "last", "last sandbox", "last ready"),
                list(_batches(found, clock)),
                f"Parted by pauses of {found.pause:.1f} s or more between {found.milestone} times.",
            )


def _batches(found: Batches, clock: Clock) -> Iterator[tuple[str, ...]]:
    for index, batch in enumerate(found.batches, 1):
        times = (batch.first, batch.last, batch.sandboxes, batch.ready)
        yield (str(index), str(batch.devices), *(seconds(at, clock) for at in times))


def hosts_table(one: StartReport) -> Table:
    """Give a row for each host."""
    rows, clock = [], one.timelines.clock
    for host in one.timelines.hosts:
        peak, whole = host.peak, host.pod_to_ready.seconds
        row = (
            host.name,
            str(host.devices),
            str(host.ready),
            str(peak.booting) if peak else NOTHING,
            seconds(peak.elapsed, one.clock) if peak else NOTHING,
            seconds(host.sandbox.seconds.p50, clock),
            seconds(whole.p50, clock),
            seconds(whole.p95, clock),
        )
        rows.append((*row, number(host.cores), memory(host.memory)))
    head = (
        "host",
        "devices",
        "ready",
        "most boots",
        "at",
        "to sandbox",
        "to ready",
        "p95",
        "cores",
        "memory",
    )
    told = f"Medians of scheduled->sandbox and pod->ready ({clock}); boots ({one.clock}), cores, memory: the most."
    return Table("Hosts", head, rows, told)


def slowest_tables(one: StartReport) -> Iterator[Table]:
    """Give the slowest devices and hosts, and devices that are not ready."""
    found = one.slowest
    yield Table(
        f"Slowest devices ({found.whole}, {found.clock})",
        ("device", "host", "took", "longest in", "there"),
        [
            (slow.name, slow.host or NOTHING, seconds(slow.seconds, found.clock), slow.stage or NOTHING,
             seconds(slow.stage_seconds, found.clock))
            for slow in found.devices
        ],
    )  # fmt: skip
    yield Table(
        "Slowest hosts",
        ("host", "devices", "median", "beyond the usual"),
        [
            (
                slow.name,
                str(slow.devices),
                seconds(slow.median, found.clock),
                seconds(slow.beyond, found.clock),
            )
            for slow in found.hosts
        ],
        "Medians of pod->ready of hosts with at least 3 devices, and how far each is from the median of them all.",
    )
    yield Table(
        f"Not ready ({found.unready_devices})",
        ("device", "host", "last reached"),
        [(slow.name, slow.host or NOTHING, slow.last or NOTHING) for slow in found.unready],
    )
