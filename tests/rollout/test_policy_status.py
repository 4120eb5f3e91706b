"""The status of a policy: what is listed, what stays of an older one; the same facts are never written twice."""

from __future__ import annotations

import json
from typing import Any

from enforcing_tools import by, config, enforcing, how
from hypothesis import given
from hypothesis import strategies as st
from status_tools import BATCH, NOW, STUCK, THEN, facts, said, status_of, write

from kubectl_c9s.resources.causes import CAUSES
from kubectl_c9s.rollout import ownwrites, policyconditions, policyfacts, policystatus
from kubectl_c9s.rollout.limits import Limits


def test_a_condition_keeps_its_time_while_its_status_is_the_same() -> None:
    first = status_of(facts())
    drifted = config({BATCH: 9}, by("argocd-controller", BATCH))
    later = status_of(facts(obj=drifted), first, NOW + 60)
    times = {one["type"]: one["lastTransitionTime"] for one in later["conditions"]}
    moved = "2026-09-21T14:14:20Z"
    assert times == {"Ready": moved, "Reconciling": THEN, "Stalled": THEN, "Enforced": moved}
    # Another reason is no transition.
    other = config({BATCH: 9}, by("helm-controller", BATCH))
    again = status_of(facts(obj=other), later, NOW + 120)
    assert [one["lastTransitionTime"] for one in again["conditions"]] == list(times.values())


def test_conditions_of_others_stay_and_forgotten_ones_of_ours_go() -> None:
    theirs = {
        "type": "example.com/Approved", "status": "True", "reason": "Yes", "message": "",
        "lastTransitionTime": THEN,
    }  # fmt: skip
    old = {"conditions": [theirs, theirs | {"type": "Paced"}]}
    status = status_of(facts(), old)
    assert [one["type"] for one in status["conditions"]] == [
        *policyconditions.TYPES,
        "example.com/Approved",
    ]
    assert status["conditions"][-1] == theirs
    assert [one.type for one in policystatus.transitions(old, status)] == list(
        policyconditions.TYPES
    )


def test_the_latest_writes_are_listed_once_each_the_newest_first() -> None:
    old = status_of(facts(writes=tuple(write(number) for number in range(19, 0, -1))))
    assert [one["old"] for one in old["enforced"]["writes"]] == list(range(19, 0, -1))
    status = status_of(facts(writes=(write(32), write(31), write(30))), old)
    assert [one["old"] for one in status["enforced"]["writes"]] == [32, 31, 30, *range(19, 2, -1)]
    assert status_of(facts(writes=(write(32),)), status) == status
    (row,) = status_of(facts(writes=(write(0, old=None, writer=""),)))["enforced"]["writes"]
    assert row == {
        "object": "Config c9s/clabernetes", "field": BATCH, "new": 5, "why": "spec.config.batchSize", "time": THEN,
    }  # fmt: skip
    (row,) = status_of(facts(writes=(write(0),)))["enforced"]["writes"]
    assert (row["old"], row["previousWriter"]) == (0, "kubectl-edit")


def test_lists_are_bounded_and_hosts_come_worst_first() -> None:
    blockers = tuple(
        policyfacts.BlockerRow(f"lab/r{number}", "image-pull", "global", "", 0)
        for number in range(30)
    )
    hosts = tuple(
        policyfacts.HostRow(f"h{number:02}", number % 3, number % 5, 0, 4, verdict)
        for number in range(20)
        for verdict in ("healthy", "stalled", "slow")
    )
    hosts = tuple(one._replace(host=f"{one.host}-{one.verdict}") for one in hosts)
    status = status_of(facts(blockers=blockers, hosts=hosts))
    assert [one["workload"] for one in status["blockers"]] == [f"lab/r{n}" for n in range(20)]
    assert status["blockers"][0] == {
        "workload": "lab/r0",
        "cause": "image-pull",
        "scope": "global",
        "waiting": 0,
    }
    found = [
        (one["verdict"], -one["queued"], -one["booting"], one["host"]) for one in status["hosts"]
    ]
    assert len(found) == 50
    order = ["stalled", "slow", "healthy"]
    assert found == sorted(found, key=lambda one: (order.index(one[0]), *one[1:]))
    assert [one[0] for one in found].count("healthy") == 10


