"""The SBOM keeps its published schema, is the same in every run, and says what the lock says."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import inventory
import jsonschema_rs
import locked
import pytest
import sbom

from kubectl_c9s import __version__

if TYPE_CHECKING:
    from pathlib import Path

SCHEMAS = files("cyclonedx.schema") / "_res"


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (SCHEMAS / f"{name}.SNAPSHOT.schema.json").read_text(encoding="utf-8")
    )
    return found


@pytest.fixture
def written(tmp_path: Path) -> dict[str, Any]:
    """Give the SBOM as it is written."""
    target = tmp_path / "dist/bom.json"
    assert sbom.main([str(target)]) == 0
    found: dict[str, Any] = json.loads(target.read_bytes())
    return found


@pytest.fixture(scope="module")
def validator() -> jsonschema_rs.Draft7Validator:
    """Give the published schema of CycloneDX 1.6; what it refers to is at hand, and nothing is fetched."""
    main = schema("bom-1.6")
    base = main["$id"].rpartition("/")[0]
    others = [
        (f"{base}/{name}.SNAPSHOT.schema.json", schema(name)) for name in ("spdx", "jsf-0.82")
    ]
    registry = jsonschema_rs.Registry(others)
    return jsonschema_rs.Draft7Validator(main, registry=registry, validate_formats=True)


def test_it_keeps_the_published_schema(
    written: dict[str, Any], validator: jsonschema_rs.Draft7Validator
) -> None:
    assert [error.message for error in validator.iter_errors(written)] == []
    written["components"][0]["licenses"] = [{"license": {"id": "no such licence"}}]
    assert not validator.is_valid(written)


def test_it_names_what_the_lock_names_and_what_is_inside(written: dict[str, Any]) -> None:
    pins = locked.pins((locked.ROOT / locked.RUN).read_text(encoding="utf-8"))
    found = {(one["name"], one["version"]) for one in written["components"]}
    assert found == {(pin.name, pin.version) for pin in pins}
    for package in inventory.load():
        (one,) = (one for one in written["components"] if one["name"] == package.name)
        assert one["purl"] == f"pkg:pypi/{package.name}@{package.version}"
        assert one["licenses"] == [{"expression": package.licence}]
        inside = {(part["name"], part["version"]) for part in one.get("components", ())}
        assert inside == {(part.name, part.version) for part in package.parts}
    tool = written["metadata"]["component"]
    assert (tool["name"], tool["version"], tool["type"]) == (
        "kubectl-c9s",
        __version__,
        "application",
    )


def test_from_the_tool_every_package_is_reached(written: dict[str, Any]) -> None:
    needs = {one["ref"]: one.get("dependsOn", []) for one in written["dependencies"]}
    found: set[str] = set()
    waiting = {written["metadata"]["component"]["bom-ref"]}
    while waiting:
        found |= waiting
        waiting = {need for one in waiting for need in needs[one]} - found
    packages = {one["bom-ref"] for one in written["components"]}
    assert packages <= found


def test_no_reference_stands_for_two_things(written: dict[str, Any]) -> None:
    inner = [part for one in written["components"] for part in one.get("components", ())]
    references = [one["bom-ref"] for one in [*written["components"], *inner]]
    assert len(references) == len(set(references)) > 300


def test_it_is_the_same_in_every_run(tmp_path: Path) -> None:
    texts = []
    for number in ("1", "2"):
        subprocess.run(
            [sys.executable, sbom.__file__, tmp_path / number], check=True, capture_output=True,
            env={"PYTHONPATH": str(locked.ROOT), "PYTHONHASHSEED": number, "SOURCE_DATE_EPOCH": "1700000000"},
        )  # fmt: skip
        texts.append((tmp_path / number).read_bytes())
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["metadata"]["timestamp"] == "2023-11-14T22:13:20+00:00"
