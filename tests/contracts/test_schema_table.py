"""Every command that writes for programs has a schema, every schema a command; schemas are schemas, and closed."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import jsonschema_rs
import msgspec
import pytest
import schemas

from kubectl_c9s.cluster.facts import Level
from kubectl_c9s.measurement.replayanalysis import Submission
from kubectl_c9s.measurement.replayrun import Progress
from kubectl_c9s.output.status import changes
from kubectl_c9s.rollout.drifting import Drift
from kubectl_c9s.yamlio.inventory import Inventory

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "kubectl_c9s"
FOR_PROGRAMS = {"json", "yaml", "jsonl", "sarif"}
NAMES = sorted(path.stem for path in schemas.FOLDER.glob("*.json"))
# Where a command writes something else than JSON, or what -o says.
NOT_JSON = {
    "migrate": {"--output-file"},
    "measure report": {"--output-file"},
    "measure compare": {"--output-file"},
    "measure verify": {"--output-file"},
}
# Open because they hold what others have written, or are closed by the whole of their alternatives.
OPEN = {
    "object-list": {f"$defs.object{part}" for part in ("", ".properties.metadata", ".if", ".then")},
    "diagnostics-capture": {"$defs.item.anyOf[0]", "$defs.item.anyOf[1]"},
    "resource-list": {"", "$defs.foreign", "$defs.foreign.not"},
    "argocd-parameters": {"items", *(f"items.oneOf[{number}]" for number in range(3))},
    "explain": {"anyOf[0]", "anyOf[1]"},
    "snapshot": {"properties.items.items"},
    "replay-probes": {"items.oneOf[1]"},
}


def commands(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, one in table.items():
        path = f"{before}{name}"
        if one["commands"]:
            yield from commands(one["commands"], f"{path} ")
        else:
            yield path, one


def all_commands() -> dict[str, dict[str, Any]]:
    table = json.loads((PACKAGE / "cli/commands.json").read_text(encoding="utf-8"))
    return dict(commands(table["commands"]))


def promised(command: dict[str, Any]) -> set[str]:
    """Give the places where a command writes for programs, by its flags."""
    found = set()
    for flag in command["flags"]:
        if "--output" in flag["names"] and isinstance(flag["value"], list):
            found |= {f"-o {form}" for form in flag["value"] if form in FOR_PROGRAMS}
        found |= {"--report", "--print-patch", "--output-file", "--output-dir"} & set(flag["names"])
    return found


@pytest.mark.parametrize("name", sorted(all_commands()))
def test_every_form_for_programs_has_a_schema(name: str) -> None:
    known = {place.partition(",")[0] for place in schemas.OUTPUTS.get(name, {})}
    wanted = promised(all_commands()[name]) - NOT_JSON.get(name, set())
    assert wanted <= known, "name the schema in tests/checks/schemas.py"
    # What is no flag is a stream, or a file that is read.
    assert {place for place in known - wanted if place.startswith("-")} <= {"--from"}


def test_the_table_names_commands_and_schemas_that_exist_and_leaves_no_schema_out() -> None:
    assert schemas.OUTPUTS.keys() <= all_commands().keys()
    used = {
        name.partition("#")[0] for places in schemas.OUTPUTS.values() for name in places.values()
    }
    assert used - {schemas.SARIF} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid_named_and_described(name: str) -> None:
    schema = schemas.read(name)
    assert jsonschema_rs.meta.is_valid(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:kubectl-c9s:schema:{name}"
    assert schema["title"]
    assert schema["description"]
    references = {one["$ref"] for _, one in parts(schema) if "$ref" in one}
    assert references == {f"#/$defs/{part}" for part in schema.get("$defs", {})}
    assert all(
        one["enum"] for _, one in parts(schema) if "enum" in one and isinstance(one["enum"], list)
    )


@pytest.mark.parametrize("name", NAMES)
def test_what_has_fields_takes_no_others(name: str) -> None:
    schema = schemas.read(name)
    opened = {
        place
        for place, one in parts(schema)
        if isinstance(one.get("properties"), dict) and "additionalProperties" not in one
    }
    assert opened == OPEN.get(name, set())


def parts(schema: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every schema inside a schema, with its place."""
    if isinstance(schema, dict):
        yield place, schema
        for key, value in schema.items():
            inside = f"{place}.{key}" if place else key
            if key in {"properties", "$defs"} and isinstance(value, dict):
                for name, one in value.items():
                    yield from parts(one, f"{inside}.{name}")
            elif key in {"items", "additionalProperties", "propertyNames", "not", "if", "then"}:
                yield from parts(value, inside)
            elif key in {"oneOf", "anyOf", "allOf"}:
                for number, one in enumerate(value):
                    yield from parts(one, f"{inside}[{number}]")


def test_fields_are_those_of_the_code() -> None:
    def fields(name: str, *way: str) -> set[str]:
        found: Any = schemas.read(name)
        for key in way:
            found = found[key]
        return set(found["properties"])

    assert fields("replay-submissions", "items") == {
        one.encode_name for one in msgspec.structs.fields(Submission)
    }
    assert (
        fields("replay-progress") == Progress(0.0, *(0 for _ in Progress._fields[1:])).line().keys()
    )
    assert fields("directory-inventory") == {"format", *Inventory._fields}
    tree = {"at": "", "labs": []}
    (gone,) = changes({"a/b": "ready"}, tree)[1]
    assert fields("status-event", "$defs", "gone") == gone.keys()


def test_samples_and_recorded_starts_have_the_same_fields() -> None:
    run, event = schemas.read("startup-run"), schemas.read("measure-event")
    sample = run["properties"]["samples"]["items"]["properties"]
    assert event["$defs"]["sample"]["properties"].keys() == {"type", *sample}
    end = event["$defs"]["end"]["properties"]
    assert end.keys() - {"type"} <= run["properties"].keys()
    assert end["verdict"] == {"enum": run["properties"]["verdict"]["enum"]}


def calls(*folders: str) -> Iterator[ast.Call]:
    for folder in folders:
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield node


def test_log_lines_have_the_fields_that_are_logged() -> None:
    logged = {"ts", "level", "msg", "error", *Drift._fields}
    for node in calls("reconciler", "remediation", "cluster"):
        for given in node.keywords:
            if given.arg == "extra" and isinstance(given.value, ast.Dict):
                logged |= {str(ast.literal_eval(key)) for key in given.value.keys if key}
    assert logged == schemas.read("reconciler-log")["properties"].keys()


def test_checks_have_the_names_and_levels_of_the_code() -> None:
    names = set()
    for node in calls("cluster"):
        if isinstance(node.func, ast.Name) and node.func.id in {"Fact", "_allowed"}:
            first = node.args[0]
            if isinstance(first, ast.Constant):
                names.add(first.value)
    said = schemas.read("check")["properties"]["checks"]["items"]["properties"]
    assert set(said["name"]["enum"]) == names
    assert set(said["level"]["enum"]) == set(get_args(Level))
