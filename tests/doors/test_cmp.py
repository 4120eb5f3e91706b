"""``cmp generate`` renders a source directory, and nothing outside it (conventions.md §6)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from cmp_tools import generate, names, objects
from door_tools import BARE, BROKEN, LAB

if TYPE_CHECKING:
    from pathlib import Path

PASS_THROUGH: dict[str, Any] = {"pass_through": "true"}
OTHER = "# ours\napiVersion: v1\nkind: Secret\nmetadata: {name: other}\n"


def test_it_renders_the_labs_of_the_directory(source: Path) -> None:
    (source / "bare.clab.yml").write_text(BARE.replace("demo", "other"), encoding="utf-8")
    (source / ".hidden.yaml").write_text(BROKEN, encoding="utf-8")
    (source / "sub").mkdir()
    more = LAB.replace("demo", "more").replace("spec:", "  namespace: more\nspec:", 1)
    (source / "sub/more.yml").write_text(more, encoding="utf-8")
    flat = [
        "NodeProfile/other",
        "NodeProfile/demo",
        "Link/a-eth1-b-eth1",
        "Node/a",
        "Node/a",
        "Node/b",
    ]
    assert names(generate(source)) == flat
    assert len(names(generate(source, recursive="true"))) == len(flat) + 4
    assert names(generate(source, paths=["sub"]))[0] == "NodeProfile/more"


def test_a_directory_without_a_lab_is_an_error_unless_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(OTHER, encoding="utf-8")
    answer = generate(tmp_path)
    assert (answer.code, answer.out) == (1, "")
    assert "other.yaml:2:1: warning: the document is no lab and is left out" in answer.err
    assert "error: the directory has no lab" in answer.err
    allowed = generate(tmp_path, allow_empty="true")
    assert (allowed.code, allowed.out) == (0, "")


def test_a_lab_that_is_refused_is_an_error_even_where_nothing_is_allowed(source: Path) -> None:
    (source / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    answer = generate(source, allow_empty="true")
    assert (answer.code, answer.out) == (1, "")
    assert "broken.yaml:13:35: error: endpoint names node 'nobody'" in answer.err


def test_other_objects_are_rendered_as_they_were_when_asked(source: Path) -> None:
    (source / "other.yaml").write_text(OTHER, encoding="utf-8")
    assert "Secret" not in generate(source).out
    answer = generate(source, **PASS_THROUGH)
    assert answer.out == OTHER + "---\n" + generate(source).out


@pytest.mark.parametrize("text", ["a: 1\n", "[1]\n", "apiVersion: v1\nkind: ConfigMap\n"])
def test_what_is_no_object_never_reaches_the_output(source: Path, text: str) -> None:
    (source / "odd.yaml").write_text(text, encoding="utf-8")
    answer = generate(source, **PASS_THROUGH)
    assert (answer.code, answer.out) == (1, "")
    assert "odd.yaml:1:1: error: the document is no Kubernetes object" in answer.err


def test_two_objects_of_one_name_are_refused(source: Path) -> None:
    there = "apiVersion: c9s.run/v1beta1\nkind: Node\nmetadata: {name: a}\n"
    (source / "node.yaml").write_text(there, encoding="utf-8")
    answer = generate(source, **PASS_THROUGH)
    assert (answer.code, answer.out) == (1, "")
    assert "the Node 'a' of namespace '' is there twice [duplicate-object-name]" in answer.err


def test_the_order_of_waves_is_profiles_and_maps_then_links_then_nodes(source: Path) -> None:
    (source / "lab.yaml").unlink()
    bare = (
        BARE.replace("'x:1'", "'x:1', startup-config: a.cfg") + "    b: {kind: linux, image: x}\n"
    )
    (source / "bare.clab.yml").write_text(
        f"{bare}  links:\n    - endpoints: ['a:e1', 'b:e1']\n", encoding="utf-8"
    )
    (source / "a.cfg").write_text("x\n", encoding="utf-8")
    found = objects(generate(source, create_namespace="true"))
    wave = "argocd.argoproj.io/sync-wave"
    waves = [(one["kind"], one["metadata"]["annotations"][wave]) for one in found]
    assert waves == [
        ("Namespace", "0"), ("ConfigMap", "0"), ("NodeProfile", "0"), ("Link", "1"), ("Node", "2"), ("Node", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        {"paths": [".."]},
        {"paths": ["../outside/lab.yaml"]},
        {"paths": ["link.yaml"]},
        {"paths": ["folder/lab.yaml"]},
        {"paths": ["folder/back.yaml"]},
        {"paths": ["/etc/passwd"]},
        {"paths": ["~/lab.yaml"]},
        {"paths": ["lab.yaml\0"]},
        {"paths": ["."]},
        {"paths": ["lab.yaml"], "allow_outside": ["../outside"]},
        {"paths": ["lab.yaml"], "allow_outside": ["folder"]},
    ],
)
def test_no_path_leaves_the_source_directory(source: Path, given: dict[str, Any]) -> None:
    outside = source.parent / "outside"
    outside.mkdir()
    (outside / "lab.yaml").write_text(LAB.replace("demo", "secret"), encoding="utf-8")
    (outside / "back.yaml").symlink_to(source / "lab.yaml")
    (source / "link.yaml").symlink_to("../outside/lab.yaml")
    (source / "folder").symlink_to("../outside")
    answer = generate(source, **given)
    assert (answer.code, answer.out) == (2, "")
    assert "secret" not in answer.err


@pytest.mark.parametrize(
    "config", ["../outside/a.cfg", "link.cfg", "folder/a.cfg", "/etc/hostname", "~/a.cfg"]
)
def test_no_file_of_a_lab_leaves_the_source_directory(source: Path, config: str) -> None:
    outside = source.parent / "outside"
    outside.mkdir()
    (outside / "a.cfg").write_text("secret", encoding="utf-8")
    (source / "link.cfg").symlink_to("../outside/a.cfg")
    (source / "folder").symlink_to("../outside")
    bare = BARE.replace("'x:1'", f"'x:1', startup-config: {config}")
    (source / "bare.clab.yml").write_text(bare, encoding="utf-8")
    answer = generate(source, paths=["bare.clab.yml"])
    assert (answer.code, answer.out) == (1, "")
    assert "secret" not in answer.err


def test_links_and_directories_inside_the_source_directory_are_followed(source: Path) -> None:
    (source / "shared").mkdir()
    (source / "shared/a.cfg").write_text("hello\n", encoding="utf-8")
    (source / "labs").mkdir()
    bare = BARE.replace("'x:1'", "'x:1', startup-config: ../shared/a.cfg")
    (source / "shared/bare.clab.yml").write_text(bare, encoding="utf-8")
    (source / "labs/bare.clab.yml").symlink_to("../shared/bare.clab.yml")
    refused = generate(source, paths=["labs/bare.clab.yml"])
    assert "outside-lab-directory" in refused.err
    found = objects(generate(source, paths=["labs"], allow_outside=["shared"]))
    assert found[0]["data"] == {"file": "hello\n"}


@pytest.mark.skipif(os.fsencode("\udcff") != b"\xff", reason="file names are not bytes here")
def test_a_file_name_that_is_no_text_is_an_error(source: Path) -> None:
    with open(os.fsencode(source) + b"/\xff.yaml", "wb") as stream:  # noqa: PTH123 - a name of bytes
        stream.write(LAB.encode())
    answer = generate(source)
    assert (answer.code, answer.out) == (2, "")
    assert "the name is not valid UTF-8" in answer.err
