"""``-o json`` and ``-o yaml`` of ``rollout`` keep their schemas on real labs, whatever comes of a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest
from rollout_live_tools import CONFIG, LAB, Place, written_policy
from rollout_printed import Printed
from rollout_wire import fails_after, is_write, lost_after
from standin_lab_tools import LINUX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_client import Json
    from bed_own import OwnBed
    from rollout_wire import Wire
    from standin_lab_tools import Labs

SCHEMAS = Path(__file__).parents[2] / "docs/schemas"
T = "topology/t"


def validator(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / name).read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def change() -> jsonschema_rs.Validator:
    return validator("rollout-change.json")


@pytest.fixture(scope="module")
def shown() -> jsonschema_rs.Validator:
    return validator("rollout-show.json")


@pytest.fixture
def managed(labs: Labs, device_bed: OwnBed, tmp_path: Path) -> Iterator[Place]:
    """Give the namespaces of a stand-in manager, with labs that wait in every way there is."""
    one = Place(device_bed, labs.client, labs.namespace, labs.standin.namespace, tmp_path / "state")
    one.wait_alone()
    labs.limit(maxConcurrentPerHost=1)
    labs.standin.start()
    stuck = {f"{labs.namespace}/{name}": "probe" for name in "abcdef"}
    labs.standin.faults(device_fails=stuck | {f"{labs.namespace}/x": "sandbox"})
    for name in "abcdef":
        labs.node(name)
    labs.wait("they wait for a slot", lambda: sum(bool(p.host) for p in labs.pods().values()) == 6)
    labs.topology("t", dict.fromkeys("xyz", LINUX), batchSize=1)
    labs.wait("x has a Pod", lambda: "x" in labs.pods() and labs.nodes()["y"].hold)
    one.set(CONFIG, "--batch-size=1", "--allow=would-block")
    labs.node("late")
    labs.wait("it waits", lambda: "late" in labs.nodes())
    yield one
    labs.standin.stop()
    one.clear()


def test_what_is_shown_of_labs_that_wait_in_every_way(
    managed: Place, shown: jsonschema_rs.Validator
) -> None:
    printed = Printed(managed, shown)
    whole = printed(0, "show")
    assert whole.keys() == {"config", "topologies", "hosts", "orphanBoots"}
    config, (lab,) = whole["config"], whole["topologies"]
    counts = config["counts"]
    assert (config["batchSize"], config["maxConcurrentPerHost"]) == (1, 1)
    assert (counts["admitted"], counts["pending"], counts["held"]) == (7, 1, 2)
    assert f"{managed.lab}/x" in counts["blockingGroups"]
    assert {owner["manager"] for owner in config["owners"]} >= {"kubectl-c9s"}
    assert (lab["name"], lab["batchSize"], lab["maxConcurrentPerHost"]) == ("t", 1, None)
    assert (lab["counts"]["nodes"], lab["counts"]["heldNodes"]) == (3, 2)
    assert lab["waits"]
    hosts = whole["hosts"].values()
    assert all((host["booting"], host["limit"]) == (1, 1) for host in hosts)
    assert sum(host["queued"] for host in hosts) == 7 - len(hosts)
    assert printed(0, "show", "config").keys() == {"config", "hosts", "orphanBoots"}
    alone = printed(0, "show", T)
    assert alone["topologies"] == [lab]
    assert alone.keys() == {"topologies", "hosts", "orphanBoots"}
    # What people are shown has the same numbers.
    text = managed.run("show").out
    for words in (
        "batchSize 1, maxConcurrentPerHost 1",
        "7 admitted",
        "1 pending",
        "2 held",
        "2 of 3 Nodes held",
    ):
        assert words in text


def test_what_is_shown_where_there_is_little(place: Place, shown: jsonschema_rs.Validator) -> None:
    printed = Printed(place, shown)
    nothing = printed(0, "show")
    assert (nothing["config"]["exists"], nothing["topologies"], nothing["hosts"]) == (False, [], {})
    place.make(CONFIG, {})
    place.make(LAB, {"batchSize": 0})
    found = printed(0, "show")
    assert (found["config"]["exists"], found["config"]["batchSize"]) == (True, None)
    assert found["config"]["owners"][0]["fields"] == []
    assert found["topologies"][0]["batchSize"] == 0
    assert place.run("show", "topology/none").code == 3
    assert place.run("show", "topology/none", "--output=json").out == ""


def test_changes_of_labs_that_wait_in_every_way(
    managed: Place, change: jsonschema_rs.Validator
) -> None:
    printed = Printed(managed, change)
    released = printed(4, "set", CONFIG, "--batch-size=0", "--unset=maxConcurrentPerHost")
    (config,) = released["changes"]
    assert config["result"] == "refused"
    assert {guard["code"] for guard in config["guards"]} == {"would-release"}
    assert {one["turn"] for one in config["impact"]} == {"off"}
    assert all(one["released"] for one in config["impact"])
    (lab,) = printed(4, "set", T, "--unset=batchSize", "--dry-run=server")["changes"]
    assert [guard["code"] for guard in lab["guards"]] == ["would-release"]
    (lab,) = printed(4, "set", T, "--max-concurrent-per-host=9")["changes"]
    assert [guard["code"] for guard in lab["guards"]] == ["useless-topology-limit"]
    raised = printed(0, "set", CONFIG, "--batch-size=9", "--max-concurrent-per-host=9", "--dry-run")
    (config,) = raised["changes"]
    assert (config["result"], config["dryRun"], config["undo"]) == ("configured", "client", None)
    assert {one["field"]: one["turn"] for one in config["impact"]} == {
        "batchSize": "raised",
        "maxConcurrentPerHost": "raised",
    }
    (lab,) = printed.once(0, "set", T, "--batch-size=2", form="yaml")["changes"]
    assert lab["undo"] == {"spec": {"rollout": {"batchSize": 1}}}
    (lab,) = printed.once(0, "undo", T)["changes"]
    assert (lab["result"], lab["undo"]) == ("configured", None)


def test_changes_that_end_in_every_way(
    place: Place, change: jsonschema_rs.Validator, wire: Wire
) -> None:
    printed = Printed(place, change)
    place.make(CONFIG)
    for block in ({"batchSize": 0}, {"batchSize": 2}, {"batchSize": 2, "maxConcurrentPerHost": 3}):
        flags = [f"--batch-size={block['batchSize']}"]
        flags += ["--max-concurrent-per-host=3"] if len(block) > 1 else []
        (one,) = printed.once(0, "set", CONFIG, *flags)["changes"]
        assert (one["result"], one["after"]) == ("configured", block)
        (one,) = printed(0, "set", CONFIG, *flags)["changes"]
        assert (one["result"], one["changes"], one["impact"]) == ("unchanged", False, [])
    wire.answer_write(fails_after(400))
    (one,) = printed.once(3, "set", CONFIG, "--batch-size=5")["changes"]
    assert one["result"] == "failed"
    place.patch(CONFIG, {"spec": {"rollout": {"batchSize": 2}}})
    wire.before_next(is_write, lambda: place.patch(CONFIG, {"spec": {"rollout": None}}))
    (one,) = printed.once(4, "set", CONFIG, "--batch-size=5")["changes"]
    assert (one["result"], one["guards"]) == ("refused", [])
    wire.answer_write(lost_after)
    (one,) = printed.once(0, "set", CONFIG, "--batch-size=5")["changes"]
    assert one["undo"] == {"spec": {"rollout": None}}
    place.patch(CONFIG, {"spec": {"rollout": None}})
    assert printed.once(0, "undo", CONFIG) == {"changes": []}
    # Without a record there is nothing to speak about.
    answer = place.run("undo", CONFIG, "--output=json")
    assert (answer.code, answer.out) == (1, "")


def test_a_policy_against_labs(
    place: Place, change: jsonschema_rs.Validator, tmp_path: Path
) -> None:
    printed = Printed(place, change)
    place.make(CONFIG)
    place.make(LAB, metadata={"labels": {"argocd.argoproj.io/instance": "x"}})
    rules = [{"match": {}, "batchSize": {"default": 2}}]
    policy = written_policy(tmp_path, config={"batchSize": 3}, topologies=rules)
    both = printed(1, "diff", "-f", policy)["changes"]
    assert [one["kind"] for one in both] == ["Config", "Topology"]
    assert all("result" not in one for one in both)
    both = printed(4, "apply", "-f", policy)["changes"]
    assert [(one["result"], bool(one["guards"])) for one in both] == [
        ("refused", False),
        ("refused", True),
    ]
    both = printed.once(0, "apply", "-f", policy, "--allow=gitops-owner")["changes"]
    assert [one["result"] for one in both] == ["configured", "configured"]
    assert printed(0, "apply", "-f", policy) == {"changes": []}
    assert printed(0, "diff", "-f", policy) == {"changes": []}


def without(body: Json, *left: str) -> Json:
    return {key: value for key, value in body.items() if key not in left}


def test_the_schemas_are_schemas_and_refuse_others(
    place: Place, change: jsonschema_rs.Validator, shown: jsonschema_rs.Validator
) -> None:
    for name in ("rollout-change.json", "rollout-show.json"):
        assert jsonschema_rs.meta.is_valid(json.loads((SCHEMAS / name).read_text(encoding="utf-8")))
    place.make(CONFIG)
    place.make(LAB)
    report = json.loads(place.run("show", "--output=json").out)
    (one,) = json.loads(place.run("set", CONFIG, "--batch-size=1", "--output=json").out)["changes"]
    odd_changes: list[Json] = [
        {"more": 1}, {"kind": "Node"}, {"before": {"batchSize": -1}}, {"after": {"parallel": 1}},
        {"guards": [{"code": "x"}]}, {"impact": [{"field": "x"}]}, {"undo": {"spec": {}}}, {"dryRun": None},
        {"result": "done"},
    ]  # fmt: skip
    odd_parts: list[Json] = [
        {"more": 1}, {"config": {}}, {"hosts": {"h": {}}}, {"orphanBoots": ["x"]}, {"topologies": [{}]},
    ]  # fmt: skip
    wrong = [(change, {"changes": [one | odd]}) for odd in odd_changes]
    wrong += [(change, {"changes": [without(one, left)]}) for left in one]
    wrong += [(shown, report | odd) for odd in odd_parts]
    wrong += [(shown, without(report, "config", "topologies"))]
    assert [body for schema, body in wrong if schema.is_valid(body)] == []
    assert change.is_valid({"changes": [one]})
    assert shown.is_valid(report)
