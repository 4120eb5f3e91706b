"""Every fault that blocks a batch: code, objects, sub, remedies, and its class by age (causes.md §§1, 2)."""

from __future__ import annotations

import pytest
from diagnosis_dump import Site
from diagnosis_fault_table import FAULTS, Fault
from diagnosis_report import report
from diagnosis_stages import running

AGES = {0: None, 59: None, 60: "slow", 299: "slow", 300: "stuck", 5000: "stuck"}
TIMED = [name for name, fault in FAULTS.items() if not fault.end]
ENDS = [name for name, fault in FAULTS.items() if fault.end]
FIXED = {"pacer-down": "G"}


def planted(fault: Fault, age: float, *, batch: int = 3) -> tuple[Site, set[str]]:
    """Give a site with one device that runs, one that waits its turn, and one with the fault."""
    site = Site(batch=batch)
    site.run(site.node("lab/fine", made=20000), made=19000)
    site.node("lab/next", admitted=False, made=20)
    return site, fault.plant(site, "lab/bad", None, age)


@pytest.mark.parametrize("age", [0, 61, 5000])
@pytest.mark.parametrize("name", ENDS)
def test_what_ends_is_stuck_at_any_age(name: str, age: float) -> None:
    fault = FAULTS[name]
    site, blamed = planted(fault, age)
    found = report(site)
    entry = found.expect(
        fault.code, "G", blamed, state="stuck", sub=fault.sub, remedies=fault.remedies
    )
    assert (found.verdict, found.primary) == ("stalled", fault.code)
    assert entry["remedy"]["code"] == fault.remedies[0]
    assert entry["blocks"] == 1


@pytest.mark.parametrize(("age", "state"), AGES.items())
@pytest.mark.parametrize("name", TIMED)
def test_what_may_heal_is_judged_by_its_age(name: str, age: float, state: str | None) -> None:
    fault = FAULTS[name]
    site, blamed = planted(fault, age)
    found = report(site)
    if state is None:
        assert fault.code not in found.codes
        assert found.verdict == "healthy"
        return
    scope = "G" if state == "stuck" else "I"
    found.expect(fault.code, scope, blamed, state=state, sub=fault.sub, remedies=fault.remedies)
    assert found.verdict == {"slow": "slow", "stuck": "stalled"}[state]
    assert found.primary == fault.code


@pytest.mark.parametrize("name", TIMED)
def test_what_goes_on_in_the_batch_keeps_it_slow(name: str) -> None:
    fault = FAULTS[name]
    site, blamed = planted(fault, 900)
    site.pod(site.node("lab/comes", made=400), made=59, primary=running(20, started=True))
    report(site).expect(fault.code, "I", blamed, state="slow")


@pytest.mark.parametrize("name", FAULTS)
def test_without_a_batch_it_holds_nothing_and_is_stuck_all_the_same(name: str) -> None:
    fault = FAULTS[name]
    site, blamed = planted(fault, 900, batch=0)
    site.remove(*(one for one in site.objects if one["metadata"]["name"] == "next"))
    found = report(site)
    found.expect(fault.code, FIXED.get(fault.code, "I"), blamed, state="stuck", blocks=0)
    assert found.verdict == "stalled"


@pytest.mark.parametrize("name", FAULTS)
def test_it_holds_its_topology_while_that_holds_others(name: str) -> None:
    fault = FAULTS[name]
    site = Site()
    lab = site.topology("lab/fabric", batch=1)
    blamed = fault.plant(site, "lab/bad", lab, 900)
    site.node("lab/held", lab, hold=True)
    scope = FIXED.get(fault.code, "T")
    found = report(site)
    found.expect(fault.code, scope, blamed, state="stuck", blocks=1)
    # A Pod that terminates shows that the device ran before: row 39 comes in addition.
    others = {code for code, _ in found.scoped()} - {fault.code, "replacement-blocks"}
    assert (others, found.blamed()) == (set(), blamed)
