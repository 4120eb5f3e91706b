"""What holds for any site: nothing is found in a healthy one, and one fault is found alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from diagnosis_chance import Chance
from diagnosis_fault_table import FAULTS
from diagnosis_more_faults import LABS, SLOTS, lost_topology, orphan
from diagnosis_report import report
from hypothesis import given, settings
from hypothesis import strategies as st

from kubectl_c9s.resources.causes import CAUSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from diagnosis_dump import Site

seeds = st.integers(0, 10**6)
WAITS = {"slot-limit", "deployment-controller-lag"}
NOTES = {code for code, cause in CAUSES.items() if cause.kind == "note"}
BESIDE = {code for code, cause in CAUSES.items() if cause.kind == "derived"}
KINDS = (
    "Deployment",
    "ReplicaSet",
    "Event",
    "Host",
    "Link",
    "Topology",
    "Config",
    "Pod",
    "Lease",
    "Node",
)


@given(seeds)
def test_nobody_is_blamed_in_a_healthy_site(seed: int) -> None:
    found = report(Chance(seed).site)
    assert found.scoped() == set()
    assert set(found.codes) <= WAITS | NOTES
    assert found.verdict == ("slow" if is_slow(found.data["causes"]) else "healthy")


def is_slow(causes: list[dict[str, object]]) -> bool:
    return any(one["state"] == "slow" for one in causes)


@given(seeds, st.sampled_from(sorted(FAULTS)), st.booleans())
def test_one_fault_is_found_first_and_alone(seed: int, name: str, labelled: bool) -> None:  # noqa: FBT001 - drawn
    chance, fault = Chance(seed), FAULTS[name]
    lab = chance.labs[0] if labelled and chance.labs else None
    place = lab["metadata"]["namespace"] if lab else "alone"
    blamed = fault.plant(chance.site, f"{place}/bad", lab, 900)
    found = report(chance.site)
    assert found.codes[0] == found.primary == fault.code
    assert found.objects(fault.code) == blamed
    assert {code for code, _ in found.scoped()} <= {fault.code} | BESIDE
    assert found.verdict == ("stalled" if fault.end else found.verdict)
    assert set(found.codes) <= {fault.code} | BESIDE | WAITS | NOTES
    if fault.end:
        found.cause(fault.code)
        assert found.cause(fault.code)["state"] == "stuck"
        holds = chance.site.limited or fault.code == "pacer-down"
        assert ("global" in found.cause(fault.code)["scope"]) == holds


@given(seeds, st.sampled_from(sorted(SLOTS)))
def test_a_fault_in_the_slots_of_a_host_is_found_alone(seed: int, code: str) -> None:
    site = Chance(seed).site
    blamed = SLOTS[code](site)
    found = report(site)
    assert found.codes[0] == found.primary == code
    assert found.objects(code) == blamed
    assert found.scoped() <= {(code, name) for name in blamed}
    counted = "maxConcurrentPerHost" in site.config["spec"]["rollout"]
    stuck = found.cause(code)["state"] == "stuck"
    assert found.cause(code)["scope"] == (["host"] if counted and stuck else ["info"])
    assert set(found.codes) <= {code} | WAITS | NOTES


@given(seeds, st.sampled_from(sorted(LABS)))
def test_a_fault_of_a_topology_is_found_alone(seed: int, code: str) -> None:
    chance = Chance(seed)
    if not chance.labs:
        return
    blamed = LABS[code](chance.site, chance.labs[0])
    found = report(chance.site)
    assert found.codes[0] == found.primary == code
    assert found.scoped() == {(code, name) for name in blamed}
    assert (found.cause(code)["scope"], found.verdict) == (["topology"], "stalled")


@given(seeds, st.sampled_from([("orphan-boot", orphan), ("owner-topology-missing", lost_topology)]))
def test_what_keeps_the_queue_shut_is_found_alone(
    seed: int, fault: tuple[str, Callable[[Site], set[str]]]
) -> None:
    code, plant = fault
    site = Chance(seed).site
    blamed = plant(site)
    found = report(site)
    assert found.codes[0] == found.primary == code
    assert found.scoped() == {(code, name) for name in blamed}
    assert found.cause(code)["scope"] == ["host"]


@given(seeds)
def test_no_leader_is_found_first_whatever_else_there_is(seed: int) -> None:
    site = Chance(seed).site
    site.leaderless()
    found = report(site)
    assert found.codes[0] == found.primary == "manager-no-leader"
    assert found.scoped() - {("gate-without-manager", name) for name in found.blamed()} == {
        ("manager-no-leader", "Lease c9s/clabernetes-manager")
    }
    assert found.verdict == "stalled"


@settings(max_examples=300)
@given(st.sampled_from(KINDS), seeds, st.sampled_from(sorted(FAULTS)))
def test_a_kind_that_is_missing_gives_nobody_new_to_blame(kind: str, seed: int, name: str) -> None:
    chance = Chance(seed)
    FAULTS[name].plant(chance.site, "alone/bad", None, 900)
    whole, part = report(chance.site), report(chance.site, without=[kind], manager="c9s")
    assert part.blamed() <= whole.blamed()


@settings(max_examples=300)
@given(st.sampled_from(KINDS), seeds)
def test_a_kind_that_is_missing_makes_no_healthy_site_ill(kind: str, seed: int) -> None:
    found = report(Chance(seed).site, without=[kind], manager="c9s")
    assert (found.scoped(), found.verdict in ("healthy", "slow")) == (set(), True)
