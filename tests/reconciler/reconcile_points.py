"""A reconciler as a process that is killed at one of its requests, on a real server; what its successor makes of it."""

from __future__ import annotations

import contextlib
import copy
import random
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from reconcile_process import Running, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit_reader import Entry
    from bed_client import Access, Json
    from fault_handle import FaultProxy
    from reconcile_site import Site

Block = dict[str, int]
FLAGS: Final = ("--settle=0s", "--retry-period=500ms")
REST: Final = 0.5  # seconds
LIMITS: Final = ("configs.c9s.run", "topologies.c9s.run")
WRITTEN: Final = "(configs|topologies|rolloutpolicies|events)[.].*"
CONFIG: Final = {"batchSize": 5, "maxConcurrentPerHost": 7}
RULES: Final = (
    {"batchSize": {"default": 4, "max": 6}, "maxConcurrentPerHost": {"min": 3}},
    {"batchSize": {"max": 6}, "maxConcurrentPerHost": {"default": 3, "max": 9}},
)
# How limits have drifted, and what becomes of them: of the Config, then of Topologies by rule.
CONFIGS: Final[tuple[Block, ...]] = (
    {"batchSize": 9},
    {},
    {"batchSize": 5, "maxConcurrentPerHost": 8},
)
DRIFTS: Final[tuple[tuple[tuple[Block, Block], ...], ...]] = (
    (
        ({"batchSize": 9}, {"batchSize": 6}),
        ({"maxConcurrentPerHost": 1}, {"batchSize": 4, "maxConcurrentPerHost": 3}),
        ({"batchSize": 5, "maxConcurrentPerHost": 2}, {"batchSize": 5, "maxConcurrentPerHost": 3}),
        ({"batchSize": 9, "maxConcurrentPerHost": 0}, {"batchSize": 6, "maxConcurrentPerHost": 0}),
        ({}, {"batchSize": 4}),
    ),
    (
        ({"batchSize": 9}, {"batchSize": 6, "maxConcurrentPerHost": 3}),
        ({"maxConcurrentPerHost": 12}, {"batchSize": 6, "maxConcurrentPerHost": 9}),
        ({"batchSize": 8, "maxConcurrentPerHost": 4}, {"batchSize": 6, "maxConcurrentPerHost": 4}),
        ({}, {"batchSize": 6, "maxConcurrentPerHost": 3}),
    ),
)


class Point(NamedTuple):
    """Where a process dies: at the nth of its requests, or of its writes, before the server acts on it or after.

    ``world`` is the seed of how things have drifted. The proxy knows the process by the name of its account.
    """

    name: str
    world: int
    nth: int
    writes: bool
    before: bool

    def rule(self) -> Json:
        """Hold that request back, or its answer, for as long as the process lives."""
        match: Json = {"user": f"system:serviceaccount:[^:]+:{self.name}", "nth": self.nth}
        if self.writes:
            match |= {"verb": "create|patch", "resource": WRITTEN}
        done = {"forwarded": not self.before, "how": "reset"}
        return {"name": self.name, "match": match, "do": "hang", "with": done}


class End(NamedTuple):
    """How it ended: specs, conditions, accepted writes of each object, notes of Events."""

    specs: list[Json]
    told: list[tuple[str, str, str]]
    writes: list[int]
    notes: list[str]


class Trial:
    """A site with a Config and three Topologies that have drifted, and their policy."""

    def __init__(self, site: Site, world: int, name: str) -> None:
        self._site, self._name = site, name
        chance = random.Random(world)  # noqa: S311 - it must repeat
        rule = chance.randrange(len(RULES))
        drifts = chance.sample(DRIFTS[rule], 3)
        self._token = site.account(name)
        old = [site.config(**chance.choice(CONFIGS))]
        old += [site.topology(f"lab-{number}", **one) for number, (one, _) in enumerate(drifts)]
        self._wanted = [_bare(one) for one in old]
        for one, block in zip(self._wanted, [CONFIG, *(new for _, new in drifts)], strict=True):
            one["spec"]["rollout"] = block
        self._paths = [site.config_path, *(site.topology_path(f"lab-{one}") for one in range(3))]
        rules = [{"match": {"namespaces": [site.lab]}, **RULES[rule]}]
        site.policy(config=CONFIG, topologies=rules)
        site.mark()

    def killed(self, proxy: FaultProxy) -> None:
        """Start the process that dies, and kill it where the proxy holds it."""
        with self._running(proxy.access):
            wait_for("held", lambda: proxy.fired()[self._name])

    def ended(self) -> End:
        """Start another one, and wait until all is as it should be, in every field, and said to be."""
        with self._running() as one:
            one.leads()
            one.ready()
            wait_for("mended", lambda: self._objects() == self._wanted)
            wait_for("told", self._is_told)
            time.sleep(REST)  # what it would write besides, it would write now
        return self._end()

    @contextlib.contextmanager
    def _running(self, access: Access | None = None) -> Iterator[Running]:
        way = self._site.kubeconfig(self._token, access)
        one = Running(self._site.folder, self._site.own, way, *FLAGS)
        try:
            yield one
        finally:
            one.kill()

    def _objects(self) -> list[Json]:
        return [_bare(self._site.client.get(one).ok()) for one in self._paths]

    def _told(self) -> list[tuple[str, str, str]]:
        conditions = self._site.status().get("conditions") or ()
        return sorted((one["type"], one["status"], one["reason"]) for one in conditions)

    def _is_told(self) -> bool:
        told = self._told()
        return ("Enforced", "True", "Enforced") in told and "Unknown" not in {
            one[1] for one in told
        }

    def _end(self) -> End:
        taken = self._site.writes(code=range(200, 300))
        events = self._site.client.get(f"/apis/events.k8s.io/v1/namespaces/{self._site.own}/events")
        notes = sorted(one["note"] for one in events.ok()["items"])
        specs = [one["spec"] for one in self._objects()]
        return End(specs, self._told(), [_count(taken, one) for one in self._wanted], notes)


def _count(taken: list[Entry], obj: Json) -> int:
    meta = obj["metadata"]
    return sum(
        one.resource in LIMITS and (one.namespace, one.name) == (meta["namespace"], meta["name"])
        for one in taken
    )


def _bare(obj: Json) -> Json:
    """Give an object without what every write changes."""
    found: Json = copy.deepcopy(obj)
    for key in ("resourceVersion", "generation", "managedFields"):
        found["metadata"].pop(key)
    return found
