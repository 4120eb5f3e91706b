"""What the command reads: files, directories, streams, Lists, several labs at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from split_lab import command, manifest, place
from streams import LAB, OTHER, WRONG, loaded, names, split

if TYPE_CHECKING:
    from pathlib import Path


def test_several_files_are_one_output(tmp_path: Path) -> None:
    arguments: list[str] = []
    for name in ("b", "a"):
        file = tmp_path / f"{name}.yaml"
        file.write_text(manifest(f"topology: {{nodes: {{n-{name}: {{}}}}}}", name=name))
        arguments += ["-f", str(file)]
    assert names(command("split", *arguments)) == [
        ("NodeProfile", "b"),
        ("NodeProfile", "a"),
        ("Node", "n-b"),
        ("Node", "n-a"),
    ]


def test_a_directory_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    for file in (
        tmp_path / "c.json",
        tmp_path / "b.yml",
        tmp_path / "a.yaml",
        tmp_path / "x.txt",
        deep / "d.yaml",
    ):
        file.write_text(
            manifest(f"topology: {{nodes: {{n-{file.stem}: {{}}}}}}", name=f"lab-{file.stem}")
        )
    flat = command("split", "-f", str(tmp_path))
    assert [name for kind, name in names(flat) if kind == "Node"] == ["n-a", "n-b", "n-c"]
    for flag in ("-R", "--recursive"):
        nested = command("split", "-f", str(tmp_path), flag)
        assert [name for kind, name in names(nested) if kind == "Node"] == [
            "n-a",
            "n-b",
            "n-c",
            "n-d",
        ]


def test_a_wrong_file_is_reported_beside_the_others_and_nothing_is_written(tmp_path: Path) -> None:
    texts = {"good": LAB, "wrong": WRONG, "broken": "a: [", "dup": "a: 1\na: 2\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    answer = command("split", "-f", str(tmp_path))
    assert (answer.code, answer.out) == (1, "")
    for name, code in (
        ("wrong", "unsupported-network-mode"),
        ("broken", "invalid-yaml"),
        ("dup", "duplicate-key"),
    ):
        assert f"{name}.yaml:" in answer.err
        assert f"[{code}]" in answer.err


def test_several_topologies_of_a_stream_are_all_split() -> None:
    second = manifest("topology: {nodes: {c: {}}}", name="second")
    assert names(split(f"{LAB}---\n{second}")) == [
        ("NodeProfile", "lab"),
        ("NodeProfile", "second"),
        ("Link", "a-x-b-y"),
        ("Node", "a"),
        ("Node", "b"),
        ("Node", "c"),
    ]


def test_one_name_for_several_labs_is_a_usage_error() -> None:
    second = manifest("topology: {nodes: {c: {}}}", name="second")
    assert split(f"{LAB}---\n{second}", "--name", "x").code == 2


def test_labs_may_not_share_the_name_of_an_object_in_a_namespace() -> None:
    second = manifest("topology: {nodes: {b: {}, c: {}}}", name="second")
    answer = split(f"{LAB}---\n{second}")
    assert (answer.code, answer.out) == (1, "")
    assert "[duplicate-object-name]" in answer.err
    assert "Node/b" in answer.err
    assert "Node/a" not in answer.err
    apart = second.replace("{name: second}", "{name: second, namespace: other}")
    assert split(f"{LAB}---\n{apart}").code == 0
    assert split(f"{LAB}---\n{apart}", "-n", "same").code == 1


def test_the_same_lab_twice_is_refused() -> None:
    assert split(f"{LAB}---\n{LAB}").code == 1


@pytest.mark.parametrize(
    "kind", ["kind: List\napiVersion: v1", "kind: TopologyList\napiVersion: c9s.run/v1alpha1"]
)
def test_a_list_is_read_as_its_items(kind: str) -> None:
    item = "\n".join(f"  {line}" for line in WRONG.splitlines())[2:]
    text = f"{kind}\nitems:\n- {item}\n"
    line, column = place(text, "host")
    answer = split(text)
    assert answer.code == 1
    assert f"<stdin>:{line}:{column}: error: node 'a': network-mode 'host'" in answer.err
    good = "\n".join(f"  {line}" for line in LAB.splitlines())[2:]
    assert split(f"{kind}\nitems:\n- {good}\n").out == split(LAB).out


def test_items_of_a_list_that_are_no_topologies_pass_through_alone() -> None:
    good = "\n".join(f"  {line}" for line in LAB.splitlines())[2:]
    text = f"apiVersion: v1\nkind: List\nitems:\n- {{apiVersion: v1, kind: Pod, metadata: {{name: p}}}}\n- {good}\n"
    answer = split(text, "--pass-through")
    assert names(answer)[0] == ("Pod", "p")
    assert answer.out.endswith(split(LAB).out)


@pytest.mark.parametrize(
    "text", ["", OTHER, "[a]", "just text", "kind: List\napiVersion: v1\nitems: []\n"]
)
@pytest.mark.parametrize("flags", [[], ["--pass-through"]])
def test_input_without_a_topology_is_refused(text: str, flags: list[str]) -> None:
    answer = split(text, *flags)
    assert (answer.code, answer.out) == (1, "")
    assert "error: the input has no lab" in answer.err


def test_the_namespace_is_never_taken_from_a_kubeconfig(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    context = "{name: c, context: {namespace: theirs, cluster: k, user: u}}"
    config.write_text(f"apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{context}]\n")
    monkeypatch.setenv("KUBECONFIG", str(config))
    for answer in (split(LAB), split(LAB, "--kubeconfig", str(config), "--context", "c")):
        assert all("namespace" not in one["metadata"] for one in loaded(answer))
