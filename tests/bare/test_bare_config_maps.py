"""ConfigMaps of staged files: names, fields, order, sharing, directories, modes; staging.md B2, B3."""

from __future__ import annotations

import hashlib
import json
import string
from typing import TYPE_CHECKING

import pytest
import yaml
from bare_lab import Answer, Directory, command, content
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.topology import labpaths

if TYPE_CHECKING:
    from pathlib import Path

LETTERS = set(string.ascii_lowercase)


def split(top: Path, nodes: str, files: dict[str, str | bytes], name: str = "lab") -> Answer:
    return Directory(
        top, f"name: {name}\ntopology:\n  defaults: {{kind: linux}}\n  nodes: {nodes}\n", files
    ).accepted()


def staged(top: Path, bind: str, files: dict[str, str | bytes]) -> dict[str, tuple[bytes, str]]:
    """Give what a node with one bind gets."""
    return split(top, f'{{n: {{binds: ["{bind}:/x"]}}}}', files).staged("n")


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        # from the worked example: the digests end in a digit
        ("configs/R1.cfg", "demo-1-file-62e89ae63d0b2cbz"),
        ("inline-startup-config/r2", "demo-1-file-c45ae26c8a666abz"),
        ("tools/ping.sh", "demo-1-file-08d6377d378f47ez"),
    ],
)
def test_a_config_map_is_named_by_lab_and_identity(identity: str, name: str) -> None:
    assert labpaths.config_map_name("demo-1", identity) == name


def test_a_digest_that_ends_in_a_letter_stays() -> None:
    identity = next(f"f{n}" for n in range(99) if digest(f"f{n}")[15] in LETTERS)
    assert labpaths.config_map_name("lab", identity) == f"lab-file-{digest(identity)[:16]}"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("length", [41, 42, 43, 59, 63])
def test_a_name_of_more_than_63_characters_is_cut_and_gets_a_second_digest(length: int) -> None:
    lab, identity = "a" * length, "configs/x.cfg"
    whole = f"{lab}-file-{digest(identity)[:16]}"
    wanted = whole if len(whole) <= 63 else f"{whole[:55]}-{digest(whole)[:7]}"
    wanted = wanted if wanted[-1] in LETTERS else wanted[:-1] + "z"
    assert labpaths.config_map_name(lab, identity) == wanted
    assert len(wanted) == min(63, length + 22)


@given(st.from_regex(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", fullmatch=True), st.text(min_size=1))
def test_every_name_is_a_label_that_begins_and_ends_with_a_letter(lab: str, identity: str) -> None:
    try:
        identity.encode()
    except UnicodeEncodeError:
        return
    name = labpaths.config_map_name(lab, identity)
    assert len(name) <= 63
    assert set(name) <= LETTERS | set(string.digits) | {"-"}
    assert {name[0], name[-1]} <= LETTERS


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (b"", "data"),
        (b"plain\n", "data"),
        (b"no line feed at the end", "data"),
        (b"\r\n\t\x01\x1b[31m\x7f", "data"),
        ("ä漢🙂\u2028\u0085\ufeff\ufffe".encode(), "data"),
        (b"\xef\xbb\xbfwith a mark", "data"),
        (b"---\nkind: x\n...\n", "data"),
        (b"  leading\n\n\n", "data"),
        (b"a\x00b", "binaryData"),
        (b"\xff\xfe", "binaryData"),
        (b"\xed\xa0\x80", "binaryData"),
        (b"\xc0\xaf", "binaryData"),
        (b"cut \xe6\xbc", "binaryData"),
        (bytes(range(256)), "binaryData"),
        (b"\x1f\x8b\x08\x00", "binaryData"),
    ],
)
@pytest.mark.parametrize("output", ["json", "yaml"])
def test_text_goes_to_data_and_all_else_to_binary_data(
    data: bytes, field: str, output: str, tmp_path: Path
) -> None:
    lab = Directory(
        tmp_path, 'name: a\ntopology: {nodes: {n: {kind: linux, binds: ["f:/f"]}}}\n', {"f": data}
    )
    answer = command("split", "-f", str(lab.top), "-o", output)
    text = answer.out.decode()
    objects = json.loads(text)["items"] if output == "json" else list(yaml.safe_load_all(text))
    (config_map,) = [one for one in objects if one["kind"] == "ConfigMap"]
    assert config_map.keys() == {"apiVersion", "kind", "metadata", field}
    assert content(config_map) == data


