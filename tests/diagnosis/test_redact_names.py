"""New names sort as the old ones, are all different, and show nothing of them."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_c9s.diagnosis.redactnames import Names

LABELS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?", fullmatch=True)
DNS = st.lists(LABELS, min_size=1, max_size=3).map(".".join)


@given(st.lists(st.tuples(DNS, DNS), min_size=2, max_size=12))
@example([("lab", "x"), ("lab-a", "x"), ("lab.a", "x"), ("lab0", "x")])
@example([("a", "a0"), ("a", "a-0"), ("a", "a"), ("a-", "a")])
def test_new_names_sort_as_the_old_ones(pairs: list[tuple[str, str]]) -> None:
    names = Names()
    for pair in pairs:
        list(map(names.name, pair))
    names.settle()
    full = [("/".join(pair), "/".join(map(names.name, pair))) for pair in pairs]
    alone = [(one, names.name(one)) for pair in pairs for one in pair]
    for rows in (full, alone):
        assert [new for _, new in sorted(rows)] == sorted(new for _, new in rows)
        assert len({new for _, new in rows}) == len({old for old, _ in rows})


KEYS = st.one_of(
    DNS, st.tuples(DNS, LABELS).map("/".join),
    st.sampled_from(["cpu", "memory", "pods", "nvidia.com/gpu", "hugepages-2Mi", "toolkit.c9s.run/startup", "node"]),
)  # fmt: skip


@given(st.lists(KEYS, min_size=2, max_size=12))
@example(["acme.example/fpga", "nvidia.com/gpu", "cpu", "zz.example/x"])
@example(["0", "a"])
@example(["node", "node-aq", "node-node"])
def test_keys_sort_as_before_whether_they_stay_or_not(keys: list[str]) -> None:
    names = Names()
    list(map(names.key, keys))
    names.settle()
    rows = {(key, names.key(key)) for key in keys}
    assert [new for _, new in sorted(rows)] == sorted(new for _, new in rows)
    assert len({new for _, new in rows}) == len(set(keys))
    assert all(new == key for key, new in rows if key in ("cpu", "nvidia.com/gpu"))
    assert all("acme" not in new for _, new in rows)


@given(st.lists(DNS, min_size=1, max_size=8))
def test_a_code_is_no_piece_of_an_old_name(found: list[str]) -> None:
    names = Names()
    list(map(names.name, found))
    names.settle()
    codes = {code for one in found for code in re.findall(r"[a-z]+\d+", names.name(one))}
    assert [code for code in codes if any(code in one for one in found)] == []


def test_a_name_that_begins_with_another_one_still_does() -> None:
    old, names = ("leaf1", "leaf1-5d8f9", "leaf1-5d8f9-x7x2p"), Names()
    list(map(names.name, old))
    names.settle()
    first, second, third = map(names.name, old)
    assert second.startswith(f"{first}-")
    assert third.startswith(f"{second}-")
