"""Healthy sites by chance, each from a number: labs at work on several hosts, with and without limits."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from diagnosis_dump import Site, host
from diagnosis_stages import ALLOWANCE, ended, running, terminate, waiting

if TYPE_CHECKING:
    from diagnosis_objects import Json

YOUNG = 59
BUSY = ("worker-1", "worker-3")
"""Hosts on which devices are under way; on worker-2 they only run, so that a fault there is alone."""


class Chance:
    """One site; whatever is under way in it is younger than a minute, or boots within its allowance."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a seed makes a site, no secret
        pick = self._random.choice
        self.site = Site(batch=pick((0, 0, 2, 5)), per_host=pick((0, 0, 1, 3)))
        self.site.hosts["worker-3"] = self.site.add(host("worker-3"))
        self.labs: list[Json] = []
        for number in range(self._random.randint(1, 3)):
            self._lab(f"lab{number}")
        self._random.shuffle(self.site.objects)

    def _odds(self, of: float) -> bool:
        return self._random.random() < of

    def _age(self, most: int = YOUNG) -> int:
        return self._random.randint(1, most)

    def _lab(self, namespace: str) -> None:
        rollout = {}
        if self._odds(0.5):
            rollout = {
                "batchSize": self._random.randint(0, 2),
                "maxConcurrentPerHost": self._random.randint(0, 2),
            }
        lab = (
            self.site.topology(f"{namespace}/t", made=90000, **rollout) if self._odds(0.6) else None
        )
        if lab is not None:
            self.labs.append(lab)
        nodes = [
            self._device(f"{namespace}/d{number}", lab)
            for number in range(self._random.randint(1, 6))
        ]
        if self._odds(0.3):
            self.site.node(f"{namespace}/s", lab, shares="d0", made=80000)
        for a, b in itertools.pairwise(nodes):
            self.site.link(a, b)

    def _device(self, full: str, lab: Json | None) -> Json:
        stages = [self._runs] * 3 + [
            self._comes,
            self._boots,
            self._booting_long,
            self._replaced,
            self._scheduling,
        ]
        if lab is not None and lab["spec"]["rollout"].get("batchSize"):
            stages += [self._held, self._held]
        if self.site.limited:
            stages += [self._pending, self._pending]
        return self._random.choice(stages)(full, lab)

    def _runs(self, full: str, lab: Json | None) -> Json:
        node = self.site.node(full, lab, made=self._random.randint(2000, 80000))
        place = self._random.choice((*BUSY, "worker-2"))
        pod = self.site.run(node, made=1900, host=place, gate=self._random.choice(("", "passed")))
        if self._odds(0.3):
            self.site.event(pod, "FailedMount", "configmap x not found", 1890)
        return node

    def _held(self, full: str, lab: Json | None) -> Json:
        return self.site.node(full, lab, hold=True, made=80000)

    def _pending(self, full: str, lab: Json | None) -> Json:
        return self.site.node(full, lab, admitted=False, made=80000)

    def _comes(self, full: str, lab: Json | None) -> Json:
        """Let a Node be on its way to a Pod."""
        age = self._age()
        node = self.site.node(full, lab, made=age)
        if self._odds(0.7):
            self._random.choice((self.site.plan, self.site.deployment, self.site.replica_set))(
                node, age - 1
            )
        return node

    def _scheduling(self, full: str, lab: Json | None) -> Json:
        """Let a Pod look for a host, or for a sandbox."""
        age = self._age()
        node = self.site.node(full, lab, made=age + 10)
        if self._odds(0.5):
            self.site.unbound(node, "0/3 nodes are available: 3 Insufficient cpu.", since=age)
            return node
        pod = self.site.blocked(node, since=age, host=self._random.choice(BUSY))
        self.site.event(pod, "FailedMount", "failed to sync configmap cache: timed out", age - 1)
        return node

    def _boots(self, full: str, lab: Json | None) -> Json:
        node, place, age = (
            self.site.node(full, lab, made=5000),
            self._random.choice(BUSY),
            self._age(),
        )
        gate = self._random.choice(("", "passed", "queued", "granted"))
        if gate == "queued":
            self.site.queue(node, made=self._random.randint(1, 4000), host=place)
        elif self._odds(0.5):
            statuses = (
                {"planner": running(age)}
                if self._odds(0.5)
                else {"planner": ended(age), "clabwire": running(age)}
            )
            self.site.pod(node, age + 5, place, gate=gate, **statuses)
        else:
            self.site.pod(node, age, place, gate=gate, primary=waiting("ErrImagePull"))
        return node

    def _booting_long(self, full: str, lab: Json | None) -> Json:
        node = self.site.node(full, lab, made=5000)
        self.site.boot(node, runs=self._age(int(ALLOWANCE) - 1), host=self._random.choice(BUSY))
        return node

    def _replaced(self, full: str, lab: Json | None) -> Json:
        """Let a device be on its way back: the old Pod goes within its grace, or is followed by a new one."""
        node = self._runs(full, lab)
        old = next(
            one
            for one in self.site.objects
            if one["metadata"]["name"] == f"{node['metadata']['name']}-5d9f-pod"
            and one["metadata"]["namespace"] == node["metadata"]["namespace"]
        )
        terminate(old, self._age(29))
        if self._odds(0.5):
            self.site.run(node, made=1000, again="new")
        return node
