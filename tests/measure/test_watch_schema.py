"""The schema of a recorded start says what the structs say, and takes what is really written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from watch_objects import begun, condition, feed, node, pod

from kubectl_c9s.measurement import watched
from kubectl_c9s.measurement.run import MILESTONES, Device, Replayed, Run
from kubectl_c9s.measurement.runfile import write_run
from kubectl_c9s.measurement.statistics import distribution

SCHEMA = Path(__file__).parents[2] / "docs/schemas/startup-run.json"


def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


def compare(kind: msgspec.inspect.Type, said: dict[str, Any], place: str) -> None:
    """Compare the fields of a struct, and of what is in it, with what the schema says there."""
    if isinstance(kind, msgspec.inspect.UnionType):
        kind = next(one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType))
    if isinstance(kind, msgspec.inspect.StructType):
        assert set(said["properties"]) == {one.encode_name for one in kind.fields}, place
        assert not said["additionalProperties"], place
        for one in kind.fields:
            compare(one.type, said["properties"][one.encode_name], f"{place}.{one.encode_name}")
    elif isinstance(kind, msgspec.inspect.VarTupleType):
        compare(kind.item_type, said["items"], f"{place}[]")
    elif isinstance(kind, msgspec.inspect.DictType) and "properties" not in said:
        compare(kind.value_type, said["additionalProperties"], f"{place}.*")
    elif isinstance(kind, msgspec.inspect.LiteralType):
        wanted = said.get("enum", [said.get("const")])
        assert sorted(map(str, wanted)) == sorted(map(str, kind.values)), place


def test_schema_and_structs_have_the_same_fields() -> None:
    compare(msgspec.inspect.type_info(Run), schema(), "run")


@pytest.mark.parametrize("field", ["stamps", "observed"])
def test_a_device_has_the_milestones_and_no_others(field: str) -> None:
    said = schema()["properties"]["devices"]["items"]["properties"][field]
    assert tuple(said["properties"]) == MILESTONES
    assert not said["additionalProperties"]


def test_what_is_written_keeps_the_schema() -> None:
    validator = jsonschema_rs.validator_for(schema())
    tracker = begun(1)
    validator.validate(json.loads(write_run(tracker.run("recording", 0.0))))
    feed(tracker, watched.NODES, "ADDED", 1.0, node("a", 1, admitted="node-a", planned=True))
    feed(tracker, watched.PODS, "ADDED", 2.0, condition(pod("a", 2, host="h1"), "Ready", 3))
    tracker.sample(2.5)
    run = tracker.run("reached", 3.0)
    replay = Replayed("s", distribution([0.1, 0.2]), distribution([]), ("late",))
    validator.validate(json.loads(write_run(msgspec.structs.replace(run, replay=replay))))
    odd = msgspec.structs.replace(run, devices=(Device("lab", "a", stamps={"born": 1.0}),))
    assert not validator.is_valid(json.loads(write_run(odd)))
