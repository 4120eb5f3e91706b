"""Which barriers a cause really holds, and who waits behind them (causes.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources.causes import CAUSES

if TYPE_CHECKING:
    from collections.abc import Collection

    from kubectl_c9s.diagnosis.examine import Examined
    from kubectl_c9s.diagnosis.finding import Finding
    from kubectl_c9s.diagnosis.world import World
    from kubectl_c9s.rollout.views import PodView

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
# Rows whose Pods are queued and do not boot.
_QUEUED: Final = ("owner-topology-missing", "gate-without-manager")
# Rows that keep the queues of all hosts.
_ANYWHERE: Final = ("orphan-boot", "manager-no-leader", "config-not-observed")


class Scopes:
    """The barriers of a world, and what its findings hold of them."""

    def __init__(self, world: World, examined: Examined) -> None:
        self._world = world
        self._slots = examined.slots
        self._unobserved = examined.unobserved
        self._waiting_for = examined.slots.waiting_for()
        self._queued_uids = {view.uid for view in examined.slots.queued}
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

    def _held(self, unit: str) -> set[str]:
        """Give what a workload holds, by the UID of its primary, or of a Pod that only keeps a slot."""
        held = set()
        if unit in self._global:
            held.add("global")
        if unit in self._topologies:
            held.add("topology")
        if any(view.uid in self._waiting_for for view in self._world.pods_of(unit)):
            held.add("host")
        return held

    def _pods(self, finding: Finding) -> list[PodView]:
        """Give the Pods by which a finding holds hosts: queued ones of a row about these, else those that boot."""
        views = self._world.pods_of(finding.unit.rpartition("/")[2])
        if finding.code in _QUEUED:
            return [view for view in views if view.uid in self._queued_uids]
        if finding.code == "orphan-boot":
            return views
        return [view for view in views if view.uid in self._waiting_for]

    def is_over_limit(self, finding: Finding) -> bool:
        """Tell whether more boot on a host of its Pods than a limit allows."""
        return any(self._slots.over_limit(view) for view in self._pods(finding))

    def blocks(self, findings: Collection[Finding], scope: tuple[str, ...]) -> int:
        """Count the workloads behind the scopes, each once."""
        waiting: set[str] = set()
        gate = self._world.global_gate
        if "global" in scope:
            waiting |= {group.primary.uid for group in (*gate.pending, *gate.held)}
        if "topology" in scope:
            for finding in findings:
                waiting |= self._held_groups(finding)
        if "host" in scope:
            waiting |= self._queued(findings)
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

    def _queued(self, findings: Collection[Finding]) -> set[str]:
        """Give the workloads that are queued on the hosts of findings of one code, or anywhere."""
        queued = self._slots.queued
        if any(finding.code in _ANYWHERE for finding in findings):
            return {view.node_uid for view in queued}
        hosts = {view.host for finding in findings for view in self._pods(finding)}
        return {view.node_uid for view in queued if view.host in hosts}
