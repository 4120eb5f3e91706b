"""Manifests as people write them, as strategies: odd indentation, comments everywhere, all forms of ``rollout``.

No comment, name or text has a word that a limit is found by: a line that an edit may touch has one (``WORDS``), and
every other line has to come through as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

WORDS = ("batchSize", "maxConcurrentPerHost", "rollout", "spec")

COMMENTS = [
    "# c", "#", "#c: 1", "# - x", "# 'it", '# "', "# {", "# é😀 中", "# &a *a", "# |", "# ? why", "#\tt", "# a: |+",
]  # fmt: skip
SCALARS = [
    "1", "a", "'it''s'", '"a\\n# b"', "{}", "[]", "{a: 1, b: [2, 3]}", '{"a": "}"}', "[a, 'b', \"c\"]", "~", "null",
    "é😀", "a b # c", "0x10", "!!str 5", "&own 7", "http://a/b?c#d", "- 1", "'two\n\n{deep}lines'",
    '"two\\\n{deep}lines"', "two\n{deep}lines", "[1,\n{deep}2] # c", "{a: 1,\n{deep}b: 2}",
]  # fmt: skip
BLOCKS = ["a", "a\n\n  b", "# no comment\na: 1", "é😀\n- x", "a\n\n", "\na", " deeper\nback"]
NUMBERS = [
    "5",
    "0",
    "0x7",
    "010",
    "+3",
    "'5'",
    '"5"',
    "",
    "~",
    "null",
    "5.0",
    "!!int 5",
    "!!str 5",
    "&n 5",
]
BARE_NUMBERS = ["5", "0", "0x7", "'5'", '"5"', "~", "!!int 5", "&n 5"]


class Manifest(NamedTuple):
    """A stream with a Topology ``lab``, and the limits that it has, as written."""

    data: bytes
    fields: dict[str, str]


def comment_of(draw: DrawFn) -> str:
    return draw(st.sampled_from(["", "", "", " ", "  ", *(f" {one}" for one in COMMENTS), "\t# t"]))


def gap_of(draw: DrawFn, column: int) -> list[str]:
    """Give lines of blanks and comments to stand between two entries."""
    depths = st.integers(0, column + 4)
    blank = st.sampled_from(["", "", " " * column])
    comment = st.builds(lambda depth, text: " " * depth + text, depths, st.sampled_from(COMMENTS))
    return draw(st.lists(st.one_of(blank, comment), max_size=2)) if draw(st.booleans()) else []


def key_of(draw: DrawFn, key: str) -> str:
    quote = draw(st.sampled_from(["", "", "", '"', "'"]))
    return f"{quote}{key}{quote}:"


def block_scalar(draw: DrawFn, column: int) -> list[str]:
    text = draw(st.sampled_from(BLOCKS))
    chomping, style = draw(st.sampled_from(["", "-", "+"])), draw(st.sampled_from("|>"))
    step = draw(st.integers(1, 4))
    indicator = str(step) if text.startswith((" ", "\n")) else ""
    lines = [" " * (column + step) + line if line else "" for line in text.split("\n")]
    return [f" {style}{indicator}{chomping}{draw(st.sampled_from(['', ' # c']))}", *lines]


def other_value(draw: DrawFn, column: int, step: int) -> list[str]:
    """Give a value of another key: what stands behind the colon, and lines below it."""
    shape = draw(st.sampled_from(["scalar", "scalar", "block", "list", "mapping", "empty"]))
    deeper = " " * (column + step)
    if shape == "scalar":
        text = draw(st.sampled_from(SCALARS))
        if text == "- 1":
            return ["", f"{deeper}- 1{comment_of(draw)}"]
        first, *rest = text.replace("{deep}", deeper + " ").split("\n")
        tail = comment_of(draw) if not rest else ""
        return [f" {first}{tail}", *rest]
    if shape == "block":
        return block_scalar(draw, column)
    if shape == "list":
        dash = draw(st.sampled_from([" " * column, deeper]))
        items = draw(st.lists(st.sampled_from(["1", "a: 1", "'x'", "~"]), min_size=1, max_size=3))
        return [comment_of(draw), *(f"{dash}- {item}{comment_of(draw)}" for item in items)]
    if shape == "mapping":
        return [comment_of(draw), *others(draw, column + step, step, draw(st.integers(1, 2)))]
    return [comment_of(draw)]


def others(draw: DrawFn, column: int, step: int, count: int) -> list[str]:
    """Give lines of entries that no edit is about."""
    lines: list[str] = []
    for index in range(count):
        name = f"{draw(st.sampled_from(['k', 'a b', 'é😀', 'x-y']))}{index}"
        lines += entry(draw, column, name, other_value(draw, column, step))
        lines += gap_of(draw, column)
    return lines


def entry(draw: DrawFn, column: int, key: str, value: list[str]) -> list[str]:
    first, *rest = value
    return [f"{' ' * column}{key_of(draw, key)}{first}", *rest]


def number_value(draw: DrawFn) -> tuple[str, list[str]]:
    text = draw(st.sampled_from(NUMBERS))
    blanks = draw(st.sampled_from([" ", " ", "  ", "\t"])) if text else ""
    return text, [f"{blanks}{text}{comment_of(draw)}"]


def rollout_lines(draw: DrawFn, column: int, step: int, fields: dict[str, str]) -> list[str]:
    """Give the lines of a ``rollout``, none if it is missing; the fields that it has go to ``fields``."""
    shape = draw(st.sampled_from(["none", "null", "bare", "block", "block", "flow", "lines"]))
    names = draw(st.permutations(["batchSize", "maxConcurrentPerHost"]))[: draw(st.integers(0, 2))]
    if shape == "none":
        return []
    if shape == "null" or (shape != "bare" and not names):
        text = draw(st.sampled_from(["", " null", "  ~", " &r", " &r null"]))
        return entry(draw, column, "rollout", [text + comment_of(draw)])
    if shape == "bare":
        text = draw(st.sampled_from([" {}", " {  }", "  &r {}"]))
        return entry(draw, column, "rollout", [text + comment_of(draw)])
    if shape == "block":
        lines: list[str] = gap_of(draw, column + step)
        for name in names:
            fields[name], value = number_value(draw)
            lines += entry(draw, column + step, name, value) + gap_of(draw, column + step)
        anchor = draw(st.sampled_from(["", "", " &r"]))
        return entry(draw, column, "rollout", [anchor + comment_of(draw), *lines])
    for name in names:
        fields[name] = draw(st.sampled_from(BARE_NUMBERS))
    inside = [f"{name}: {fields[name]}" for name in names]
    if shape == "flow":
        comma = draw(st.sampled_from([", ", " , ", ","]))
        pad = draw(st.sampled_from(["", " "]))
        text = f" {{{pad}{comma.join(inside)}{draw(st.sampled_from(['', ',']))}{pad}}}"
        return entry(draw, column, "rollout", [text + comment_of(draw)])
    deeper = " " * (column + step)
    last = draw(st.sampled_from(["", ","])) + comment_of(draw)
    body = [f"{deeper}{one},{comment_of(draw)}" for one in inside[:-1]] + [
        deeper + inside[-1] + last
    ]
    return entry(draw, column, "rollout", [" {", *body, f"{' ' * column} }}{comment_of(draw)}"])


def topology_lines(draw: DrawFn, name: str, column: int, fields: dict[str, str]) -> list[str]:
    step = draw(st.integers(1, 5))
    below = column + step
    parts = [
        entry(draw, column, "apiVersion", [" c9s.run/v1alpha1" + comment_of(draw)]),
        entry(draw, column, "kind", [draw(st.sampled_from([" Topology", ' "Topology"']))]),
        entry(draw, column, "metadata", ["", f"{' ' * below}name: {name}{comment_of(draw)}"]),
    ]
    rollout = rollout_lines(draw, below, step, fields)
    if draw(st.booleans()) or rollout:
        body = others(draw, below, step, draw(st.integers(0, 2)))
        body += rollout + gap_of(draw, below) if rollout else []
        body += [
            line.replace("k", "z", 1) for line in ([] if body else others(draw, below, step, 1))
        ]
        parts.append(entry(draw, column, "spec", [comment_of(draw), *body]))
    elif draw(st.booleans()):
        text = draw(st.sampled_from(["", " ~", " {}", " null"]))
        parts.append(entry(draw, column, "spec", [text + comment_of(draw)]))
    lines: list[str] = []
    for part in draw(st.permutations(parts)):
        lines += part + gap_of(draw, column)
    return lines


@st.composite
def manifests(draw: DrawFn) -> Manifest:
    """Make a stream with one Topology ``lab``, and perhaps others."""
    fields: dict[str, str] = {}
    names = draw(st.sampled_from([["lab"], ["lab", "one"], ["lab", "one", "two"]]))
    documents = [
        topology_lines(draw, name, 0, fields if name == "lab" else {})
        for name in draw(st.permutations(names))
    ]
    lines = gap_of(draw, 0)
    if draw(st.booleans()):
        lines += ["---" + comment_of(draw)]
    for index, document in enumerate(documents):
        marks = ["---"] if draw(st.booleans()) else ["...", "---" + comment_of(draw)]
        lines += (marks if index else []) + document
    newline = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    text = newline.join(lines) + draw(st.sampled_from([newline, newline, "", newline * 3]))
    mark = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    return Manifest(mark + text.encode(), fields)
