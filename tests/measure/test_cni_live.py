"""Logs of a CNI read through exec: the Pods are fake, the way to them is real."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest
import yaml
from bed_client import path_of
from cni_texts import OURS, START, at_once, log
from live_tools import c9s
from netcheck_tools import make_pod, wait_ready

from kubectl_c9s.cluster import cnilogs
from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.kubeconfig import load_settings
from kubectl_c9s.measurement.cni.calico import Calico, CalicoParser
from kubectl_c9s.measurement.cni.reader import Source
from kubectl_c9s.measurement.run import Anchor, Manifest, Run
from kubectl_c9s.measurement.runfile import write_run
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed

SCHEMA = Path(__file__).parents[2] / "docs/schemas/measure-cni.json"
SINCE = START.timestamp()
MARK = "c9s-cni-test"


@dataclasses.dataclass(frozen=True)
class Elsewhere:
    """Calico's reader with Pods, a container and a command of a test."""

    source: Source
    name: str = "calico"

    def parser(self, namespace: str, since: float | None) -> CalicoParser:
        return Calico().parser(namespace, since)


@pytest.fixture(scope="module")
def agents(own_bed: OwnBed) -> Iterator[str]:
    """Give a namespace with a Pod of a CNI on each of three hosts."""
    with own_bed.namespace("cni") as namespace, own_bed.client() as client:
        for number in range(3):
            labels = {MARK: namespace}
            make_pod(client, namespace, f"agent-{number}", f"testbed-node-{number}", labels=labels)
        wait_ready(client, namespace, *(f"agent-{number}" for number in range(3)))
        yield namespace


@pytest.fixture(scope="module")
def connection(own_bed: OwnBed) -> Iterator[Connection]:
    made = Connection(load_settings({"kubeconfig": str(own_bed.kubeconfig)}, {}))
    yield made
    made.close()


def reader(namespace: str, *command: str, spaces: tuple[str, ...] | None = None) -> Elsewhere:
    source = Source(spaces or (namespace,), f"{MARK}={namespace}", "primary", command)
    return Elsewhere(source)


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    """Give a log of 5 MB with two calls of ours at its end."""
    place = tmp_path / "cni.log"
    noise = log([event for n in range(2000) for event in at_once(n, n, 3, 4, "other")])
    place.write_bytes(
        noise * 5 + log(at_once(9001, 8000, 100, 400) + at_once(9002, 8050, 800, 400))
    )
    return place


def test_each_host_says_its_times(connection: Connection, agents: str, log_file: Path) -> None:
    known = {"calico": reader(agents, "cat", str(log_file), spaces=("c9s-none", agents))}
    found = cnilogs.read_times(connection, OURS, SINCE, known=known)
    assert (found.reader, found.not_available) == ("calico", "")
    assert [one.host for one in found.hosts] == [f"testbed-node-{number}" for number in range(3)]
    for one in found.hosts:
        assert one.error == ""
        assert one.times is not None
        assert (one.times.allocations, one.times.waits.max, one.times.hold_sum) == (2, 0.8, 0.8)
        assert one.times.lines == 40_008


def test_some_hosts_can_be_chosen(connection: Connection, agents: str, log_file: Path) -> None:
    known = {"calico": reader(agents, "cat", str(log_file))}
    found = cnilogs.read_times(
        connection, OURS, SINCE, known=known, hosts={"testbed-node-1", "other"}
    )
    assert [one.pod for one in found.hosts] == ["agent-1"]


def test_a_log_that_breaks_off_keeps_what_was_read(
    connection: Connection, agents: str, log_file: Path
) -> None:
    script = f"tail -n 8 {log_file}; echo 'input/output error' >&2; exit 1"
    known = {"calico": reader(agents, "sh", "-c", script)}
    one, *_ = cnilogs.read_times(connection, OURS, SINCE, known=known).hosts
    assert one.error.endswith("input/output error")
    assert one.times is not None
    assert one.times.allocations == 2


def test_a_log_that_does_not_come_in_time_is_named(connection: Connection, agents: str) -> None:
    known = {"calico": reader(agents, "sleep", "20")}
    found = cnilogs.read_times(connection, OURS, SINCE, known=known, limit=1.0)
    assert len(found.hosts) == 3
    assert all("in time" in one.error or "within" in one.error for one in found.hosts)


def test_without_pods_of_any_reader_it_is_not_available(
    connection: Connection, agents: str
) -> None:
    known = {"calico": Elsewhere(Source((agents,), f"{MARK}=nobody", "x", ("cat",)))}
    found = cnilogs.read_times(connection, OURS, SINCE, known=known)
    assert (found.reader, found.hosts) == ("", ())
    assert found.not_available == "not available: no Pods of calico were found"
    with pytest.raises(UsageError, match="no CNI reader 'cilium'"):
        cnilogs.read_times(connection, OURS, SINCE, known=known, wanted="cilium")


