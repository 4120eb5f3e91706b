"""How things stand with this process: what its watches show, since when it leads, and whether both have settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.reconciler.feeds import NEEDED
from kubectl_c9s.rollout.holding import Circumstances

if TYPE_CHECKING:
    from kubectl_c9s.cluster.election import Election
    from kubectl_c9s.reconciler.view import Look

_BEGINNING: Final = 30.0
"""Seconds of a term in which it is no news that not everything was listed yet."""


class Standing:
    """Remembers since when the view is whole and fresh, and since when the Lease is ours.

    ``term`` counts terms of leadership, None while another process leads: one that was lost and taken again between
    two looks is a new one. ``problem`` says what is wrong with the watches, empty for nothing.
    """

    def __init__(self, election: Election, settle: float) -> None:
        self._election = election
        self._settle = settle
        self._led_since = self._good_since = float("-inf")
        self._is_good = False
        self._losses = 0
        self.term: int | None = None
        self.is_beginning = True
        self.problem = "not everything has been seen yet"

    def look(self, look: Look, now: float) -> Circumstances:
        """Give the circumstances of a pass, as far as they are known without looking at objects.

        After a break of any watch, and at the beginning of a term, nothing is believed for a while: what comes late is
        shown then, and what an earlier leader has sent arrives (remediation.md §9.6).
        """
        self._note_term(now)
        trouble = look.trouble(NEEDED)
        # Without a right to the others a diagnosis is poorer; without the kinds themselves there is nothing to see.
        self.problem = trouble or look.trouble(look.forbidden)
        if not trouble and (not self._is_good or look.losses != self._losses):
            self._good_since = now
        self._is_good, self._losses = not trouble, look.losses
        complete = look.objects.keys() >= NEEDED and not look.missing.keys() & NEEDED
        is_settling = not trouble and now < self._settled_at()
        # The two words of a beginning would come and go with each process; what is really wrong is told at once.
        is_new = (
            not complete and not look.missing.keys() & NEEDED and now < self._led_since + _BEGINNING
        )
        self.is_beginning = is_settling or is_new
        if is_settling:
            complete, trouble = False, "the view is settling"
        leading = self.term is not None
        return Circumstances(now, complete, not trouble, leading, trouble=trouble)

    def _note_term(self, now: float) -> None:
        term = self._election.transitions if self._election.leads() else None
        if term is not None and term != self.term:
            self._led_since = now
        self.term = term

    def _settled_at(self) -> float:
        return (
            max(self._good_since, self._led_since if self.term is not None else 0.0) + self._settle
        )
