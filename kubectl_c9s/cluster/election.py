"""Who of several equal processes may write: a Lease, as other controllers use one (conventions.md §10).

No clock of another machine is believed. How old a Lease is counts from when this process first saw it as it is, by its
own monotonic clock, which goes on while the process is stopped. So a skewed clock changes nothing, and a process that
was paused and wakes up knows that its time is over before it writes.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.connection import Request
from kubectl_c9s.cluster.errors import ApiError, Conflict, NotFound, Unreachable
from kubectl_c9s.cluster.reading import read_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.connection import Connection

# Where there is one, a clock that goes on while the machine sleeps.
_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def steady_clock() -> float:
    """Give seconds of a clock that only goes forward, also through a pause of the process or of the machine."""
    return time.clock_gettime(_CLOCK)


class Timers(NamedTuple):
    """Seconds: how long a Lease lasts for others, after how long its holder stops by itself, between two looks."""

    duration: int = 15
    deadline: float = 10.0
    retry: float = 2.0


class Seen(NamedTuple):
    """A Lease as it was seen: its version, its holder, how long it lasts, and since when it is unchanged here."""

    version: str
    holder: str
    duration: float
    since: float


class Election:
    """One candidate for a Lease; :meth:`look` is called every ``timers.retry`` seconds, by one thread.

    ``identity`` must be of this process alone. ``clock`` may be replaced in tests. ``transitions`` counts how often it
    was taken; ``problem`` says why the last look told nothing, empty when it did.
    """

    def __init__(
        self,
        connection: Connection,
        namespace: str,
        name: str,
        identity: str,
        timers: Timers = Timers(),  # noqa: B008 - it cannot be changed
        clock: Callable[[], float] = steady_clock,
    ) -> None:
        self._connection = connection
        self._namespace = namespace
        self._name = name
        self._identity = identity
        self._timers = timers
        self._clock = clock
        self._seen: Seen | None = None
        self._until = float("-inf")
        self.transitions = 0
        self.problem = ""

    @property
    def holder(self) -> str:
        """Give who held the Lease when it was last seen, empty for nobody."""
        return self._seen.holder if self._seen else ""

    def leads(self) -> bool:
        """Tell whether this process may write now; to be asked right before each write."""
        return self._clock() < self._until

    def look(self) -> bool:
        """Take the Lease if it is free, renew it if it is ours; tell whether we lead. Raises nothing that passes."""
        begun = self._clock()
        try:
            taken = self._try()
            self.problem = ""
        except (ApiError, Unreachable) as error:
            # Not known whether it was written: the time that we had goes on, and no longer.
            taken, self.problem = False, error.message
        if taken:
            if not self.leads():
                self.transitions += 1
            # From when it was asked: the server stamped it later.
            self._until = begun + self._timers.deadline
        return self.leads()

    def release(self) -> None:
        """Give the Lease back, so that the next one need not wait; stops leading before anything else."""
        was, self._until = self.leads(), float("-inf")
        if not was or self._seen is None or self._seen.holder != self._identity:
            return
        spec = {"holderIdentity": "", "leaseDurationSeconds": 1, "renewTime": _stamp()}
        try:
            self._patch(self._seen.version, spec)
        except (ApiError, Unreachable):
            return  # it runs out by itself

    def _try(self) -> bool:
        try:
            lease = read_object(self._connection, kinds.LEASES, self._namespace, self._name)
        except NotFound:
            # Somebody has deleted it: its holder writes on for as long as it holds.
            return False if self._is_anothers() else self._create()
        seen = self._take_note(lease)
        ours = seen.holder == self._identity
        if self._is_anothers():
            # Somebody else has it: whatever we believed is over.
            self._until = float("-inf")
            return False
        spec = self._spec()
        if not ours:
            before = (lease.get("spec") or {}).get("leaseTransitions") or 0
            spec |= {"acquireTime": spec["renewTime"], "leaseTransitions": before + 1}
        try:
            self._take_note(self._patch(seen.version, spec))
        except Conflict:
            return False
        return True

    def _is_anothers(self) -> bool:
        seen = self._seen
        if seen is None or seen.holder in {"", self._identity}:
            return False
        return self._clock() < seen.since + seen.duration

    def _create(self) -> bool:
        spec = self._spec()
        body = {
            "apiVersion": kinds.LEASES.api_version,
            "kind": kinds.LEASES.kind,
            "metadata": {"name": self._name, "namespace": self._namespace},
            "spec": spec | {"acquireTime": spec["renewTime"], "leaseTransitions": 0},
        }
        request = Request(
            "POST", kinds.LEASES.path(self._namespace), f"create lease {self._name}", None,
            msgspec.json.encode(body), "application/json",
        )  # fmt: skip
        try:
            self._take_note(msgspec.json.decode(self._connection.call(request).body))
        except Conflict:
            return False
        return True

    def _patch(self, version: str, spec: dict[str, Any]) -> dict[str, Any]:
        body = {"metadata": {"resourceVersion": version}, "spec": spec}
        path = kinds.LEASES.path(self._namespace, self._name)
        request = Request(
            "PATCH", path, f"renew lease {self._name}", None,
            msgspec.json.encode(body), "application/merge-patch+json",
        )  # fmt: skip
        found: dict[str, Any] = msgspec.json.decode(self._connection.call(request).body)
        return found

    def _spec(self) -> dict[str, Any]:
        return {
            "holderIdentity": self._identity,
            "leaseDurationSeconds": self._timers.duration,
            "renewTime": _stamp(),
        }

    def _take_note(self, lease: dict[str, Any]) -> Seen:
        """Note a Lease; one that is as it was keeps its age."""
        version = lease["metadata"]["resourceVersion"]
        if self._seen is None or self._seen.version != version:
            spec = lease.get("spec") or {}
            holder = spec.get("holderIdentity") or ""
            duration = float(spec.get("leaseDurationSeconds") or self._timers.duration)
            self._seen = Seen(version, holder, duration, self._clock())
        return self._seen


def _stamp() -> str:
    """Give the time as Leases have it; nothing is decided by it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
