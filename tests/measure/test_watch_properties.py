"""Whatever happens, in whatever order, with breaks and new lists: the tracker knows what a slow recount finds."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from watch_naive import NODES, PODS, Seen, devices, peaks, reached
from watch_objects import MAIN, SANDBOX, SIDE, condition, container, feed, grant, init, node, pod

from kubectl_c9s.measurement.tracker import Tracker

if TYPE_CHECKING:
    from kubectl_c9s.measurement.run import Run

Json = dict[str, Any]
NAMES = ("a", "b")
HOSTS = ("h1", "h2")
DO = ("schedule", "sandbox", "grant", "foreign", "gate", "plan", "planned", "run", "start", "restart", "side",
      "ready", "unready")  # fmt: skip


class World:
    """A cluster that changes, and what a recording of it sees; ``history`` has every table that was seen."""

    def __init__(self, expected: int) -> None:
        self.tracker = Tracker(expected)
        self.history: list[Seen] = []
        self._real: dict[str, dict[str, Json]] = {PODS: {}, NODES: {}}
        self._seen: dict[str, dict[str, Json]] = {PODS: {}, NODES: {}}
        self._blind: set[str] = {PODS, NODES}
        self._listed: set[str] = set()
        self._made = 0
        self.now = 0.0

    def look(self, kind: str) -> None:
        """Read a list, at the beginning or after a break."""
        self._blind.discard(kind)
        there = self._real[kind]
        known = {uid: there[uid] for uid in self._seen[kind] if uid in there}
        self._seen[kind] = copy.deepcopy(known | there)
        self._note(kind, "LISTED", *there.values())
        self._listed.add(kind)

    def lose(self, kind: str) -> None:
        """Let a watch break: nothing is seen until the next list."""
        self._blind.add(kind)

    def make(self, kind: str, name: str, flags: tuple[bool, bool]) -> None:
        """Make an object; a Node only when there is none of the name."""
        there = [one for one in self._real[kind].values() if one["metadata"]["name"] == name]
        if kind == NODES and there:
            return
        self._made += 1
        uid = f"{kind}-{self._made}"
        made = (
            pod(name, self.now, uid, gated=flags[0], probed=flags[1])
            if kind == PODS
            else node(name, self.now, uid)
        )
        self._change(kind, "ADDED", made)

    def drop(self, kind: str, index: int) -> None:
        """Delete an object."""
        if self._real[kind]:
            uid = sorted(self._real[kind])[index % len(self._real[kind])]
            self._change(kind, "DELETED", self._real[kind][uid])

    def mark(self, index: int) -> None:
        """Admit and plan a Node."""
        if self._real[NODES]:
            uid = sorted(self._real[NODES])[index % len(self._real[NODES])]
            name = self._real[NODES][uid]["metadata"]["name"]
            before = self._real[NODES][uid]["metadata"]["creationTimestamp"]
            marked = node(name, 0, uid, admitted=uid, planned=index % 2 == 0)
            marked["metadata"]["creationTimestamp"] = before
            self._change(NODES, "MODIFIED", marked)

    def step(self, index: int, what: str) -> None:
        """Let something happen to a Pod, whether it makes sense or not."""
        if self._real[PODS]:
            uid = sorted(self._real[PODS])[index % len(self._real[PODS])]
            body = copy.deepcopy(self._real[PODS][uid])
            self._happen(body, what, HOSTS[index % 2])
            self._change(PODS, "MODIFIED", body)

    def _happen(self, body: Json, what: str, host: str) -> None:
        now = self.now
        if what == "schedule":
            body["spec"]["nodeName"] = body["spec"]["nodeName"] or host
            condition(body, "PodScheduled", now)
        elif what == "sandbox":
            condition(body, SANDBOX, now)
        elif what in ("grant", "foreign"):
            grant(body, None if what == "grant" else "somebody")
        elif what in ("gate", "planned"):
            init(body, "startup-gate" if what == "gate" else "planner", now, now + 1)
        elif what == "plan":
            init(body, "planner", now)
        elif what in ("run", "start", "restart", "side"):
            container(
                body, SIDE if what == "side" else MAIN, started=what in ("start", "side"), since=now
            )
        else:
            condition(body, "Ready", now, "True" if what == "ready" else "False")

    def _change(self, kind: str, event: str, body: Json) -> None:
        uid = body["metadata"]["uid"]
        if event == "DELETED":
            del self._real[kind][uid]
        else:
            self._real[kind][uid] = body
        if kind in self._blind:
            return
        if event == "DELETED":
            self._seen[kind].pop(uid, None)
        else:
            self._seen[kind][uid] = copy.deepcopy(body)
        self._note(kind, event, body)

    def _note(self, kind: str, event: str, *bodies: Json) -> None:
        feed(self.tracker, kind, event, self.now, *bodies)
        table = copy.deepcopy(self._seen[kind])
        self.history.append(Seen(kind, self.now, kind not in self._listed, table))


def agree(world: World, run: Run, expected: int) -> None:
    """Compare a run with the slow recount."""
    found = {one.name: (one.stamps, one.observed, one.replaced) for one in run.devices}
    assert found == devices(world.history)
    assert {host: (one.booting, one.elapsed) for host, one in run.peaks.items()} == peaks(
        world.history
    )
    goals = {
        name: run.overall[name] for name in ("pods", "started", "ready") if name in run.overall
    }
    assert goals == reached(world.history, expected)


@given(st.data(), st.integers(1, 3))
def test_a_recording_agrees_with_a_slow_recount(data: st.DataObject, expected: int) -> None:
    world = World(expected)
    if not data.draw(st.booleans(), label="late"):
        world.look(PODS)
        world.look(NODES)
    kinds, indices = st.sampled_from([PODS, PODS, NODES]), st.integers(0, 5)
    for _ in range(data.draw(st.integers(1, 40), label="steps")):
        world.now += data.draw(st.sampled_from([0.0, 0.25, 1.0, 3.5]))
        match data.draw(
            st.sampled_from(
                ["make", "make", "step", "step", "step", "step", "drop", "mark", "lose", "look"]
            )
        ):
            case "make":
                flags = (data.draw(st.booleans()), data.draw(st.booleans()))
                world.make(data.draw(kinds), data.draw(st.sampled_from(NAMES)), flags)
            case "step":
                world.step(data.draw(indices), data.draw(st.sampled_from(DO)))
            case "drop":
                world.drop(data.draw(kinds), data.draw(indices))
            case "mark":
                world.mark(data.draw(indices))
            case "lose":
                world.lose(data.draw(kinds))
            case _:
                world.look(data.draw(kinds))
    for kind in (PODS, NODES):
        world.look(kind)
    agree(world, world.tracker.run("recording", world.now), expected)
