"""What the API server's counters rose by in a run (measurement.md §6)."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pressure_texts import Asked, etcd, latency, moment, rejected, requests

from kubectl_c9s.measurement.pressure import Leader, PressureSnapshot, pressure
from kubectl_c9s.measurement.run import Run
from kubectl_c9s.measurement.runfile import read_run, write_run

ASKED = st.builds(
    Asked,
    verb=st.sampled_from(["GET", "LIST", "WATCH", "POST", "APPLY"]),
    resource=st.sampled_from(["pods", "nodes", "deployments"]),
    code=st.sampled_from(["200", "201", "404", "409", "429"]),
    group=st.sampled_from(["", "c9s.run", "apps"]),
    subresource=st.sampled_from(["", "status", "binding"]),
    scope=st.sampled_from(["resource", "namespace", "cluster"]),
    dry_run=st.sampled_from(["", "All"]),
    version=st.sampled_from(["v1", "v1alpha1"]),
)
COUNTS = st.dictionaries(ASKED, st.integers(0, 1000), min_size=1, max_size=12)
POD = Asked("POST", "pods", "201")


def written(asked: Asked) -> str:
    """Name a resource as kubectl does, with its subresource behind it: a second reading of the rule."""
    full = ".".join(part for part in (asked.resource, asked.group) if part)
    return full + (f"/{asked.subresource}" if asked.subresource else "")


@given(before=COUNTS, risen=COUNTS)
def test_requests_are_counted_by_verb_resource_and_code(
    before: dict[Asked, int], risen: dict[Asked, int]
) -> None:
    after = Counter(before) + Counter(risen)
    whole = {one: after[one] for one in {**before, **risen}}
    churn = pressure(moment(*requests(before)), moment(*requests(whole))).churn
    wanted: Counter[tuple[str, str, str]] = Counter()
    for asked, count in risen.items():
        wanted[asked.verb, written(asked), asked.code] += count
    found = {(one.verb, one.resource, one.code): one.count for one in churn.requests}
    assert churn.void == ""
    assert found == {key: count for key, count in wanted.items() if count}
    assert churn.too_many == sum(count for one, count in risen.items() if one.code == "429")
    counts = [one.count for one in churn.requests]
    assert counts == sorted(counts, reverse=True)


@given(before=COUNTS, data=st.data())
def test_a_counter_that_went_down_or_away_voids_all_figures(
    before: dict[Asked, int], data: st.DataObject
) -> None:
    before = {one: count + 1 for one, count in before.items()}
    victim = data.draw(st.sampled_from(sorted(before)))
    after = {one: count + 5 for one, count in before.items()}
    lost = data.draw(st.integers(1, before[victim]))
    after[victim] = before[victim] - lost
    if data.draw(st.booleans()) and len(after) > 1:
        del after[victim]
    churn = pressure(moment(*requests(before)), moment(*requests(after), at=130)).churn
    assert "apiserver_request_total" in churn.void
    assert (churn.requests, churn.too_many, churn.latency, churn.etcd) == ((), None, {}, {})
    assert churn.seconds == 30


def test_the_nodes_of_labs_are_not_the_hosts() -> None:
    after = {Asked("GET", "nodes"): 1, Asked("GET", "nodes", group="c9s.run"): 2}
    churn = pressure(moment(*requests({Asked(): 1})), moment(*requests({Asked(): 1} | after))).churn
    assert {one.resource: one.count for one in churn.requests} == {"nodes": 1, "nodes.c9s.run": 2}


def test_a_path_that_is_no_resource_is_named_as_a_path() -> None:
    paths = {Asked(resource="", subresource=one): 1 for one in ("/healthz", "openapi/v3")}
    churn = pressure(moment(*requests({Asked(): 1})), moment(*requests({Asked(): 1} | paths))).churn
    assert [one.resource for one in churn.requests] == ["/healthz", "/openapi/v3"]


def test_the_mean_of_a_post_is_the_rise_of_its_sum_by_that_of_its_count() -> None:
    dry = POD._replace(dry_run="All")
    binding = POD._replace(subresource="binding")
    before = [*latency(POD, 10, 100), *latency(dry, 50, 5), *latency(Asked("LIST", "pods"), 9, 9)]
    after = [
        *latency(POD, 10.5, 110),
        *latency(dry, 90, 9),
        *latency(Asked("LIST", "pods"), 99, 10),
    ]
    churn = pressure(moment(*before), moment(*after, *latency(binding, 0.4, 20))).churn
    assert churn.latency == {"pods": pytest.approx(0.05), "pods/binding": pytest.approx(0.02)}


def test_scopes_of_one_resource_share_a_mean() -> None:
    wide = POD._replace(scope="cluster")
    after = [*latency(POD, 1, 1), *latency(wide, 2, 9)]
    churn = pressure(moment(*latency(POD, 0, 0)), moment(*after)).churn
    assert churn.latency == {"pods": pytest.approx(0.3)}


def test_etcd_is_told_by_operation_over_all_kinds() -> None:
    before = [*etcd("create", "pods", 1, 10), *etcd("get", "pods", 1, 10)]
    after = [
        *etcd("create", "pods", 1.2, 12), *etcd("create", "leases", 0.4, 4), *etcd("get", "pods", 1, 10),
    ]  # fmt: skip
    assert pressure(moment(*before), moment(*after)).churn.etcd == {"create": pytest.approx(0.1)}


def test_rejections_are_told_by_level_and_reason_over_all_flows() -> None:
    before = [rejected("workload-low", "queue-full", "one", 3)]
    after = [
        rejected("workload-low", "queue-full", "one", 5),
        rejected("workload-low", "queue-full", "two", 1),
        rejected("workload-low", "time-out", "two", 4),
    ]
    churn = pressure(moment(*before), moment(*after)).churn
    assert churn.rejected == {"workload-low/queue-full": 3, "workload-low/time-out": 4}


def test_families_that_a_server_does_not_have_are_left_out_and_requests_are_missed() -> None:
    found = pressure(moment(), moment())
    assert found.churn.void == ""
    assert found.churn.too_many is None
    assert found.notes == (
        "the server does not count its requests: there is no apiserver_request_total",
    )


def test_nothing_that_happened_is_no_429_and_not_unknown() -> None:
    same = moment(*requests({Asked(): 7}))
    found = pressure(same, same)
    assert (found.churn.requests, found.churn.too_many, found.notes) == ((), 0, ())


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (moment(*requests({Asked(): 9}), begun=1_700_001_100.0), "began anew"),
        (moment(*requests({Asked(): 9}), begun=1_700_000_500.0), "another API server"),
        (moment(*requests({Asked(): 9}), begun=1_600_000_000.0), "another API server"),
        (moment(*requests({Asked(): 9}), server="https://two"), "https://one, then https://two"),
        (moment(*requests({Asked(): 4})), "apiserver_request_total"),
    ],
    ids=["restart", "replica that began later", "replica that began earlier", "address", "reset"],
)
def test_a_server_that_is_not_the_same_voids_the_delta(after: PressureSnapshot, words: str) -> None:
    churn = pressure(moment(*requests({Asked(): 5})), after).churn
    assert words in churn.void
    assert not churn.requests


def test_a_start_that_only_differs_by_rounding_is_the_same_start() -> None:
    after = moment(*requests({Asked(): 6}), begun=1_700_000_001.0)
    assert pressure(moment(*requests({Asked(): 5})), after).churn.void == ""


@pytest.mark.parametrize(
    ("before", "after", "void"),
    [
        (Leader("a", 3), Leader("a", 3), False),
        (Leader("a", 3), Leader("b", 4), True),
        (Leader("a", 3), Leader("a", 5), True),
        (Leader("a", 3), Leader("", 3), True),
        (Leader("a", 3), None, False),
        (None, Leader("a", 3), False),
    ],
)
def test_a_change_of_the_controllers_leader_voids_the_delta(
    before: Leader | None, after: Leader | None, *, void: bool
) -> None:
    counted = requests({Asked(): 1}), requests({Asked(): 2})
    found = pressure(moment(*counted[0], leader=before), moment(*counted[1], leader=after))
    assert bool(found.churn.void) is void
    assert bool(found.churn.requests) is not void


def test_of_several_api_servers_one_alone_is_counted_and_that_is_said() -> None:
    found = pressure(moment(*requests({Asked(): 1})), moment(*requests({Asked(): 1}), servers=3))
    assert found.notes == (
        "there are 3 API servers: the requests counted are those of one of them",
    )


@pytest.mark.parametrize(("missing", "when"), [(0, "beginning"), (1, "end")])
def test_counters_that_were_not_read_leave_the_figures_out_and_keep_their_note(
    missing: int, when: str
) -> None:
    moments = [moment(*requests({Asked(): 1}), at=at) for at in (10, 25)]
    moments[missing] = moments[missing]._replace(scrape=None, notes=("it may not be read",))
    found = pressure(*moments)
    assert when in found.churn.void
    assert found.churn.seconds == 15
    assert found.notes == ("it may not be read",)


def test_a_note_of_both_moments_is_given_once() -> None:
    one = moment(*requests({Asked(): 1}), notes=("no Lease",))
    assert pressure(one, one).notes == ("no Lease",)


@given(
    values=st.lists(st.sampled_from([0.0, 1.0, math.nan, math.inf, 1e308]), min_size=6, max_size=6)
)
def test_figures_that_are_no_numbers_never_reach_the_file_of_a_run(values: list[float]) -> None:
    a, b, c, d, e, f = values
    busy = POD._replace(code="429")
    before = [*requests({POD: a, busy: b}), *latency(POD, b, c), *etcd("get", "pods", a, c)]
    after = [*requests({POD: d, busy: e}), *latency(POD, e, f), *etcd("get", "pods", d, f)]
    churn = pressure(moment(*before), moment(*after)).churn
    run = Run(verdict="reached", expected=1, elapsed=1.0, churn=churn)
    assert read_run(write_run(run), "run").churn == churn
