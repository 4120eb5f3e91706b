"""``diagnostics capture`` against a site, and its manifest checked against its schema and its files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from live_tools import c9s

from kubectl_c9s.measurement.capturefile import read_manifest

if TYPE_CHECKING:
    from manager_site import Site
    from split_lab import Answer

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "diagnostics-capture.json"
Manifest = dict[str, Any]


def capture(site: Site, folder: Path, *flags: str) -> Answer:
    where = ("--manager-namespace", site.namespace, "--output-dir", str(folder))
    return c9s(site.bed, "diagnostics", "capture", *where, *flags)


def manifest_of(folder: Path) -> Manifest:
    """Read the manifest; it fits its schema, its files are as it says, and nothing else is there."""
    data = (folder / "manifest.json").read_bytes()
    found: Manifest = json.loads(data)
    jsonschema_rs.validator_for(json.loads(SCHEMA.read_text("utf-8"))).validate(found)
    assert read_manifest(data, "manifest.json").complete is found["complete"]
    files = {one["file"]: one for one in found["items"] if one["file"]}
    assert {path.name for path in folder.iterdir()} == {*files, "manifest.json"}
    for name, one in files.items():
        content = (folder / name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (one["size"], one["sha256"])
        assert one["error"] is None
    return found
