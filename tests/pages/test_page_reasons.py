"""Blocks that are not run are few and counted: tests/pages/not-run.json says how many a page has of each reason."""

from __future__ import annotations

import json
from collections import Counter

from page_blocks import blocks
from page_markers import REASONS
from page_places import ROOT, pages, text_of

COUNTED = ROOT / "tests/pages/not-run.json"


def counted() -> dict[str, dict[str, int]]:
    found = {}
    for name in pages():
        reasons = Counter(one.marker.reason for one in blocks(text_of(name)) if not one.marker.runs)
        if reasons:
            found[name] = dict(sorted(reasons.items()))
    return found


def test_blocks_that_are_not_run_are_those_that_are_known(*, update_golden: bool) -> None:
    if update_golden:
        COUNTED.write_text(json.dumps(counted(), indent=1) + "\n", encoding="utf-8")
    assert counted() == json.loads(COUNTED.read_text(encoding="utf-8"))


def test_every_reason_is_used() -> None:
    used = {reason for reasons in counted().values() for reason in reasons}
    assert set(REASONS) - used == set(), "take these out of page_markers.py"