def test_transitions_are_changes_of_status_or_reason() -> None:
    first = status_of(facts())
    assert [one.type for one in policystatus.transitions(None, first)] == list(
        policyconditions.TYPES
    )
    assert policystatus.transitions(first, first) == ()
    stuck = status_of(facts(start=STUCK), first)
    found = policystatus.transitions(first, stuck)
    assert [(one.type, one.status, one.reason) for one in found] == [
        ("Ready", "False", "SandboxFailed"), ("Stalled", "True", "SandboxFailed"),
    ]  # fmt: skip
    assert found[1].message == "sandbox-failed: lab/r1; 7 workload(s) wait"
    more = status_of(facts(start=STUCK._replace(waiting=9)), stuck)
    assert policystatus.differs(stuck, more)
    assert policystatus.transitions(stuck, more) == ()
    other = status_of(facts(start=STUCK._replace(code="image-pull")), stuck)
    assert [one.reason for one in policystatus.transitions(stuck, other)] == ["ImagePull"] * 2


def test_what_was_not_diagnosed_is_unknown_and_what_was_found_before_stays() -> None:
    rows = (policyfacts.BlockerRow("lab/r1", "image-pull", "global", THEN, 3),)
    host = (policyfacts.HostRow("h1", 1, 2, 3, 4, "slow"),)
    old = status_of(facts(blockers=rows, hosts=host))
    status = status_of(facts(start=None), old)
    assert said(status)["Stalled"] == ("Unknown", "Undiagnosed")
    assert (status["blockers"], status["hosts"]) == (old["blockers"], old["hosts"])
    cleared = status_of(facts(), old)
    assert (cleared["blockers"], cleared["hosts"]) == ([], [])
    assert "blockers" not in status_of(facts(start=None))


starts = st.none() | st.builds(
    policyfacts.Start,
    st.sampled_from(["stalled", "misconfigured", "slow", "healthy"]),
    st.sampled_from(sorted(CAUSES)),
    st.sampled_from(["", "lab/r1"]),
    st.integers(0, 9),
)
flags = st.fixed_dictionaries(
    {name: st.booleans() for name in ("complete", "fresh", "managed")}
    | {"trouble": st.sampled_from(["", "x"])}
)


@st.composite
def any_facts(draw: st.DrawFn) -> Any:
    """Draw facts of a policy in any state."""
    policy = enforcing(
        config={BATCH: 5},
        mode=draw(st.sampled_from(["Report", "Enforce"])),
        suspend=draw(st.booleans()),
    )
    owner = draw(st.sampled_from(["kubectl-edit", "argocd-controller"]))
    obj = config({BATCH: draw(st.sampled_from([5, 9]))}, by(owner, BATCH))
    history = ownwrites.History()
    if draw(st.booleans()):
        history = history.sending("7", Limits(5), 0.0)
    known = facts(policy, obj, how(**draw(flags)), history=history, start=draw(starts))
    written = draw(st.lists(st.integers(0, 30), max_size=25, unique=True))
    known = known._replace(writes=tuple(map(write, written)))
    return known._replace(
        ruler=draw(st.sampled_from(["", "", "", "older"])),
        policy=draw(st.sampled_from([policy, policy, None])),
        generation=draw(st.integers(1, 3)),
    )


@given(any_facts(), st.none() | any_facts())
def test_the_same_facts_are_written_once_and_tools_that_wait_get_one_answer(
    known: Any, before: Any
) -> None:
    old = None if before is None else status_of(before, None, NOW - 100)
    status = status_of(known, old)
    again = status_of(known, status, NOW + 3600)
    assert again == status
    assert not policystatus.differs(status, again)
    assert policystatus.transitions(status, again) == ()
    states = {kind: state for kind, (state, _) in said(status).items()}
    assert not (states["Reconciling"] == "True" and states["Stalled"] == "True")
    assert not (states["Ready"] == "True" and states["Stalled"] == "True")
    assert not (states["Ready"] == "True" and not status["active"])
    if states["Enforced"] == "True":
        assert known.policy.mode == "Enforce"
        assert not known.policy.suspend
        assert status["enforced"]["drifted"] == 0
    if status["active"] and known.start and not known.how.blind:
        assert (states["Stalled"] == "True") == (known.start.verdict == "stalled")
    for one in status["conditions"]:
        was = {item["type"]: item for item in (old or {}).get("conditions", ())}.get(one["type"])
        kept = was is not None and was["status"] == one["status"]
        assert one["lastTransitionTime"] == (was["lastTransitionTime"] if kept and was else THEN)


def test_a_status_that_is_not_there_yet_is_written() -> None:
    status = status_of(facts())
    assert policystatus.differs(None, status)
    assert policystatus.differs({}, status)
    assert policystatus.differs(status | {"active": False}, status)
    assert not policystatus.differs(json.loads(json.dumps(status)), status)
