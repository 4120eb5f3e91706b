"""What holds for every simulated start, whatever the limits: order, bounds, gates, chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation_tools import PLAIN, UNLIMITED, between, chance, play, start

from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.rollout.views import Snapshot
from kubectl_c9s.simulation import milestones as ms
from kubectl_c9s.simulation import queues
from kubectl_c9s.simulation.engine import simulate
from kubectl_c9s.simulation.milestones import MILESTONES
from kubectl_c9s.simulation.stages import Client
from kubectl_c9s.simulation.state import State

if TYPE_CHECKING:
    from kubectl_c9s.simulation.engine import Outcome
    from kubectl_c9s.simulation.scenario import Scenario

LIMITED = Client(3, UNLIMITED.origin, rate=20.0, burst=5)
ANY = PLAIN._replace(
    write=between(0.0, 0.1),
    plan=between(0.0, 2.0, rate=10.0),
    replica_set=LIMITED,
    pod=LIMITED._replace(first=2),
    sandbox=between(1.0, 3.0),
    granted_late=between(0.5, 2.0),
    boot=between(2.0, 6.0),
)
STARTS = st.builds(
    start,
    st.integers(1, 24),
    st.integers(1, 3),
    batch=st.integers(0, 9),
    cap=st.integers(0, 4),
    rate=st.sampled_from([0.0, 0.7, 5.0]),
    labs=st.integers(0, 3),
    lab=st.builds(Limits, st.integers(0, 4), st.integers(0, 3)),
    members=st.integers(1, 2),
)
SEEDS = st.integers(0, 1000)


@given(STARTS, SEEDS)
def test_every_device_becomes_ready_step_by_step(scenario: Scenario, seed: int) -> None:
    outcome = play(scenario, ANY, seed)
    assert len(outcome.times) == scenario.workloads
    for found in outcome.times.values():
        assert ms.READY in found
        # A grant may come before the sandbox.
        along = [found[one] for one in MILESTONES if one in found and one != ms.GRANTED]
        assert along == sorted(along)


@given(STARTS, SEEDS)
def test_no_batch_begins_before_the_one_before_has_its_sandboxes(
    scenario: Scenario, seed: int
) -> None:
    outcome = play(scenario, ANY, seed)
    labs = {one.full_name: one.batch for one in scenario.snapshot.topologies}
    for gate in {batch.gate for batch in outcome.batches}:
        batches = [batch for batch in outcome.batches if batch.gate == gate]
        limit = labs[gate] if gate else scenario.snapshot.batch
        assert max(len(batch.primaries) for batch in batches) <= limit
        released: list[str] = []
        for batch in batches:
            ends = [outcome.times[uid][ms.SANDBOX] for uid in released]
            assert all(end <= batch.seconds for end in ends)
            released.extend(batch.primaries)
        assert len(released) == len(set(released))


@given(STARTS, SEEDS)
def test_no_host_boots_more_than_it_may(scenario: Scenario, seed: int) -> None:
    outcome = play(scenario, ANY, seed)
    cap = scenario.snapshot.per_host
    for host in scenario.hosts:
        assert not cap or outcome.tally.peaks["booting"][host] <= cap
    lab_caps = [one.per_host for one in scenario.snapshot.topologies if one.per_host]
    if not cap and len(lab_caps) == len(scenario.snapshot.topologies) > 0:
        assert all(outcome.tally.peaks["booting"][one] <= sum(lab_caps) for one in scenario.hosts)


@given(STARTS, SEEDS)
def test_a_start_is_not_faster_than_its_steps(scenario: Scenario, seed: int) -> None:
    outcome, sandbox, boot = play(scenario, ANY, seed), 1.0, 2.0
    total = outcome.until_all(ms.READY)
    assert total is not None
    rounds = 1
    if scenario.snapshot.batch:
        rounds = -(-scenario.workloads // scenario.snapshot.batch)
    assert total >= rounds * sandbox + boot
    if cap := scenario.snapshot.per_host:
        assert total >= -(-scenario.workloads // (cap * len(scenario.hosts))) * boot


@given(STARTS, SEEDS)
def test_the_same_chance_gives_the_same_start(scenario: Scenario, seed: int) -> None:
    first, second = play(scenario, ANY, seed), play(scenario, ANY, seed)
    assert (first.times, first.batches) == (second.times, second.batches)
    assert first.tally.changes == second.tally.changes


@given(STARTS, SEEDS)
def test_gates_that_are_not_asked_would_have_said_nothing_new(
    scenario: Scenario, seed: int
) -> None:
    spared = simulate(scenario, ANY, chance(seed))
    asked = _asking_always(scenario, seed)
    assert spared.times == asked.times
    assert spared.batches == asked.batches


def _asking_always(scenario: Scenario, seed: int) -> Outcome:
    """Ask every gate in every pass, with all objects there are."""

    def everything(state: State, *_: object) -> Snapshot:
        nodes, pods = tuple(state.nodes.values()), tuple(state.pods.values())
        return Snapshot(state.batch, state.per_host, nodes, pods, state.topologies)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(State, "for_batches", everything)
        patch.setattr(State, "for_hosts", everything)
        patch.setattr(queues.Queue, "_is_as_before", lambda _: False)
        always = property(lambda _: {"some host"}, lambda *_: None)
        patch.setattr(queues.Admission, "hosts_changed", always, raising=False)
        return simulate(scenario, ANY, chance(seed))


@given(st.integers(1, 24), st.integers(1, 3), SEEDS)
def test_without_limits_there_is_one_wave(devices: int, hosts: int, seed: int) -> None:
    outcome = play(start(devices, hosts), ANY, seed)
    assert {found[ms.ADMITTED] for found in outcome.times.values()} == {0.0}
    assert outcome.batches == ()


@given(STARTS, SEEDS)
def test_the_timeline_ends_with_everybody_ready(scenario: Scenario, seed: int) -> None:
    outcome = play(scenario, ANY, seed)
    ends: dict[str, int] = {}
    for _, what, difference in outcome.tally.changes:
        ends[what] = ends.get(what, 0) + difference
        assert ends[what] >= 0
    finished = ("created", "admitted", "pods", "sandboxes", "started", "ready")
    assert {ends[what] for what in finished} == {scenario.workloads}
    assert [ends.get(what, 0) for what in ("booting", "queued", "unready")] == [0, 0, 0]
