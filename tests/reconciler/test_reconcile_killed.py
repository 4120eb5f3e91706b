"""Whoever is killed at any of its requests has a successor that ends in the same state, and writes nothing twice."""

from __future__ import annotations

import random

import pytest
from reconcile_sim_killed import End, Fatal, run

POINTS = 60


def at_a_point(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - it must repeat
    world = chance.randrange(1, 20)
    alone = run(world, Fatal(0, before=True))
    number = chance.randint(1, alone.requests)
    fatal = Fatal(number, before=chance.random() < 0.5)
    dead = run(world, fatal)
    assert fatal.count >= number, "it was not killed"
    assert_alike(alone, dead, f"seed {seed}, world {world}, request {number} of {alone.requests}")


def assert_alike(alone: End, dead: End, where: str) -> None:
    assert dead.objects == alone.objects, where
    assert dead.told == alone.told, where
    assert dead.writes == alone.writes, where


@pytest.mark.parametrize("seed", range(POINTS))
def test_a_successor_ends_in_the_same_state(seed: int) -> None:
    at_a_point(seed)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(POINTS, 1000))
def test_a_successor_ends_in_the_same_state_from_many_points(seed: int) -> None:
    at_a_point(seed)


def test_there_is_something_to_be_killed_at() -> None:
    ends = [run(world, Fatal(0, before=True)) for world in range(1, 20)]
    assert sum(bool(one.writes) for one in ends) > 15
    assert min(one.requests for one in ends) > 20
