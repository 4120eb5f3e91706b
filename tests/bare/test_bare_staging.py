"""What is staged and under which paths, names and modes: staging.md B1-B3."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest
import yaml
from bare_lab import Answer, Directory

if TYPE_CHECKING:
    from pathlib import Path

INLINE = "/clabernetes/startup-config.partial.cfg"


def lab(top: Path, node: str, files: dict[str, str | bytes], above: str = "") -> Directory:
    """Lay out a lab ``lab`` with one node ``n_1``."""
    return Directory(top, f"name: lab\ntopology:\n  {above}\n  nodes:\n    n_1: {node}\n", files)


def staged(top: Path, node: str, files: dict[str, str | bytes], above: str = "") -> Answer:
    return lab(top, node, files, above).accepted()


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("startup-config: a/b.cfg", "a/b.cfg"),
        ("startup-config: ./a//b.cfg", "./a//b.cfg"),
        ("startup-config: a/../a/b.cfg", "a/../a/b.cfg"),
        ("license: a/b.cfg", "a/b.cfg"),
        ("license: ./a/b.cfg", "./a/b.cfg"),
        ("startup-config: a/__clabNodeName__", "a/n_1"),
        ("startup-config: __clabDir__/x", "clab-lab/x"),
        ("startup-config: __clabNodeDir__/x", "clab-lab/n_1/x"),
        ("license: __clabLabName__/__clabNodeName__/x", "clab-lab/n_1/x"),
    ],
)
def test_a_path_is_staged_and_written_with_variables_replaced(
    field: str, shown: str, tmp_path: Path
) -> None:
    files = dict.fromkeys(("a/b.cfg", "a/n_1", "clab-lab/x", "clab-lab/n_1/x"), "text\n")
    answer = staged(tmp_path, f"{{kind: linux, {field}}}", {**files})
    assert answer.staged("n-1") == {shown: (b"text\n", "read")}
    assert answer.node("n-1")[field.partition(":")[0]] == shown
    assert list(answer.of("ConfigMap")) == [name_of(re.sub(r"^\./|(?<=/)/|\.\./a/", "", shown))]


def name_of(identity: str, lab_name: str = "lab") -> str:
    """Name a ConfigMap by the rule of B3, for short names of labs."""
    name = f"{lab_name}-file-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
    return name if name[-1].isalpha() else name[:-1] + "z"


@pytest.mark.parametrize(
    "text", ["|\n        one line\n", "|\n        two\n        lines\n", '"a\\nb"', "|+\n        x"]
)
def test_a_text_with_a_newline_is_inline(text: str, tmp_path: Path) -> None:
    answer = staged(tmp_path, f"\n      kind: linux\n      startup-config: {text}", {})
    value = yaml.safe_load(f"startup-config: {text}\n")["startup-config"]
    assert answer.staged("n-1") == {INLINE: (value.encode(), "read")}
    assert answer.node("n-1")["startup-config"] == INLINE
    assert list(answer.of("ConfigMap")) == [name_of("inline-startup-config/n_1")]


@pytest.mark.parametrize("text", ["|-\n        a.cfg\n", ">-\n        a.cfg\n", '"a.cfg"'])
def test_a_text_without_a_newline_is_a_path(text: str, tmp_path: Path) -> None:
    answer = staged(tmp_path, f"\n      kind: linux\n      startup-config: {text}", {"a.cfg": "x"})
    assert answer.staged("n-1") == {"a.cfg": (b"x", "read")}


def test_an_inline_licence_gets_a_path_with_the_written_name(tmp_path: Path) -> None:
    answer = staged(tmp_path, '{kind: linux, license: "one\\ntwo"}', {})
    path = "/clabernetes/n_1/license/embedded.lic"
    assert answer.staged("n-1") == {path: (b"one\ntwo", "read")}
    assert answer.node("n-1")["license"] == path
    assert list(answer.of("ConfigMap")) == [name_of(path)]


def test_each_field_is_staged(tmp_path: Path) -> None:
    node = """
      kind: arista_ceos
      startup-config: start
      license: licence
      binds: ["bind:/b", "dir:/d:ro"]
      env-files: [env, " ", ""]
      copy-to-flash: [flash, dir2]
    """
    files: dict[str, str | bytes] = dict.fromkeys(
        ("start", "licence", "bind", "dir/x", "env", "flash", "dir2/y", "unnamed"), "-"
    )
    answer = staged(tmp_path, node, files)
    assert list(answer.staged("n-1")) == [
        "bind",
        "dir/x",
        "dir2/y",
        "env",
        "flash",
        "licence",
        "start",
    ]
    spec = answer.node("n-1")
    assert spec["binds"] == ["bind:/b", "dir:/d:ro"]
    assert spec["env-files"] == ["env", " ", ""]
    assert spec["kind-specific-config"] == {"copy-to-flash": ["flash", "dir2"]}


@pytest.mark.parametrize(
    "node",
    [
        "volumes: [gone:/x]",
        "config: {vars: {file: gone}}",
        "certificate: {issue: true}",
        "exec: [cat gone]",
        "cmd: gone",
        "entrypoint: gone",
        "extras: {srl-agents: [gone], ceos-copy-to-flash: [gone]}",
        'binds: [":/x"]',
        "env-files: ['', ' ']",
    ],
)
def test_other_fields_are_never_looked_at(node: str, tmp_path: Path) -> None:
    answer = staged(tmp_path, f"{{kind: linux, {node}}}", {})
    assert answer.of("ConfigMap") == {}
    assert "filesFromConfigMap" not in answer.node("n-1")


def test_values_after_inheritance_are_staged_and_written_on_the_node(tmp_path: Path) -> None:
    above = """defaults:
    kind: linux
    startup-config: gone/default.cfg
    license: gone.lic
    binds: ["gone:/over", "common:/common"]
    env-files: [one.env]
    copy-to-flash: [gone]
  kinds:
    linux:
      startup-config: kind/__clabNodeName__.cfg
      copy-to-flash: [kind.swix]
  groups:
    g: {license: group.lic, env-files: [two.env]}"""
    files: dict[str, str | bytes] = dict.fromkeys(
        ("kind/n_1.cfg", "group.lic", "over", "common", "one.env", "two.env", "kind.swix"), ""
    )
    answer = staged(tmp_path, '{group: g, binds: ["over:/over"]}', files, above)
    assert set(answer.staged("n-1")) == set(files)
    spec = answer.node("n-1")
    assert (spec["startup-config"], spec["license"]) == ("kind/n_1.cfg", "group.lic")
    assert spec["binds"] == ["common:/common", "over:/over"]
    assert spec["env-files"] == ["one.env", "two.env"]
    assert spec["kind-specific-config"] == {"copy-to-flash": ["kind.swix"]}


def test_bind_sources_have_variables_replaced_and_are_sorted_again(tmp_path: Path) -> None:
    node = '{kind: linux, binds: ["__clabNodeName__:/__clabNodeName__", "b:/b", "__clabDir__/x:/x:ro"]}'
    answer = staged(tmp_path, node, {"n_1": "1", "b": "2", "clab-lab/x": "3"})
    assert answer.node("n-1")["binds"] == ["b:/b", "clab-lab/x:/x:ro", "n_1:/__clabNodeName__"]
    assert set(answer.staged("n-1")) == {"b", "clab-lab/x", "n_1"}


def test_other_lists_keep_their_variables(tmp_path: Path) -> None:
    node = "{kind: linux, env-files: [__clabNodeName__.env], copy-to-flash: [__clabDir__/f]}"
    answer = staged(tmp_path, node, {"n_1.env": "", "clab-lab/f": ""})
    assert set(answer.staged("n-1")) == {"n_1.env", "clab-lab/f"}
    assert answer.node("n-1")["env-files"] == ["__clabNodeName__.env"]
    assert answer.node("n-1")["kind-specific-config"] == {"copy-to-flash": ["__clabDir__/f"]}


def test_the_wrapper_of_kind_keys_is_opened(tmp_path: Path) -> None:
    node = "{kind: linux, kind-specific-config: {copy-to-flash: [f]}}"
    assert set(staged(tmp_path, node, {"f": ""}).staged("n-1")) == {"f"}


def test_no_stage_files_leaves_everything_as_written(tmp_path: Path) -> None:
    node = """
      kind: linux
      startup-config: "a\\nb"
      license: "http://x/y"
      binds: ["__clabDir__/gone:/x"]
      env-files: [~/x]
    """
    answer = lab(tmp_path, node, {}).accepted("--no-stage-files")
    spec = answer.node("n-1")
    assert answer.of("ConfigMap") == {}
    assert (spec["startup-config"], spec["license"]) == ("a\nb", "http://x/y")
    assert (spec["binds"], spec["env-files"]) == (["__clabDir__/gone:/x"], ["~/x"])
