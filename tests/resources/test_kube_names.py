from __future__ import annotations

import hashlib
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_c9s.resources import names

ANY_TEXT = st.text(st.characters(), max_size=90)
LABEL = st.from_regex(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", fullmatch=True)
LONG = "a-very-long-router-name-that-goes-well-past-the-limit-of-sixty-three-characters"


def digits(text: str, count: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:count]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("PE_1", "pe-1"),
        ("r1", "r1"),
        ("spine 1 / rack 2", "spine-1-rack-2"),
        ("_leaf_", "leaf"),
        ("a--b", "a--b"),
        ("a_-_b", "a---b"),
        ("1", "clab-1"),
        ("-7up-", "clab-7up"),
        ("\u212a1", "k1"),  # the sign for kelvin has an ASCII lower case
        ("\u0130x", "ix"),  # so has the dotted capital I in Go; Python would add a combining dot
        ("K\u00d6LN", "k-ln"),
        ("__", ""),
        ("", ""),
        ("\u8def\u7531\u5668", ""),
    ],
)
def test_a_node_name_is_rewritten_only_where_kubernetes_cannot_carry_it(
    written: str, expected: str
) -> None:
    assert names.sanitize_name(written) == expected


def test_a_long_node_name_ends_in_the_digest_of_the_name_as_written() -> None:
    written = LONG.replace("-", "_")
    assert names.sanitize_name(written) == f"{LONG[:55].rstrip('-')}-{digits(written, 7)}"


def test_a_cut_node_name_has_no_dash_before_its_digest() -> None:
    written = "a" * 54 + "-" + "b" * 20
    assert names.sanitize_name(written) == f"{'a' * 54}-{digits(written, 7)}"


@given(ANY_TEXT)
@example("\ud800")
@example("-" * 70)
@example("7" * 70)
def test_any_text_gives_a_legal_node_name_or_none(text: str) -> None:
    name = names.sanitize_name(text)
    assert name == "" or names.is_dns1035_label(name)


@given(ANY_TEXT)
def test_a_node_name_once_made_does_not_change_again(text: str) -> None:
    name = names.sanitize_name(text)
    assert names.sanitize_name(name) == name


@given(LABEL)
def test_a_name_kubernetes_accepts_is_kept(name: str) -> None:
    assert names.sanitize_name(name) == name


def test_only_two_characters_outside_ascii_become_letters() -> None:
    becoming = {
        chr(code): made for code in range(0x80, 0x30000) if (made := names.sanitize_name(chr(code)))
    }
    assert becoming == {"\u0130": "i", "\u212a": "k"}


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        (("pe-1", "eth1", "cpe", "Eth2"), "pe-1-eth1-cpe-eth2-6e995a20"),
        (("already-fine", "ETH2", "r1", "eth2"), "already-fine-eth2-57765cd0-r1-eth2"),
        (("a", "e1-1", "b", "e1-1"), "a-e1-1-b-e1-1"),
        (("a", "1/1/c1", "b", "x"), f"a-1-1-c1-{digits('1/1/c1', 8)}-b-x"),
        (("a", "//", "b", "x"), f"a-x-{digits('//', 8)}-b-x"),
        (("a", "e__1", "b", "x"), f"a-e--1-{digits('e__1', 8)}-b-x"),
        (("a", "-e1", "b", "x"), f"a-e1-{digits('-e1', 8)}-b-x"),
    ],
)
def test_a_link_is_named_after_its_ends_and_marks_changed_interfaces(
    wire: tuple[str, str, str, str], expected: str
) -> None:
    assert names.link_name(*wire) == expected


@given(LABEL, ANY_TEXT, LABEL, ANY_TEXT)
@example("a", "\ud800", "b", "")
def test_any_interface_text_gives_a_legal_link_name(a: str, if_a: str, b: str, if_b: str) -> None:
    name = names.link_name(a, if_a, b, if_b)
    assert len(name) <= names.MAX_NAME
    assert names.is_dns1123_subdomain(name)


@given(ANY_TEXT, ANY_TEXT)
def test_two_interfaces_of_a_node_give_two_link_names(one: str, two: str) -> None:
    same = names.link_name("a", one, "b", "e1") == names.link_name("a", two, "b", "e1")
    assert same == (one == two)


