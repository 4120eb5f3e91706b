"""Two captures compared: what changed, what of it is notable, and how the captures themselves are unequal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from manager_metrics import ADMISSION, NODE, ask, idle_manager, reconcile, reported

from kubectl_c9s.measurement.managercompare import FLOORS, Change, Comparison, compare

if TYPE_CHECKING:
    from kubectl_c9s.measurement.managerreport import Report


def captured(reconciles: int = 300, requests: int = 3000, elapsed: float = 30.0) -> Report:
    before = idle_manager()
    after = before.later()
    reconcile(after, NODE, reconciles)
    ask(after, "200", "PUT", requests)
    return reported(before, after, elapsed)


def of(found: Comparison, metric: str, subject: str = "") -> Change:
    (one,) = (each for each in found.changes if (each.metric, each.subject) == (metric, subject))
    return one


def with_facts(report: Report, **facts: object) -> Report:
    return msgspec.structs.replace(report, facts=msgspec.structs.replace(report.facts, **facts))


def test_equal_captures_have_nothing_notable() -> None:
    found = compare(captured(), captured())
    assert not [one for one in found.changes if one.notable or one.change]
    assert not found.levels
    assert not found.differences


def test_a_change_is_after_less_before() -> None:
    change = of(compare(captured(300), captured(900)), "reconciles", NODE)
    assert (change.before, change.after, change.change, change.unit) == (10.0, 30.0, 20.0, "/s")
    assert change.notable


@pytest.mark.parametrize(
    ("before", "after", "notable"),
    [(3000, 3600, False), (3000, 3900, True), (3000, 2300, True), (0, 3, False), (0, 300, True)],
)
def test_notable_is_a_quarter_and_more_than_the_least_of_its_unit(
    before: int, after: int, *, notable: bool
) -> None:
    found = compare(captured(requests=before), captured(requests=after))
    assert of(found, "requests").notable is notable


def test_what_one_has_not_is_not_available_and_not_notable() -> None:
    single = reported(None, idle_manager())
    change = of(compare(captured(), single), "requests")
    assert (change.before, change.after, change.change, change.notable) == (100.0, None, None, False)  # fmt: skip
    assert any("second has no rates" in one for one in compare(captured(), single).differences)


def test_judgements_that_changed_are_named() -> None:
    before = idle_manager()
    after = before.later()
    reconcile(after, NODE, 300)
    reconcile(after, ADMISSION, 50, "error")
    ask(after, "403", "PUT", 3000)
    found = compare(captured(), reported(before, after))
    assert [(one.name, one.before, one.after) for one in found.levels] == [
        ("forbidden-requests", "ok", "warning"),
        ("admission-errors", None, "warning"),
    ]


def test_other_versions_pods_and_lengths_are_said() -> None:
    before = with_facts(captured(), image="manager:1", pod="c9s/a")
    after = with_facts(captured(elapsed=90.0), image="manager:2", pod="c9s/b")
    said = "\n".join(compare(before, after).differences)
    assert "another version of the manager: manager:1, then manager:2" in said
    assert "another Pod: c9s/a, then c9s/b" in said
    assert "unequal length: 30 s and 90 s" in said


def test_another_image_under_the_same_name_is_said() -> None:
    before, after = (with_facts(captured(), image="m:1", image_id=one) for one in ("a", "b"))
    said = compare(before, after).differences
    assert said == ("another version under the same name: a, then b",)


def test_another_process_is_said() -> None:
    later = idle_manager()
    later.gauge("process_start_time_seconds", 1.7e9 + 3600)
    said = compare(captured(), reported(later, later.later())).differences
    assert any("another process" in one for one in said)


def test_captures_in_the_wrong_order_are_said() -> None:
    said = compare(captured(requests=3000), captured(requests=10)).differences
    assert said == ("the second capture is older than the first: its counters are lower",)


def test_every_unit_has_its_least_change_with_a_reason() -> None:
    units = {one.unit for one in compare(captured(), captured()).changes}
    assert units == set(FLOORS)
    assert all(floor.reason and floor.least > 0 for floor in FLOORS.values())
