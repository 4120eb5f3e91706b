"""Metrics of a manager as a Go process writes them, made by counting, setting and observing."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement.managermetrics import WANTED
from kubectl_c9s.measurement.managerreport import Facts, Report, report_of
from kubectl_c9s.measurement.metrics import Scrape, read_scrape

if TYPE_CHECKING:
    from collections.abc import Mapping

SCRAPES: Final = Path(__file__).with_name("scrapes")
"""Two scrapes of a program with controller-runtime 0.25, 15 seconds apart, while it had much to do."""
BOUNDS: Final = (0.005, 0.05, 0.5, 1.0, 5.0, 10.0, 60.0, math.inf)
NODE: Final = "node"
ADMISSION: Final = "clabernetes-startup-admission"
Labels = tuple[tuple[str, str], ...]


class Metrics:
    """Counters, gauges and histograms of a process."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, dict[Labels, float]]] = {}
        self._types: dict[str, str] = {}

    def count(self, name: str, rise: float = 1.0, /, **labels: str) -> None:
        self._add(name, "counter", name, rise, labels)

    def gauge(self, name: str, value: float, /, **labels: str) -> None:
        self._types[name] = "gauge"
        self._samples(name, name)[tuple(labels.items())] = value

    def observe(self, name: str, value: float, times: int = 1, /, **labels: str) -> None:
        for bound in BOUNDS:
            le = {"le": "+Inf" if bound == math.inf else f"{bound:g}"}
            rise = float(times) if value <= bound else 0.0
            self._add(name, "histogram", f"{name}_bucket", rise, {**labels, **le})
        self._add(name, "histogram", f"{name}_sum", value * times, labels)
        self._add(name, "histogram", f"{name}_count", times, labels)

    def drop(self, family: str) -> None:
        """Take a family away."""
        del self._values[family]

    def later(self) -> Metrics:
        """Give a copy to go on with."""
        return copy.deepcopy(self)

    def text(self) -> str:
        lines = []
        for family, samples in sorted(self._values.items()):
            lines += [f"# HELP {family} Words.", f"# TYPE {family} {self._types[family]}"]
            for name, values in samples.items():
                lines += [f"{name}{written(dict(key))} {value!r}" for key, value in values.items()]
        return "".join(f"{line}\n" for line in lines)

    def scrape(self) -> Scrape:
        return read_scrape(self.text(), WANTED)

    def _add(
        self, family: str, kind: str, name: str, rise: float, labels: Mapping[str, str]
    ) -> None:
        self._types[family] = kind
        values = self._samples(family, name)
        key = tuple(labels.items())
        values[key] = values.get(key, 0.0) + rise

    def _samples(self, family: str, name: str) -> dict[Labels, float]:
        return self._values.setdefault(family, {}).setdefault(name, {})


def written(labels: Mapping[str, str]) -> str:
    """Write labels as the text format has them."""
    escaped = (
        (key, value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n"))
        for key, value in labels.items()
    )
    inner = ",".join(f'{key}="{value}"' for key, value in escaped)
    return f"{{{inner}}}" if inner else ""


def idle_manager() -> Metrics:
    """Give a manager that leads, has all metrics there are, and nothing to do."""
    metrics = Metrics()
    for name, workers in ((NODE, 16), (ADMISSION, 1), ("topology", 1)):
        for result in ("success", "error", "requeue", "requeue_after"):
            metrics.count("controller_runtime_reconcile_total", 0, controller=name, result=result)
        for kind in ("reconcile_errors", "terminal_reconcile_errors", "reconcile_panics"):
            metrics.count(f"controller_runtime_{kind}_total", 0, controller=name)
        metrics.count("controller_runtime_reconcile_timeouts_total", 0, controller=name)
        metrics.gauge("controller_runtime_active_workers", 0, controller=name)
        metrics.gauge("controller_runtime_max_concurrent_reconciles", workers, controller=name)
        queue = {"controller": name, "name": name}
        metrics.gauge("workqueue_depth", 0, **queue, priority="0")
        metrics.gauge("workqueue_unfinished_work_seconds", 0, **queue)
        metrics.gauge("workqueue_longest_running_processor_seconds", 0, **queue)
        for kind in ("adds", "retries"):
            metrics.count(f"workqueue_{kind}_total", 0, **queue)
        reconcile(metrics, name, 100)
    ask(metrics, "200", "GET", 100)
    metrics.gauge("leader_election_master_status", 1, name="clabernetes-manager")
    metrics.gauge("process_start_time_seconds", 1.7e9)
    metrics.count("process_cpu_seconds_total", 10.0)
    metrics.gauge("process_resident_memory_bytes", 64 * 2**20)
    metrics.gauge("process_open_fds", 20)
    metrics.gauge("process_max_fds", 1000)
    metrics.gauge("go_goroutines", 100)
    metrics.observe("go_gc_duration_seconds", 0.0001, 5)
    return metrics


def reconcile(
    metrics: Metrics, name: str, times: int, result: str = "success", took: float = 0.02, waited: float = 0.001
) -> None:  # fmt: skip
    """Let a controller reconcile so many times."""
    metrics.count("controller_runtime_reconcile_total", times, controller=name, result=result)
    metrics.observe("controller_runtime_reconcile_time_seconds", took, times, controller=name)
    if result == "error":
        metrics.count("controller_runtime_reconcile_errors_total", times, controller=name)
    queue = {"controller": name, "name": name}
    metrics.count("workqueue_adds_total", times, **queue)
    metrics.observe("workqueue_queue_duration_seconds", waited, times, **queue)
    metrics.observe("workqueue_work_duration_seconds", took, times, **queue)


def ask(metrics: Metrics, code: str, method: str, times: int, took: float = 0.003) -> None:
    """Let the client make so many requests."""
    host = "10.96.0.1:443"
    metrics.count("rest_client_requests_total", times, code=code, method=method, host=host)
    metrics.observe("rest_client_request_duration_seconds", took, times, verb=method, host=host)
    metrics.observe(
        "rest_client_rate_limiter_duration_seconds", 0.0001, times, verb=method, host=host
    )


def reported(
    before: Metrics | None, after: Metrics, elapsed: float | None = 30.0, **facts: int
) -> Report:
    """Report on two scrapes; nothing restarted unless it is said."""
    known = {"restarts": 0, "leader_changes": 0, **facts}
    source = Facts(
        source="here", elapsed=elapsed, restarts=known["restarts"], leader_changes=known["leader_changes"]
    )  # fmt: skip
    return report_of(before.scrape() if before else None, after.scrape(), source)
