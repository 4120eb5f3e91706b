"""What operators see of the process: the metrics of ``/metrics`` (bench.md §9, remediation.md §9.8).

Neither devices nor Pods are labels; hosts are, for their number is small and their slots are what is managed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from kubectl_c9s import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_GLOBAL: Final = ("admitted", "blocking", "pending", "held")
_HOST: Final = ("booting", "queued", "started")


class Metrics:
    """The metrics of one process, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        build = self._gauge("build_info", "Version of the reconciler.", "version")
        build.labels(__version__).set(1)
        self.leader = self._gauge("leader", "1 while this process may write.")
        self.passes = self._counter("reconcile", "Passes of the decision loop.", "result")
        self.seconds = self._histogram("reconcile_seconds", "Time of a pass of the decision loop.")
        self.diagnosis = self._histogram("diagnosis_seconds", "Time of a diagnosis.")
        self.writes = self._counter("writes", "Requests that write.", "kind", "outcome")
        self.write_seconds = self._histogram(
            "write_seconds", "Time of a request that writes.", "kind"
        )
        self.objects = self._gauge("watched_objects", "Objects in the cache.", "kind")
        self.age = self._gauge(
            "watch_age_seconds", "Seconds since a watch was last heard of.", "kind"
        )
        self.breaks = self._gauge("watch_breaks", "Ends of the stream of a watch.", "kind")
        self.managed = self._gauge("managed_objects", "Objects the policy speaks of.")
        self.drifted = self._gauge(
            "drifted_objects", "Objects that are not as the policy wants them."
        )
        self.held_back = self._gauge(
            "held_back_objects", "Objects that are not put right.", "reason"
        )
        self.workloads = self._gauge("workloads", "Workloads of the global batch.", "state")
        self.pods = self._gauge("host_pods", "Device Pods of a host.", "host", "state")
        self.stalled = self._gauge("stalled", "1 while the start is stalled.", "cause")
        self.open = self._gauge("stall_episodes_open", "Starts that are stuck.", "cause")
        self.opened = self._counter(
            "stall_episodes_opened", "Starts that were found stuck.", "cause"
        )
        self.closed = self._counter(
            "stall_episodes_closed", "Stuck starts that have ended.", "outcome"
        )

    def text(self) -> bytes:
        """Give the page."""
        return generate_latest(self.registry)

    def counts(self, counts: Mapping[str, Any]) -> None:
        """Take the counts of a diagnosis."""
        for state in _GLOBAL:
            self.workloads.labels(state).set(counts["global"][state])
        self.pods.clear()
        for host, found in counts["hosts"].items():
            for state in _HOST:
                self.pods.labels(host, state).set(found[state])

    def only(self, gauge: Gauge, values: Mapping[Any, float]) -> None:
        """Set a gauge with one label to these values, and to no others."""
        gauge.clear()
        for label, value in values.items():
            gauge.labels(label).set(value)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"c9s_{name}", text, labels, registry=self.registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"c9s_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, *labels: str) -> Histogram:
        return Histogram(f"c9s_{name}", text, labels, registry=self.registry, buckets=_SECONDS)
