"""When two sides differ, and which runs may be compared at all."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_samples import MANIFEST, Wish, cancelled_run, changed, lab_run, plain_run

from kubectl_c9s.measurement.compare import (
    Comparison,
    chance_apart,
    compare,
    compared,
    inequalities,
)
from kubectl_c9s.measurement.figures import Key
from kubectl_c9s.measurement.likeness import Named
from kubectl_c9s.measurement.report import start_report
from kubectl_c9s.measurement.run import Limits, Run

TIME = Key("stage", "pod->ready", "p50", "stamped")
COUNT = Key("count", "requests", "value", None, "per device")
VALUES = st.lists(st.floats(0, 1000), min_size=1, max_size=5)
SMALL = Wish(devices=40, hosts=4, batch=10)


def named(runs: list[Run], side: str) -> list[Named]:
    return [Named(run, f"{side}{number}.json", side) for number, run in enumerate(runs)]


def told(a: list[Run], b: list[Run]) -> Comparison:
    sides = [[(one, start_report(one.run, one.name)) for one in named(runs, side)]
             for runs, side in ((a, "A"), (b, "B"))]  # fmt: skip
    return compare(*sides)


def verdict(a: list[float], b: list[float], key: Key = TIME) -> str:
    return compared(key, a, b).verdict


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([10.0], [11.0], "alike"),
        ([10.0], [11.5], "slower"),
        ([11.5], [10.0], "faster"),
        ([10.0, 12.0], [13.0, 14.0], "alike"),
        ([10.0, 12.0], [13.5, 14.0], "slower"),
        ([10.0, 30.0], [20.0, 21.0], "alike"),
        ([10.0, 11.0, 40.0], [30.0, 31.0, 32.0], "alike"),
        ([10.0, 12.0], [40.0], "slower"),
        ([10.0, 45.0], [40.0], "alike"),
    ],
)
def test_times_differ_when_ranges_lie_more_than_a_second_apart(
    a: list[float], b: list[float], expected: str
) -> None:
    assert verdict(a, b) == expected


@given(VALUES, VALUES)
def test_a_difference_is_beyond_resolution_and_beyond_every_pair_of_runs(
    a: list[float], b: list[float]
) -> None:
    gaps = [right - left for left in a for right in b]
    found = compared(TIME, a, b)
    assert (found.verdict == "slower") == all(gap > 1.0 for gap in gaps)
    assert (found.verdict == "faster") == all(gap < -1.0 for gap in gaps)
    mirrored = {"slower": "faster", "faster": "slower", "alike": "alike"}
    assert verdict(b, a) == mirrored[found.verdict]
    assert found.spread_known == (len(a) > 1 and len(b) > 1)


def test_counts_of_single_runs_are_not_judged() -> None:
    assert verdict([4.0], [9.0], COUNT) == "undecided"
    assert verdict([4.0, 5.0], [9.0], COUNT) == "undecided"
    assert verdict([4.0, 5.0], [9.0, 9.5], COUNT) == "more"
    assert verdict([9.0, 9.5], [4.0, 5.0], COUNT) == "fewer"
    assert verdict([4.0, 9.2], [9.0, 9.5], COUNT) == "alike"


@pytest.mark.parametrize(("a", "b"), [(2, 2), (3, 2), (3, 3), (4, 4)])
def test_the_chance_is_that_of_counting_all_ways_to_deal_the_runs(a: int, b: int) -> None:
    ranks = set(range(a + b))
    apart = [
        deal
        for deal in map(set, combinations(ranks, a))
        if max(deal) < min(ranks - deal) or min(deal) > max(ranks - deal)
    ]
    assert chance_apart(a, b) == pytest.approx(len(apart) / math.comb(a + b, a))


def test_a_single_run_has_no_known_chance() -> None:
    assert chance_apart(1, 5) is None
    notes = told([lab_run(SMALL)], [lab_run(SMALL)]).notes
    assert any("single run" in note for note in notes)


def test_a_run_does_not_differ_from_itself() -> None:
    found = told([lab_run(SMALL)], [lab_run(SMALL)])
    assert {one.verdict for one in found.figures} <= {"alike", "undecided"}
    assert all(one.difference == 0 for one in found.figures)
    assert found.unequal == ()


def test_runs_that_differ_by_chance_alone_are_alike() -> None:
    sides = [[lab_run(seeded(seed)) for seed in seeds] for seeds in ((1, 2, 3), (4, 5, 6))]
    found = told(*sides)
    assert [one.name for one in found.with_verdict("slower", "faster")] == []


def test_a_slower_boot_is_found_where_it_is_and_not_before_it() -> None:
    a = [lab_run(seeded(seed)) for seed in (1, 2, 3)]
    b = [lab_run(seeded(seed, boot=30.0)) for seed in (4, 5, 6)]
    verdicts = {
        (one.name, one.clock): one.verdict for one in told(a, b).figures if one.which == "p50"
    }
    for clock in ("stamped", "observed"):
        assert verdicts["passed->started", clock] == "slower"
        assert verdicts["scheduled->sandbox", clock] == "alike"
        assert verdicts["podFromStart", clock] == "alike"
    mirrored = told(b, a).figures
    assert {one.verdict for one in mirrored if one.name == "passed->started"} == {"faster"}


def test_a_value_of_a_side_is_the_median_of_its_runs_and_no_pool() -> None:
    runs = [lab_run(seeded(seed)) for seed in (1, 2, 3)]
    medians = sorted(
        one.stamped.seconds.p50 or 0.0
        for run in runs
        for one in start_report(run, "x").stages
        if one.name == "pod->ready"
    )
    found = told(runs, runs)
    (figure,) = [
        one
        for one in found.figures
        if (one.name, one.which, one.clock) == ("pod->ready", "p50", "stamped")
    ]
    assert [figure.a.low, figure.a.value, figure.a.high] == medians


def manifest(**changes: Any) -> Run:
    return lab_run(SMALL, msgspec.structs.replace(MANIFEST, **changes))


UNEQUAL = {
    "images": manifest(images={"router:24.1": "router@sha256:ffff"}),
    "images of the manager": manifest(manager_images=("manager@sha256:ffff",)),
    "address families": manifest(families=("IPv4",)),
    "limits": manifest(limits=Limits(50, 4)),
    "limits of Topologies": manifest(topology_limits={"lab/clos": Limits(5, 0)}),
    "planner replicas": manifest(planner_replicas=4),
    "definition": manifest(definition="sha256:ffff"),
    "hosts": manifest(hosts=9),
    "images on the hosts": manifest(image_state="cold"),
    "devices expected": changed(lab_run(SMALL), expected=41),
    "devices recorded": changed(lab_run(SMALL), devices=lab_run(SMALL).devices[1:]),
    "not a whole start": cancelled_run(SMALL),
}


@pytest.mark.parametrize("what", UNEQUAL)
def test_runs_that_are_not_alike_are_named_with_who_has_what(what: str) -> None:
    (found,) = inequalities(named([lab_run(SMALL)], "A"), named([UNEQUAL[what]], "B"))
    assert what in found
    assert "(A)" in found or "A0" in found or "B0" in found


def test_runs_of_one_side_must_be_alike_too() -> None:
    a = [lab_run(SMALL), UNEQUAL["limits"]]
    (found,) = inequalities(named(a, "A"), named([lab_run(SMALL)], "B"))
    assert "batchSize 25 maxConcurrentPerHost 4 (A and B)" in found
    assert "batchSize 50 maxConcurrentPerHost 4 (A)" in found


def test_all_that_differs_is_named_at_once() -> None:
    other = manifest(families=("IPv4",), image_state="cold", limits=Limits(1, 1))
    assert len(inequalities(named([lab_run(SMALL)], "A"), named([other], "B"))) == 3


def test_what_is_not_known_is_said_and_refuses_nothing() -> None:
    other = manifest(definition="", planner_replicas=None)
    assert inequalities(named([lab_run(SMALL)], "A"), named([other], "B")) == ()
    notes = told([lab_run(SMALL)], [other]).notes
    assert "not told by every run, so not checked: planner replicas, definition" in notes


def test_a_replay_that_does_not_count_is_refused() -> None:
    wrong = plain_run(SMALL, invalid=("250 ms late at p99",))
    (found,) = inequalities(named([plain_run(SMALL)], "A"), named([wrong], "B"))
    assert "250 ms late" in found


def test_a_lab_and_its_replay_are_compared_in_what_both_have() -> None:
    lab = lab_run(SMALL, msgspec.structs.replace(MANIFEST, hosts=4))
    assert inequalities(named([lab], "A"), named([plain_run(SMALL)], "B")) == ()
    found = told([lab], [plain_run(SMALL)])
    names = {one.name for one in found.figures}
    assert {"pod->scheduled", "scheduled->sandbox", "podFromStart"} <= names
    assert not {"created->ready", "deployment->replicaSet"} & names
    assert any("labs against plain Pods" in note for note in found.notes)
    since = {one.clock for one in found.figures if one.kind in ("since-start", "total")}
    assert since == {"stamped"}, "a lab and a replay are first seen at different things"


def test_void_counters_take_only_requests_out_of_a_comparison() -> None:
    run = lab_run(SMALL)
    assert run.churn is not None
    void = changed(run, churn=msgspec.structs.replace(run.churn, void="the leader changed"))
    assert inequalities(named([run], "A"), named([void], "B")) == ()
    found = told([run], [void])
    assert "requests" not in {one.name for one in found.figures}
    assert "Events" in {one.name for one in found.figures}
    assert any("the leader changed" in note for note in found.notes)


def seeded(seed: int, boot: float = 19.0) -> Wish:
    """Give a start of 120 devices in which a batch waits for nobody but itself."""
    return Wish(devices=120, hosts=30, batch=0, seed=seed, boot=boot)