def test_one_file_is_one_config_map_for_all_nodes_and_spellings(tmp_path: Path) -> None:
    nodes = (
        '{a: {binds: ["f:/1", "./f:/2", "d/../f:/3"]}, b: {license: ./f}, c: {startup-config: f}}'
    )
    answer = split(tmp_path, nodes, {"f": "x", "d/": ""})
    (name,) = answer.of("ConfigMap")
    wanted = {"a": ["./f", "d/../f", "f"], "b": ["./f"], "c": ["f"]}
    for node, paths in wanted.items():
        assert [(one["filePath"], one["configMapName"]) for one in answer.entries(node)] == [
            (path, name) for path in paths
        ]


def test_the_same_path_twice_on_a_node_is_staged_once(tmp_path: Path) -> None:
    node = "{startup-config: f, license: f, binds: ['f:/1', 'f:/2', 'd:/3', 'd/g:/4'], env-files: [f, d]}"
    answer = split(tmp_path, f"{{n: {node}}}", {"f": "x", "d/g": "y"})
    assert [one["filePath"] for one in answer.entries("n")] == ["d/g", "f"]


def test_config_maps_and_lists_are_ordered_by_the_bytes_of_identities(tmp_path: Path) -> None:
    names = [
        "Z",
        "a",
        "a-b",
        "a.b",
        "a/b",
        "a0",
        "é",
        "漢",
        "ￜ",
        "🙂",
        "inline-startup-config/m",
        "_",
    ]
    files: dict[str, str | bytes] = {f"d/{name.replace('/', '_')}": name for name in names}
    answer = split(tmp_path, '{n: {binds: ["d:/d"]}, m: {startup-config: "x\\ny"}}', files)
    paths = [one["filePath"] for one in answer.entries("n")]
    assert paths == sorted(files, key=str.encode)
    order = list(answer.of("ConfigMap"))
    assert order[:-1] == [one["configMapName"] for one in answer.entries("n")]
    assert order[-1:] == [one["configMapName"] for one in answer.entries("m")]


def test_a_directory_is_walked_whole(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "top/.hidden": "h", "top/.d/x": "x", "top/a/b/c": "c", "top/empty": "", "top/none/": "", "top/a.b": "ab",
        "other": "o",
    }  # fmt: skip
    found = staged(tmp_path, "./top/", files)
    assert found == {
        "top/.hidden": (b"h", "read"),
        "top/.d/x": (b"x", "read"),
        "top/a/b/c": (b"c", "read"),
        "top/empty": (b"", "read"),
        "top/a.b": (b"ab", "read"),
    }


def test_the_whole_directory_of_the_lab_can_be_bound(tmp_path: Path) -> None:
    found = staged(tmp_path, ".", {"a/b": "1"})
    assert set(found) == {"lab.clab.yml", "a/b"}


@pytest.mark.parametrize("bits", [0o100, 0o010, 0o001, 0o111, 0o755])
def test_any_execute_bit_makes_a_file_executable(bits: int, tmp_path: Path) -> None:
    lab = Directory(
        tmp_path,
        'name: a\ntopology: {nodes: {n: {kind: linux, startup-config: f, binds: ["d:/d"]}}}\n',
        {"f": "1", "d/g": "2", "d/h": "3"},
    )
    (tmp_path / "f").chmod(0o444 | bits)
    (tmp_path / "d/g").chmod(0o444 | bits)
    (tmp_path / "d/h").chmod(0o666)
    found = lab.accepted().staged("n")
    assert {path: mode for path, (_, mode) in found.items()} == {
        "f": "execute",
        "d/g": "execute",
        "d/h": "read",
    }


def test_texts_are_never_executable(tmp_path: Path) -> None:
    answer = split(tmp_path, '{n: {startup-config: "#!/bin/sh\\n", license: "a\\n"}}', {})
    assert {mode for _, mode in answer.staged("n").values()} == {"read"}


def test_an_empty_directory_gives_nothing_and_a_warning_for_a_bind(tmp_path: Path) -> None:
    lab = Directory(
        tmp_path, 'name: a\ntopology: {nodes: {n: {kind: linux, binds: ["d:/d"]}}}\n', {"d/e/": ""}
    )
    answer = lab.accepted()
    assert answer.of("ConfigMap") == {}
    assert answer.node("n")["binds"] == ["d:/d"]
    assert answer.warned() == [("empty-directory", "topology.nodes.n.binds[0]")]


def test_files_and_bytes_are_counted_in_a_note(tmp_path: Path) -> None:
    answer = split(
        tmp_path, '{n: {binds: ["d:/d"], startup-config: "ä\\n"}}', {"d/a": "123", "d/b": b"\xff"}
    )
    assert answer.notes() == ["lab lab: 3 file(s) of 7 bytes become ConfigMaps"]


def test_a_path_that_is_given_as_absolute_stays_so(tmp_path: Path) -> None:
    found = staged(tmp_path, f"{tmp_path}/f", {"f": "1"})
    assert found == {f"{tmp_path}/f": (b"1", "read")}
