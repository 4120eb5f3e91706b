"""Races of ``rollout set`` with somebody else: what the other one writes, when, and what must come of it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from rollout_live_tools import CONFIG, LAB, TARGETS, flags_for, merged

if TYPE_CHECKING:
    import random

    from bed_client import Json
    from rollout_live_tools import Place
    from split_lab import Answer

FIELDS = ("batchSize", "maxConcurrentPerHost")
CODE = "changed-since-read"
# The numbers of the requests of a run that nobody disturbs: the read that counts, the write, the read after it.
PLAN = {CONFIG: (1, 7, 8), LAB: (0, 8, 9)}
STATUS: Json = {"kind": "containerlab", "conditions": [], "topologyReady": False}


@dataclasses.dataclass(frozen=True)
class Race:
    """One race: a block, what we set, what the other one does to the block (None: to something else)."""

    target: str
    before: Json | None
    ours: Json
    theirs: Any
    aside: str

    @property
    def lasting(self) -> bool:
        """Tell whether the other one changes the block that we read."""
        return self.aside == "" and self.theirs_on(self.before) != self.before

    def theirs_on(self, block: Json | None) -> Json | None:
        """Give the block after the other one's write."""
        return block if self.aside else merged(block, self.theirs)

    def ours_on(self, block: Json | None) -> Json | None:
        """Give the block after our write."""
        return merged(block, self.ours)


def draw(chance: random.Random, number: int) -> Race:
    """Draw a race; values of both sides are never the same, so that one can tell whose they are."""
    target = chance.choice(TARGETS)
    before: Any = chance.choice([None, {}, {"batchSize": 0}, _block(chance, 1)])
    ours = dict.fromkeys(chance.sample(FIELDS, chance.randint(1, 2)), 1000000 + number)
    if chance.random() < 0.2:
        ours = dict.fromkeys(ours, 0)
    asides = ["label", "annotation", "spec", *(["status"] if target == LAB else [])]
    if chance.random() < 0.35:
        return Race(target, before, ours, {}, chance.choice(asides))
    theirs: Any = chance.choice(
        [_block(chance, 2_000_000 + number), _block(chance, 0), None, {"batchSize": None}]
    )
    return Race(target, before, ours, theirs, "")


def _block(chance: random.Random, value: int) -> Json:
    return dict.fromkeys(chance.sample(FIELDS, chance.randint(1, 2)), value)


def other_writes(place: Place, race: Race, number: int) -> int:
    """Let the other one write; give the resourceVersion that this made."""
    value = f"n{number}"
    bodies: dict[str, Json] = {
        "": {"spec": {"rollout": race.theirs}},
        "label": {"metadata": {"labels": {"race": value}}},
        "annotation": {"metadata": {"annotations": {"race": value}}},
        "spec": {"spec": {"imagePull": {"pullSecrets": [value]}}},
        "status": {"status": STATUS | {"error": value}},
    }
    path = place.path(race.target) + ("/status" if race.aside == "status" else "")
    written = place.client.patch(path, bodies[race.aside], fieldManager="somebody").ok()
    return int(written["metadata"]["resourceVersion"])


def aside_stands(obj: Json, race: Race, number: int) -> bool:
    """Tell whether what the other one wrote beside the block is there."""
    value = f"n{number}"
    found: dict[str, Any] = {
        "": value,
        "label": obj["metadata"].get("labels", {}).get("race"),
        "annotation": obj["metadata"].get("annotations", {}).get("race"),
        "spec": (obj["spec"].get("imagePull", {}).get("pullSecrets") or [""])[0],
        "status": obj.get("status", {}).get("error"),
    }
    return bool(found[race.aside] == value)


def prepare(place: Place, race: Race) -> None:
    """Bring the object to where the race begins."""
    for target in TARGETS:
        place.client.delete(place.path(target))
    place.make(race.target, race.before)


def run(place: Place, race: Race) -> Answer:
    """Set the limits."""
    return place.run("set", race.target, *flags_for(race.ours), "--output=json")


def expected(race: Race, at: int) -> tuple[int, Json | None]:
    """Give exit code and block when the other one writes before the request ``at``."""
    read, write, after = PLAN[race.target]
    if at <= read:
        return 0, race.ours_on(race.theirs_on(race.before))
    if race.ours_on(race.before) == race.before:
        return 0, race.theirs_on(race.before)
    if at <= write:
        if race.lasting:
            return 4, race.theirs_on(race.before)
        return 0, race.ours_on(race.before)
    written = race.ours_on(race.before)
    found = race.theirs_on(written)
    return (4 if at <= after and found != written else 0), found
