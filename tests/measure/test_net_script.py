from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from netcheck_tools import ONE_LINE, Tools

from kubectl_c9s.cli import measureverify
from kubectl_c9s.cluster import inparallel
from kubectl_c9s.measurement import netchecks, netscript
from kubectl_c9s.measurement.netmembers import Member, Pair, ring

if TYPE_CHECKING:
    from pathlib import Path

    from kubectl_c9s.measurement.netreport import Checked

ONE = Member("lab", "r1", "r1-x", "h1", "r1", ("10.244.1.7", "fd00:10:244::7"), ("172.20.20.7/24",))
TWO = Member("lab", "r2", "r2-x", "h2", "r2", ("10.244.2.9", "fd00:10:244::9"))
PAIR = Pair(ONE, TWO)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    found = Tools(tmp_path)
    monkeypatch.setattr(netscript, "PRELUDE", found.prelude)
    return found


def asked(pair: Pair = PAIR, checks: tuple[str, ...] = netscript.CHECKS) -> Checked:
    steps = netscript.steps(pair, checks)
    done = subprocess.run(netscript.command(steps), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return netchecks.checked(pair, checks, steps, done.stdout)


def results(found: Checked) -> list[tuple[str, str, str]]:
    return [(one.name, one.subject, one.result) for one in found.checks]


def test_a_device_that_is_well_passes_all(tools: Tools) -> None:
    tools.answer("r2", "echo 'PING r2 (10.244.2.9): 56 data bytes'; exit 0")
    found = asked()
    assert results(found) == [
        ("address", "", "passed"),
        ("prefix", "", "passed"),
        ("route", "IPv4", "passed"),
        ("route", "IPv6", "passed"),
        ("neighbour-address", "10.244.2.9", "passed"),
        ("neighbour-address", "fd00:10:244::9", "passed"),
        ("neighbour-name", "r2", "passed"),
    ]
    assert (found.neighbour, found.cross_host) == ("r2-x", True)


def test_a_failing_step_does_not_keep_the_others_from_being_made(tools: Tools) -> None:
    tools.answer("10.244.2.9", "echo 'ping: sendto: Network is unreachable' >&2; exit 1")
    tools.answer("r2", "echo \"ping: bad address 'r2'\"; exit 1")
    tools.write("routes4", "10.0.0.0/8 dev eth0\n")
    found = {(one.name, one.subject): one for one in asked().checks}
    assert found["neighbour-address", "10.244.2.9"].detail.endswith("Network is unreachable")
    assert found["neighbour-address", "fd00:10:244::9"].result == "passed"
    assert found["neighbour-name", "r2"].result == "failed"
    assert found["route", "IPv4"].result == "failed"
    assert found["route", "IPv6"].result == "passed"
    assert found["address", ""].result == "passed"


def test_what_the_image_lacks_is_not_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netscript, "PRELUDE", "PATH=/nonexistent")
    found = asked()
    assert {one.result for one in found.checks} == {"unavailable"}
    assert {one.detail for one in found.checks} == {
        "ip cannot be run in the container",
        "ping cannot be run in the container",
    }


def test_output_without_a_line_feed_at_its_end_hides_no_mark(tools: Tools) -> None:
    tools.write("addresses", ONE_LINE.rstrip("\n"))
    tools.write("routes4", "default via 10.0.0.1 dev eth0")
    assert ("route", "IPv4", "passed") in results(asked())


def test_a_device_alone_has_no_neighbour_to_ask(tools: Tools) -> None:
    found = asked(Pair(ONE, None))
    assert ("neighbour-address", "", "unavailable") in results(found)
    assert ("neighbour-name", "", "unavailable") in results(found)
    assert tools.folder.exists()


def test_only_what_is_wanted_is_asked() -> None:
    keys = [one.key for one in netscript.steps(PAIR, ("neighbour-name",))]
    assert keys == ["name"]
    assert [one.words for one in netscript.steps(PAIR, ("prefix",))] == ["ip -o addr show"]
    only_ipv4 = Pair(ONE._replace(addresses=("10.0.0.1",), management=()), None)
    assert [one.key for one in netscript.steps(only_ipv4, ("route",))] == ["routes4"]


def test_a_name_is_made_by_its_format_and_no_other_word_gets_into_the_script() -> None:
    assert netscript.neighbour_name(PAIR, "{name}-vx.{namespace}") == "r2-vx.lab"
    for text in ("x; reboot", "-f", "$(reboot)", "", "a b"):
        assert netscript.steps(PAIR, ("neighbour-name",), text) == ()


def test_a_script_that_was_cut_off_leaves_the_rest_undecided() -> None:
    steps = netscript.steps(PAIR)
    printed = f"=c9s= begin addresses\n{ONE_LINE}\n=c9s= end addresses 0\n=c9s= begin routes4\ndefa"
    found = netchecks.checked(PAIR, netscript.CHECKS, steps, printed)
    assert [one.result for one in found.checks] == ["passed"] * 2 + ["undecided"] * 5


def test_the_mark_of_another_step_ends_nothing() -> None:
    printed = "=c9s= begin a\n=c9s= end b 0\n=c9s= end a 1\n"
    assert netscript.outputs(printed) == {"a": (1, "=c9s= end b 0")}


def test_marks_with_carriage_returns_are_read() -> None:
    found = netscript.outputs("=c9s= begin name\r\nPING\r\n\r\n=c9s= end name 1\r\n")
    assert found == {"name": (1, "PING\n")}


@given(
    st.dictionaries(st.sampled_from("abcd"), st.tuples(st.integers(0, 255), st.text(max_size=40)))
)
def test_steps_are_taken_apart_as_they_were_put_together(steps: dict[str, tuple[int, str]]) -> None:
    plain = {
        key: (code, text.replace("\r", "").replace("=", "")) for key, (code, text) in steps.items()
    }
    printed = "noise\n" + "".join(
        f"=c9s= begin {key}\n{text}\n=c9s= end {key} {code}\nnoise\n"
        for key, (code, text) in plain.items()
    )
    assert netscript.outputs(printed) == plain


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 9)), unique=True, max_size=12)
)
def test_each_device_has_the_next_of_its_namespace_and_is_the_next_of_one(
    places: list[tuple[str, int]],
) -> None:
    members = [Member(space, f"n{number}", f"p{number}") for space, number in sorted(places)]
    pairs = ring(members)
    assert [pair.member for pair in pairs] == members
    met = [pair.neighbour for pair in pairs if pair.neighbour]
    assert sorted(met) == sorted(
        one for one in members if sum(other.namespace == one.namespace for other in members) > 1
    )
    for pair in pairs:
        assert pair.neighbour is None or pair.neighbour.namespace == pair.member.namespace
        assert pair.neighbour != pair.member


def test_the_flags_know_the_same_checks_and_workers() -> None:
    assert measureverify.CHECKS == netscript.CHECKS
    assert measureverify.WORKERS == inparallel.WORKERS
