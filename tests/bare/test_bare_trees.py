"""Any tree of files is staged faithfully, or refused with node, field and place."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest
from bare_lab import Directory, placed
from grown_trees import KINDS, LIMIT, TEXT, Grown, Leaf
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from other_user import as_nobody, open_to_all

odd_names = st.one_of(
    st.sampled_from([
        " ", "a b", "-", "--help", ".hidden", "..x", "~", "#", "a:b", "new\nline", "\t", "\x1b[31m", "\x7f", "quote'\"",
        "{{x}}", "$HOME", "${X}", "back\\slash", "é", "e\u0301", "漢字", "🙂", "\u2028", "\u202e", "\ufeff", "\u0085",
        "null", "true", "1", "0x1f", "=", "<<", "!tag", "&a", "*a", "|", ">", "%", "@", "`", "x" * 255, ",", "[", "?",
    ]),
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=20),
).filter(lambda name: name not in {".", ".."})  # fmt: skip
names = st.one_of(st.from_regex(r"[a-z0-9]{1,3}", fullmatch=True), odd_names)
contents = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(
        [b"", b"\n", b"a\r\nb\r\n", b"\x00", b"\xef\xbb\xbf", b"---\n", b" \n", b"x\n\n"]
    ),
)
bits = st.sampled_from([0o644, 0o600, 0o755, 0o700, 0o444, 0o645, 0o654, 0o777, 0o4755])
files = st.builds(Leaf, st.just("file"), contents, bits)
odd_leaves = st.builds(Leaf, st.sampled_from(list(KINDS)), contents, bits)
sized = st.sampled_from([0, 1, LIMIT - 1, LIMIT, LIMIT + 1]).map(
    lambda size: Leaf(
        "file" if size <= LIMIT else "too large", b"\xc3\xa4" * (size // 2) + b"x" * (size % 2)
    )
)


def trees(leaves: st.SearchStrategy[Leaf], size: int = 4) -> st.SearchStrategy[dict[str, object]]:
    def level(inside: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
        return st.dictionaries(names, inside, max_size=size)

    return level(st.one_of(leaves, leaves, level(st.one_of(leaves, level(leaves)))))


def grow_and_check(tree: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as base:
        grown = Grown(Path(base), tree)
        grown.check(grown.lab.split())


@settings(max_examples=60)
@given(trees(files))
def test_any_tree_of_files_is_staged_as_it_is(tree: dict[str, object]) -> None:
    grow_and_check(tree)


@settings(max_examples=60)
@given(trees(odd_leaves))
def test_whatever_cannot_be_staged_is_refused_with_node_field_and_place(
    tree: dict[str, object],
) -> None:
    grow_and_check(tree)


@settings(max_examples=8)
@given(trees(sized, size=2))
def test_sizes_around_the_limit(tree: dict[str, object]) -> None:
    grow_and_check(tree)


@pytest.mark.parametrize("kind", list(KINDS))
def test_each_kind_of_file_alone(kind: str, tmp_path: Path) -> None:
    """Also as a bind source of its own: there a link to a file is followed, too."""
    grown = Grown(tmp_path, {"f": Leaf(kind, b"x", 0o755)})
    grown.check(grown.lab.split())
    lab = Directory(tmp_path / "lab", TEXT.replace("./d/", "./d/f"))
    answer = lab.split()
    assert [one["code"] for one in answer.errors] == (
        [KINDS[kind].code] if KINDS[kind].code else []
    )
    if not answer.errors:
        assert answer.staged("n") == {"./d/f": grown.staged["d/f"]}


@settings(max_examples=25)
@given(st.binary(min_size=1, max_size=12).filter(lambda name: not {0, 47} & set(name)))
def test_a_name_that_is_no_text_is_refused(raw: bytes) -> None:
    try:
        raw.decode()
    except UnicodeDecodeError:
        is_text = False
    else:
        is_text = True
    assume(raw not in {b".", b".."})
    with tempfile.TemporaryDirectory() as base:
        lab = Directory(Path(base, "lab"), TEXT, {"d/": ""})
        Path(os.fsdecode(bytes(Path(base, "lab/d")) + b"/" + raw)).write_bytes(b"x")
        answer = lab.split()
        assert [code for code, _ in answer.codes()] == ([] if is_text else ["odd-file-name"])
        if is_text:
            assert answer.staged("n") == {f"d/{raw.decode()}": (b"x", "read")}


def test_a_device_is_refused_without_being_opened(tmp_path: Path) -> None:
    lab = Directory(tmp_path / "lab", TEXT, {"d/": ""})
    try:
        os.mknod(tmp_path / "lab/d/null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root may make a device")
    (tmp_path / "lab/d/link").symlink_to("null")
    assert [code for code, _ in lab.refused().codes()] == ["not-a-file"] * 2


def test_a_directory_of_links_to_links_of_devices_is_refused(tmp_path: Path) -> None:
    lab = Directory(tmp_path / "lab", TEXT, {"d/": ""})
    for name in ("null", "zero", "stdin", "fd", "tty"):
        (tmp_path / "lab/d" / name).symlink_to(f"/dev/{name}")
    codes = {code for code, _ in lab.refused("--allow-outside", "/dev").codes()}
    assert codes <= {"not-a-file", "outside-lab-directory", "link-to-directory", "missing-file"}


@pytest.mark.parametrize("what", ["file", "directory", "inner directory", "in a bind of its own"])
def test_what_may_not_be_read_is_refused(what: str) -> None:
    with open_to_all() as base:
        files: dict[str, str | bytes] = {"d/ok": "1", "d/f": "2", "d/sub/g": "3"}
        lab = Directory(
            base / "lab", TEXT.replace("./d/", "./d/f") if "bind" in what else TEXT, files
        )
        lab.split()  # all modules are loaded now, as another user may not read them
        closed = base / "lab" / {"directory": "d", "inner directory": "d/sub"}.get(what, "d/f")
        closed.chmod(0)
        with as_nobody():
            answer = lab.refused()
        closed.chmod(0o755)
        assert answer.codes() == [("unreadable-file", "topology.nodes.n.binds[0]")]
        assert placed(answer.errors[0]) == lab.place('"./d')


def test_a_directory_that_may_be_entered_only_gives_the_file_that_is_named() -> None:
    with open_to_all() as base:
        lab = Directory(base / "lab", TEXT.replace("./d/", "./d/f"), {"d/f": "2"})
        lab.split()
        (base / "lab/d").chmod(0o711)
        with as_nobody():
            answer = lab.accepted()
        assert answer.staged("n") == {"./d/f": (b"2", "read")}


def test_a_directory_with_too_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kubectl_c9s.files.confined._MAX_FILES", 3)
    lab = Directory(tmp_path, TEXT, {f"d/{n}": "" for n in range(3)})
    lab.accepted()
    lab.add("d/e/f")
    assert [code for code, _ in lab.refused().codes()] == ["too-many-files"]


def test_a_link_to_a_directory_is_no_bind_source(tmp_path: Path) -> None:
    lab = Directory(tmp_path, TEXT, {"real/f": "1"})
    (tmp_path / "d").symlink_to("real")
    assert lab.refused().codes() == [("link-to-directory", "topology.nodes.n.binds[0]")]
