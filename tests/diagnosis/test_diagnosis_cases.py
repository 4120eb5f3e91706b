"""The recorded cases, compared as their README says: in the repository, and in the optional folder beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from diagnosis_report import SCOPED, short

from kubectl_c9s.diagnosis.dump import read_dump
from kubectl_c9s.diagnosis.place import find_place
from kubectl_c9s.diagnosis.present import present
from kubectl_c9s.diagnosis.report import diagnose
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests/cases/diagnose", ROOT.parent / "shared/cases/diagnose")
CASES = {
    case.parent.name: case.parent
    for folder in FOLDERS
    for case in sorted(folder.glob("*/expected.json"))
}


def test_no_case_is_missed() -> None:
    assert len(list(FOLDERS[0].glob("*/expected.json"))) >= 18


def load(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the report on a case, and what is expected of it."""
    expected = json.loads((CASES[name] / "expected.json").read_text("utf-8"))
    dump = read_dump([(CASES[name] / "dump.json").read_bytes()])
    now = seconds_of(expected["at"])
    assert now is not None
    found = present(diagnose(dump, find_place(dump, expected["managerNamespace"]), now))
    return json.loads(json.dumps(found)), expected


@pytest.mark.parametrize("name", CASES)
def test_a_case_has_the_expected_verdict_causes_counts_and_remedies(name: str) -> None:
    found, expected = load(name)
    for key in ("verdict", "primaryCause", "counts"):
        assert found[key] == expected[key]
    assert set(expected["remedies"]) <= set(found["remedies"])
    causes = {one["code"]: one for one in found["causes"]}
    for wanted in expected["causes"]:
        cause = causes.pop(wanted["code"])
        assert set(cause["scope"]) == set(wanted["scope"])
        assert names(cause["objects"]) == names(wanted["objects"])
        for key in ("sub", "overLimit"):
            assert key not in wanted or cause.get(key) == wanted[key]
    assert [one["code"] for one in causes.values() if one["scope"] != ["info"]] == []


@pytest.mark.parametrize("name", CASES)
def test_a_case_mentions_what_was_seen_and_blames_nobody_else(name: str) -> None:
    found, expected = load(name)
    texts = [evidence["text"] for cause in found["causes"] for evidence in cause["evidence"]]
    everything = json.dumps(found) + json.dumps(texts)
    assert [text for text in expected["mustMention"] if text not in everything] == []
    blamed = [
        obj for one in found["causes"] if SCOPED & set(one["scope"]) for obj in one["objects"]
    ]
    assert names(blamed) & names(expected["mustNotBlame"]) == set()


def names(objects: Iterable[dict[str, Any]]) -> set[str]:
    """Give short names of objects."""
    return {short(one) for one in objects}
