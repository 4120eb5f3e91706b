"""Which barriers a cause really holds, and who waits behind them (causes.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.causes import CAUSES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.diagnosis.examine import Examined
    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.world import World

_LETTERS: Final = {"G": "global", "T": "topology", "H": "host"}
# Rows whose scope is always the same.
_FIXED: Final = {
    "pacer-down": "global",
    "hold-foreign-topology": "topology",
    "inventory-incomplete": "topology",
    "owner-topology-missing": "host",
    "gate-without-manager": "host",
    "topology-stalled-behind-global": "topology",
    "blocked-by-other-lab": "global",
}


class Scopes:
    """The barriers of a world, and what its findings hold of them."""

    def __init__(self, world: World, examined: Examined) -> None:
        self._world = world
        self._slots = examined.slots
        self._unobserved = examined.unobserved
        self._waiting_for = examined.slots.waiting_for()
        self._global = {group.primary.uid for group in world.global_gate.blocking}
        # UID of a blocking primary → UIDs of the Topologies it blocks.
        self._topologies: dict[str, set[str]] = {}
        for uid, gate in world.topology_gates.items():
            for group in gate.blocking:
                self._topologies.setdefault(group.primary.uid, set()).add(uid)
        self._holding = {uid for uid, gate in world.topology_gates.items() if gate.held}

    def of(self, finding: Finding) -> set[str]:
        """Give the scopes a finding holds; none for a remark."""
        if finding.code in _FIXED:
            return {_FIXED[finding.code]}
        own = self._own_words(finding)
        if own is not None:
            return own
        if finding.state != "stuck":
            return set()
        held = self._held(finding.unit.rpartition("/")[2])
        letters = CAUSES[finding.code].scopes
        return held & {_LETTERS[letter] for letter in letters if letter in _LETTERS}

    def _own_words(self, finding: Finding) -> set[str] | None:
        """Give the scopes of rows that say in words of their own what they hold."""
        queued = {"host"} if self._slots.queued else set()
        holding = {"topology"} if self._holding else set()
        answers = {
            "manager-no-leader": {"global"} | holding | queued,
            "orphan-boot": queued,
            "topology-ignored": {"topology"} if finding.state == "stuck" else set(),
            "config-not-observed": set(self._unobserved),
        }
        if finding.code == "network-mode-missing-primary":
            node = self._world.node_view[finding.unit]
            return {"topology"} if self._holding & set(node.owners) else set()
        return answers.get(finding.code)

    def _held(self, uid: str) -> set[str]:
        """Give what a workload holds, by the UID of its primary."""
        held = set()
        if uid in self._global:
            held.add("global")
        if uid in self._topologies:
            held.add("topology")
        if any(view.uid in self._waiting_for for view in self._world.views.get(uid, ())):
            held.add("host")
        return held

    def is_over_limit(self, finding: Finding) -> bool:
        """Tell whether more boot on the host of its Pod than a limit allows."""
        views = self._world.views.get(finding.unit, ())
        return any(view.uid in self._waiting_for and self._slots.over_limit(view) for view in views)

    def blocks(self, findings: Iterable[Finding], scope: tuple[str, ...]) -> int:
        """Count the workloads behind the scopes, each once."""
        waiting: set[str] = set()
        gate = self._world.global_gate
        if "global" in scope:
            waiting |= {group.primary.uid for group in (*gate.pending, *gate.held)}
        for finding in findings:
            if "topology" in scope:
                waiting |= self._held_groups(finding)
            if "host" in scope:
                waiting |= self._queued(finding)
        return len(waiting)

    def _held_groups(self, finding: Finding) -> set[str]:
        labs = self._topologies.get(finding.unit.rpartition("/")[2], set()) | self._labs_of(finding)
        gates = [
            self._world.topology_gates[uid] for uid in labs if uid in self._world.topology_gates
        ]
        return {group.primary.uid for gate in gates for group in gate.pending}

    def _labs_of(self, finding: Finding) -> set[str]:
        """Give the Topologies a finding is about, other than by a workload that blocks them."""
        if finding.code == "manager-no-leader":
            return set(self._holding)
        unit = finding.unit.rpartition("/")[2]
        node = self._world.node_view.get(unit)
        if (
            finding.code in ("hold-foreign-topology", "network-mode-missing-primary")
            and node is not None
        ):
            return set(node.owners)
        return {unit} if unit in self._world.topology_gates else set()

    def _queued(self, finding: Finding) -> set[str]:
        if finding.code in ("orphan-boot", "manager-no-leader", "config-not-observed"):
            return {view.node_uid for view in self._slots.queued}
        if finding.code in ("owner-topology-missing", "gate-without-manager"):
            return {finding.unit.rpartition("/")[2]}
        views = self._world.views.get(finding.unit, ())
        return {queued.node_uid for view in views for queued in self._waiting_for.get(view.uid, ())}
