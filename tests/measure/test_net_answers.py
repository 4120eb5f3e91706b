from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from netcheck_tools import (
    BUSYBOX,
    BUSYBOX_PING,
    IPUTILS_LOST,
    IPUTILS_NAME,
    LONG,
    ONE_LINE,
    ROUTES,
    ROUTES6,
)

from kubectl_c9s.measurement import netanswers as answers

POD = ("10.244.1.7", "fd00:10:244::7")


@pytest.mark.parametrize("text", [ONE_LINE, LONG, BUSYBOX], ids=["one-line", "long", "busybox"])
def test_addresses_are_read_in_every_form_of_ip(text: str) -> None:
    found = answers.addresses(text)
    assert found["10.244.1.7"] == (32, True)
    assert found["fd00:10:244::7"] == (128, True)
    assert found["172.20.20.7"] == (24, True)
    assert answers.judge_address((*POD, "172.20.20.7"), found).result == "passed"


def test_an_address_that_is_not_inside_fails_and_says_what_is() -> None:
    result, words = answers.judge_address(("10.9.9.9",), answers.addresses(LONG))
    assert result == "failed"
    assert words.startswith("10.9.9.9 not inside; inside: 10.244.1.7, 127.0.0.1")


def test_a_pod_without_an_address_fails() -> None:
    assert answers.judge_address((), answers.addresses(LONG)).result == "failed"


def test_an_address_that_failed_duplicate_detection_is_of_no_use() -> None:
    text = "3: eth0    inet6 fd00::7/64 scope global dadfailed tentative \\       valid_lft\n"
    result, words = answers.judge_address(("fd00::7",), answers.addresses(text))
    assert (result, "duplicate address detection" in words) == ("failed", True)


def test_a_peer_address_is_not_taken_for_ones_own() -> None:
    found = answers.addresses("2: tun0    inet 10.8.0.6 peer 10.8.0.5/32 scope global tun0\n")
    assert found == {"10.8.0.6": (32, True)}


@pytest.mark.parametrize("text", ["inet 300.1.2.3/8", "inet 10.0.0.1/33", "inet6 :::/64", "inet6"])
def test_an_address_that_is_none_is_passed_over(text: str) -> None:
    assert answers.addresses(text) == {}


def test_an_allocated_address_needs_the_prefix_it_was_given() -> None:
    found = answers.addresses(ONE_LINE)
    right = answers.judge_prefix(POD, ("172.20.20.7/24",), found)
    assert right == ("passed", "10.244.1.7/32, fd00:10:244::7/128, 172.20.20.7/24")
    wrong = answers.judge_prefix(POD, ("172.20.20.7/16",), found)
    assert wrong == ("failed", "172.20.20.7 has /24 and was given /16")


def test_without_any_address_inside_there_is_no_prefix() -> None:
    assert answers.judge_prefix(("10.9.9.9",), (), {}).result == "failed"


def test_default_routes_are_found_in_any_table() -> None:
    assert answers.judge_route("IPv4", ROUTES) == ("passed", "IPv4 via 169.254.1.1 dev eth0")
    via = "IPv6 via fe80::ecee:eeff:feee:eeee dev eth0"
    assert answers.judge_route("IPv6", ROUTES6) == ("passed", via)
    only = "10.0.0.0/8 dev eth0\ndefault via 172.20.20.1 dev mgmt0 table 100\n"
    assert answers.judge_route("IPv4", only).detail == "IPv4 via 172.20.20.1 dev mgmt0"
    several = "default proto static\n\tnexthop via 10.0.0.1 dev eth0 weight 1\n"
    assert answers.judge_route("IPv4", several).result == "passed"


@pytest.mark.parametrize("text", ["", "10.0.0.0/8 dev eth0", "unreachable default dev lo table 1"])
def test_no_default_route_fails(text: str) -> None:
    assert answers.judge_route("IPv4", text) == ("failed", "no default route for IPv4")


def test_an_answered_packet_passes_and_a_lost_one_fails_with_the_words_of_ping() -> None:
    there = ("10.244.2.9", "fd00:10:244::9")
    assert answers.judge_ping("10.244.2.9", 0, BUSYBOX_PING, there) == ("passed", "10.244.2.9")
    result, words = answers.judge_ping("10.244.2.9", 1, IPUTILS_LOST, there)
    assert (result, "0 received, 100% packet loss" in words) == ("failed", True)
    named = answers.judge_ping("r2", 0, IPUTILS_NAME, there)
    assert named == ("passed", "r2 (fd00:10:244::9)")


def test_a_name_that_leads_elsewhere_fails_although_somebody_answers() -> None:
    text = BUSYBOX_PING.replace("10.244.2.9", "10.96.0.20")
    result, words = answers.judge_ping("r2", 0, text, ("10.244.2.9",))
    assert result == "failed"
    assert words == "r2 leads to 10.96.0.20, which is no address of the neighbour"


@pytest.mark.parametrize(
    "text",
    [
        "ping: permission denied (are you root?)",
        "ping: socket: Operation not permitted",
        "ping: socktype: SOCK_RAW\nping: socket: Operation not permitted",
        "ping: Lacking privilege for raw socket.",
    ],
)
def test_a_ping_without_the_right_to_send_says_nothing_of_the_network(text: str) -> None:
    assert answers.judge_ping("10.0.0.1", 2, text, ("10.0.0.1",)).result == "unavailable"


@pytest.mark.parametrize(
    "text",
    [
        "ping: sendmsg: Operation not permitted",  # a policy of the network drops it
        "ping: bad address 'r2'",
        "ping: r2: Name or service not known",
        "ping: sendto: Network is unreachable",
        "",
    ],
)
def test_a_ping_that_could_be_tried_and_did_not_arrive_fails(text: str) -> None:
    assert answers.judge_ping("r2", 1, text, ("10.0.0.1",)).result == "failed"


def test_a_missing_tool_is_not_a_failure() -> None:
    for code in (126, 127):
        judged = answers.judge_tool("ip", code, "sh: ip: not found")
        assert judged == ("unavailable", "ip cannot be run in the container")
    assert answers.judge_tool("ip", 0, "") is None
    assert answers.judge_tool("ping", 1, "") is None
    broken = answers.judge_tool("ip", 255, "RTNETLINK answers: Operation not supported")
    assert broken == ("unavailable", "ip failed: RTNETLINK answers: Operation not supported")


@given(
    st.text(
        alphabet=st.sampled_from("inet6 10.:/ab\\\nPING()default via dev?\x00\x1b"), max_size=200
    )
)
def test_no_text_makes_a_reader_fail(text: str) -> None:
    found = answers.addresses(text)
    answers.judge_prefix(tuple(found), (), found)
    answers.judge_route("IPv4", text)
    judged = answers.judge_ping("r2", 1, text, ())
    assert len(judged.detail) <= 200
    assert answers.judge_address(tuple(found), found).result in {"passed", "failed"}
