"""The cost of a run in words and tables."""

from __future__ import annotations

from kubectl_c9s.measurement.run import Churn, RequestDelta
from kubectl_c9s.output.pressure import CAUTION, lines, refusals, rows

CHURN = Churn(
    requests=(
        RequestDelta("POST", "pods", "201", 30.0),
        RequestDelta("GET", "nodes.c9s.run", "404", 2.0),
    ),
    too_many=0.0,
    latency={"pods": 0.0544, "leases.coordination.k8s.io": 0.2},
    etcd={"create": 0.004},
    seconds=61.2,
    events={"kubelet": 12, "default-scheduler": 40},
)


def test_tables_have_requests_means_and_events_and_the_caution_about_other_clients() -> None:
    assert list(lines(CHURN)) == [
        "32 requests were answered in 61 s",
        "VERB   RESOURCE        CODE   REQUESTS",
        "POST   pods            201    30",
        "GET    nodes.c9s.run   404    2",
        "No request was turned away (429).",
        "POST of                      MEAN",
        "leases.coordination.k8s.io   200.0 ms",
        "pods                         54.4 ms",
        "ETCD     MEAN",
        "create   4.0 ms",
        CAUTION,
        "EVENTS BY           COUNT",
        "default-scheduler   40",
        "kubelet             12",
    ]


def test_requests_that_were_turned_away_are_told_with_their_queues() -> None:
    churn = Churn(too_many=7.0, rejected={"low/time-out": 1.0, "low/queue-full": 6.0})
    assert refusals(churn) == (
        "7 requests were turned away (429); queues rejected 6 by low/queue-full, 1 by low/time-out: "
        "their clients had to wait and ask again."
    )


def test_a_void_delta_gives_its_reason_and_keeps_the_events() -> None:
    churn = Churn(void="the API server began anew", events={"kubelet": 1})
    assert list(lines(churn)) == [
        "Requests cannot be told: the API server began anew",
        "EVENTS BY   COUNT",
        "kubelet     1",
    ]


def test_of_many_rows_the_first_are_shown_and_the_rest_is_counted() -> None:
    many = tuple(RequestDelta("GET", f"kind{number}", "200", 9.0) for number in range(20))
    shown = list(lines(Churn(requests=many, too_many=0.0), shown=3))
    assert "and 17 more" in shown
    assert len([one for one in shown if one.startswith("GET")]) == 3
    assert len(rows(Churn(requests=many))) == 20


def test_names_from_a_cluster_cannot_steer_a_terminal() -> None:
    churn = Churn(
        requests=(RequestDelta("GET", "\x1b[2J", "200", 1.0),), too_many=0.0, void="",
        rejected={"\x1b]0;x": 1.0}, latency={"\x1b": 1.0}, events={"\x1b[1m": 1},
    )  # fmt: skip
    assert "\x1b" not in "".join(lines(churn))
    assert "\x1b" not in "".join(lines(Churn(void="\x1b[2J")))
