"""Who is killed at any of its requests has a successor that ends in the same state, with nothing written twice."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import pytest
from reconcile_points import LIMITS, Point, Trial
from reconcile_site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_own import OwnBed
    from fault_handle import FaultProxy
    from fault_log import Pass
    from reconcile_points import End

POINTS, MANY = 40, 200
WORLDS: Final = 6
AT_ONCE: Final = 4
# Of a start with all that it mends; after them come renewals of the Lease.
REQUESTS, WRITES = 36, 9
KINDS: Final = {
    *LIMITS,
    "rolloutpolicies.toolkit.c9s.run",
    "events.events.k8s.io",
    "leases.coordination.k8s.io",
}


def point(seed: int) -> Point:
    """Draw where a process dies: every second one at a write, of which there are few."""
    chance = random.Random(seed)  # noqa: S311 - it must repeat
    writes = chance.random() < 0.5
    nth = chance.randint(1, WRITES if writes else REQUESTS)
    before = chance.random() < 0.5
    return Point(f"point-{seed}", seed % WORLDS, nth, writes, before)


class Points:
    """Tries points, several at a time, each in namespaces of its own; one table of the proxy has them all."""

    def __init__(self, bed: OwnBed, proxy: FaultProxy, folder: Path, seeds: list[int]) -> None:
        self._bed, self._proxy, self._folder = bed, proxy, folder
        proxy.rules(*(point(seed).rule() for seed in seeds))
        self._pool = ThreadPoolExecutor(AT_ONCE)
        worlds = sorted({seed % WORLDS for seed in seeds})
        self._still = {one: self._pool.submit(self._try, f"still-{one}", one) for one in worlds}
        self._ends = {seed: self._pool.submit(self._try_point, point(seed)) for seed in seeds}

    def undisturbed(self, seed: int) -> End:
        """Give how it ends when nobody is killed."""
        return self._still[seed % WORLDS].result()

    def end(self, seed: int) -> End:
        """Give how it ended after a death."""
        return self._ends[seed].result()

    def logs(self, seed: int) -> str:
        """Give what the processes of a point have said; those of several points run at a time."""
        found = sorted((self._folder / f"point-{seed}").glob("log-*"))
        return "".join(one.read_text(encoding="utf-8") for one in found)

    def died(self) -> dict[str, Pass]:
        """Give the requests at which processes have died, by name of the point."""
        return {
            one.request["rules"][0]: one for one in self._proxy.passes() if one.request["rules"]
        }

    def stop(self) -> None:
        """Begin no more of them."""
        self._pool.shutdown(cancel_futures=True)

    def _try_point(self, where: Point) -> End:
        return self._try(where.name, where.world, kills=True)

    def _try(self, name: str, world: int, *, kills: bool = False) -> End:
        folder = self._folder / name
        folder.mkdir()
        with self._bed.namespace("c9s") as own, self._bed.namespace("lab") as lab:
            site = Site(self._bed, own, lab, folder)
            try:
                trial = Trial(site, world, name)
                with site.managed():
                    if kills:
                        trial.killed(self._proxy)
                    return trial.ended()
            finally:
                site.end()


@pytest.fixture(scope="module")
def points(
    request: pytest.FixtureRequest,
    reconcile_bed: OwnBed,
    reconcile_proxy: FaultProxy,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Points]:
    """Begin with all points that are asked for."""
    asked = [
        item.callspec.params["seed"]
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.path == request.path
        and hasattr(item, "callspec")
    ]
    seeds = [one for one in asked if isinstance(one, int)]
    found = Points(reconcile_bed, reconcile_proxy, tmp_path_factory.mktemp("points"), seeds)
    yield found
    found.stop()
    reconcile_proxy.rules()


FULL: Final = [pytest.param(seed, marks=pytest.mark.full) for seed in range(POINTS, MANY)]


@pytest.mark.parametrize("seed", [*range(POINTS), *FULL])
def test_a_successor_ends_in_the_same_state(points: Points, seed: int) -> None:
    again = f"seed {seed}; again: pytest --full {__file__} -k '[{seed}]'"
    try:
        end, still = points.end(seed), points.undisturbed(seed)
    finally:
        sys.stdout.write(f"{again}\n{points.logs(seed)}")
    died = points.died()[f"point-{seed}"]
    sys.stdout.write(f"killed {'after' if died.forwarded else 'before'} {died.request['key']}\n")
    assert died.forwarded is not point(seed).before, again
    assert end.specs == still.specs, again
    assert end.told == still.told, again
    assert end.writes == still.writes == [1, 1, 1, 1], again
    assert len(set(end.notes)) == len(end.notes), f"an Event was told twice: {end.notes}, {again}"


def test_requests_of_all_kinds_are_among_them(points: Points) -> None:
    died = points.died()
    found = {
        one.request["resource"]
        for one in died.values()
        if one.request["verb"] in {"create", "patch"}
    }
    assert len(died) < POINTS or found >= KINDS
