"""What port-forward does not do, or warns of: ports, addresses, a leader whose diagnostics are off."""

from __future__ import annotations

import contextlib
import http.client
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from bed_objects import until
from forward_tools import Forward, get
from gometrics_process import Process
from live_tools import c9s

from kubectl_c9s.cluster import portforward
from kubectl_c9s.cluster.activepod import find_active
from kubectl_c9s.cluster.fetching import fetch
from kubectl_c9s.cluster.leadership import Leadership

if TYPE_CHECKING:
    from pathlib import Path

    from manager_site import Site


def test_a_port_that_is_taken_is_named_with_the_flag(standing: Site) -> None:
    standing.lead("m-0")
    where = ("--manager-namespace", standing.namespace)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        flags = {"--metrics-port": "--pprof-port", "--pprof-port": "--metrics-port"}
        for flag, other in flags.items():
            asked = (flag, str(port), other, "0")
            answer = c9s(standing.bed, "diagnostics", "port-forward", *where, *asked)
            assert (answer.code, answer.out) == (2, "")
            assert f"{flag} {port}: port {port} of 127.0.0.1 is in use" in answer.err
            assert f"hint: {flag} 0 takes one that is free" in answer.err


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--metrics-port", "7000", "--pprof-port", "7000"), "are both 7000"),
        (("--metrics-port", "70000"), "70000 is not in the range"),
        (("--address", "203.0.113.1"), "'203.0.113.1' is no address of this machine"),
        (("--address", "no such host.invalid"), "--address 'no such host.invalid': "),
    ],
)
def test_wrong_flags_are_usage_errors(standing: Site, flags: tuple[str, ...], words: str) -> None:
    standing.lead("m-0")
    where = ("--manager-namespace", standing.namespace)
    answer = c9s(standing.bed, "diagnostics", "port-forward", *where, *flags)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


def test_connections_beyond_the_limit_wait_for_their_turn(
    standing: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portforward, "MOST", 2)
    standing.lead("m-0")
    said: list[str] = []
    with contextlib.closing(standing.connection()) as connection:
        active = find_active(connection, standing.place)
        leadership = Leadership(connection, standing.place, active, said.append)
        with portforward.Forwarder(connection, leadership, said.append) as forwarder:
            (port,) = forwarder.listen("127.0.0.1", [portforward.Wish(9090, 0, "--metrics-port")])
            first, second = (
                http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(2)
            )
            for one in (first, second):
                one.request("GET", "/who")
                assert one.getresponse().read() == b"zero "
            until(
                "the limit is reached",
                lambda: said == ["2 connections are open: further ones wait"],
            )
            with ThreadPoolExecutor(1) as pool:
                third = pool.submit(get, port, "/who?third")
                for one in (first, second):  # those that are open go on
                    one.request("GET", "/who?again")
                    assert one.getresponse().read() == b"zero again"
                assert not third.done()
                first.close()
                assert third.result(60) == b"zero third"
            second.close()


def test_an_address_of_the_newer_kind_is_written_as_a_url_wants_it(standing: Site) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    standing.lead("m-0")
    with Forward(standing, "--address=::1") as forward:
        assert forward.urls["metrics"].startswith("http://[::1]:")
        assert fetch(forward.urls["metrics"]).startswith(b"# HELP")
        assert "whoever" not in forward.said


def test_an_address_that_others_reach_is_warned_of(standing: Site) -> None:
    standing.lead("m-0")
    with Forward(standing, "--address=0.0.0.0") as forward:
        forward.says("whoever reaches 0.0.0.0 can read the manager's metrics and profiles")
        assert forward.urls["metrics"].startswith("http://0.0.0.0:")
        assert get(forward.port(), "/who") == b"zero "


def test_a_leader_that_refuses_connections_has_diagnostics_off(
    site: Site, gometrics: Path, tmp_path: Path
) -> None:
    """Its environment says nothing, and nobody listens on its port."""
    site.make_pod("m-0", diagnostics=None)
    with Process(gometrics, "gone") as process, site.doors({"m-0": process}):
        process.stop()
        where = ("--manager-namespace", site.namespace)
        ports = ("--metrics-port", "0", "--pprof-port", "0")
        folder = tmp_path / "taken"
        for answer in (
            c9s(site.bed, "diagnostics", "port-forward", *where, *ports),
            c9s(site.bed, "diagnostics", "capture", *where, "--output-dir", str(folder)),
        ):
            assert (answer.code, answer.out) == (3, "")
            assert "m-0 leads and refuses connections to port 9090" in answer.err
            assert "hint: set the Helm value manager.diagnostics to true" in answer.err
        assert not folder.exists()
