"""Inputs made to break a YAML reader, each with the place a refusal has to point at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.yamlio.reader import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

MIB: Final = 1 << 20


def alias_bomb(levels: int = 9, width: int = 9) -> bytes:
    """Give a few hundred bytes that would expand to ``width ** levels`` nodes."""
    lines = ["a0: &a0 [" + ", ".join(["x"] * width) + "]"]
    lines += [
        f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * width) + "]"
        for level in range(1, levels)
    ]
    return "\n".join(lines).encode()


def merge_bomb(levels: int = 60) -> bytes:
    """Give merges of merges: every level takes the one before it twenty times."""
    lines = ["a0: &a0 {" + ", ".join(f"k{index}: 1" for index in range(levels)) + "}"]
    lines += [
        f"a{level}: &a{level} {{<<: [" + ", ".join([f"*a{level - 1}"] * 20) + f"], x{level}: 1}}"
        for level in range(1, levels)
    ]
    return "\n".join(lines).encode()


# By name: the bytes, then code, line and column of the one finding.
REFUSED: Final[dict[str, tuple[bytes, str, int, int]]] = {
    "alias to itself in a list": (b"a: &a [*a]", "yaml-budget", 1, 8),
    "alias to itself in a mapping": (b"a: &a\n  b: {c: *a}\n", "yaml-budget", 2, 10),
    "alias to itself in a merge": (b"a: &a {<<: *a}", "yaml-budget", 1, 12),
    "two circles": (b"&a [&b [*a, *b]]", "yaml-budget", 1, 9),
    "alias without anchor": (b"a: 1\nb: *x\n", "invalid-yaml", 2, 4),
    "anchor of another document": (b"a: &x 1\n---\nb: *x\n", "invalid-yaml", 3, 4),
    "one level too deep": (b"[" * 65 + b"]" * 65, "yaml-budget", 1, 65),
    "too deep through an alias": (
        b"a: &a " + b"[" * 40 + b"]" * 40 + b"\nb: " + b"[" * 40 + b"*a" + b"]" * 40,
        "yaml-budget",
        2,
        44,
    ),
    "duplicate key": (b"a: 1\nb: 2\na: 3\n", "duplicate-key", 3, 1),
    "duplicate key in a flow mapping": (b"x:\n  - {a: 1, 'a': 2}\n", "duplicate-key", 2, 12),
    "duplicate key after CRLF": (b"a: 1\r\na: 2\r\n", "duplicate-key", 2, 1),
    "duplicate key after a mark": (b"\xef\xbb\xbfa: 1\na: 2\n", "duplicate-key", 2, 1),
    "duplicate merge key": (
        b"a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a\n",
        "duplicate-key",
        4,
        3,
    ),
    "duplicate key by alias": (b"&k a: 1\n? *k\n: 2\n", "duplicate-key", 2, 3),
    "duplicate key with an escape": (b'"a\\x1b": 1\n"a\\x1b": 2\n', "duplicate-key", 2, 1),
    "local tag": (b"a: 1\nb: !foo bar\n", "foreign-tag", 2, 4),
    "tag of a program": (b"a: !!python/object/apply:os.system [ls]", "foreign-tag", 1, 4),
    "verbatim tag": (b"a: !<tag:example.org,1:y> z", "foreign-tag", 1, 4),
    "tag on a key": (b"!foo a: 1\n", "foreign-tag", 1, 1),
    "binary": (b"a: !!binary aGk=", "foreign-tag", 1, 4),
    "set": (b"a: !!set {b}", "foreign-tag", 1, 4),
    "timestamp": (b"a: !!timestamp 2001-01-01", "foreign-tag", 1, 4),
    "tag by directive": (
        b"%TAG ! tag:example.org,2000:\n---\na: !foo b\n",
        "foreign-tag",
        3,
        4,
    ),
    "core tag by directive for another type": (
        b"%TAG !c! tag:yaml.org,2002:\n---\na: !c!int x\n",
        "invalid-yaml",
        3,
        4,
    ),
    "word that is no integer": (b"a: !!int x", "invalid-yaml", 1, 4),
    "integer of 6,000 digits by tag": (b"a: !!int " + b"9" * 6000, "invalid-yaml", 1, 4),
    "hex of 6,000 digits by tag": (b"a: !!int 0x" + b"f" * 6000, "invalid-yaml", 1, 4),
    "NUL": (b"a: b\nc: d\0e\n", "invalid-yaml", 2, 5),
    "escape sequence": (b"a: b\nc: \x1b[31m\n", "invalid-yaml", 2, 4),
    "C1 control": ("a: \x9b31m".encode(), "invalid-yaml", 1, 4),
    "bad byte": (b"a: b\nc: \xff\n", "invalid-encoding", 2, 4),
    "bad byte after wide characters": (
        "é: 中\U0001f600".encode() + b"\xff",
        "invalid-encoding",
        1,
        6,
    ),
    "encoded surrogate": (b"a: \xc3\xa9\xed\xa0\x80", "invalid-encoding", 1, 5),
    "overlong form": (b"a: \xc0\xaf", "invalid-encoding", 1, 4),
    "cut short": (b"a: \xe2\x82", "invalid-encoding", 1, 4),
    "UTF-16": ("a: b\n".encode("utf-16"), "invalid-encoding", 1, 1),
    "UTF-16 without a mark": ("a: b\n".encode("utf-16-le"), "invalid-yaml", 1, 2),
    "UTF-32": ("a: b\n".encode("utf-32"), "invalid-encoding", 1, 1),
    "byte order mark inside": (b"a: b\n---\n\xef\xbb\xbfc: d\n", "invalid-yaml", 3, 1),
    "tab as indentation": (b"a:\n\tb: c\n", "invalid-yaml", 2, 1),
    "tab after deeper lines": (b"a:\n  b: c\n\td: e\n", "invalid-yaml", 3, 1),
    "wrong indentation": (b"a:\n    b: 1\n  c: 2\n", "invalid-yaml", 3, 3),
    "two colons": (b"a: b: c\n", "invalid-yaml", 1, 5),
    "unclosed list": (b"a: [b, c\n", "invalid-yaml", 2, 1),
    "unclosed quotes": (b'a: "b\n', "invalid-yaml", 2, 1),
    "unknown escape": (b'a: "\\q"', "invalid-yaml", 1, 5),
    "surrogate by escape": (b'a: "\\ud800"', "invalid-yaml", 1, 7),
    "list as a key": (b"{[a]: b}", "invalid-yaml", 1, 2),
    "mapping as a key": (b"? {a: b}\n: c\n", "invalid-yaml", 1, 3),
    "merge of a number": (b"a: 1\n<<: 3\n", "invalid-yaml", 2, 5),
    "merge of a list in a list": (b"a: &a [1]\n<<: [*a]\n", "invalid-yaml", 2, 5),
    "version from the future": (b"%YAML 2.0\n---\na: b\n", "invalid-yaml", 1, 1),
    "two version directives": (b"%YAML 1.1\n%YAML 1.1\n---\na: b\n", "invalid-yaml", 2, 1),
    "unknown directive": (b"%FOO x\n---\na: b\n", "invalid-yaml", 1, 5),
    "lone document end": (b"...\n", "invalid-yaml", 1, 1),
    "text after the end": (b"a: b\n...\nc: d\n", "invalid-yaml", 3, 1),
}

# By name: the bytes, then the number of documents in them.
ACCEPTED: Final[dict[str, tuple[bytes, int]]] = {
    "nothing": (b"", 0),
    "blank lines": (b"\n \n\n", 0),
    "only a mark": (b"\xef\xbb\xbf", 0),
    "only comments": (b"# a\n# b\n", 0),
    "one separator": (b"---\n", 1),
    "separators": (b"---\n---\n", 2),
    "documents with ends": (b"---\na: b\n...\n---\nc: d\n...\n", 2),
    "an end and comments": (b"a: b\n... # done\n# really\n", 1),
    "byte order mark": (b"\xef\xbb\xbfa: b\n", 1),
    "CRLF": (b"a: b\r\nc:\r\n  - d\r\n", 1),
    "CR alone": (b"a: b\rc: d\r", 1),
    "no final line feed": (b"a: b", 1),
    "version 1.1": (b"%YAML 1.1\n---\na: b\n", 1),
    "version 1.2": (b"%YAML 1.2\n---\na: b\n", 1),
    "unused tag directive": (b"%TAG !e! tag:example.org,2000:\n---\na: b\n", 1),
    "core tags": (b"a: !!str 1\nb: !!int 3\nc: !!map {}\nd: !!seq []\ne: !!float 1\n", 1),
    "more core tags": (b"f: !!null ''\ng: !!bool 'true'\nh: ! 12\n", 1),
    "6,000 digits": (b"a: " + b"9" * 6000 + b"\nb: 0x" + b"f" * 6000 + b"\n", 1),
    "an exponent without end": (b"a: 1e" + b"9" * 6000 + b"\n", 1),
    "depth at the limit": (b"[" * 64 + b"]" * 64, 1),
    "a long key": (b"? " + b"x" * 100_000 + b"\n: 1\n", 1),
    "a quoted merge key": (b'"<<": {a: b}\n', 1),
    "harmless aliases": (b"a: &a [x, y]\nb: *a\nc: [*a, *a]\n", 1),
}

# Small things that grow and big things that do not: made when asked for, read in a process of their own.
HEAVY: Final[dict[str, Callable[[], bytes]]] = {
    "alias bomb": alias_bomb,
    "merge bomb": merge_bomb,
    "wide alias bomb": lambda: b"a: &a [x, x, x, x, x, x, x]\nb: [" + b"*a, " * 200_000 + b"]",
    "flow lists 20,000 deep": lambda: b"[" * 20_000,
    "flow lists 20,000 deep and closed": lambda: b"[" * 20_000 + b"]" * 20_000,
    "flow lists 20,000 deep on lines": lambda: b"[\n" * 20_000,
    "flow mappings 20,000 deep": lambda: b"{a: " * 20_000,
    "block lists 20,000 deep": lambda: b"- " * 20_000,
    "block keys 20,000 deep": lambda: b"? " * 20_000,
    "block mappings 5,000 deep": lambda: b"\n".join(b" " * at + b"a:" for at in range(5_000)),
    "1,000,000 digits by tag": lambda: b"a: !!float " + b"9" * 1_000_000,
    "a scalar of 30 MiB": lambda: b"a: " + b"x" * (30 * MIB),
    "a quoted scalar of 30 MiB": lambda: b'a: "' + b"\\n" * (15 * MIB) + b'"',
    "a block of 20 MiB": lambda: b"a: |\n" + b"  x\n" * (5 * MIB),
    "as much as is read, and wide": lambda: b"x" * (MAX_BYTES - 4) + "\U0001f600".encode(),
    "a flood of items": lambda: b"- a\n" * 4_000_000,
    "a flood of flow items": lambda: b"[" + b"a," * 8_000_000 + b"]",
    "a flood of keys": lambda: b"".join(b"k%d:\n" % number for number in range(2_000_000)),
    "a flood of lists": lambda: b"- []\n" * 3_000_000,
    "a flood of documents": lambda: b"---\n" * 3_000_000,
    "a flood of anchors": lambda: b"".join(b"- &a%d x\n" % number for number in range(300_000)),
    "a flood of aliases": lambda: b"a: &a x\nb: [" + b"*a, " * 300_000 + b"]",
    "a flood of comments": lambda: b"#\n" * (10 * MIB),
    "more than is read at all": lambda: b"#" * (MAX_BYTES + 1),
}
