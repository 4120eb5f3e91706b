"""Installations made by chance: labs whose devices are in all sorts of trouble, with names that are hard to replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from snapshot_objects import REGISTRY, condition, config, link, topology
from snapshot_pod_troubles import SITUATIONS
from snapshot_pods import host, installation
from snapshot_troubles import DEVICES, HOSTS, Device, Made

if TYPE_CHECKING:
    import random

SPACES: Final = (
    "lab", "lab-a", "lab.a", "lab-a-b", "acme", "acme-prod", "zeta9", "x001", "a", "ab"
)  # fmt: skip


def site(dice: random.Random) -> Made:
    """Make an installation: manager, hosts, a few labs in trouble, in any order."""
    home = dice.choice(("c9s", "acme-manager", "lab"))
    app = dice.choice(("clabernetes", "clabernetes", "acme", "clabernetes-acme-production-eu"))
    flaws: dict[str, Any] = {
        "renewed": dice.choice((3.0, 3.0, 3.0, 3.0, 400.0)),
        "pool_available": dice.choice((2, 1, 0)),
    }
    wrong: list[dict[str, Any]] = [
        {}, {}, {}, {"holder": "jane-doe_host"}, {"holder": ""},
        {"pool_image": f"{REGISTRY}/manager:2"}, {"worker_image": f"{REGISTRY}/manager:2"},
    ]  # fmt: skip
    flaws |= dice.choice(wrong)
    limits = {"batchSize": dice.choice((0, 1, 3)), "maxConcurrentPerHost": dice.choice((0, 1, 2))}
    found = [*installation(home, app, **flaws), config(home, **limits)]
    found += [
        host(name, ready=dice.choice(("True", "True", "False"))) for name in dice.sample(HOSTS, 5)
    ]
    for namespace in dice.sample(SPACES, dice.randint(1, 4)):
        found += _lab(dice, namespace)
    dice.shuffle(found)
    return found


def _lab(dice: random.Random, namespace: str) -> Made:
    lab = dice.choice(("metro", "acme", "metro-2", ""))
    names = dice.sample(DEVICES, dice.randint(1, 8))
    found = [
        one for name in names for one in dice.choice(SITUATIONS)(Device(dice, namespace, name, lab))
    ]
    if app_labels := [one["metadata"]["labels"] for one in found if one["kind"] == "Pod"]:
        dice.choice(app_labels)["c9s.run/app"] = dice.choice(("clabernetes", "acme"))
    if lab:
        found.append(
            topology(
                namespace, lab, len(names) + dice.choice((0, 0, 1)), batchSize=dice.choice((0, 2))
            )
        )
    if len(names) > 1:
        ends = dice.sample(names, 2)
        accepted = condition(
            "Accepted",
            "False",
            90,
            reason="EndpointConflict",
            message=f"{ends[0]} has it",
            observedGeneration=1,
        )
        found.append(
            link(namespace, *ends, **dice.choice(({"tunnelID": 7}, {}, {"conditions": [accepted]})))
        )
    return found
