"""A cluster in memory with two reconcilers, others who write, and faults; a seed makes its history."""

from __future__ import annotations

import random

from reconcile_sim_judge import LEASES, Judge
from reconcile_sim_others import MANAGER, SPACE, Others
from reconcile_sim_replica import Replica
from reconcile_sim_server import Json, SimServer
from reconcile_sim_wire import Faults, carry_out

from kubectl_c9s.resources.errors import C9sError


class Clock:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class World(Others):
    """All there is; ``writing`` is the replica whose request the server carries out."""

    manager_duration = 15.0

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.clock = Clock()
        super().__init__(SimServer(), random.Random(seed))  # noqa: S311 - histories must repeat
        self.faults = Faults(self.chance)
        self.writing = ""
        self.judge = Judge(self)
        self.manager_is_up = self.chance.random() < 0.6
        self.renewed_at = 0.0
        self.is_nested = self.is_racing = self.is_haunted = False
        self.diagnosing = seed % 25 == 0
        self.populate()
        self.replicas = [self.start() for _ in range(2)]

    def start(self) -> Replica:
        """Start a process."""
        return Replica(self, diagnosing=self.diagnosing)

    def lease(self) -> Json:
        """Give the spec of the reconcilers' Lease."""
        found = self.server.objects[LEASES].get((SPACE, "c9s-reconciler"))
        spec: Json = found["spec"] if found else {}
        return spec

    def live(self, seconds: float) -> None:
        """Let time go on as long as it is, with who looks at the Lease meanwhile."""
        while seconds > 0:
            self.pass_time(min(seconds, 2.0))
            seconds -= 2.0
            for one in self.replicas:
                if not one.is_paused:
                    one.look()
                self.judge.look(one)

    def pass_time(self, seconds: float) -> None:
        """Let time go on; the manager renews its Lease meanwhile."""
        self.clock.now += seconds
        if self.manager_is_up and self.clock.now - self.renewed_at >= 4.0:
            self.renewed_at = self.clock.now
            number = self.clock.now

            def renew(obj: Json) -> None:
                obj["spec"] |= {
                    "holderIdentity": "clabernetes-manager-0",
                    "renewTime": f"t{number}",
                }

            self.server.edit(LEASES, MANAGER, renew, "manager")

    def meanwhile(self, replica: Replica) -> None:
        """Let things happen while a request is on its way."""
        self.writing = replica.name
        if self.is_nested or not self.is_racing or self.chance.random() < 0.7:
            return
        self.is_nested = True
        try:
            self.pass_time(self.chance.choice((0.0, 0.5, 3.5)))
            for other in self.replicas:
                if other is not replica and not other.is_paused:
                    other.look()
                    self.judge.look(other)
            if self.chance.random() < 0.5:
                self.others()
        finally:
            self.is_nested = False
            self.writing = replica.name

    def haunt(self) -> None:
        """Let requests arrive that were given up."""
        for ghost in list(self.faults.ghosts):
            if self.chance.random() < 0.5 or self.clock.now > ghost.until:
                self.faults.ghosts.remove(ghost)
                if self.clock.now <= ghost.until:
                    self.writing, self.is_haunted = ghost.who, True
                    try:
                        carry_out(self.server, ghost.request)
                    except C9sError:
                        continue
                    finally:
                        self.is_haunted = False
