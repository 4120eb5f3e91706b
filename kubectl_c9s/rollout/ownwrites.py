"""What the reconciler remembers of its own writes to one object (policy.md "Enforcing", admission.md §9).

A write is *pending* from the moment it is sent until the watch shows what came of it; until then the object is not
written again. Times are seconds on a monotonic clock, handed in. A history is a value: each step gives a new one. It
belongs to a UID: an object made anew under an old name has none.

The answer moves a write on: ``answered`` (2xx), ``conflicted`` (409: somebody was faster), ``dropped`` (refused, or
never sent), ``lost`` (no answer, or 5xx: it may have been carried out, and has to be read back). Every object that
the watch shows is told to ``shown``, every one that is read on its own to ``read_back``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from kubectl_c9s.rollout.limits import Limits

TRIES: Final = 3
"""So many writes that did not stick are a fight …"""
WINDOW: Final = 300.0
"""… when they lie within so many seconds, and for so long after the last of them."""
PATIENCE: Final = 10.0
"""Seconds after which an object is read on its own when the watch does not show what became of a write."""
_KEPT: Final = 8

Pending: TypeAlias = Literal["", "sent", "lost", "written"]


class Write(NamedTuple):
    """A write: when, on which resourceVersion, which limits (None: field not written), whether others undid it."""

    at: float
    base: str
    limits: Limits
    undone: bool = False


class History(NamedTuple):
    """The writes to one object, oldest first, those that were refused left out; ``at`` is when the last one was sent.

    Nothing is decided on a version below ``floor``, nor, if ``strict``, on the floor itself: it is known to be old.
    """

    writes: tuple[Write, ...] = ()
    pending: Pending = ""
    floor: str = ""
    strict: bool = False
    at: float = 0.0

    def may_write(self, version: str) -> bool:
        """Tell whether a decision may be made on the object of this resourceVersion."""
        return not self.pending and self._reached(version)

    def asks_back(self, version: str, now: float) -> bool:
        """Tell whether the object is to be read on its own; ``version`` is what the watch has shown last."""
        if self.pending in {"sent", "lost"}:
            return self.pending == "lost"
        return not self._reached(version) and now - self.at > PATIENCE

    def is_fighting(self, now: float) -> bool:
        """Tell whether others keep undoing what is written."""
        undone = [write.at for write in self.writes if write.undone][-TRIES:]
        if len(undone) < TRIES:
            return False
        return undone[-1] - undone[0] <= WINDOW and now - undone[-1] <= WINDOW

    def sending(self, base: str, limits: Limits, now: float) -> History:
        """Note a write before it is sent."""
        writes = (*self.writes, Write(now, base, limits))[-_KEPT:]
        return History(writes, "sent", base, at=now)

    def answered(self, version: str) -> History:
        """Note that the server has made ``version`` of it."""
        if self.pending not in {"sent", "lost"}:
            return self
        return self._replace(pending="written", floor=version)

    def conflicted(self) -> History:
        """Note that the object was no longer the one that was looked at: wait for a newer one."""
        return self._undecided(strict=True)

    def dropped(self) -> History:
        """Note that it was not carried out, and not because the object has changed."""
        return self._undecided(strict=False)

    def lost(self) -> History:
        """Note that nobody knows whether it was carried out."""
        return self._replace(pending="lost") if self.pending == "sent" else self

    def read_back(self, version: str) -> History:
        """Note which version of the object the server has.

        The one that was written on: it was not carried out, and may be sent again, since of two only one can succeed.
        Another one: it was carried out, or never can be; the watch will show what the object has.
        """
        if self.pending == "sent":
            return self
        if self.pending == "lost" and version == self.writes[-1].base:
            return History(self.writes[:-1], floor=version, at=self.at)
        return History(self.writes, "written" if self.pending else "", version, at=self.at)

    def shown(self, version: str, present: Limits) -> History:
        """Note an object that the watch has shown.

        A version newer than the one of a lost write settles that write: its precondition lets nothing else in between.
        """
        if self.pending == "sent" or not self.floor or not self._reached(version):
            return self
        writes = self.writes
        if writes and not _is_kept(writes[-1].limits, present):
            writes = (*writes[:-1], writes[-1]._replace(undone=True))
        return History(writes, "", version, at=self.at)

    def _undecided(self, *, strict: bool) -> History:
        if self.pending != "sent":
            return self
        return History(self.writes[:-1], floor=self.writes[-1].base, strict=strict, at=self.at)

    def _reached(self, version: str) -> bool:
        """Versions of one object grow, as numbers (Kubernetes promises it from 1.35 on, and all before did it).

        Of others only the one that is known to be old can be told.
        """
        beyond = self.strict or self.pending == "lost"
        if version.isdecimal() and self.floor.isdecimal():
            return int(version) >= int(self.floor) + beyond
        old = self.writes[-1].base if self.pending else self.floor if beyond else ""
        return not self.floor or version != old


def _is_kept(written: Limits, present: Limits) -> bool:
    """Absent and 0 are alike: the manager may drop a zero (config-and-chart.md §1)."""
    pairs = zip(written, present, strict=True)
    return all(said is None or said == (found or 0) for said, found in pairs)
