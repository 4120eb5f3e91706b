"""What hosts use, from answers of a metrics API; without it a run goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pressure_live import connected
from room_tools import connect, in_turn
from silent_server import Reply, Scripted, status

from kubectl_c9s.cluster.usage import HostUsage
from kubectl_c9s.measurement.run import Usage

if TYPE_CHECKING:
    from bed_base import Bed

MIB = 1 << 20


def host(name: str, **usage: Any) -> dict[str, Any]:
    """Give what the API says of a host."""
    return {"metadata": {"name": name}, "usage": usage}


def read(*replies: Reply, times: int = 1) -> tuple[list[dict[str, Usage] | None], str, list[str]]:
    """Read so many times from a server that gives these answers; give the results, the note, the paths asked."""
    with Scripted(in_turn(*replies)) as server:
        usage = HostUsage(connect(server.url))
        found = [usage.read() for _ in range(times)]
        usage.close()
        return found, usage.note, [one.path for one in server.requests]


def test_cores_and_bytes_are_told_by_host() -> None:
    items = [
        host("h1", cpu="250m", memory="64Mi"),
        host("h2", cpu="1234567890n", memory=1024),
        host("h3", cpu="lots", memory="1Ki"),
        host("h4", cpu="1"),
    ]
    found, note, paths = read(Reply(200, {"items": items}))
    assert found == [{"h1": Usage(0.25, 64 * MIB), "h2": Usage(1.23456789, 1024)}]
    assert note == ""
    assert paths == ["/apis/metrics.k8s.io/v1beta1/nodes"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(404, status(404, "page not found")), "the cluster has no metrics API"),
        (Reply(403, status(403, "you may not list", "Forbidden")), "you may not list"),
    ],
)
def test_without_the_api_or_the_right_it_is_asked_once_and_there_is_a_note(
    reply: Reply, words: str
) -> None:
    found, note, paths = read(reply, times=3)
    assert found == [None] * 3
    assert words in note
    assert len(paths) == 1


def test_a_passing_fault_costs_one_sample() -> None:
    away = Reply(503, status(503, "not now"))
    good = Reply(200, {"items": [host("h", cpu="1", memory="1")]})
    found, note, _ = read(away, Reply(lost=True), Reply(200, [1]), good, times=4)
    assert found == [None, None, None, {"h": Usage(1.0, 1.0)}]
    assert "not now" in note


def test_a_bed_without_the_api_is_a_note(bed: Bed) -> None:
    with connected(bed.kubeconfig) as connection:
        usage = HostUsage(connection)
        found = usage.read()
        usage.close()
    assert found is None or all(one.memory > 0 for one in found.values())
    assert (found is None) is bool(usage.note)
