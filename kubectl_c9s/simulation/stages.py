"""What is known of the way of a device: times of steps, and what all devices share on it.

A pure delay for each step could not tell what a batch size does that nobody has tried: smaller batches load the
controllers less. So three kinds of steps are told apart. A delay hits each device for itself. A :class:`Step` with a
rate lets so many devices a second through, in the order they come, and then delays each. A :class:`Client` is a
controller whose requests to the API server are limited; it does more than make the next object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.simulation.distribution import Distribution

if TYPE_CHECKING:
    from collections.abc import Iterator


class Origin(NamedTuple):
    """Where a figure comes from, and how many recorded devices stand behind it; 0 for a published one."""

    text: str
    devices: int = 0


class Step(NamedTuple):
    """A step of a device: a wait for its turn, if there is a ``rate`` (devices a second), then a delay.

    With ``per_host`` each host has turns of its own.
    """

    delay: Distribution
    origin: Origin
    rate: float = 0.0
    burst: int = 1
    per_host: bool = False


class Client(NamedTuple):
    """A controller that may send ``rate`` requests a second, up to ``burst`` at once after a rest.

    ``workers`` devices are with it at a time, in the order they came. ``first`` requests are sent for a new device,
    the first of which makes the object; one more tells of it in an Event, sent by a worker for Events alone; and one
    each when the object's own status says that the Pod is there and that it is ready. ``delay`` is how long it takes
    until an object is made, besides waiting.
    """

    first: int
    origin: Origin
    rate: float = 20.0
    burst: int = 30
    workers: int = 5
    delay: Distribution = Distribution()


class Seen(NamedTuple):
    """How far a record reaches: beyond it a forecast is extrapolation. All 0 for figures that are built in."""

    devices: int = 0
    hosts: int = 0
    batch: int = 0
    boots_per_host: int = 0
    sandboxes_per_host: int = 0


class StageTimes(NamedTuple):
    """All steps. ``write`` is one mark, hold or grant: the manager writes them one after another.

    ``granted_early`` is from the sandbox to the end of the gate where the grant was there before the sandbox,
    ``granted_late`` from the grant where it came after. ``boot`` ends when the primary is started.
    """

    write: Step
    plan: Step
    replica_set: Client
    pod: Client
    schedule: Step
    sandbox: Step
    granted_early: Step
    granted_late: Step
    boot: Step
    ready: Step
    seen: Seen = Seen()

    def steps(self) -> Iterator[tuple[str, Step | Client]]:
        """Give the steps with what they are called in tables."""
        for name, words in _WORDS.items():
            yield words, getattr(self, name)


_WORDS: Final = {
    "write": "a mark or grant written",
    "plan": "admitted → Deployment",
    "replica_set": "Deployment → ReplicaSet",
    "pod": "ReplicaSet → Pod",
    "schedule": "Pod → scheduled",
    "sandbox": "scheduled → sandbox",
    "granted_early": "sandbox → gate passed",
    "granted_late": "granted → gate passed",
    "boot": "sandbox or gate → started",
    "ready": "started → Ready",
}