def test_the_direction_of_a_link_is_part_of_its_name() -> None:
    assert names.link_name("a", "e1", "b", "e2") != names.link_name("b", "e2", "a", "e1")


def test_joined_parts_of_63_characters_stay_and_64_are_cut() -> None:
    assert names.safe_concat("a" * 31, "b" * 31) == "a" * 31 + "-" + "b" * 31
    whole = "a" * 31 + "-" + "b" * 32
    assert names.safe_concat("a" * 31, "b" * 32) == f"{whole[:55]}-{digits(whole, 7)}"


def test_a_cut_join_keeps_a_dash_at_its_cut() -> None:
    assert names.safe_concat("a" * 54, "b" * 20).startswith("a" * 54 + "--")


def test_a_join_is_measured_and_cut_in_bytes() -> None:
    assert names.safe_concat("\u00e9" * 31) == "\u00e9" * 31
    whole = "\u00e9" * 32
    assert names.safe_concat(whole) == "\u00e9" * 27 + f"\ufffd-{digits(whole, 7)}"


@pytest.mark.parametrize(
    ("text", "is_1035", "is_1123", "is_subdomain"),
    [
        ("a", True, True, True),
        ("a-1", True, True, True),
        ("1a", False, True, True),
        ("a.b", False, False, True),
        ("a..b", False, False, False),
        (".a", False, False, False),
        ("a-.b", False, False, False),
        ("a-", False, False, False),
        ("A", False, False, False),
        ("a\n", False, False, False),
        ("", False, False, False),
        ("a" * 63, True, True, True),
        ("a" * 64, False, False, True),
        ("a" * 253, False, False, True),
        ("a" * 254, False, False, False),
    ],
)
def test_labels_and_subdomains_are_told_apart(
    text: str,
    is_1035: bool,  # noqa: FBT001 - a table of answers
    is_1123: bool,  # noqa: FBT001
    is_subdomain: bool,  # noqa: FBT001
) -> None:
    assert names.is_dns1035_label(text) is is_1035
    assert names.is_dns1123_label(text) is is_1123
    assert names.is_dns1123_subdomain(text) is is_subdomain


@pytest.mark.parametrize(
    "key", ["a", "A_b.C-1", "example.com/x", "c9s.run/topologyOwner", "a" * 63, "a" * 253 + "/x"]
)
def test_good_label_keys_have_no_problems(key: str) -> None:
    assert names.qualified_name_problems(key) == []


@pytest.mark.parametrize(
    ("key", "count", "word"),
    [
        ("", 1, "empty"),
        ("a/b/c", 1, "one '/'"),
        ("/x", 1, "before '/'"),
        ("Example.com/x", 1, "before '/'"),
        ("a" * 254 + "/x", 1, "before '/'"),
        ("example.com/", 1, "empty"),
        ("-a", 1, "at both ends"),
        ("a b", 1, "at both ends"),
        ("a\n", 1, "at both ends"),
        ("a" * 64, 1, "at most 63"),
        ("/" + "-" * 64, 3, "at most 63"),
    ],
)
def test_each_problem_of_a_label_key_is_named(key: str, count: int, word: str) -> None:
    problems = names.qualified_name_problems(key)
    assert len(problems) == count
    assert any(word in problem for problem in problems)


@given(st.text(string.ascii_letters + string.digits + "-_./ \n\u00e9", max_size=70))
def test_a_label_value_is_judged_like_the_name_part_of_a_key_but_may_be_empty(text: str) -> None:
    as_name = [] if "/" in text else names.qualified_name_problems(text)
    expected = 0 if text == "" else len(as_name)
    if "/" not in text:
        assert len(names.label_value_problems(text)) == expected
    else:
        assert names.label_value_problems(text)


def test_problem_lists_belong_to_the_caller() -> None:
    names.qualified_name_problems("-").clear()
    assert names.qualified_name_problems("-")


@pytest.mark.parametrize(
    ("key", "value", "legal"),
    [("a", "", True), ("a", "b", True), ("a b", "b", False), ("a", "b c", False)],
)
def test_a_label_needs_a_good_key_and_a_good_value(
    key: str,
    value: str,
    legal: bool,  # noqa: FBT001 - a table of answers
) -> None:
    assert names.is_label(key, value) is legal