def test_the_command_prints_a_table_and_what_keeps_its_schema(
    own_bed: OwnBed, agents: str, log_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = {"calico": reader(agents, "cat", str(log_file))}
    monkeypatch.setattr(cnilogs, "readers", lambda: known)
    since = START.strftime("%Y-%m-%dT%H:%M:%SZ")
    words = ("measure", "cni", "-n", OURS, "--since", since)
    answer = c9s(own_bed, *words)
    assert answer.code == 0, answer.err
    rows = [row.split() for row in answer.out.splitlines()[1:4]]
    assert rows[0][:2] == ["testbed-node-0", "2"]
    assert rows[0][-1] == "64%"
    structured = c9s(own_bed, *words, "-o", "json")
    found = json.loads(structured.out)
    validator().validate(found)
    assert yaml.safe_load(c9s(own_bed, *words, "-o", "yaml").out) == found
    recorded = tmp_path / "run.json"
    run = Run(
        verdict="reached",
        expected=1,
        elapsed=1.0,
        manifest=Manifest(namespace=OURS),
        anchor=Anchor("Topology", "t", SINCE),
    )
    recorded.write_bytes(write_run(run))
    assert (
        json.loads(c9s(own_bed, "measure", "cni", "--run", str(recorded), "-o", "json").out)
        == found
    )


def test_the_command_says_what_is_not_available(own_bed: OwnBed) -> None:
    words = ("measure", "cni", "-n", OURS, "--since", "2026-01-31T10:00:00Z")
    answer = c9s(own_bed, *words)
    assert (answer.code, answer.out) == (0, "not available: no Pods of calico were found\n")
    validator().validate(json.loads(c9s(own_bed, *words, "-o", "json").out))


def test_a_host_that_cannot_be_read_makes_the_command_fail(
    own_bed: OwnBed, agents: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"calico": reader(agents, "cat", "/nonexistent/cni.log")}
    monkeypatch.setattr(cnilogs, "readers", lambda: known)
    answer = c9s(
        own_bed, "measure", "cni", "-n", OURS, "--since", "2026-01-31T10:00:00Z", "-o", "json"
    )
    assert answer.code == 3
    assert "the log of 3 hosts could not be read" in answer.err
    found = json.loads(answer.out)
    validator().validate(found)
    assert all("No such file" in one["error"] for one in found["hosts"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "from when on do lines count?"),
        (("--since", "yesterday"), "--since 'yesterday' is no time"),
        (("-A", "--since", "2026-01-31T10:00:00Z"), "reads for one namespace"),
        (("--run", "/nonexistent"), "cannot read /nonexistent"),
    ],
)
def test_a_call_that_cannot_be_meant_is_a_usage_error(
    own_bed: OwnBed, words: tuple[str, ...], said: str
) -> None:
    answer = c9s(own_bed, "measure", "cni", *words)
    assert answer.code == 2
    assert said in answer.err


def test_readers_of_others_are_found_by_their_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def __init__(self, name: str, made: object) -> None:
            self.name, self.value, self._made = name, "theirs:Made", made

        def load(self) -> object:
            if isinstance(self._made, Exception):
                raise self._made
            return self._made

    made = reader("ns", "true")
    points = [Point("theirs", made), Point("calico", Calico)]
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: points if group == "kubectl_c9s.cni" else [],
    )
    found = cnilogs.readers()
    assert list(found) == ["calico", "theirs"]
    assert found["theirs"] is made
    assert isinstance(found["calico"], Calico)
    points.append(Point("broken", ImportError("no module")))
    with pytest.raises(
        C9sError, match="the CNI reader broken of theirs:Made cannot be used: no module"
    ):
        cnilogs.readers()


def validator() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_pods_that_do_not_run_are_not_asked(
    own_bed: OwnBed, connection: Connection, agents: str
) -> None:
    with own_bed.client() as client:
        held = {"testbed.c9s.run/sandbox-delay": "1h"}
        make_pod(client, agents, "held", "testbed-node-5", labels={MARK: agents}, annotations=held)
        found = cnilogs.read_times(
            connection, OURS, SINCE, known={"calico": reader(agents, "true")}
        )
        assert [one.host for one in found.hosts] == [
            f"testbed-node-{number}" for number in range(3)
        ]
        client.delete(path_of("v1", "pods", agents, "held"))
