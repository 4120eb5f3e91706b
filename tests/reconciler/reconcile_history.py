"""Histories of the reconciler in memory, one for each seed; a violation names the seed and how to replay it.

python tests/reconciler/reconcile_history.py SEED [SEED …]      replay these
python tests/reconciler/reconcile_history.py --from 0 --count 500 [--mutant N]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2])]
    if "--mutant" in sys.argv:
        import reconcile_mutants

        reconcile_mutants.plant(int(sys.argv[sys.argv.index("--mutant") + 1]))

from reconcile_sim_end import assert_end, calm, settle
from reconcile_sim_judge import NODES, POLICIES
from reconcile_sim_others import CONFIGS, TOPOLOGIES
from reconcile_sim_wire import FAULTS
from reconcile_sim_world import World

from kubectl_c9s.reconciler.logs import log

if TYPE_CHECKING:
    from reconcile_sim_replica import Replica, SimWatch

STEPS = 90
COMMAND = "python tests/reconciler/reconcile_history.py"
DONE: Counter[str] = Counter()
"""What has happened in all histories of this process: that they are worth something can be tested."""


def play(seed: int) -> None:
    """Play one history; raises AssertionError with the seed and the command that replays it."""
    try:
        world = History(seed)
        world.run()
        assert_end(world)
        DONE.update(
            writes=len(world.judge.took),
            statuses=world.judge.statuses,
            events=len(world.server.events),
        )
    except Exception as error:
        error.add_note(f"seed {seed}; replay: {COMMAND} {seed}")
        raise


class History(World):
    """A world in which something happens at each step, drawn by its seed; ``long`` is the longest rest."""

    long = 5.0

    def run(self) -> None:
        """Let everything go wrong for a while."""
        settle(self, 9.0)
        self.long = self.chance.choice((5.0, 5.0, 50.0))
        self.faults.rate = self.chance.choice((0.0, 0.1, 0.3))
        self.is_racing = True
        for _ in range(STEPS):
            self.step()
            self.haunt()

    def step(self) -> None:
        """Let one thing happen."""
        chance = self.chance
        kind = chance.choices(
            ("pass", "task", "deliver", "calm", "time", "others", "trouble", "process"),
            (12, 12, 15, 8, 12, 12, 3, 1.5),
        )[0]
        replica = chance.choice(self.replicas)
        if kind == "time":
            self.live(chance.choice((0.1, 0.5, 1.0, 2.0, 2.0, 5.0, 5.0, 20.0, self.long)))
        elif kind == "others":
            self.others()
        elif kind == "trouble":
            self.trouble(replica)
        elif kind == "process":
            self.process(replica)
        elif not replica.is_paused:
            self.move(replica, kind)
        for one in self.replicas:
            self.judge.look(one)

    def move(self, replica: Replica, kind: str) -> None:
        """Let a part of a process move."""
        chance = self.chance
        if kind == "deliver":
            for watch in replica.watches.values():
                if chance.random() < 0.7:
                    watch.move(chance.choice((1, 2, 100)), chance)
        elif kind == "pass":
            replica.loop.step()
        elif kind == "calm":
            calm(self, replica)
        elif replica.writer.waiting:
            replica.writer.run(chance.randrange(len(replica.writer.waiting)))

    def trouble(self, replica: Replica) -> None:
        """Let something go wrong that is no single request's matter."""
        chance = self.chance
        ways = {
            "drop": lambda: None,
            "410": self._relist,
            "silent": lambda: self._silence(chance.choice(replica.needed)),
            "right": lambda: self._right(chance.choice(list(replica.watches.values()))),
            "401": lambda: self._refuse(401),
            "403": lambda: self._refuse(403),
            "crd": lambda: self._definition(chance.choice((CONFIGS, TOPOLOGIES, NODES, POLICIES))),
            "rollout": lambda: self._field(chance.choice((CONFIGS, TOPOLOGIES))),
            "manager": self._manager,
            "storm": self._storm,
        }
        what = chance.choice([*ways, "storm"])
        DONE[what] += 1
        ways[what]()

    def _relist(self) -> None:
        """Let watches be away for a while; what happens meanwhile is not told any more."""
        name, key = self._any()
        for one in self.replicas:
            one.watches[name].begin_anew()
            one.watches[name].silent_until = self.clock() + 1.0
        self.server.remove(name, key)

    def _silence(self, watch: SimWatch) -> None:
        watch.silent_until = self.clock() + self.chance.choice((20.0, 150.0))

    def _right(self, watch: SimWatch) -> None:
        watch.forbidden = not watch.forbidden

    def _refuse(self, status: int) -> None:
        self.faults.refusing = 0 if self.faults.refusing else status

    def _field(self, name: str) -> None:
        self.server.without_rollout ^= {name}

    def _manager(self) -> None:
        self.manager_is_up = not self.manager_is_up

    def _storm(self) -> None:
        chance = self.chance
        kinds = (FAULTS, ("500",), ("429",), ("lost done", "ghost"), ("lost",), ("409",))
        self.faults.kinds = chance.choice(kinds)
        self.faults.rate = chance.choice((0.1, 0.5, 0.9))
        for _ in range(5):
            self._user()
            self.live(2.5)
            self._all_calm()
        if chance.random() < 0.5:
            self.live(31.0)
            self._all_calm()

    def _all_calm(self) -> None:
        for one in self.replicas:
            if not one.is_paused:
                calm(self, one)

    def _definition(self, name: str) -> None:
        if name in self.server.gone:
            self.server.gone.discard(name)
        else:
            self.server.drop_kind(name)

    def process(self, replica: Replica) -> None:
        """Kill a process, pause it, or let it end in order; another one takes its place."""
        what = self.chance.choice(("kill", "kill", "pause", "sleep", "sleep", "end"))
        DONE[what] += 1
        if what == "pause":
            replica.paused_until = self.clock() + self.chance.choice((5.0, 20.0, 120.0))
        elif what == "sleep":
            self.sleep(replica)
        else:
            if what == "end" and not replica.is_paused:
                replica.end()
            self.replicas[self.replicas.index(replica)] = self.start()

    def sleep(self, replica: Replica) -> None:
        """Let a process sleep with something to do until others lead, and wake up before it looks at the Lease."""
        replica = next((one for one in self.replicas if one.election.leads()), replica)
        for _ in range(4):
            self._user()
        for _ in range(2):
            for watch in replica.watches.values():
                watch.move(100, self.chance)
            self.judge.look(replica)
            replica.loop.step()
        replica.paused_until = self.clock() + 20.0
        self.live(20.0)
        if self.chance.random() < 0.5:
            self.move(replica, "task")
        self._user()
        self.move(replica, "deliver")
        replica.loop.step()
        while replica.writer.waiting:
            replica.writer.run(0)


def main() -> int:
    """Play what the command line says; give the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seeds", nargs="*", type=int)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--mutant", type=int, help="plant one of reconcile_mutants.py")
    options = parser.parse_args()
    log.setLevel("CRITICAL")
    for seed in options.seeds or range(options.first, options.first + options.count):
        play(seed)
    sys.stdout.write(f"{dict(DONE)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
