"""Containerlab files on the command line: recognition, several labs, stdin, order; staging.md A1.5, C1, D."""

from __future__ import annotations

import json
from contextlib import chdir
from typing import TYPE_CHECKING

import pytest
import yaml
from bare_lab import OWNER, Directory, command, placed, split

if TYPE_CHECKING:
    from pathlib import Path

LAB = """\
name: NAME
topology: {nodes: {n: {kind: linux, binds: ["f:/f"]}, m: {kind: linux}}, links: [{endpoints: ["n:e", "m:e"]}]}
"""
TOPOLOGY = """\
apiVersion: c9s.run/v1alpha1
kind: Topology
metadata: {name: manifest, namespace: there}
spec:
  definition:
    containerlab: |
      topology: {nodes: {n: {kind: linux}}}
"""


def lab(top: Path, name: str = "lab") -> Directory:
    return Directory(top, LAB.replace("NAME", name), {"f": name})


def test_the_order_is_namespace_config_maps_profiles_links_nodes(tmp_path: Path) -> None:
    answer = lab(tmp_path).accepted("--create-namespace")
    assert [one["kind"] for one in answer.objects] == [
        "Namespace", "ConfigMap", "NodeProfile", "Link", "Node", "Node",
    ]  # fmt: skip


def test_yaml_json_and_names_agree(tmp_path: Path) -> None:
    found = lab(tmp_path)
    path = str(tmp_path / "lab.clab.yml")
    answer = found.accepted("--create-namespace")
    stream = command("split", "-f", path, "--create-namespace").out
    assert list(yaml.safe_load_all(stream)) == answer.objects
    names = (
        command("split", "-f", path, "--create-namespace", "-o", "name").out.decode().splitlines()
    )
    (config_map,) = answer.of("ConfigMap")
    assert names == [
        "namespace/c9s-lab",
        f"configmap/{config_map}",
        "nodeprofile.c9s.run/lab",
        "link.c9s.run/n-e-m-e",
        "node.c9s.run/m",
        "node.c9s.run/n",
    ]


def test_a_namespace_of_ours_may_go_with_the_lab(tmp_path: Path) -> None:
    enforce = {"pod-security.kubernetes.io/enforce": "privileged"}
    (namespace,) = lab(tmp_path).accepted("--create-namespace").of("Namespace").values()
    assert namespace["metadata"] == {
        "name": "c9s-lab",
        "labels": {**enforce, "containerlab.dev/runtime": "clabernetes", OWNER: "lab"},
    }
    (namespace,) = (
        lab(tmp_path).accepted("--create-namespace", "-n", "shared").of("Namespace").values()
    )
    assert namespace["metadata"] == {"name": "shared", "labels": enforce}


def test_no_namespace_is_written_unless_asked(tmp_path: Path) -> None:
    assert lab(tmp_path).accepted().of("Namespace") == {}


def test_stdin_is_read_and_files_are_looked_for_in_the_current_directory(tmp_path: Path) -> None:
    found = lab(tmp_path)
    with chdir(tmp_path):
        answer = split("-", stdin=found.text.encode())
    assert answer.code == 0
    assert answer.staged("n") == {"f": (b"lab", "read")}
    with chdir("/"):
        answer = split("-", stdin=found.text.replace("f:/f", "gone-from-here:/f").encode())
    assert placed(answer.errors[0]) == ("<stdin>", 2, found.text.split("\n")[1].index('"f:/f') + 1)


@pytest.mark.parametrize("name", ["lab.clab.yml", "lab.yaml", "x.yml", "y.json"])
def test_a_file_is_recognised_by_what_it_says(name: str, tmp_path: Path) -> None:
    text = LAB.replace("NAME", "lab")
    data = json.dumps(yaml.safe_load(text)) if name.endswith("json") else text
    (tmp_path / name).write_text(data, "utf-8")
    (tmp_path / "f").write_text("", "utf-8")
    answer = split(str(tmp_path / name))
    assert answer.of("NodeProfile").keys() == {"lab"}


@pytest.mark.parametrize(
    "text",
    [
        "name: a\n",
        "topology_: {}\n",
        "- topology: {}\n",
        "kind: x\ntopology: {nodes: {}}\n",
        "x:\n  topology: {}\n",
    ],
)
def test_other_documents_are_no_labs(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text, "utf-8")
    answer = split(str(tmp_path / "x.yaml"))
    assert answer.code == 1
    assert "no lab" in answer.err


def test_a_topology_key_without_nodes_is_a_lab(tmp_path: Path) -> None:
    answer = Directory(tmp_path, "name: a\ntopology: {}\n").split()
    assert (answer.code, answer.objects) == (0, [])


