"""A Config at a server and a reconciler that writes to it, step by step."""

from __future__ import annotations

import copy
from typing import Any

from enforcing_tools import NOW, around, config, enforcing, how
from patch_reference import merged

from kubectl_c9s.rollout import enforcing as decisions
from kubectl_c9s.rollout import ownwrites
from kubectl_c9s.rollout.limits import Limits


class Play:
    """A Config at a server, and a reconciler that sees it late and whose requests go lost or come late."""

    def __init__(self) -> None:
        self.server = config({"batchSize": 9}, version="10")
        self.seen = copy.deepcopy(self.server)
        self.history, self.now = ownwrites.History(), NOW
        self.request: dict[str, Any] | None = None
        self.ghosts: list[dict[str, Any]] = []
        self.taken: list[list[Any]] = []  # when, and whether somebody undid it

    @property
    def version(self) -> str:
        found: str = self.server["metadata"]["resourceVersion"]
        return found

    @property
    def batch(self) -> int:
        found: int = self.server["spec"]["rollout"]["batchSize"]
        return found

    def decide(self) -> None:
        made = enforcing(config={"batchSize": 5})
        found = decisions.decide(made, self.seen, around(), how(self.now), self.history)
        if found.patch is not None:
            self.history = self.history.sending(found.version, found.limits, self.now)
            self.request = found.patch

    def carry_out(self, patch: dict[str, Any] | None) -> bool:
        """Let the server take a request, if it is about the object it has."""
        if patch is None or patch["metadata"]["resourceVersion"] != self.version:
            return False
        assert self.batch == 9, "a write meets a difference"
        self.server = merged(self.server, patch)
        self.grow()
        return True

    def grow(self) -> None:
        self.server["metadata"]["resourceVersion"] = str(int(self.version) + 1)

    def answer(self) -> None:
        if self.history.pending != "sent":
            return
        if self.carry_out(self.request):
            self.taken.append([self.now, False])
            self.history = self.history.answered(self.version)
        else:
            self.history = self.history.conflicted()

    def drop(self) -> None:
        self.history = self.history.dropped()

    def lose_request(self) -> None:
        if self.history.pending == "sent" and self.request:
            self.ghosts.append(self.request)
            self.history = self.history.lost()

    def lose_answer(self) -> None:
        if self.history.pending == "sent":
            if self.carry_out(self.request):
                self.taken.append([self.now, False])
            self.history = self.history.lost()

    def haunt(self) -> None:
        """Let a request arrive that was given up long ago."""
        if self.ghosts:
            self.carry_out(self.ghosts.pop())

    def read(self) -> None:
        if self.history.asks_back(self.seen["metadata"]["resourceVersion"], self.now):
            self.history = self.history.read_back(self.version)

    def show(self) -> None:
        self.seen = copy.deepcopy(self.server)
        self.history = self.history.shown(self.version, Limits(self.batch))

    def other(self) -> None:
        """Let somebody else write his value."""
        if self.batch != 9:
            self.server["spec"]["rollout"]["batchSize"] = 9
            self.grow()
            if self.taken:
                self.taken[-1][1] = True

    def touch(self) -> None:
        """Let somebody else write something else."""
        self.grow()

    def tick(self) -> None:
        self.now += 50
