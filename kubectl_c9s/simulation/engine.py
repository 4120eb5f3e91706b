"""A start in simulated time: every device goes its way, the gates decide, as the manager's passes would.

Nothing here reads a clock or draws by itself: chance is a source of numbers between 0 and 1 that the caller gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kubectl_c9s.rollout.groups import newest_pods
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.eventloop import EventLoop
from kubectl_c9s.simulation.path import Device, Path
from kubectl_c9s.simulation.queues import Admission, TopologyQueue, Writer
from kubectl_c9s.simulation.scenario import Begun, Coming
from kubectl_c9s.simulation.state import State
from kubectl_c9s.simulation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.rollout.views import NodeView, PodView
    from kubectl_c9s.simulation.queues import Batch
    from kubectl_c9s.simulation.scenario import Scenario
    from kubectl_c9s.simulation.stages import StageTimes

Chance: TypeAlias = "Callable[[], float]"


class Outcome(NamedTuple):
    """What has come of a start: by UID when a device reached what, batches in their order, the tally, and Pods."""

    times: dict[str, dict[str, float]]
    batches: tuple[Batch, ...]
    tally: Tally
    pods: tuple[PodView, ...]

    def until_all(self, milestone: str) -> float | None:
        """Give the seconds until every device has reached a milestone; None when one never does."""
        found = [times.get(milestone) for times in self.times.values()]
        known = [one for one in found if one is not None]
        return max(known, default=0.0) if len(known) == len(found) else None


def simulate(scenario: Scenario, stages: StageTimes, chance: Chance) -> Outcome:
    """Play a start to its end; a device that nothing lets go on stays where it is."""
    return _Run(scenario, stages, chance).outcome()


class _Run:
    def __init__(self, scenario: Scenario, stages: StageTimes, chance: Chance) -> None:
        self._scenario = scenario
        self._loop, self._state, self._tally = EventLoop(), State(scenario.snapshot), Tally()
        world = (self._loop, self._state, self._tally)
        self._path = Path(world, scenario, stages, self._pod_changed)
        self._devices: dict[str, Device] = {}
        nodes = [*scenario.snapshot.nodes, *(one.node for one in scenario.coming)]
        self._made = {node.uid: Device(node.uid, chance) for node in nodes if not node.deleting}
        draw = stages.write.delay.draw
        writer = Writer(lambda: draw(chance()), self._granted, self._marked, self._lifted)
        self._admission = Admission(self._loop, self._state, writer)
        self._topologies = {
            one.uid: TopologyQueue(self._loop, self._state, writer, one)
            for one in scenario.snapshot.topologies
        }

    def outcome(self) -> Outcome:
        """Begin, let everything happen, and give what came of it."""
        for node in self._scenario.snapshot.nodes:
            self._state.put_node(node)
        newest = newest_pods(self._scenario.snapshot.pods)
        for pod in self._scenario.snapshot.pods:
            self._state.put_pod(pod)
            self._tally.pod_changed(0.0, None, pod)
        for node in self._scenario.snapshot.nodes:
            self._resume(node, newest.get(node.uid))
        for coming in self._scenario.coming:
            self._loop.at(coming.seconds, self._appear, coming)
        self._admission.hosts_changed = self._state.hosts
        self._wake()
        self._loop.run()
        queues = [self._admission, *self._topologies.values()]
        batches = sorted(batch for queue in queues for batch in queue.batches)
        times = {uid: device.times for uid, device in self._devices.items()}
        return Outcome(times, tuple(batches), self._tally, tuple(self._state.pods.values()))

    def _resume(self, node: NodeView, pod: PodView | None) -> None:
        if node.deleting or self._is_secondary(node):
            return
        device = self._devices[node.uid] = self._made[node.uid]
        device.pod = pod
        begun = self._scenario.begun.get(node.uid) or Begun(_milestone(pod))
        self._path.resume(device, begun)
        if begun.milestone in {ms.CREATED, ms.ADMITTED}:
            self._try_plan(node, begun.since if begun.milestone == ms.ADMITTED else 0.0)

    def _is_secondary(self, node: NodeView) -> bool:
        return self._state.primary_name(node) != node.name

    def _appear(self, coming: Coming) -> None:
        node = coming.node
        self._state.put_node(node)
        if not self._is_secondary(node):
            device = self._devices[node.uid] = self._made[node.uid]
            self._path.reach(device, ms.CREATED)
            self._try_plan(node)
        self._node_changed(node)

    def _try_plan(self, node: NodeView, spent: float = 0.0) -> None:
        """Plan a device if the gates let it through and nobody does so yet."""
        device = self._devices.get(node.uid)
        if device is None or device.pod or ms.DEPLOYMENT in device.times or node.ignored:
            return
        waits = node.hold or (self._state.batch > 0 and node.mark != node.uid)
        if not waits and ms.ADMITTED not in device.times:
            self._path.plan(device, spent)

    def _node_changed(self, node: NodeView) -> None:
        self._admission.nodes_changed = True
        self._admission.wake()
        for owner in node.owners:
            if queue := self._topologies.get(owner):
                queue.nodes_changed = True
                queue.wake()

    def _pod_changed(self, device: Device) -> None:
        if device.pod and device.pod.host:
            self._admission.hosts_changed.add(device.pod.host)
        self._wake(self._state.nodes[device.uid])

    def _wake(self, node: NodeView | None = None) -> None:
        self._admission.wake()
        owners = self._topologies if node is None else node.owners
        for owner in owners:
            if queue := self._topologies.get(owner):
                queue.wake()

    def _marked(self, uid: str) -> None:
        node = self._state.change_node(uid, mark=uid)
        self._try_plan(node)
        self._wake(node)

    def _lifted(self, uid: str) -> None:
        node = self._state.change_node(uid, hold="")
        self._try_plan(node)
        self._node_changed(node)

    def _granted(self, pod_uid: str) -> None:
        node_uid = self._state.pods[pod_uid].node_uid
        self._path.grant(self._devices[node_uid], pod_uid)


def _milestone(pod: PodView | None) -> str:
    """Say how far a device is by its Pod alone."""
    if pod is None:
        return ms.CREATED
    if pod.started:
        return ms.STARTED
    if pod.gated and pod.grant == pod.uid and pod.sandbox:
        return ms.GRANTED
    if pod.sandbox:
        return ms.SANDBOX
    return ms.SCHEDULED if pod.host else ms.POD
