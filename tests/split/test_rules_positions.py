"""Every character of an embedded text is found again in the file, in whatever style the text is written."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.yamlio.nodes import Mapping, Scalar
from kubectl_c9s.yamlio.positions import EmbeddedSource, FileSource
from kubectl_c9s.yamlio.reader import Document, read_documents

BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
PIECES = [
    *"abc:#'\"\\ \t{}[]-",
    "\n",
    "\n\n",
    "  ",
    " \n",
    "\n  ",
    "x y",
    "é",
    "\u2028",
    "\x85",
    "\U0001f600",
]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
STYLES = {"literal": "|", "folded": ">", "double": '"', "single": "'", "plain": ""}


def in_yaml(text: str, style: str, width: int, *, ascii_only: bool) -> str:
    return str(
        yaml.dump(
            {"spec": {"text": text, "after": 1}},
            Dumper=yaml.CSafeDumper,
            default_style=STYLES[style],
            width=width,
            allow_unicode=not ascii_only,
        )
    )


def with_properties(written: str) -> str:
    return re.sub(r"(?m)^(  \"?text\"?:)(?= )", r"\1 &anchor # why\n   ", written, count=1)


def read(written: str) -> tuple[Document, Scalar]:
    (document,) = read_documents(written.encode(), "f.yaml")
    assert isinstance(document.root, Mapping)
    spec = document.root.get("spec")
    assert isinstance(spec, Mapping)
    scalar = spec.get("text")
    assert isinstance(scalar, Scalar)
    return document, scalar


def starts(text: str) -> list[int]:
    return [0, *(found.end() for found in BREAK.finditer(text))]


def check(written: str) -> None:
    """Compare each visible character of the text with the one at its place, or see an escape there."""
    document, scalar = read(written)
    source = EmbeddedSource("f.yaml", document.text, scalar)
    outer, inner = starts(document.text), starts(scalar.text)
    for line, start in enumerate(inner):
        end = inner[line + 1] if line + 1 < len(inner) else len(scalar.text)
        for column, character in enumerate(scalar.text[start:end]):
            at = source.locate(line, column)
            there = document.text[outer[at.line - 1] + at.column - 1 :][:1]
            blank = character in " \t\n\x85\u2028\u2029"
            assert blank or there == character or (scalar.style == '"' and there == "\\")


@given(
    text=texts,
    style=st.sampled_from(list(STYLES)),
    width=st.sampled_from([5, 12, 80]),
    ascii_only=st.booleans(),
    properties=st.booleans(),
)
@example(text=" a\n\n  b\nc\n", style="folded", width=80, ascii_only=False, properties=False)
@example(text="a \u2028\u2028b'c\n", style="single", width=5, ascii_only=False, properties=False)
def test_characters_of_yaml_scalars_are_found(
    *, text: str, style: str, width: int, ascii_only: bool, properties: bool
) -> None:
    written = in_yaml(text, style, width, ascii_only=ascii_only)
    try:
        check(with_properties(written) if properties else written)
    except RefusedInput:
        reject()  # an anchor on a line of its own does not fit every form


@given(text=texts, indent=st.sampled_from([None, 2]), ascii_only=st.booleans())
def test_characters_of_json_texts_are_found(
    *, text: str, indent: int | None, ascii_only: bool
) -> None:
    # JSON escapes it as two halves, which YAML does not read.
    text = text.replace("\U0001f600", "z")
    check(json.dumps({"spec": {"text": text, "after": 1}}, indent=indent, ensure_ascii=ascii_only))


@given(texts, st.sampled_from(["literal", "folded", "single"]), st.sampled_from(["\r\n", "\r"]))
@settings(max_examples=50)
def test_other_line_ends_change_no_place(text: str, style: str, ending: str) -> None:
    written = "# first\n" + in_yaml(
        text.replace("\x85", "").replace("\u2028", ""), style, 80, ascii_only=False
    )
    check(written.replace("\n", ending))


@pytest.mark.parametrize("style", list(STYLES))
def test_places_outside_of_the_text_stay_inside_of_the_file(style: str) -> None:
    written = in_yaml("ab\ncd\n", style, 80, ascii_only=False)
    document, scalar = read(written)
    source = EmbeddedSource("f.yaml", document.text, scalar)
    last = written.count("\n")
    for line, column in ((-1, -1), (0, 99), (2, 0), (2, 5)):
        at = source.locate(line, column)
        assert 1 <= at.line <= last + 1
        assert at.column >= 1
    assert source.of(None) == source.locate(-1, -1)


def test_without_a_node_the_place_is_the_beginning_of_the_text() -> None:
    document, scalar = read("spec:\n  text: &a\n    'x'\n  after: 1\n")
    assert EmbeddedSource("f.yaml", document.text, scalar).of(None)[1:] == (3, 5)
    assert FileSource("f.yaml").of(None) == ("f.yaml", 0, 0)
    assert FileSource("f.yaml").of(scalar)[1:] == (2, 9)


def test_an_alias_points_to_the_text_it_stands_for() -> None:
    written = "x: &d |\n  one\n  two\nspec:\n  text: *d\n  after: 1\n"
    document, scalar = read(written)
    assert EmbeddedSource("f.yaml", document.text, scalar).locate(1, 1)[1:] == (3, 4)
