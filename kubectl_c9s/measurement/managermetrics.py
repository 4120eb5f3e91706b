"""Names of the metrics of a manager that are read, controller-runtime's and client-go's (config-and-chart.md §5)."""

from __future__ import annotations

from typing import Final

from kubectl_c9s.measurement.metricstext import START

_RUNTIME: Final = "controller_runtime_"
RECONCILES: Final = f"{_RUNTIME}reconcile_total"
RECONCILE_TIME: Final = f"{_RUNTIME}reconcile_time_seconds"
ACTIVE: Final = f"{_RUNTIME}active_workers"
WORKERS: Final = f"{_RUNTIME}max_concurrent_reconciles"
ERRORS: Final = f"{_RUNTIME}reconcile_errors_total"
TERMINAL: Final = f"{_RUNTIME}terminal_reconcile_errors_total"
PANICS: Final = f"{_RUNTIME}reconcile_panics_total"
TIMEOUTS: Final = f"{_RUNTIME}reconcile_timeouts_total"
DEPTH: Final = "workqueue_depth"
ADDS: Final = "workqueue_adds_total"
RETRIES: Final = "workqueue_retries_total"
LATENCY: Final = "workqueue_queue_duration_seconds"
WORK: Final = "workqueue_work_duration_seconds"
UNFINISHED: Final = "workqueue_unfinished_work_seconds"
LONGEST: Final = "workqueue_longest_running_processor_seconds"
REQUESTS: Final = "rest_client_requests_total"
REQUEST_TIME: Final = "rest_client_request_duration_seconds"
THROTTLING: Final = "rest_client_rate_limiter_duration_seconds"
REQUEST_RETRIES: Final = "rest_client_request_retries_total"
LEADER: Final = "leader_election_master_status"
CPU: Final = "process_cpu_seconds_total"
MEMORY: Final = "process_resident_memory_bytes"
OPEN_FILES: Final = "process_open_fds"
MOST_FILES: Final = "process_max_fds"
GOROUTINES: Final = "go_goroutines"
PAUSES: Final = "go_gc_duration_seconds"
HEAP: Final = "go_memstats_heap_inuse_bytes"

WANTED: Final = (
    RECONCILES, RECONCILE_TIME, ACTIVE, WORKERS, ERRORS, TERMINAL, PANICS, TIMEOUTS, DEPTH, ADDS, RETRIES, LATENCY,
    WORK, UNFINISHED, LONGEST, REQUESTS, REQUEST_TIME, THROTTLING, REQUEST_RETRIES, LEADER, START, CPU, MEMORY,
    OPEN_FILES, MOST_FILES, GOROUTINES, PAUSES, HEAP,
)  # fmt: skip
"""What is read of a scrape."""
