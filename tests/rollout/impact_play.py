"""Plays situations: brings them about, runs their commands, lets the stand-in lead, compares."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import standin_names as names
from bed_client import path_of
from impact_build import Builder, clear
from impact_compare import Comparison
from impact_seen import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impact_plans import Block, Situation
    from impact_site import Site
    from standin_views import Json


class Played:
    """What came of situations: ``complaints`` about differences, and which effects there were, how often."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.effects: Counter[str] = Counter()
        self.situations = 0

    def check(self, *effects: str) -> None:
        """Assert that printed and done were the same, and that all these effects were among them."""
        assert not self.complaints, "\n".join(self.complaints)
        missing = [effect for effect in effects if not self.effects[effect]]
        assert missing == [], f"no situation had {', '.join(missing)}; choose other seeds"

    def play(self, site: Site, block: Block, situations: Sequence[Situation]) -> None:
        """Play situations at one time that do not concern each other, under a Config with this block."""
        site.limit(block)
        try:
            before = Builder(site.client, site.app, _limits(block)).build(situations)
            printed = [run_command(site, situation) for situation in situations]
            awake = before.labs.keys() - before.asleep
            paths = [path_of(names.VERSION, "topologies", *key.split("/")) for key in awake]
            with site.leading(paths) as tally:
                after = read(site.client, site.app)
        finally:
            clear(site.client, sorted({node.space for one in situations for node in one.nodes}))
        limits = _limits(site.block("config", ""))
        for situation, effects in zip(situations, printed, strict=True):
            found = Comparison(situation, effects, before, after, limits)
            self._take(situation, effects, list(found.complaints(tally)))

    def _take(self, situation: Situation, effects: list[Json], complaints: list[str]) -> None:
        self.situations += 1
        if complaints:
            lines = [str(situation), *complaints, f"printed: {json.dumps(effects)}"]
            self.complaints.append("\n  ".join(lines))
        for effect in effects:
            about = f"{effect['field']} {effect['turn']}"
            self.effects.update(f"{about}: {key}" for key, value in effect.items() if value)


def _limits(block: Block) -> tuple[int, int]:
    found = block or {}
    return found.get("batchSize", 0), found.get("maxConcurrentPerHost", 0)


def run_command(site: Site, situation: Situation) -> list[Json]:
    """Make the change, allowing what a guard asks for; give the impact that was printed.

    A refused command must have changed nothing, and have printed the same impact.
    """
    target, space = situation.target, situation.space
    assert site.block(target, space) == situation.before
    answer, printed = site.set_limits(target, space, situation.flags)
    impact: list[Json] = printed["impact"]
    if answer.code:
        assert (answer.code, printed["result"]) == (4, "refused"), answer.err
        assert site.block(target, space) == situation.before
        answer, printed = site.set_limits(target, space, [*situation.flags, *_allowed(printed)])
        assert printed["impact"] == impact
    assert (answer.code, printed["result"]) == (0, "configured"), answer.err
    assert site.block(target, space) == situation.after
    return impact


def _allowed(printed: Json) -> list[str]:
    codes = {guard["code"] for guard in printed["guards"]}
    assert codes, "refused, and no guard says why"
    release = ["--release-all"] if "would-release" in codes else []
    return release + [f"--allow={code}" for code in sorted(codes - {"would-release"})]
