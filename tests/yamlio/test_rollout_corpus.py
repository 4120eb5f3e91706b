"""Edits of a corpus of manifests, line for line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from rollout_commands import CORPUS, MANIFESTS, Case, cases, edited, outcome, parsed, write

from kubectl_c9s.yamlio.rolloutedit import edit_rollout

if TYPE_CHECKING:
    from pathlib import Path

ACCEPTED = [
    (path, case.command)
    for path in MANIFESTS
    for case in cases(path)
    if not any(line.startswith("refused") for line in case.outcome)
]


def test_every_manifest_has_its_commands_and_no_other_file_is_there() -> None:
    assert len(MANIFESTS) >= 30
    names = {path.name for path in MANIFESTS}
    assert names | {path.with_suffix(".diffs").name for path in MANIFESTS} == {
        path.name for path in CORPUS.iterdir()
    }
    assert all(case.outcome for path in MANIFESTS for case in cases(path))
    assert len(ACCEPTED) >= 100


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.name)
def test_an_edit_changes_the_wanted_lines(manifest: Path, update_golden: bool) -> None:  # noqa: FBT001 - a fixture
    known = cases(manifest)
    found = [Case(case.command, outcome(manifest, case.command)) for case in known]
    if update_golden:
        write(manifest, found)
    else:
        assert found == known


# Where libyaml is missing. That parser takes no tabs before a key, as in config-tabs.json.
@pytest.mark.parametrize(
    "manifest",
    [path for path in MANIFESTS if b"\n\t" not in path.read_bytes()],
    ids=lambda path: path.name,
)
def test_the_parser_in_python_gives_the_same(
    manifest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kubectl_c9s.yamlio.reader._LOADER", yaml.SafeLoader)
    monkeypatch.setattr("kubectl_c9s.yamlio.spottree._LOADER", yaml.SafeLoader)
    for case in cases(manifest):
        assert outcome(manifest, case.command) == case.outcome, case.command


@pytest.mark.parametrize(("manifest", "command"), ACCEPTED)
def test_a_second_time_changes_nothing(manifest: Path, command: str) -> None:
    once = edited(manifest, command)
    assert edit_rollout(once, manifest.name, *parsed(command)) == once


# A command that changes plain numbers, and the numbers that were there.
BACK = {
    "config-plain.yaml": ("config --batch-size 40", "config --batch-size 25"),
    "config-commented.yaml": (
        "config --batch-size 0 --max-concurrent-per-host 100",
        "config --batch-size 25 --max-concurrent-per-host 16",
    ),
    "config-anchors.yaml": ("config --batch-size 40", "config --batch-size 25"),
    "config-cr.yaml": ("config --batch-size 40", "config --batch-size 5"),
    "config-explicit-keys.yaml": ("config --batch-size 40", "config --batch-size 5"),
    "config-flow-lines.yaml": (
        "config --batch-size 4 --max-concurrent-per-host 400",
        "config --batch-size 25 --max-concurrent-per-host 4",
    ),
    "config-merge-override.yaml": ("config --batch-size 4", "config --batch-size 20"),
    "stream.yaml": ("topology/small -n other --batch-size 40", "topology/small -n other --batch-size 2"),
    "topology-crlf.yaml": ("topology/windows --batch-size 40", "topology/windows --batch-size 5"),
    "topology-unicode.yaml": (
        "topology/emoji-😀 --max-concurrent-per-host 40",
        "topology/emoji-😀 --max-concurrent-per-host 4",
    ),
    "values-subchart.yaml": ("config --batch-size 4", "config --batch-size 25"),
    "list-pretty.json": ("config --batch-size 40", "config --batch-size 5"),
}  # fmt: skip


@pytest.mark.parametrize("name", BACK)
def test_setting_back_restores_the_bytes(name: str) -> None:
    manifest = CORPUS / name
    there, back = BACK[name]
    changed = edited(manifest, there)
    assert changed != manifest.read_bytes()
    assert edit_rollout(changed, name, *parsed(back)) == manifest.read_bytes()


JSON = [(path, command) for path, command in ACCEPTED if path.suffix == ".json"]


@pytest.mark.parametrize(("manifest", "command"), JSON)
def test_json_stays_json(manifest: Path, command: str) -> None:
    before, after = manifest.read_bytes(), edited(manifest, command)
    assert without_rollout(json.loads(after)) == without_rollout(json.loads(before))


def without_rollout(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: without_rollout(item) for key, item in value.items() if key != "rollout"}
        return {key: item for key, item in kept.items() if (key, item) != ("spec", {})}
    return [without_rollout(item) for item in value] if isinstance(value, list) else value
