"""Whether a manager leads, by how its Lease moves: no clock of another machine is believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources.leases import MANAGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kubectl_c9s.resources.surroundings import Lease


class Moved(NamedTuple):
    """A Lease as it was seen last, and since when it is so, in seconds of the clock here."""

    state: tuple[str, str]
    since: float
    duration: float


class Managers:
    """Remembers the Leases of a manager. One that was found held may be a dead one's: it counts once it has moved."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: dict[str, Moved] = {}
        self._taken_at = float("-inf")

    def take(self, leases: Iterable[Lease]) -> None:
        """Note the Leases as they are now. What has changed may have done so right after they were noted last."""
        found: dict[str, Moved] = {}
        for lease in leases:
            name, spec = lease.metadata.name, lease.spec
            state = (spec.holder_identity or "", spec.renew_time or "")
            before = self._seen.get(name)
            if before is None or before.state != state:
                since = self._taken_at if before else float("-inf")
                before = Moved(state, since, float(lease.duration))
            found[name] = before
        self._seen, self._taken_at = found, self._clock()

    def leads(self, app: str) -> bool:
        """Tell whether the manager of an installation leads."""
        lease = self._seen.get(f"{app}{MANAGER}")
        if lease is None or not lease.state[0]:
            return False
        return self._clock() - lease.since < lease.duration
