"""Whether the leader knows the limits that are in force: row 36 of the table of causes."""

from __future__ import annotations

from typing import Any

import pytest
from diagnosis_dump import HOME, Site
from diagnosis_objects import ago, condition
from diagnosis_report import report

CONFIG = f"Config {HOME}/clabernetes"
UNSEEN = "config-not-observed"


def edited(since: float = 600, **limits: Any) -> Site:
    """Give a site whose limits were edited while the leader runs."""
    site = Site(**limits)
    site.edit(site.config, since)
    return site


@pytest.mark.parametrize(("age", "late"), [(119, False), (120, True)])
def test_nodes_that_no_limit_keeps_are_planned_within_two_minutes(
    age: float, *, late: bool
) -> None:
    site = edited(age)
    site.run(site.node("lab/fine", admitted=True))
    site.node("lab/a", made=5000)
    found = report(site)
    assert (UNSEEN in found.codes) == late
    if late:
        found.expect(
            UNSEEN, "G", CONFIG, state="stuck", remedies=["restore-manager"], since=ago(age)
        )
        assert found.codes == [UNSEEN]


@pytest.mark.parametrize(("age", "late"), [(119, False), (120, True)])
def test_pods_with_room_on_their_host_are_granted_within_two_minutes(
    age: float, *, late: bool
) -> None:
    site = edited(age, per_host=4)
    site.boot(site.node("lab/a"), runs=500, gate="passed")
    site.queue(site.node("lab/b"), made=5000)
    found = report(site)
    assert (UNSEEN in found.codes) == late
    if late:
        found.expect(UNSEEN, "H", CONFIG, state="stuck", blocks=1)
        assert found.verdict == "stalled"


def test_a_limit_that_is_gone_keeps_both() -> None:
    site = edited()
    site.node("lab/a", made=5000)
    site.queue(site.node("lab/b"), made=5000)
    report(site).expect(UNSEEN, "GH", CONFIG)


def test_a_batch_that_nobody_blocks_is_let_through() -> None:
    site = edited(batch=3)
    site.run(site.node("lab/a"))
    site.node("lab/b", admitted=False, made=5000)
    report(site).expect(UNSEEN, "G", CONFIG, since=ago(599), blocks=1)


def test_between_two_batches_nobody_waits_for_long() -> None:
    site = edited(batch=3)
    site.run(site.node("lab/a"), made=1000, since=119)
    site.node("lab/b", admitted=False, made=5000)
    assert report(site).codes == []


def test_a_slot_that_was_left_just_now_is_not_granted_yet() -> None:
    site = edited(per_host=1)
    pod = site.run(site.node("lab/a"), made=5000, gate="passed")
    site.queue(site.node("lab/b"), made=5000)
    report(site).expect(UNSEEN, "H", CONFIG)
    # It was ready a second ago; or it is not yet, and may have started as late as its probe allows.
    pod["status"]["conditions"][-1] = condition("Ready", "True", 1)
    assert report(site).codes == []
    pod["status"]["conditions"][-1] = condition("Ready", "False", 4000)
    pod["status"]["containerStatuses"][0]["state"]["running"]["startedAt"] = ago(1000)
    assert report(site).codes == []
    pod["status"]["containerStatuses"][0]["state"]["running"]["startedAt"] = ago(1030)
    report(site).expect(UNSEEN, "H", CONFIG)


@pytest.mark.parametrize("flaw", ["early", "unknown", "leaderless", "partial"])
def test_it_takes_an_edit_after_the_leader_began(flaw: str) -> None:
    site = edited(per_host=4)
    site.boot(site.node("lab/a"), runs=500)
    site.queue(site.node("lab/b"), made=5000)
    options: dict[str, Any] = {}
    if flaw == "early":
        site.edit(site.config, 7300)
    elif flaw == "unknown":
        del site.config["metadata"]["managedFields"]
    elif flaw == "leaderless":
        site.leaderless()
    else:
        options["namespace"] = "lab"
    assert UNSEEN not in report(site, **options).codes


def test_a_leader_that_restarted_has_read_the_limits() -> None:
    site = edited(per_host=4)
    site.queue(site.node("lab/b"), made=5000)
    site.managers[0]["status"]["containerStatuses"][0]["state"]["running"]["startedAt"] = ago(500)
    assert report(site).codes == []


def test_nodes_that_wait_for_something_else_are_no_sign() -> None:
    site = edited()
    a, b = site.node("lab/a", made=5000), site.node("lab/b", made=5000)
    site.run(b, made=4000)
    site.link(a, b, tunnel=None)
    assert report(site).codes == ["plan-waiting-links"]


def test_a_node_that_is_younger_than_the_edit_waits_since_it_is_there() -> None:
    site = edited(5000)
    site.run(site.node("lab/fine", admitted=True))
    site.node("lab/a", made=119)
    assert UNSEEN not in report(site).codes
    site.node("lab/b", made=120)
    report(site).expect(UNSEEN, "G", CONFIG, since=ago(120))


def test_a_node_that_was_admitted_does_not_wait_for_a_limit() -> None:
    site = edited()
    site.node("lab/marked", admitted=True, made=5000)
    site.node("lab/waits", made=5000)
    found = report(site)
    found.expect(UNSEEN, "G", CONFIG)
    found.expect("no-pod-unknown", "I", "Node lab/marked", state="stuck")


def test_since_is_that_of_who_waits_longest() -> None:
    site = edited(5000)
    site.run(site.node("lab/fine", admitted=True), made=9000)
    for name, made in (("a", 300), ("b", 900), ("c", 500)):
        site.node(f"lab/{name}", made=made)
    report(site).expect(UNSEEN, "G", CONFIG, since=ago(900))
