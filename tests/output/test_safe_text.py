"""What safe_text promises: nothing that reaches a terminal can hide, move or turn around."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.output.safe_text import safe_text

anything = st.text(st.characters(exclude_categories=[]))
hidden = st.text(
    st.sampled_from("\x00\t\n\r\x1b\x7f\x85\x9b\u200b\u202e\u2066\ufeff\ud800\U000e0001a é")
)
BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "^[[31mred^[[0m"),
        ("shown\rhidden", r"shown\rhidden"),
        ("a\nb", r"a\nb"),
        ("\x00\x07\x08\x0b\x7f", r"\x00\x07\x08\x0b\x7f"),
        ("\x85\x9b\x9d\xad", r"\x85\x9b\x9d\xad"),
        ("a\u202eb\u2066c\u200f", r"a\u202eb\u2066c\u200f"),
        ("a\u200bb\u200dc\ufeff", r"a\u200bb\u200dc\ufeff"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud800x\udfff", r"\ud800x\udfff"),
        ("\U000e0041\U0010ffff", r"\U000e0041\U0010ffff"),
    ],
)
def test_what_does_not_show_is_shown(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@pytest.mark.parametrize("text", ["", "leaf1:e1-1", "Zürich 中文 😀", "a\tb", r"back\slash ~"])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert safe_text(text) == text


def test_line_feeds_are_kept_where_several_lines_are_wanted() -> None:
    assert safe_text("a\nb\r\n\x1b", multiline=True) == "a\nb\\r\n^["


@given(text=anything | hidden, multiline=st.booleans())
def test_nothing_dangerous_is_left(text: str, *, multiline: bool) -> None:
    shown = safe_text(text, multiline=multiline)
    allowed = "\t\n" if multiline else "\t"
    for character in shown:
        category = unicodedata.category(character)
        assert category not in {"Cc", "Cs", "Zl", "Zp"} or character in allowed
        assert unicodedata.bidirectional(character) not in BIDI
    shown.encode()


@given(text=anything | hidden)
def test_showing_it_twice_changes_nothing(text: str) -> None:
    assert safe_text(safe_text(text)) == safe_text(text)
