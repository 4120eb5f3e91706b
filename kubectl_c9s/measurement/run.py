"""A recorded start: the file that ``measure watch`` and ``measure replay`` write (docs/schemas/startup-run.json).

Two kinds of time are kept and never mixed (measurement.md §1). *Stamps* are the API server's: seconds since 1970, in
whole seconds, so that a difference is right to a second. *Observed* times are those of a monotonic clock here, in
seconds since the recording began: later than what they tell of by the way of a watch.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from kubectl_c9s.measurement.statistics import Distribution

KIND: Final = "StartupRun"
FORMAT: Final = 1
RESOLUTION: Final = 1.0
"""Of a difference of two stamps, in seconds."""

# Of a device, in the order of its way (measurement.md §2). "planned" and "granted" have no stamp: they are only seen.
CREATED: Final = "created"
ADMITTED: Final = "admitted"
PLANNED: Final = "planned"
DEPLOYMENT: Final = "deployment"
REPLICA_SET: Final = "replicaSet"
POD: Final = "pod"
SCHEDULED: Final = "scheduled"
SANDBOX: Final = "sandbox"
PREPARING: Final = "preparing"
PREPARED: Final = "prepared"
GRANTED: Final = "granted"
PASSED: Final = "passed"
STARTED: Final = "started"
READY: Final = "ready"
MILESTONES: Final = (
    CREATED, ADMITTED, PLANNED, DEPLOYMENT, REPLICA_SET, POD, SCHEDULED, SANDBOX, PREPARING, PREPARED, GRANTED, PASSED,
    STARTED, READY,
)  # fmt: skip
"""``created`` is the Node, ``admitted`` its mark, ``planned`` its plan, ``sandbox`` PodReadyToStartContainers,
``preparing`` and ``prepared`` begin and end of the init container ``planner``, ``granted`` the grant of a host,
``passed`` the end of the init container ``startup-gate``, ``started`` that of the primary container."""

Verdict = Literal["reached", "deadline", "interrupted", "recording"]
Families = Literal["IPv4", "IPv6"]
NonNegative = Annotated[int, msgspec.Meta(ge=0)]


class _Part(msgspec.Struct, rename="camel", omit_defaults=True):
    pass


class Limits(_Part):
    """A rollout policy; 0 is off."""

    batch_size: NonNegative = 0
    max_concurrent_per_host: NonNegative = 0


class Manifest(_Part):
    """Under which conditions a run took place; empty texts and None are "not known".

    ``definition`` is a digest of what was asked for, ``sha256:…``: of the Topology's spec, or of all Nodes, Links and
    NodeProfiles of the lab. ``images`` has the identity (with digest) of each image that Pods name. ``topology_limits``
    are by ``namespace/name``. ``local_start`` is this machine's clock when the recording began, for people alone.
    """

    tool: str = ""
    workload: Literal["lab", "plain-pods"] = "lab"
    server: str = ""
    namespace: str = ""
    lab: str = ""
    definition: str = ""
    images: dict[str, str] = {}
    manager_images: tuple[str, ...] = ()
    limits: Limits | None = None
    topology_limits: dict[str, Limits] = {}
    planner_replicas: int | None = None
    image_state: Literal["warm", "cold", "mixed", ""] = ""
    families: tuple[Families, ...] = ()
    hosts: NonNegative = 0
    local_start: str = ""


class Anchor(_Part):
    """The object whose creation begins all stamped times: its kind, name and stamp (seconds since 1970)."""

    kind: str
    name: str
    at: float


class Device(_Part):
    """A workload: the primary's Node (or a plain Pod), stamps and observed seconds by milestone (:data:`MILESTONES`).

    ``host`` is empty before the Pod was scheduled. ``pod`` is the Pod's name, ``addresses`` its addresses, ``restarts``
    the restarts of its primary; ``replaced`` counts Pods that went before this one.
    """

    namespace: str
    name: str
    pod: str = ""
    host: str = ""
    image: str = ""
    stamps: dict[str, float] = {}
    observed: dict[str, float] = {}
    addresses: tuple[str, ...] = ()
    restarts: NonNegative = 0
    replaced: NonNegative = 0

    @property
    def full_name(self) -> str:
        """Give ``namespace/name``."""
        return f"{self.namespace}/{self.name}"


class HostCount(_Part):
    """Pods of a host at a moment; each is exactly one of started, booting, queued (measurement.md §3)."""

    pods: NonNegative = 0
    started: NonNegative = 0
    booting: NonNegative = 0
    queued: NonNegative = 0
    ready: NonNegative = 0


class Usage(_Part):
    """What a host used, by the metrics API: cores, and bytes of memory."""

    cpu: float
    memory: float


class Sample(_Part):
    """All hosts at an observed moment; Pods without a host count under ``unscheduled``."""

    elapsed: float
    hosts: dict[str, HostCount]
    usage: dict[str, Usage] = {}


class Peak(_Part):
    """The most boots that a host was seen to have at once, and when that was first so (observed seconds)."""

    booting: NonNegative
    elapsed: float


class RequestDelta(_Part):
    """Requests that the API server counted between two moments."""

    verb: str
    resource: str
    code: str
    count: float


class KindChurn(_Part):
    """What happened to the objects of a kind during a run, as watched: counts, and bytes of the watch's stream."""

    created: NonNegative = 0
    revisions: NonNegative = 0
    deleted: NonNegative = 0
    bytes: NonNegative = 0
    breaks: NonNegative = 0
    relists: NonNegative = 0


