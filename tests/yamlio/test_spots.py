"""Where nodes stand in a text, to the character, whatever its line breaks and beyond ASCII."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kubectl_c9s.yamlio.reader import read_text
from kubectl_c9s.yamlio.spottree import read_spots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.yamlio.spots import Spot

TEXT = """\
# 😀 é \u2603
---   # 😀
é😀: &a  'x😀
  y' # c
"k": !!str  |- # é
  one 😀

  two

  \u0020
empty:   # 中
tagged: &b !!str
flow: {a: [1, "😀"], b: , c, "d":1 , *a : 2} # é
list:
- &m
  x: >+
    folded


- # c
  - *b
  -
- last  # 😀
? no value
? key
# é
: value
end: |
   a
    b
"""
# As TEXT is written: kind, what stands there, and there without anchor and tag.
NODES = [
    ("scalar", "é😀"), ("scalar", "&a  'x😀\n  y'", "'x😀\n  y'"),
    ("scalar", '"k"'), ("scalar", "!!str  |- # é\n  one 😀\n\n  two\n\n  \u0020",
     "|- # é\n  one 😀\n\n  two\n\n  \u0020"),
    ("scalar", "empty"), ("scalar", ""),
    ("scalar", "tagged"), ("scalar", "&b !!str", ""),
    ("scalar", "flow"), ("mapping", '{a: [1, "😀"], b: , c, "d":1 , *a : 2}'),
    ("scalar", "a"), ("sequence", '[1, "😀"]'), ("scalar", "1"), ("scalar", '"😀"'),
    ("scalar", "b"), ("scalar", ""), ("scalar", "c"), ("scalar", ""),
    ("scalar", '"d"'), ("scalar", "1"), ("alias", "*a"), ("scalar", "2"),
    ("scalar", "list"), ("sequence", "- &m\n  x: >+\n    folded\n\n\n- # c\n  - *b\n  -\n- last"),
    ("mapping", "&m\n  x: >+\n    folded\n\n", "x: >+\n    folded\n\n"),
    ("scalar", "x"), ("scalar", ">+\n    folded\n\n"),
    ("sequence", "- *b\n  -"), ("alias", "*b"), ("scalar", ""),
    ("scalar", "last"),
    ("scalar", "no value"), ("scalar", ""), ("scalar", "key"), ("scalar", "value"),
    ("scalar", "end"), ("scalar", "|\n   a\n    b"),
]  # fmt: skip


def walked(spot: Spot) -> Iterator[Spot]:
    for child in [*(one for entry in spot.entries for one in entry), *spot.items]:
        yield child
        yield from walked(child)


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_node_is_where_it_is(
    newline: str, loader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kubectl_c9s.yamlio.spottree._LOADER", getattr(yaml, loader))
    text = TEXT.replace("\n", newline)
    read_text(text)
    doc = read_spots(text)
    found: list[Any] = []
    for spot in walked(doc.root):
        whole, bare = (text[at : spot.end].replace(newline, "\n") for at in (spot.start, spot.body))
        found.append((spot.kind, whole) if whole == bare else (spot.kind, whole, bare))
    assert found == NODES
    assert (
        text[doc.root.start : doc.root.end].replace(newline, "\n") == TEXT[TEXT.index("é😀") : -1]
    )


def test_the_end_of_a_block_is_the_end_of_its_content() -> None:
    for tail in ("", "\n", "\n\n\n", "\n# c\n", "\n  \n", "\n    # c", "\n---", "\n...\n"):
        for value in ("1", "'1'", "|\n    x", ">-\n    x", "[1,\n2]", "&a", "", "*b"):
            text = f"b: &b 0\na:\n  k: {value}{tail}"
            content = f"b: &b 0\na:\n  k: {value}".rstrip(" ")
            if value.endswith("x") and "    #" in tail:
                content += tail  # no comment: a line of the text
            doc = read_spots(text)
            assert text[: doc.root.end] == content, (value, tail)
            assert doc.root.entries[1][1].end == doc.root.end


def test_aliases_know_their_node_and_the_node_its_aliases() -> None:
    doc = read_spots("a: &x 1\nb: *x\nc: &x 2\nd: [*x, *x]\n")
    values = [value for _, value in doc.root.entries]
    assert values[1].referent is values[0]
    assert values[0].uses == [values[1]]
    assert values[2].uses == values[3].items
    assert values[1].uses == []