@pytest.mark.parametrize("value", ["", "~", "[]", "x"])
def test_a_topology_that_is_no_mapping_is_refused(value: str, tmp_path: Path) -> None:
    (found,) = Directory(tmp_path, f"name: a\ntopology: {value}\n").refused().errors
    assert found["code"] in {"no-topology-section", "invalid-type"}


@pytest.mark.parametrize("key", ["links", "nodes", "labels"])
def test_unknown_top_level_keys_and_keys_given_twice_are_refused(key: str, tmp_path: Path) -> None:
    found = Directory(
        tmp_path, f"name: a\n{key}: {{}}\ntopology: {{nodes: {{n: {{kind: linux}}}}}}\n"
    )
    assert found.refused().codes() == [("unsupported-field", key)]
    twice = Directory(tmp_path, f"name: a\n{key}: {{}}\n{key}: {{}}\ntopology: {{nodes: {{}}}}\n")
    assert [(one["code"], placed(one)) for one in twice.refused().errors] == [
        ("duplicate-key", twice.place(key, 2))
    ]


def test_several_labs_share_one_stream(tmp_path: Path) -> None:
    one, two = lab(tmp_path / "one", "one"), lab(tmp_path / "two", "two")
    (tmp_path / "m.yaml").write_text(TOPOLOGY, "utf-8")
    args = [str(one.top / "lab.clab.yml"), "-f", str(two.top), "-f", str(tmp_path / "m.yaml")]
    answer = split(args[0], *args[1:])
    assert [one["kind"] for one in answer.objects] == (
        ["ConfigMap"] * 2 + ["NodeProfile"] * 3 + ["Link"] * 2 + ["Node"] * 5
    )
    assert {one["metadata"]["namespace"] for one in answer.objects} == {
        "c9s-one",
        "c9s-two",
        "there",
    }
    # Files are looked for beside the lab that names them.
    texts = {
        one["metadata"]["namespace"]: one["data"]["file"]
        for one in answer.objects
        if one["kind"] == "ConfigMap"
    }
    assert texts == {"c9s-one": "one", "c9s-two": "two"}


def test_several_labs_in_one_file(tmp_path: Path) -> None:
    found = Directory(
        tmp_path,
        LAB.replace("NAME", "a") + "---\n" + TOPOLOGY + "---\n" + LAB.replace("NAME", "b"),
        {"f": ""},
    )
    assert found.accepted().of("NodeProfile").keys() == {"a", "b", "manifest"}
    (tmp_path / "f").unlink()
    assert [placed(one) for one in found.refused().errors] == [
        found.place('"f:'),
        found.place('"f:', 2),
    ]


def test_what_is_wrong_in_one_lab_stops_all(tmp_path: Path) -> None:
    one, two = lab(tmp_path / "one", "one"), lab(tmp_path / "two", "two")
    (two.top / "f").unlink()
    answer = split(str(one.top), "-f", str(two.top))
    assert (answer.code, answer.out) == (1, b"")
    assert [one["file"] for one in answer.errors] == [str(two.top / "lab.clab.yml")]


def test_two_labs_of_one_name_and_namespace_are_refused(tmp_path: Path) -> None:
    lab(tmp_path / "one", "same")
    lab(tmp_path / "two", "same")
    answer = split(str(tmp_path), "-R")
    assert {code for code, _ in answer.codes()} == {"duplicate-object-name"}


def test_one_name_cannot_be_given_to_two_labs(tmp_path: Path) -> None:
    lab(tmp_path / "one", "one")
    lab(tmp_path / "two", "two")
    assert split(str(tmp_path), "-R", "--name", "x").code == 2


def test_a_shared_namespace_is_written_once(tmp_path: Path) -> None:
    one = Directory(tmp_path / "one", "name: one\ntopology: {nodes: {a: {kind: linux}}}\n")
    two = Directory(tmp_path / "two", "name: two\ntopology: {nodes: {b: {kind: linux}}}\n")
    answer = split(str(one.top), "-f", str(two.top), "-n", "shared", "--create-namespace")
    assert [one["kind"] for one in answer.objects].count("Namespace") == 1


def test_sync_waves_put_files_before_nodes(tmp_path: Path) -> None:
    answer = lab(tmp_path).accepted("--argo-sync-waves", "--create-namespace")
    key = "argocd.argoproj.io/sync-wave"
    waves = {one["kind"]: int(one["metadata"]["annotations"][key]) for one in answer.objects}
    assert (
        max(waves["Namespace"], waves["ConfigMap"], waves["NodeProfile"])
        < waves["Link"]
        < waves["Node"]
    )


def test_warnings_stop_a_run_only_if_asked(tmp_path: Path) -> None:
    found = Directory(
        tmp_path, "name: a\ntopology: {nodes: {n: {kind: linux, license: f}}}\n", {"f": ""}
    )
    found.accepted()
    assert found.split("--fail-on-warning").code == 1