class Churn(_Part):
    """What the run cost the API server (measurement.md §6), every other client of the time included.

    ``void`` says why the counters cannot be compared; then the figures of the server are left out. ``latency`` is the
    mean of POST by resource, ``etcd`` that of etcd's requests by operation, in seconds. ``events`` counts core Events
    by reporting component.
    """

    requests: tuple[RequestDelta, ...] = ()
    too_many: float | None = None
    rejected: dict[str, float] = {}
    latency: dict[str, float] = {}
    etcd: dict[str, float] = {}
    seconds: float | None = None
    void: str = ""
    events: dict[str, NonNegative] = {}
    kinds: dict[str, KindChurn] = {}


class Replayed(_Part):
    """What a replay adds: how far arrivals were off their schedule, in seconds, and whether the run counts.

    ``submission_error`` compares the monotonic clock here with the schedule, ``arrival_error`` the stamps of the server
    (right to a second). ``invalid`` says why the run must not be compared, empty when it may.
    """

    source: str = ""
    submission_error: Distribution = Distribution(0)
    arrival_error: Distribution = Distribution(0)
    invalid: tuple[str, ...] = ()


class Run(_Part, kw_only=True):
    """One recorded start.

    ``expected`` is the number of devices that were waited for. ``overall`` has observed seconds: ``pods``, ``started``,
    ``ready`` when so many were seen at once, ``plans``, ``deployments``, ``replicaSets`` when the last of them was,
    ``topology`` when the Topology said ready. ``elapsed`` is the observed length of the recording so far. With the
    ``clock`` ``stamped`` nothing was observed, after the fact: ``overall``, ``peaks`` and ``elapsed`` are worked out of
    stamps then, in seconds from the anchor on.
    """

    format: Literal[1] = FORMAT
    kind: Literal["StartupRun"] = KIND
    verdict: Verdict
    expected: NonNegative
    elapsed: float
    clock: Literal["observed", "stamped"] = "observed"
    manifest: Manifest = msgspec.field(default_factory=Manifest)
    anchor: Anchor | None = None
    overall: dict[str, float] = {}
    devices: tuple[Device, ...] = ()
    peaks: dict[str, Peak] = {}
    samples: tuple[Sample, ...] = ()
    churn: Churn | None = None
    replay: Replayed | None = None
    notes: tuple[str, ...] = ()
