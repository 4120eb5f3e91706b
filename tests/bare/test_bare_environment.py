"""Environment variables in a containerlab file: table A1 of staging.md, read once more and kept as a table."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.topology.environment import Expanded, Problem, expand

VALUE, KEPT, DEFAULT, NOTHING = "value", "$V", "d", ""
# Forms of a variable V with the default text d, and what each becomes when V is set, empty, not set.
TABLE = {
    "${V:-d}": (VALUE, DEFAULT, DEFAULT),
    "${V:=d}": (VALUE, DEFAULT, DEFAULT),
    "${V-d}": (VALUE, KEPT, DEFAULT),
    "${V=d}": (VALUE, KEPT, DEFAULT),
    "${V+d}": (DEFAULT, DEFAULT, NOTHING),
    "${V:+d}": (DEFAULT, DEFAULT, NOTHING),
    "${V:-}": (VALUE, KEPT, KEPT),
    "${V}": (VALUE, KEPT, KEPT),
    "$V": (VALUE, KEPT, KEPT),
}
SET = {
    "SITE": "paris",
    "N": "7",
    "LINES": "one\ntwo\n",
    "DOLLAR": "$SITE ${N}",
    "_x1": "_",
    "Größe": "ß",
    "LONG": "l" * 40,
}
EMPTY = {"EMPTY": "", "E_2": ""}
UNSET = ["MISSING", "SITE_", "site", "_y", "Ärger"]
ENVIRONMENT = SET | EMPTY


class Piece(NamedTuple):
    """A piece of text: as written, as expanded, the names that were replaced and that stay."""

    written: str
    expanded: str
    used: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()

    @property
    def is_copied(self) -> bool:
        """Tell whether it stays as it is."""
        return self.written == self.expanded and not self.kept


def whole(name: str) -> Piece:
    """Give what ``$NAME`` is by the table."""
    if name in SET:
        return Piece(f"${name}", SET[name], used=frozenset({name}))
    return Piece(f"${name}", f"${name}", kept=frozenset({name}))


def piece(form: str, name: str, default: str) -> Piece:
    """Give a form with its name and default, by the table; the default may be another variable."""
    result = TABLE[form][0 if name in SET else 1 if name in EMPTY else 2]
    written = form.replace("V", name, 1)
    written = written.replace("d}", default + "}") if form.endswith("d}") else written
    if result == DEFAULT:
        other = whole(default[1:]) if default[0] == "$" != default else Piece(default, default)
        return other._replace(written=written)
    if result == NOTHING:
        return Piece(written, "")
    return whole(name)._replace(written=written)


names = st.sampled_from([*ENVIRONMENT, *UNSET])
defaults = st.one_of(
    st.sampled_from(
        [
            "d",
            "a-b-c",
            "http://localhost:8080/x",
            "1.2:3",
            " ",
            "-",
            "=",
            "a b",
            "it's",
            '"',
            "#",
            "-1",
            "ä",
            "$",
        ]
    ),
    names.map(lambda name: "$" + name),
)
expressions = st.builds(piece, st.sampled_from(list(TABLE)), names, defaults)
# What stands behind a variable must not lengthen its name.
plain = st.sampled_from([
    " ", "\n", "\r\n", ": ", "- ", "# text\n", "/a/b", "{a: b}", "}", "{", "|\n  text\n", "é", "漢", "\t", "'", ".",
    "$ ", "$-", "$%", "$.", "$\n", "$'", "$1", "$1ABC", "$_ ", "$_\n", "${1", "${1}", "${2ABC}", "${_}", "$(x)", "$²",
]).map(lambda text: Piece(text, text))  # fmt: skip
dollars = st.just(Piece("$$", "$"))
gaps = st.sampled_from([" ", "\n", "-", "/", ".", ": ", "\n# "]).map(lambda text: Piece(text, text))


@st.composite
def texts(draw: st.DrawFn) -> list[Piece]:
    found: list[Piece] = []
    for one in draw(st.lists(st.one_of(expressions, expressions, plain, dollars), max_size=25)):
        found += one, draw(gaps)
    return found


def expanded(text: str, variables: dict[str, str] | None = None) -> tuple[Expanded, list[Problem]]:
    problems: list[Problem] = []
    given = ENVIRONMENT if variables is None else variables
    return expand(text, given, "lab.clab.yml", problems.append), problems


@given(texts())
def test_expansion_agrees_with_the_table(pieces: list[Piece]) -> None:
    result, problems = expanded("".join(one.written for one in pieces))
    assert result.text == "".join(one.expanded for one in pieces)
    assert problems == []


@given(texts())
def test_replaced_and_remaining_names_are_noted(pieces: list[Piece]) -> None:
    result, _ = expanded("".join(one.written for one in pieces))
    assert result.used == set().union(*(one.used for one in pieces))
    assert result.kept == set().union(*(one.kept for one in pieces))


@given(texts())
def test_every_character_is_traced_back_to_where_it_was_written(pieces: list[Piece]) -> None:
    written, result = "", ""
    source, _ = expanded("".join(one.written for one in pieces))
    for one in pieces:
        for at in range(len(one.expanded)):
            # What an expression became points at its $; other text at itself.
            origin = place(written + one.written[: at if one.is_copied else 0])
            line, column = place(result + one.expanded[:at])
            found = source.locate(line - 1, column - 1)
            assert (found.line, found.column) == origin
        written += one.written
        result += one.expanded


def place(before: str) -> tuple[int, int]:
    """Give line and column, from 1, of what follows a text."""
    if before.endswith("\r"):  # the line ends with the line feed
        before = before[:-1] + "."
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("$$HOME", "$HOME"),
        ("$$$SITE", "$paris"),
        ("$$$$", "$$"),
        ("$${SITE}", "${SITE}"),
        ("$SITE$N", "paris7"),
        ("${SITE}_", "paris_"),
        ("$SITE_", "$SITE_"),
        ("$1SITE", "$1SITE"),
        ("${1$SITE}", "${1paris}"),
        ("${1", "${1"),
        ("${1:-x}", "${1:-x}"),
        ("$", "$"),
        ("a$", "a$"),
        ("$_", "$_"),
        ("${MISSING:-$_}", "$_"),
        ("${MISSING+}", "$MISSING"),
        ("${SITE:+}", "paris"),
        ("${SITE-}${EMPTY-}", "paris$EMPTY"),
        ("$DOLLAR", "$SITE ${N}"),
        ("${EMPTY:-$EMPTY}", "$EMPTY"),
        ("${MISSING:-a$}", "a$"),
        ("$SITE²", "paris²"),
    ],
)
def test_odd_but_lawful_texts(text: str, result: str) -> None:
    found, problems = expanded(text, {**ENVIRONMENT, "_": "/usr/bin/env", "1": "no", "1SITE": "no"})
    assert (found.text, problems) == (result, [])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("${MISSING:-${SITE}}", "nested-default"),
        ("${SITE:-a$N}", "nested-default"),
        ("${SITE:-$N-b}", "nested-default"),
        ("${SITE:-$N$N}", "nested-default"),
        ("${SITE-$$}", "nested-default"),
        ("${", "unclosed-variable"),
        ("${SITE", "unclosed-variable"),
        ("${SITE:-x\n}", "unclosed-variable"),
        ("${SITE\r\n}", "unclosed-variable"),
        ("${}", "unknown-expansion"),
        ("${#SITE}", "unknown-expansion"),
        ("${SITE:0:3}", "unknown-expansion"),
        ("${SITE/a/b}", "unknown-expansion"),
        ("${SITE%x}", "unknown-expansion"),
        ("${ SITE}", "unknown-expansion"),
        ("${_:-x}", "unknown-expansion"),
        ("a {{ .Name }}", "template"),
    ],
)
def test_what_cannot_be_expanded_is_refused_with_its_place(text: str, code: str) -> None:
    result, problems = expanded(f"name: x\n# {text} ")
    mark = min(at for at in (text.find("$"), text.find("{{")) if at >= 0)
    assert [(one.code, one.position) for one in problems] == [
        (code, ("lab.clab.yml", 2, mark + 3)),
    ]
    assert result.used == set()


def test_all_problems_are_reported_together() -> None:
    _, problems = expanded("{{ a }} {{ b }}\n${\n  ${A:-${B}}\n${A!}")
    assert [(one.code, one.position.line, one.position.column) for one in problems] == [
        ("template", 1, 1),
        ("unclosed-variable", 2, 1),
        ("nested-default", 3, 3),
        ("unknown-expansion", 4, 1),
    ]


def test_an_unused_default_is_not_noted_as_used() -> None:
    result, _ = expanded("${SITE:-$N} ${MISSING+$N}")
    assert (result.text, result.used, result.kept) == ("paris ", {"SITE"}, set())
