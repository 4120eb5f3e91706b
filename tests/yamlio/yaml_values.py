"""Values and text to torment a YAML writer with, as strategies and as one fixed corpus."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

_WORDS = """
y Y yes Yes n N no NO on On off OFF true True false FALSE null Null NULL ~ = << {} [] {a} [a]
.inf -.Inf .nan .NaN nan inf Infinity None 0x1F 0o17 017 0b11 1_000 _1 -_1 1e3 1E3 1e+3 e1 e1-1
.5 -.5 +1 -1 0 -0 1. 1.5 1:30 190:20:30 2001-01-01 2001-12-14t21:59:43.10-05:00
. .. ... - -- --- ---- + ? : | |- > >+ ' " ` @a %YAML !!str !a &a *a # a# #a a#b
a: :a a:b a::b ::a a, ,a é ß
"""
WORDS = _WORDS.split()
PIECES = [
    *" \t\n:#-?'\"[]{},&*!|>%@`\\=~<.019ynYNexob_+/$^;()azAZ",
    *"\r\x00\x07\x08\x0c\x1b\x7f\x85\x9f\xa0\xad\u200b\u2028\u2029\u202e\u3000\ufeff\ufffd\ufffe\ue000",
    *"éß中\U0001f600\U000e0001\U0010ffff",
    *("\n", "\n\n", "\n ", " \n", "\t\n", "\n\t", ": ", " #", "\n---\n", "\n...\n", "${A}"),
]

characters = st.characters(exclude_categories=["Cs"])
texts = st.one_of(
    st.sampled_from(WORDS),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.lists(st.sampled_from(["", " ", "a", "  b", "c ", "-", "#"]), max_size=6).map("\n".join),
    st.text(characters, max_size=20),
    st.builds(str.__mul__, st.sampled_from(["x", "x ", "é", '"', "\n"]), st.integers(0, 1100)),
)
numbers = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
objects = st.dictionaries(
    st.one_of(texts, st.sampled_from(["apiVersion", "kind", "metadata", "spec", "data"])),
    values,
    max_size=5,
)


def corpus(size: int) -> list[str]:
    """Give the same list of awkward texts on every run."""
    chance = random.Random(8)  # noqa: S311 - nothing secret: a fixed seed is the point
    return [*WORDS, *PIECES] + [
        "".join(chance.choices(PIECES, k=chance.randint(1, 10))) for _ in range(size)
    ]


def in_every_place(text: str, other: str) -> dict[str, Any]:
    """Put a text where a document can have one: value, item, key, at several depths."""
    return {
        "metadata": {"name": text, "annotations": {other: text}},
        "spec": {
            "items": [text, [text, other], {text: other}, {other: [text]}],
            text: {text: text},
        },
        text + "!": [other],
    }


def same(wrote: object, read: object) -> bool:
    """Compare as JSON does: 2 and 2.0 are one number, True and 1 are two values."""
    if isinstance(wrote, dict):
        return (
            isinstance(read, dict)
            and wrote.keys() == read.keys()
            and all(same(value, read[key]) for key, value in wrote.items())
        )
    if isinstance(wrote, list):
        return isinstance(read, list) and len(wrote) == len(read) and all(map(same, wrote, read))
    if isinstance(wrote, float) and isinstance(read, int | float) and not isinstance(read, bool):
        return wrote == float(read)
    return type(wrote) is type(read) and wrote == read
