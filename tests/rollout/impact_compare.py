"""Holds what ``rollout set`` has printed against what the stand-in has done since.

The result is complaints, one for every difference.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from impact_seen import done

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from impact_plans import Situation
    from impact_seen import Seen
    from standin_views import Json


class Comparison:
    """One situation: the effects printed, by field, and the readings before and after the stand-in led."""

    def __init__(
        self,
        situation: Situation,
        effects: list[Json],
        before: Seen,
        after: Seen,
        limits: tuple[int, int],
    ) -> None:
        """``limits`` are the Config's after the change; readings may have other situations' objects."""
        self._situation = situation
        self._effects = {effect["field"]: effect for effect in effects}
        spaces = {node.space for node in situation.nodes}
        self._before, self._after = before.within(spaces), after.within(spaces)
        self._done = done(self._before, self._after)
        self._batch, self._cap = limits
        groups = self._before.groups
        self._leads = {one.full_name: group.primary for group in groups for one in group.members}
        self._leads |= {group.primary.full_name: group.primary for group in groups}

    def complaints(self, tally: dict[str, Any]) -> Iterator[str]:
        """Name every difference; ``tally`` is the stand-in's own, at the end."""
        yield from _same("odd", self._done.odd, ())
        if self._situation.target == "config":
            yield from _same("lifted", self._done.lifted, ())
            yield from self._global_batch(tally)
            yield from self._slots(None, tally)
        else:
            yield from _same("marked", self._done.marked, ())
            (lab,) = self._before.labs.values()
            yield from self._topology_batch()
            yield from self._slots(lab.uid, tally)
        yield from _same("gates", self._done.planned.items(), self._gates().items())

    def _global_batch(self, tally: dict[str, Any]) -> Iterator[str]:
        effect = self._effects.get("batchSize", {})
        starts, adopted = effect.get("starts", []), effect.get("adopted", [])
        if not effect or not self._batch:
            yield from _same("marked", self._done.marked, ())
        else:
            admitted = {key for key, one in self._after.nodes.items() if one.mark == one.uid}
            yield from self._groups(self._done.marked, [*starts, *adopted], admitted)
            # Who was admitted just now has no Pod yet, so it blocks the pass after.
            yield from _same("blocked", tally["blocked"], [*effect.get("blocking", []), *starts])
            waiting = [one for one in effect.get("waiting", []) if one not in starts]
            if list(tally["pending"]) != waiting:
                yield f"pending: {tally['pending']}, printed {waiting}"
        yield from _same("planned", self._done.planned, self._unplanned(starts))

    def _topology_batch(self) -> Iterator[str]:
        effect = self._effects.get("batchSize", {})
        starts = effect.get("starts", [])
        free = {key for key, one in self._after.nodes.items() if not one.hold}
        yield from self._groups(self._done.lifted, starts, free, whole="holdup" not in effect)
        planned = [] if self._batch else self._unplanned(starts)
        yield from _same("planned", self._done.planned, planned)

    def _groups(
        self,
        written: Collection[str],
        printed: Collection[str],
        through: Collection[str],
        *,
        whole: bool = True,
    ) -> Iterator[str]:
        """Compare the primaries of the Nodes that were written; ``through`` are all who are let through by now.

        Members go with their primary and never before it, and all of them unless something stood in the way.
        """
        leads = {one for one in written if one == self._lead(one)}
        yield from _same("primaries", leads, printed)
        alone = [one for one in written if self._lead(one) not in through]
        yield from _same("let through alone", alone, ())
        if whole:
            left = [one for one in self._leads if self._lead(one) in leads and one not in through]
            yield from _same("members left out", left, ())

    def _lead(self, name: str) -> str:
        return self._leads[name].full_name

    def _gates(self) -> dict[str, bool]:
        """Tell which Deployments of now have the gate: limits in force decide, the old ones do not (§5.1)."""
        caps = {lab.uid: lab.per_host for lab in self._after.labs.values()}
        nodes = self._before.nodes
        return {
            one: bool(self._cap or caps.get(nodes[one].topology or "", 0))
            for one in self._done.planned
        }

    def _slots(self, lab: str | None, tally: dict[str, Any]) -> Iterator[str]:
        effect = self._effects.get("maxConcurrentPerHost", {})
        nodes = {node.uid: node for node in self._before.nodes.values()}
        pods = {
            key: pod
            for key, pod in self._before.pods.items()
            if lab is None or (pod.node_uid in nodes and nodes[pod.node_uid].topology == lab)
        }
        granted = self._done.granted
        if "H" not in self._situation.settled:
            granted &= pods.keys()  # others are granted what the limits before had for them
        yield from _same("granted", granted, effect.get("starts", []))
        if not effect:
            return
        hosts = Counter(self._before.pods[one].host for one in granted)
        yield from _same("hosts", hosts.items(), effect.get("hosts", {}).items())
        queued = [
            key
            for key, pod in pods.items()
            if pod.device and pod.gated and pod.host and pod.grant != pod.uid and not pod.deleting
        ]
        yield from _same("queued", queued, effect.get("waiting", []))
        # Hosts are shared by all: an orphan anywhere keeps every grant back.
        yield from _same("orphans", tally["orphans"], effect.get("orphans", []))

    def _unplanned(self, starts: Collection[str]) -> list[str]:
        """Leave out who has a Deployment already, and who is admitted in a circle and waits for itself."""
        return [
            one
            for one in starts
            if one not in self._before.deployments
            and not (self._batch and self._before.nodes[one].shares)
        ]


def _same(what: str, found: Collection[Any], printed: Collection[Any]) -> Iterator[str]:
    if sorted(found) != sorted(printed):
        yield f"{what}: {sorted(found)}, printed {sorted(printed)}"
