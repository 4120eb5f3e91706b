"""The table of causes against the contract, where that is there; and that every row has a test here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kubectl_c9s.resources.causes import CAUSES, NUMBERS, SUBS
from kubectl_c9s.resources.remedies import REMEDIES

HERE = Path(__file__).parent
CONTRACT = HERE.parents[2] / "shared/spec/causes.md"
ROW = re.compile(
    r"^\| (\d+) \| `([a-z-]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$",
    re.MULTILINE,
)
CLASSES = {"←": "time", "slot (§2)": "slot", "stuck from 120 s": "time"}


def rows() -> list[tuple[str, ...]]:
    if not CONTRACT.exists():
        pytest.skip("the contract is not beside this checkout")
    found: list[tuple[str, ...]] = ROW.findall(CONTRACT.read_text("utf-8"))
    assert len(found) == len(CAUSES)
    return found


def test_codes_and_numbers_are_those_of_the_contract() -> None:
    assert [(int(number), code) for number, code, *_ in rows()] == [
        (number, code) for code, number in NUMBERS.items()
    ]


def test_scopes_and_classes_are_those_of_the_contract() -> None:
    for _, code, scopes, _, _, _, kind in rows():
        # Letters stand before what is said in words about them.
        letters = set(re.findall(r"\b[GTHI]\b", scopes))
        assert letters == set(CAUSES[code].scopes), code
        first = re.split(r"[;,:]", kind)[-1 if "else" in kind else 0].replace("else", "").strip()
        assert CLASSES.get(first, first) == CAUSES[code].kind, code


def test_remedies_are_those_of_the_contract_and_the_main_one_goes_first() -> None:
    for _, code, _, _, _, remedies, _ in rows():
        named = [one for one in re.findall(r"`([a-z-]+)`", remedies) if one in REMEDIES]
        assert set(named) <= set(CAUSES[code].remedies), code
        assert len(named) != 1 or named[0] == CAUSES[code].remedies[0]


def test_subs_that_the_contract_lists_are_in_its_order() -> None:
    for _, code, _, _, sub, _, _ in rows():
        listed = [one for one in re.findall(r"`([A-Za-z-]+)`", sub) if one in SUBS.get(code, ())]
        assert listed == [one for one in SUBS.get(code, ()) if one in listed], code


def test_every_row_of_the_table_has_a_test() -> None:
    files = [*HERE.glob("test_diagnosis_*.py"), HERE / "diagnosis_fault_table.py"]
    tests = "\n".join(file.read_text("utf-8") for file in files if file.name != Path(__file__).name)
    assert [code for code in CAUSES if f'"{code}"' not in tests] == []
