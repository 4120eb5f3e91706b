"""Writes that the server refuses although they tell only of others: statuses and Events. Nobody would miss them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.reconciler.logs import log
from kubectl_c9s.resources.listing import some

if TYPE_CHECKING:
    from kubectl_c9s.reconciler.writer import Result


class Refusals:
    """What was refused last, by kind, until one of them is taken again; each is logged once."""

    def __init__(self) -> None:
        self._messages: dict[str, str] = {}

    @property
    def text(self) -> str:
        """Say what is refused, empty for nothing."""
        return some(sorted(self._messages.values()), 3) if self._messages else ""

    def take(self, result: Result) -> None:
        """Note what became of a write; those of limits are told in conditions."""
        task = result.task
        if not task.subresource and not task.collection:
            return
        kind = task.resource.full_name
        if result.outcome == "written":
            self._messages.pop(kind, None)
        elif result.outcome in {"forbidden", "refused"}:
            if self._messages.get(kind) != result.message:
                log.warning("a report was refused", extra={"kind": kind, "reason": result.message})
            self._messages[kind] = result.message
