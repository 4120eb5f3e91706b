from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.yamlio.inventory import Inventory, dump_inventory, is_own_path, parse_inventory

DIGEST = "0" * 64
PATHS = st.from_regex(r"\A[a-z0-9_]{1,9}/[a-z0-9][a-z0-9.-]{0,9}\.yaml\Z")
FILES = st.dictionaries(PATHS, st.binary(min_size=32, max_size=32).map(bytes.hex), max_size=5)


def test_the_text_is_sorted_and_has_a_line_a_file() -> None:
    files = {"nodes/r2.yaml": "2" * 64, "nodes/r1.yaml": "1" * 64}
    inventory = Inventory("demo", "c9s-demo", "by-kind", files, {"links/old.yaml": DIGEST})
    assert dump_inventory(inventory).splitlines() == [
        "{",
        '  "files": {',
        f'    "nodes/r1.yaml": "{"1" * 64}",',
        f'    "nodes/r2.yaml": "{"2" * 64}"',
        "  },",
        '  "format": 1,',
        '  "lab": "demo",',
        '  "layout": "by-kind",',
        '  "namespace": "c9s-demo",',
        '  "stale": {',
        f'    "links/old.yaml": "{DIGEST}"',
        "  }",
        "}",
    ]


@given(st.text(), st.text(), FILES, FILES)
def test_what_is_written_is_read_back(
    lab: str, namespace: str, files: dict[str, str], stale: dict[str, str]
) -> None:
    inventory = Inventory(lab, namespace, "by-node", files, stale)
    assert parse_inventory(dump_inventory(inventory)) == inventory


@pytest.mark.parametrize(
    "path",
    [
        "../x.yaml",
        "a/../x.yaml",
        "/etc/x.yaml",
        "a//x.yaml",
        "./x.yaml",
        ".git/x.yaml",
        ".x.yaml",
        "a\\x.yaml",
        "x.yaml\n",
        "x.yaml/",
        "README.md",
        "a\0.yaml",
        "a/b/c/d/e.yaml",
        "",
    ],
)
def test_a_path_that_is_not_ours_is_refused(path: str) -> None:
    assert not is_own_path(path)
    text = dump_inventory(Inventory("demo", "", "by-kind", {path: DIGEST}, {}))
    with pytest.raises(ValueError, match="not one of ours"):
        parse_inventory(text)


GOOD: dict[str, Any] = {
    "format": 1,
    "lab": "demo",
    "namespace": "",
    "layout": "by-kind",
    "files": {},
    "stale": {},
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 2}, "format 2 is not known"),
        ({"lab": None}, "lab is no text"),
        ({"files": []}, "files is no mapping"),
        ({"stale": {"a.yaml": "abc"}}, "the digest of a.yaml is none"),
        ({"more": 1}, "not an inventory"),
    ],
)
def test_another_shape_is_refused_with_the_reason(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_inventory(json.dumps({**GOOD, **change}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Expecting value"),
        ("[]", "not an inventory"),
        ("{", "Expecting property name"),
        ("<<<<<<< ours\n{}", "Expecting value: line 1"),
        ("[" * 100_000, "nested too deep"),
        ('{"lab": 1, "lab": 1}', "a key is there twice"),
        (b"\xff", "can't decode"),
    ],
)
def test_what_is_no_inventory_is_a_value_error(text: str | bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_inventory(text)
