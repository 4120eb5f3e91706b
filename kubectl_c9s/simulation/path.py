"""The way of one device after another through the steps, from its Node to a ready Pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from msgspec.structs import replace

from kubectl_c9s.rollout.hosts import is_gated
from kubectl_c9s.rollout.views import PodView
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation.controllers import Controller
from kubectl_c9s.simulation.eventloop import Turns
from kubectl_c9s.simulation.scenario import stamp

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.simulation.eventloop import EventLoop
    from kubectl_c9s.simulation.scenario import Begun, Scenario
    from kubectl_c9s.simulation.stages import StageTimes, Step
    from kubectl_c9s.simulation.state import State
    from kubectl_c9s.simulation.tally import Tally

_DRAWN: Final = ("plan", "schedule", "sandbox", "granted_early", "granted_late", "boot", "ready")
_COUNTED: Final = {
    ms.CREATED: "created",
    ms.ADMITTED: "admitted",
    ms.POD: "pods",
    ms.SANDBOX: "sandboxes",
    ms.STARTED: "started",
    ms.READY: "ready",
}


class Device:
    """One workload: the primary Node's UID, its Pod, its share in each drawn time, and when it reached what."""

    __slots__ = ("chances", "pod", "times", "uid")

    def __init__(self, uid: str, chance: Callable[[], float]) -> None:
        self.uid = uid
        self.pod: PodView | None = None
        self.chances = {step: chance() for step in _DRAWN}
        self.times: dict[str, float] = {}


class Path:
    """Brings devices from step to step; ``changed`` is called with a device whose Pod has changed for the gates."""

    def __init__(
        self,
        world: tuple[EventLoop, State, Tally],
        scenario: Scenario,
        stages: StageTimes,
        changed: Callable[[Device], None],
    ) -> None:
        self._loop, self._state, self._tally = world
        self._scenario, self._stages = scenario, stages
        self._changed = changed
        self._turns: dict[tuple[str, str], Turns] = {}
        nothing: Callable[[Device], None] = lambda _: None  # noqa: E731 - the end of the line
        self._deployments: Controller[Device] = Controller(
            stages.replica_set, self._loop, self._replica_set, nothing
        )
        self._replica_sets: Controller[Device] = Controller(
            stages.pod, self._loop, self._pod, self._deployments.heard
        )

    def reach(self, device: Device, milestone: str) -> None:
        """Note that a device has reached a milestone."""
        device.times[milestone] = self._loop.now
        if what := _COUNTED.get(milestone):
            self._tally.count(self._loop.now, what)

    def _through(
        self, device: Device, name: str, then: Callable[[Device], None], spent: float = 0.0
    ) -> None:
        """Let a device go through a step; of the delay ``spent`` seconds are over."""
        step: Step = getattr(self._stages, name)
        key = (name, device.pod.host if step.per_host and device.pod else "")
        if key not in self._turns:
            self._turns[key] = Turns(step.rate, step.burst)
        turn = self._turns[key].take(self._loop.now)
        share = device.chances[name]
        delay = step.delay.draw_rest(share, spent) if spent else step.delay.draw(share)
        self._loop.at(turn + delay, then, device)

    def resume(self, device: Device, begun: Begun) -> None:
        """Let a device go on from where it is; one without a Deployment waits for :meth:`plan`."""
        reached = ms.MILESTONES.index(begun.milestone)
        for milestone in ms.MILESTONES[: reached + 1]:
            # Not every device goes through the host gate; what is planned counts as admitted when it is planned anew.
            passing = milestone in {ms.GRANTED, ms.PASSED} and milestone != begun.milestone
            if not passing and not (milestone == ms.ADMITTED == begun.milestone):
                self.reach(device, milestone)
        if begun.milestone == ms.DEPLOYMENT:
            self._deployments.add(device)
        elif reached > ms.MILESTONES.index(ms.DEPLOYMENT):
            self._deployments.have(device)
            if begun.milestone == ms.REPLICA_SET:
                self._replica_sets.add(device)
            else:
                self._replica_sets.have(device)
                self._resume_pod(device, begun)

    def _resume_pod(self, device: Device, begun: Begun) -> None:
        following: dict[str, tuple[str, Callable[[Device], None]]] = {
            ms.POD: ("schedule", self._scheduled),
            ms.SCHEDULED: ("sandbox", self._sandbox),
            ms.SANDBOX: ("boot", self._started),
            ms.GRANTED: ("granted_late", self._passed),
            ms.PASSED: ("boot", self._started),
            ms.STARTED: ("ready", self._ready),
        }
        queued = begun.milestone == ms.SANDBOX and device.pod is not None and device.pod.gated
        if begun.milestone in following and not queued:
            self._through(device, *following[begun.milestone], begun.since)

    def plan(self, device: Device, spent: float = 0.0) -> None:
        """Begin with a device that the gates let through."""
        self.reach(device, ms.ADMITTED)
        self._through(device, "plan", self._deployment, spent)

    def _deployment(self, device: Device) -> None:
        self.reach(device, ms.DEPLOYMENT)
        self._deployments.add(device)

    def _replica_set(self, device: Device) -> None:
        self.reach(device, ms.REPLICA_SET)
        self._replica_sets.add(device)

    def _pod(self, device: Device) -> None:
        state, node = self._state, self._state.nodes[device.uid]
        gated = is_gated(state.per_host, node, state.topologies)
        self._put(
            device,
            PodView(
                node.namespace,
                f"{node.name}-0",
                f"pod of {node.uid}",
                stamp(self._loop.now),
                node_uid=node.uid,
                gated=gated,
            ),
        )
        self.reach(device, ms.POD)
        self._replica_sets.heard(device)
        self._through(device, "schedule", self._scheduled)

    def _put(self, device: Device, pod: PodView) -> None:
        self._tally.pod_changed(self._loop.now, device.pod, pod)
        device.pod = pod
        self._state.put_pod(pod)
        self._changed(device)

    def _change(self, device: Device, **fields: object) -> PodView:
        pod = replace(cast("PodView", device.pod), **fields)
        self._put(device, pod)
        return pod

    def _scheduled(self, device: Device) -> None:
        loads = self._state.on_host
        place = self._scenario.places.get(device.uid)
        host = place or min(self._scenario.hosts, key=lambda one: loads[one])
        self.reach(device, ms.SCHEDULED)
        self._change(device, host=host)
        self._through(device, "sandbox", self._sandbox)

    def _sandbox(self, device: Device) -> None:
        self.reach(device, ms.SANDBOX)
        pod = self._change(device, sandbox=True)
        if not pod.gated:
            self._through(device, "boot", self._started)
        elif pod.grant == pod.uid:
            self._through(device, "granted_early", self._passed)

    def grant(self, device: Device, uid: str) -> None:
        """Let the Pod with this UID boot: its grant is written."""
        self.reach(device, ms.GRANTED)
        pod = self._change(device, grant=uid)
        if pod.sandbox:
            self._through(device, "granted_late", self._passed)

    def _passed(self, device: Device) -> None:
        self.reach(device, ms.PASSED)
        self._through(device, "boot", self._started)

    def _started(self, device: Device) -> None:
        self.reach(device, ms.STARTED)
        self._change(device, started=True, phase="Running")
        self._through(device, "ready", self._ready)

    def _ready(self, device: Device) -> None:
        self.reach(device, ms.READY)
        self._replica_sets.heard(device)
