"""A reconciler in memory that is killed at one of its requests; what its successor makes of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from reconcile_sim_end import assert_told, calm, settle
from reconcile_sim_judge import POLICIES
from reconcile_sim_others import CONFIGS, TOPOLOGIES
from reconcile_sim_world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from reconcile_sim_server import Json

    from kubectl_c9s.cluster.connection import Request


class Killed(BaseException):
    """The process is dead: no code of its own may catch this."""


class End(NamedTuple):
    """How it ended: objects without what counts versions, what conditions say, how many writes each object took."""

    objects: list[Json]
    told: list[tuple[str, str, str]]
    writes: dict[str, int]
    requests: int


class Fatal:
    """Kills at the request of this number, before the server has carried it out or after."""

    def __init__(self, number: int, *, before: bool) -> None:
        self.number, self.before, self.count = number, before, 0

    def asked(self, _: Request) -> None:
        """Count a request that leaves."""
        self.count += 1
        if self.before and self.count == self.number:
            raise Killed

    def answered(self, _: Request) -> None:
        """Look at a request that was carried out."""
        if not self.before and self.count == self.number:
            raise Killed


def run(seed: int, fatal: Fatal) -> End:
    """Let a policy be enforced from its beginning to the end, with one death or without."""
    world = World(seed)
    _keep_one_policy(world)
    for replica in world.replicas:
        for wire in replica.wires:
            wire.asked = _both(wire.asked, fatal.asked)
            wire.answered = fatal.answered
    for _ in range(60):
        world.pass_time(0.5)
        for replica in list(world.replicas):
            try:
                replica.look()
                world.judge.look(replica)
                calm(world, replica)
            except Killed:
                # The next Pod; it knows nothing.
                world.replicas[world.replicas.index(replica)] = world.start()
    requests = fatal.count
    settle(world, 40.0)
    assert_told(world)
    return _end(world, requests)


def _both(
    first: Callable[[Request], None], second: Callable[[Request], None]
) -> Callable[[Request], None]:
    def both(request: Request) -> None:
        first(request)
        second(request)

    return both


def _keep_one_policy(world: World) -> None:
    """Let there be something to do, and somebody who may do it."""
    world.manager_is_up = True
    chance = random.Random(world.seed)  # noqa: S311 - it must repeat
    spec = {
        "mode": "Enforce",
        "config": {"batchSize": chance.choice((0, 5, 9)), "maxConcurrentPerHost": 7},
        "topologies": [
            {"match": {}, "batchSize": {"default": 4, "max": 6}, "maxConcurrentPerHost": {"min": 3}}
        ],
        "guards": {"allowRelease": chance.random() < 0.5},
    }
    for key in list(world.server.objects[POLICIES])[1:]:
        world.server.remove(POLICIES, key)
    world.server.edit(POLICIES, ("c9s", "p0"), lambda obj: obj.update(spec=spec))


def _end(world: World, requests: int) -> End:
    objects = []
    for name in (CONFIGS, TOPOLOGIES):
        for obj in world.server.objects[name].values():
            meta = {
                key: value for key, value in obj["metadata"].items() if key != "resourceVersion"
            }
            objects.append(obj | {"metadata": meta})
    policy = world.server.objects[POLICIES]["c9s", "p0"]
    told = [(one["type"], one["status"], one["reason"]) for one in policy["status"]["conditions"]]
    writes: dict[str, int] = {}
    for took in world.judge.took:
        writes[took.uid] = writes.get(took.uid, 0) + 1
    return End(objects, told, writes, requests)
