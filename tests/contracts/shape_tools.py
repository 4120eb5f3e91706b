"""What commands write, taken apart and held against the schema that the table names for it."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import schemas
import yaml
from sarif_schema import sarif_schema
from split_lab import Answer, command

from kubectl_c9s.output.structured import structured

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).with_name("samples")
CASES = ROOT / "tests/cases/diagnose"
# Written by hand: what is really there says much of the machine where it ran.
NOT_KEPT = {"version", schemas.SARIF}
_LARGEST = 40_000  # samples are looked at by people
AT = "2026-09-21T10:10:00Z"


@functools.cache
def validator(name: str) -> jsonschema_rs.Validator:
    """Give the validator of a schema, or of a part of one (``NAME#PART``), or of SARIF."""
    if name == schemas.SARIF:
        return jsonschema_rs.validator_for(sarif_schema())
    whole, _, part = name.partition("#")
    schema = schemas.read(whole)
    if part:
        schema = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": f"#/$defs/{part}"}
    return jsonschema_rs.validator_for(schema)


def sample_name(schema: str, data: Any) -> str:
    """Give the name of a sample: that of the schema, with the number of the alternative that the document is."""
    root = schemas.read(schema)
    for number, one in enumerate(root.get("oneOf", ())):
        if jsonschema_rs.is_valid({"$defs": root["$defs"], **one}, data):
            return f"{schema}.{number}"
    return schema


def sample_names() -> list[str]:
    """Give the names of all samples that there have to be."""
    found = []
    for path in sorted(schemas.FOLDER.glob("*.json")):
        several = len(schemas.read(path.stem).get("oneOf", ()))
        found += [f"{path.stem}.{number}" for number in range(several)] or [path.stem]
    return found


def documents(text: str, place: str, name: str) -> list[Any]:
    """Take apart what was written at a place of the table; nothing else may be in it."""
    if place.endswith("jsonl") or place == "stderr":
        assert text.endswith("\n") or not text
        return [json.loads(line, parse_constant=_refuse) for line in text.splitlines()]
    if "#" in name:
        return list(yaml.safe_load_all(text))
    if place == "-o yaml":
        return [yaml.safe_load(text)]
    assert text.endswith("\n")
    return [json.loads(text, parse_constant=_refuse)]


def _refuse(word: str) -> None:
    """NaN and Infinity are no JSON, although Python writes and reads them."""
    raise AssertionError(word)


class Kept:
    """Judges what is written; ``update`` keeps samples."""

    def __init__(self, *, update: bool) -> None:
        self._update = update
        self._sizes: dict[str, int] = {}

    def text(self, name: str, place: str, text: str) -> list[Any]:
        """Judge the text of a command at a place; give its documents."""
        schema = schemas.OUTPUTS[name][place]
        found = documents(text, place, schema)
        for one in found:
            self.data(schema, one)
        return found

    def data(self, schema: str, data: Any) -> None:
        """Judge a document."""
        validator(schema).validate(data)
        if self._update and schema not in NOT_KEPT and "#" not in schema:
            self._keep(schema, data)

    def _keep(self, schema: str, data: Any) -> None:
        """Keep a document as the sample of its shape if it is fuller than the one there is, or that one is wrong."""
        name = sample_name(schema, data)
        file = SAMPLES / f"{name}.json"
        if name not in self._sizes:
            there = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
            self._sizes[name] = len(set(_keys(there))) if validator(schema).is_valid(there) else 0
        # Nothing of the machine where it ran.
        text = re.sub(r"/[^\" ]*/pytest-[^\"]*/", "", json.dumps(data, indent=1) + "\n")
        full = len(set(_keys(data)))
        if full > self._sizes[name] and len(text) < _LARGEST:
            self._sizes[name] = full
            file.write_text(text.replace(f"{ROOT}/", ""), encoding="utf-8")

    def run(
        self,
        code: int,
        name: str,
        *args: str,
        how: Callable[..., Answer] = command,
        stdin: bytes = b"",
    ) -> Any:
        """Run a command in every form with a schema; JSON and YAML must say the same. Gives that of ``-o json``."""
        found: dict[str, list[Any]] = {}
        for place in schemas.OUTPUTS[name]:
            flag, _, form = place.partition(" ")
            if flag == "-o":
                answer = how(*name.split(), *args, "-o", form, stdin=stdin)
                assert answer.code == code, (place, answer.err)
                found[place] = self.text(name, place, answer.out)
        if {"-o json", "-o yaml"} <= found.keys() and "#" not in schemas.OUTPUTS[name]["-o yaml"]:
            if how is command:
                assert found["-o json"] == found["-o yaml"], "JSON and YAML differ"
            # A cluster goes on between two looks at it.
            assert yaml.safe_load(structured(found["-o json"][0], "yaml")) == found["-o json"][0]
        return found["-o json"][0] if "-o json" in found else found


def _keys(data: Any, place: str = "") -> list[str]:
    """Give the paths of all fields, those of list items as one."""
    if isinstance(data, dict):
        return [
            key
            for name, value in data.items()
            for key in [f"{place}.{name}", *_keys(value, f"{place}.{name}")]
        ]
    if isinstance(data, list):
        return [key for value in data for key in _keys(value, f"{place}[]")]
    return [f"{place}={type(data).__name__}"]
