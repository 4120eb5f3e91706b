"""Input that means harm: an error with its place, nothing on stdout, no traceback, bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from one_run import HEAD, Files, Run, embedded, node, refuse

if TYPE_CHECKING:
    from pathlib import Path

LISTS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10)
)
MAPPINGS = "m0: &m0 {k0: v}\n" + "".join(
    f"m{i}: &m{i} {{k{i}: *m{i - 1}, j{i}: *m{i - 1}}}\n" for i in range(1, 40)
)
MERGES = (
    "w: &w {"
    + ", ".join(f"k{i}: v" for i in range(2000))
    + "}\n"
    + "".join(f"x{i}: {{<<: *w}}\n" for i in range(2000))
)
# The name of an anchor is used again for what was measured before it grew.
REUSED = "".join(f"b{i}: {{<<: &m {{k: v}}}}\nc{i}: [*m]\n" for i in range(200)) + LISTS
BOMBS = {"lists": LISTS, "mappings": MAPPINGS, "merge keys": MERGES, "anchors used again": REUSED}


@pytest.mark.parametrize("bomb", list(BOMBS))
def test_alias_bombs_are_refused(tmp_path: Path, bomb: str) -> None:
    text = BOMBS[bomb]
    assert len(LISTS) < 700
    refuse(tmp_path, {"outer.yaml": (text, ""), "inner.yaml": (embedded(text), "")})


@pytest.mark.parametrize("bomb", ["lists", "mappings"])
def test_a_bomb_is_named_as_such_where_it_goes_off(tmp_path: Path, bomb: str) -> None:
    (tmp_path / "lab.yaml").write_text(f"{node('{}')}---\n{BOMBS[bomb]}")
    Run(tmp_path, "-f", "lab.yaml").is_refused("the aliases expand to too many nodes [yaml-budget]")


def test_cyclic_aliases_are_refused(tmp_path: Path) -> None:
    loops = {
        "a: &a [*a]\n": "1:8",
        "&a {b: *a}\n": "1:8",
        "a: &a {b: {c: [*a]}}\n": "1:16",
        "a: &a\n  <<: *a\n": "2:7",
        "a: &a [&b [*b]]\n": "1:12",
    }
    files: Files = {}
    for index, (text, place) in enumerate(loops.items()):
        line, column = map(int, place.split(":"))
        files[f"outer{index}.yaml"] = (text, f"{place}: error: alias")
        files[f"inner{index}.yaml"] = (embedded(text), f"{line + 6}:{column + 6}: error: alias")
    refuse(tmp_path, files)


# What opens a level, and what closes it.
LEVELS = {
    "lists": ("[", "]"),
    "mappings": ("{a: ", "}"),
    "json": ('{"a":', "}"),
    "blocks": ("- ", ""),
}
DEEP = "error: nested deeper than 64 levels"


def test_nesting_is_refused_at_the_first_level_too_many(tmp_path: Path) -> None:
    files: Files = {}
    for shape, (opened, closed) in LEVELS.items():
        text = f"{opened * 100}x{closed * 100}"
        files[f"{shape}.yaml"] = (f"{text}\n", f"1:{64 * len(opened) + 1}: {DEEP}")
        if closed:  # the value stands on the fifth level of the definition
            place = f"10:{18 + 60 * len(opened)}"
            files[f"inner-{shape}.yaml"] = (node(f"\n      own: {text}"), f"{place}: {DEEP}")
    refuse(tmp_path, files)


def test_nesting_of_thousands_of_levels_is_refused(tmp_path: Path) -> None:
    # The parser has a limit of its own in some releases: which of the two speaks first is its business.
    files: Files = {
        "unclosed.yaml": ("[" * 20_000, "1:"),
        "keys.yaml": ("? " * 20_000 + "x\n", "1:3: error: "),
    }
    for shape, (opened, closed) in LEVELS.items():
        text = f"{opened * 20_000}x{closed * 20_000}"
        files[f"{shape}.yaml"] = (f"{text}\n", "1:")
        if closed:
            files[f"inner-{shape}.yaml"] = (node(f"\n      own: {text}"), "10:")
    refuse(tmp_path, files)


def test_64_levels_are_taken(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(node(f"\n      own: {'[' * 60}{']' * 60}"))
    assert Run(tmp_path, "-f", "lab.yaml").code == 0


def test_depth_is_counted_through_aliases(tmp_path: Path) -> None:
    steps = "".join(f"a{i}: &a{i} {{x: {{x: *a{i - 1}}}}}\n" for i in range(1, 60))
    refuse(
        tmp_path,
        {"lab.yaml": ("a0: &a0 x\n" + steps, "33:19: error: nested deeper than 64 levels")},
    )


def test_duplicate_keys_are_refused_where_they_stand_again(tmp_path: Path) -> None:
    refuse(
        tmp_path,
        {
            "outer.yaml": (
                "kind: Topology\nspec: {}\nspec: {}\n",
                "3:1: error: key 'spec' is given twice",
            ),
            "json.yaml": ('{"a": 1, "a": 2}', "1:10: error: key 'a'"),
            "alias.yaml": ("? &k a\n: 1\n*k : 2\n", "3:1: error: key 'a'"),
            "inner.yaml": (node("{}\n    a: {}"), "10:11: error: key 'a'"),
            "deep.yaml": (node("{env: {A: x, B: y, A: z}}"), "9:33: error: key 'A'"),
        },
    )


def test_foreign_tags_are_refused(tmp_path: Path) -> None:
    tags = [
        "!own x",
        "!!python/object/apply:os.system [id]",
        "!!set {a}",
        "!!timestamp 2001-01-01",
        "!<x> y",
        "!!omap []",
    ]
    files: Files = {
        f"outer{i}.yaml": (f"a: {tag}\n", "1:4: error: tag") for i, tag in enumerate(tags)
    }
    inner: Files = {f"inner{i}.yaml": (node(tag), "9:14: error: tag") for i, tag in enumerate(tags)}
    refuse(tmp_path, {**files, **inner})


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    cases = [
        (b"a: b\nc: \x00\n", "2:4"),
        (b"a: b\nc: \x1b[31m\n", "2:4"),
        (b"a: \xc3\xa4\xff\n", "1:5"),
        (b"a: \xed\xa0\x80\n", "1:4"),
        (b"\xff\xfea\x00:\x00", "1:1"),
        (b"\xfe\xff\x00a\x00:", "1:1"),
        (b"a\x00\n\x00\x00\x00", "1:2"),
        (b"\x80" * 100, "1:1"),
        ("a: \ufffe\n".encode(), "1:4"),
        (b"a: \x7f\n", "1:4"),
    ]
    refuse(
        tmp_path,
        {f"{i}.yaml": (data, f"{place}: error: ") for i, (data, place) in enumerate(cases)},
    )


def test_control_characters_in_a_quoted_definition_are_refused(tmp_path: Path) -> None:
    files: Files = {
        f"{i}.yaml": (
            f'{HEAD}"topology:\\n  nodes: {{a{escape}: }}"\n',
            "6:42: error: character U+00",
        )
        for i, escape in enumerate([r"\0", r"\e[31m", r"\x07"])
    }
    refuse(tmp_path, files)


@pytest.mark.parametrize("size", [6_000, 200_000])
def test_numbers_of_thousands_of_digits_are_no_numbers(tmp_path: Path, size: int) -> None:
    digits = "9" * size
    lab = node(f"{{cpu: {digits}}}\n  links:\n    - {{endpoints: [a:x, a:y], mtu: {digits}}}")
    probe = HEAD.replace(
        "  definition",
        f"  statusProbes: {{probeConfiguration: {{startupSeconds: {digits}}}}}\n  definition",
    )
    refuse(
        tmp_path,
        {
            "cpu.yaml": (lab, "9:20: error: must be a number"),
            "mtu.yaml": (lab, "11:42: error: must be a whole number"),
            "probe.yaml": (f"{probe}'topology: {{}}'\n", "5:39: error: "),
        },
    )


def test_names_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    name = r"\e[2J\e]0;owned\a\u202egnp\r\n\u200b"
    text = f'topology:\n  nodes:\n    "{name}": {{network-mode: host, stages: "{name}"}}\n    "{name} ": {{}}\n'
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    (tmp_path / "lab.yaml").write_text(embedded(text))
    Run(tmp_path, "-f", "lab.yaml").is_refused(
        r"^[[2J^[]0;owned\x07\u202egnp\r\n\u200b", "[unsupported-network-mode]"
    )
    (tmp_path / "lab.yaml").write_text(f'{HEAD}"{quoted}"\n')
    Run(tmp_path, "-f", "lab.yaml").is_refused("[unsupported-network-mode]")


def test_a_large_input_of_many_nodes_stays_within_memory(tmp_path: Path) -> None:
    text = "a: [" + "x," * 1_100_000 + "]\n"
    refuse(tmp_path, {"lab.yaml": (text, "1:")})


def test_long_runs_of_blanks_and_quotes_are_read_in_one_go(tmp_path: Path) -> None:
    blanks = '"' + " " * 500_000 + "\n        " + " " * 500_000 + '"'
    folded = f"{HEAD}'topology:\n      {' ' * 300_000}{{nodes: {{a: {{image: [{chr(39) * 300_000}]}}}}}}'\n"
    refuse(
        tmp_path,
        {
            "blanks.yaml": (node(f"{{image: [{blanks}]}}"), "9:22: error: "),
            "quotes.yaml": (folded, "7:"),
        },
    )


GOOD = node("{}\n    PE_1: {}")
WINDOWS = GOOD.replace("\n", "\r\n")


@pytest.mark.parametrize(
    "data",
    [GOOD.encode("utf-8-sig"), WINDOWS.encode(), WINDOWS.encode("utf-8-sig")],
    ids=["mark", "windows", "both"],
)
def test_a_byte_order_mark_and_windows_lines_are_taken_and_places_stay_right(
    tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "lab.yaml").write_bytes(data)
    (tmp_path / "plain.yaml").write_text(GOOD)
    run, plain = Run(tmp_path, "-f", "lab.yaml"), Run(tmp_path, "-f", "plain.yaml")
    assert (run.code, run.out) == (0, plain.out)
    assert run.err.startswith(b"lab.yaml:10:11: warning: node 'PE_1' becomes")
    assert run.err.replace(b"lab.yaml", b"plain.yaml") == plain.err
