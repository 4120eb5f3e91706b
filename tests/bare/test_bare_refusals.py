"""What is refused, with node, field and place; budgets; all findings of one run together: staging.md B2, D."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bare_lab import Directory, placed

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 950_000
FIELDS = """\
name: lab
topology:
  defaults: {kind: linux}
  nodes:
    n_1:
      startup-config: a/start
      license: a/licence
      binds:
        - "ok:/ok"
        - "a/bind:/b"
      env-files: [ok, a/env]
      copy-to-flash:
        - a/flash
"""
PATHS = {
    "startup-config": "a/start",
    "license": "a/licence",
    "binds[0]": '"a/bind',
    "env-files[1]": "a/env",
    "copy-to-flash[0]": "a/flash",
}


def test_a_missing_file_is_refused_at_the_place_that_names_it(tmp_path: Path) -> None:
    lab = Directory(tmp_path, FIELDS, {"ok": ""})
    answer = lab.refused()
    wanted = {
        ("missing-file", f"topology.nodes.n_1.{path}", lab.place(mark))
        for path, mark in PATHS.items()
    }
    assert {(one["code"], one["path"], placed(one)) for one in answer.errors} == wanted
    assert all(
        "n_1" in one["message"] and "does not exist" in one["message"] for one in answer.errors
    )


def test_findings_of_the_compiler_and_of_staging_come_in_one_run(tmp_path: Path) -> None:
    text = (
        FIELDS.replace("kind: linux", "kind: linux, restart-policy: no")
        + "    n_2: {network-mode: host, license: x}\n"
    )
    lab = Directory(tmp_path, text + "  links: [{endpoints: ['n_1:e', 'gone:e']}]\n", {"ok": ""})
    codes = [code for code, _ in lab.refused().codes()]
    assert codes.count("missing-file") == 6
    assert codes.count("unsupported-restart-policy") == 2
    assert {"unsupported-network-mode", "unknown-link-endpoint"} <= set(codes)


@pytest.mark.parametrize("where", ["defaults", "kinds", "groups", "wrapper", "merge"])
def test_an_inherited_value_is_placed_where_it_was_written(where: str, tmp_path: Path) -> None:
    text = {
        "defaults": "defaults: {kind: linux, binds: [a:/a, gone:/g]}\n  nodes: {n: {binds: [a:/b]}}",
        "kinds": "kinds: {linux: {env-files: [gone]}}\n  nodes: {n: {kind: linux}}",
        "groups": "groups: {g: {kind: linux, license: gone}}\n  nodes: {n: {group: g}}",
        "wrapper": "nodes: {n: {kind: linux, kind-specific-config: {copy-to-flash: [gone]}}}",
        "merge": "defaults: &d {kind: linux, license: gone}\n  nodes: {n: {<<: *d}}",
    }[where]
    lab = Directory(tmp_path, f"name: a\ntopology:\n  {text}\n", {"a": ""})
    (finding,) = lab.refused().errors
    mark = "copy-to-flash" if where == "wrapper" else "gone"
    assert (finding["code"], placed(finding)) == ("missing-file", lab.place(mark))


@pytest.mark.parametrize("size", [0, 1, 262_144, LIMIT])
def test_files_up_to_the_limit_are_staged(size: int, tmp_path: Path) -> None:
    lab = Directory(
        tmp_path,
        "name: a\ntopology: {nodes: {n: {kind: linux, startup-config: f}}}\n",
        {"f": b"x" * size},
    )
    answer = lab.accepted()
    assert answer.staged("n") == {"f": (b"x" * size, "read")}
    assert (
        answer.warned() == []
        if size <= 262_144
        else [("large-config-map", "topology.nodes.n.startup-config")]
    )


@pytest.mark.parametrize("bind", ["f:/f", "d:/d"])
def test_a_file_over_the_limit_is_refused(bind: str, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "f": b"x" * (LIMIT + 1),
        "d/ok": b"",
        "d/g": b"\x00" * (LIMIT + 1),
    }
    lab = Directory(
        tmp_path,
        f'name: a\ntopology: {{nodes: {{n: {{kind: linux, binds: ["{bind}"]}}}}}}\n',
        files,
    )
    answer = lab.refused()
    assert answer.codes() == [("file-too-large", "topology.nodes.n.binds[0]")]
    assert placed(answer.errors[0]) == lab.place(f'"{bind}')
    assert "950001" in answer.errors[0]["message"]


def test_an_inline_text_has_the_same_limit_in_bytes(tmp_path: Path) -> None:
    for name, text, code in (
        ("ok", "ä" * (LIMIT // 2 - 1) + "\\n1", 0),
        ("over", "ä" * (LIMIT // 2) + "\\n", 1),
    ):
        lab = Directory(
            tmp_path / name,
            f'name: a\ntopology: {{nodes: {{n: {{kind: linux, startup-config: "{text}"}}}}}}\n',
        )
        answer = lab.split()
        assert answer.code == code
        assert [one[0] for one in answer.codes()] == ["file-too-large"] * code


def test_a_large_object_is_warned_of_once_with_the_remedy(tmp_path: Path) -> None:
    nodes = "{a: {startup-config: f}, b: {startup-config: f, binds: ['./f:/f']}}"
    lab = Directory(
        tmp_path,
        f"name: a\ntopology: {{defaults: {{kind: linux}}, nodes: {nodes}}}\n",
        {"f": "x" * 262_145},
    )
    answer = lab.accepted()
    assert [one[0] for one in answer.warned()] == ["large-config-map"]
    assert "server-side" in answer.warnings[0]["message"]


OUTSIDE = [
    "../out/f",
    "../out",
    "/etc/passwd",
    "/lib/modules",
    "a/../../out/f",
    "..",
    "/",
    "../gone",
    "/gone/x",
]


@pytest.mark.parametrize("source", OUTSIDE)
def test_what_lies_outside_is_refused_whether_it_exists_or_not(source: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/f").write_text("secret", "utf-8")
    lab = Directory(
        tmp_path / "lab",
        f'name: a\ntopology: {{nodes: {{n: {{kind: linux, binds: ["{source}:/x"]}}}}}}\n',
        {"a/": ""},
    )
    answer = lab.refused()
    assert answer.codes() == [("outside-lab-directory", "topology.nodes.n.binds[0]")]
    assert "--allow-outside" in answer.errors[0]["message"]


@pytest.mark.parametrize("source", ["~", "~/x", "~root/.ssh", "~x"])
def test_home_directories_are_never_read(source: str, tmp_path: Path) -> None:
    text = f'name: a\ntopology: {{nodes: {{n: {{kind: linux, binds: ["{source}:/x"]}}}}}}\n'
    lab = Directory(tmp_path, text, {"~x": "1"})
    answer = lab.refused("--allow-outside", "/", env={"HOME": str(tmp_path)})
    assert answer.codes() == [("outside-lab-directory", "topology.nodes.n.binds[0]")]


def test_all_violations_are_reported_together(tmp_path: Path) -> None:
    binds = ", ".join(f'"{source}:/{at}"' for at, source in enumerate([*OUTSIDE, "~/x"]))
    lab = Directory(
        tmp_path,
        f"name: a\ntopology: {{nodes: {{n: {{kind: linux, binds: [{binds}]}}}}}}\n",
        {"a/": ""},
    )
    assert [one[0] for one in lab.refused().codes()] == ["outside-lab-directory"] * 10


def test_allow_outside_adds_directories(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one/f").write_text("1", "utf-8")
    (tmp_path / "onemore").mkdir()
    (tmp_path / "onemore/f").write_text("2", "utf-8")
    (tmp_path / "link").symlink_to("onemore")
    lab = Directory(
        tmp_path / "lab",
        f'name: a\ntopology: {{nodes: {{n: {{kind: linux, binds: ["../one:/1", "{tmp_path}/link/f:/2"]}}}}}}\n',
    )
    answer = lab.refused("--allow-outside", str(tmp_path / "one"))
    assert [one["message"].count("onemore") for one in answer.errors] == [1]
    answer = lab.accepted(
        "--allow-outside", str(tmp_path / "one"), "--allow-outside", str(tmp_path / "link")
    )
    assert answer.staged("n") == {"../one/f": (b"1", "read"), f"{tmp_path}/link/f": (b"2", "read")}


def test_allow_outside_needs_a_directory(tmp_path: Path) -> None:
    lab = Directory(tmp_path, "name: a\ntopology: {nodes: {n: {kind: linux}}}\n")
    assert lab.split("--allow-outside", str(tmp_path / "gone")).code == 2


def test_a_name_of_a_node_does_not_lead_outside(tmp_path: Path) -> None:
    text = "name: a\ntopology: {nodes: {../../etc: {kind: linux, startup-config: x/__clabNodeName__/hostname}}}\n"
    answer = Directory(tmp_path / "lab", text, {"x/": ""}).refused()
    assert [one[0] for one in answer.codes()] == ["outside-lab-directory"]


@pytest.mark.parametrize("source", ["a\\0b", "x" * 300, "/".join(["y" * 200] * 30)])
def test_impossible_paths_are_refused(source: str, tmp_path: Path) -> None:
    lab = Directory(
        tmp_path,
        f'name: a\ntopology: {{nodes: {{n: {{kind: linux, startup-config: "{source}"}}}}}}\n',
    )
    assert lab.refused().codes() == [("missing-file", "topology.nodes.n.startup-config")]


def test_a_malformed_bind_is_not_looked_for(tmp_path: Path) -> None:
    lab = Directory(
        tmp_path, 'name: a\ntopology: {nodes: {n: {kind: linux, binds: ["gone", "a:b:c:d"]}}}\n'
    )
    assert {one[0] for one in lab.refused().codes()} == {"malformed-bind"}
