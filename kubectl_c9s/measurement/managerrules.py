"""From which value on a figure of a manager is worth a word, why, what it means, what to do (config-and-chart.md §5).

One table: reports, documentation and tests read it. Names are stable.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from kubectl_c9s.measurement import managermetrics as metric
from kubectl_c9s.measurement.metricstext import START

Unit = Literal["", "s", "share", "count"]


class Rule(NamedTuple):
    """A judgement: above ``notice`` or ``warning`` it is one; None is never. 0 means that one is enough.

    ``metric`` is what it needs, ``reason`` why the limits are these, ``meaning`` and ``advice`` are for who reads it.
    """

    name: str
    title: str
    metric: str
    unit: Unit
    notice: float | None
    warning: float | None
    reason: str
    meaning: str
    advice: str


RULES: Final = (
    Rule(
        "not-leading", "whether it leads by its own word (0) or not (1)", metric.LEADER, "", None, 0,
        "only the leader reconciles",
        "a standby manager has no work: its figures say nothing about starts",
        "take the metrics of the active manager: 'diagnostics capture' finds it by the Lease",
    ),
    Rule(
        "restarted", "restarts between the scrapes", START, "count", None, 0,
        "counters begin anew with the process",
        "the manager's process ended between the scrapes, so there are no rates; the queues were filled anew",
        "look why it ended (kubectl logs --previous; a lost Lease ends it, too), and capture again",
    ),
    Rule(
        "leader-changed", "changes of the leader between the scrapes", "leaseTransitions", "count", 0, None,
        "a new leader lists everything and fills its queues from nothing",
        "leadership moved between the scrapes: the figures are of a manager that was ending or beginning",
        "capture again once the leader stays; look at the API server if it moves often",
    ),
    Rule(
        "panics", "reconciles that panicked", metric.PANICS, "count", None, 0,
        "a panic is a fault of the program, always",
        "the controller ran into a fault of its own and was caught; the object is tried again and may never get on",
        "keep the manager's log of it: it names the object and the place in the code",
    ),
    Rule(
        "admission-errors", "share of admission's reconciles that failed", metric.RECONCILES, "share", 0, 0.1,
        "admission only writes marks: any error delays a batch, and one in ten slows it down",
        "startup admission fails: conflicts with another writer, or a right that is missing",
        "see conflicts and forbidden-requests, and the manager's log; 'diagnose' names who waits",
    ),
    Rule(
        "reconcile-errors", "share of reconciles that failed", metric.RECONCILES, "share", 0.01, 0.1,
        "now and then a conflict is normal; one reconcile in ten is not",
        "reconciles end in errors and are tried again later and later",
        "the manager's log names the objects; see conflicts and forbidden-requests for the kind of error",
    ),
    Rule(
        "terminal-errors", "reconciles that ended for good", metric.TERMINAL, "count", 0, None,
        "what ends so is not tried again by itself",
        "the controller has given up on an object until it changes",
        "the manager's log names the object and what is wrong with it",
    ),
    Rule(
        "reconcile-timeouts", "reconciles that ran into their time limit", metric.TIMEOUTS, "count", 0, None,
        "a reconcile with a limit should not need it",
        "a reconcile was cut off: something it waits for does not answer",
        "see request-latency, and the manager's log",
    ),
    Rule(
        "reconcile-time", "p95 of the time of a reconcile", metric.RECONCILE_TIME, "s", 5, 30,
        "a worker does nothing else meanwhile: at half a minute each, few devices get on",
        "reconciles take long, and hold their workers as long",
        "with a slow API server see request-latency; in node it is planning, else take a CPU profile",
    ),
    Rule(
        "planning-bound", "seconds of work that wait for the workers of node while all are at work",
        metric.DEPTH, "s", 5, 30,
        "so long the last in the line waits before its plan is even begun",
        "planning is the bound: more devices wait for a plan than there are workers to make one",
        "with one worker the planner pool is off (plannerPool.enabled); else give it more (plannerPool.replicas)",
    ),
    Rule(
        "admission-bound", "seconds of work that wait for admission's one worker while it is at work",
        metric.DEPTH, "s", 1, 5,
        "it has one worker by design, and should be through before the next pass comes a second later",
        "startup admission does not keep up: batches and slots open later than they could",
        "see request-latency, too-many-requests and client-throttling: its reconciles are writes to the API server",
    ),
    Rule(
        "workers-saturated", "seconds of work that wait for the workers while all are at work",
        metric.DEPTH, "s", 5, 30,
        "so long the last in the line waits before its turn",
        "more work waits than the controller's workers can take",
        "see reconcile-time and request-latency for what holds them; the number of workers is fixed in the manager",
    ),
    Rule(
        "queue-latency", "p95 of the time an item waits in the queue", metric.LATENCY, "s", 1, 10,
        "without load it is milliseconds; the limits are those at which a start is seen to wait",
        "work waits before a worker takes it",
        "see planning-bound, admission-bound or workers-saturated of the same queue for which workers it waits for",
    ),
    Rule(
        "stuck-worker", "how long the longest reconcile has been going on", metric.LONGEST, "s", 60, 300,
        "a reconcile should be over in seconds; after minutes it is more likely stuck than slow",
        "a worker has been at one item for long, and is lost to the others",
        "take a goroutine profile (diagnostics capture --profiles goroutine): it shows what it waits for",
    ),
    Rule(
        "too-many-requests", "share of requests the API server answered with 429", metric.REQUESTS, "share", 0, 0.01,
        "each one is sent again later; one in a hundred is a queue that stays full",
        "the API server puts the manager off: its priority queue for these requests is full",
        "look at the flow schema and priority level that take the manager's requests, and who else shares them",
    ),
    Rule(
        "conflicts", "share of writes that were answered with 409", metric.REQUESTS, "share", 0.01, 0.1,
        "a few are normal where several write; one write in ten has another writer behind it",
        "somebody else writes the same objects: each conflict costs a read and another try",
        "see who owns the fields (kubectl get -o yaml --show-managed-fields): GitOps tools and scripts must leave "
        "what the manager writes alone; on a create it means that the object was there",
    ),
    Rule(
        "forbidden-requests", "requests that were answered with 401 or 403", metric.REQUESTS, "count", None, 0,
        "a manager with its own Role gets none",
        "a right is missing, and what needs it does not happen",
        "the manager's log names the right; compare its ClusterRole with the chart's (manager.restrictedRBAC)",
    ),
    Rule(
        "server-errors", "share of requests that were answered with a 5xx", metric.REQUESTS, "share", 0, 0.01,
        "one alone may be a webhook or a restart; one in a hundred is a server in trouble",
        "the API server, etcd or a webhook fails",
        "look at the API server's log and health (/readyz?verbose), and at webhooks for the kinds of c9s",
    ),
    Rule(
        "unanswered-requests", "requests that got no answer", metric.REQUESTS, "count", 0, None,
        "a connection that breaks is no answer; the manager tries again",
        "connections to the API server broke or could not be made",
        "look at the network between the manager and the API server, and at restarts of the server",
    ),
    Rule(
        "request-latency", "p95 of the time of a request", metric.REQUEST_TIME, "s", 0.5, 1,
        "Kubernetes aims at 99 of 100 single requests within a second",
        "the API server answers slowly, and every reconcile with it",
        "look at the API server's and etcd's load ('measure watch' has its counters), and at webhooks",
    ),
    Rule(
        "client-throttling", "p95 of the wait for the client's own limit", metric.THROTTLING, "s", 0.05, 1,
        "the client library calls more than 50 ms throttling, and more than a second grave",
        "the manager holds its requests back by its own limit a second: the API server is not the bound",
        "fewer writes at once help (a smaller batch); a higher limit is a matter of the manager's settings",
    ),
    Rule(
        "collection-pauses", "share of time that garbage collections stop the process", metric.PAUSES,
        "share", 0.01, 0.05,
        "Go stops for well under a thousandth; more means too little memory or CPU",
        "the process is stopped often: it has too little memory, or is short of CPU",
        "compare its memory and CPU with the limits of the Deployment, and take a heap profile",
    ),
    Rule(
        "open-files", "share of the files a process may open that are open", metric.OPEN_FILES, "share", 0.5, 0.8,
        "at the limit no connection can be made",
        "connections or files are not closed, or the limit is low",
        "take a goroutine profile and look for connections that stay; raise the limit of the container runtime",
    ),
)  # fmt: skip

BY_NAME: Final = {rule.name: rule for rule in RULES}
EVIDENCE: Final = 20
"""Of fewer reconciles, requests or items a share is no warning, only a notice."""
SHORTEST: Final = 30.0
"""Seconds between two scrapes that rates want (config-and-chart.md §5)."""
ALL_AT_WORK: Final = 0.9
"""Share of workers that are at work on average, from which on all of them count as busy."""
