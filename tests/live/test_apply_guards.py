"""What ``apply`` refuses to touch, and what it prunes: before anything is written, and by name."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from live_tools import (
    Asked,
    c9s,
    config_map,
    contents,
    link,
    node,
    path_to,
    small_lab,
    versions,
    written,
)
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

    from bed_base import Bed
    from bed_own import OwnBed


def test_a_field_of_another_manager_is_refused_with_its_name(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        lab = written(tmp_path, small_lab())
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 0
        theirs = node("r2", image="helm:1")
        client.apply(path_to(theirs, namespace), theirs, manager="helm").ok()
        refused = c9s(bed, "apply", "-f", lab, "-n", namespace)
        assert refused.code == 4
        assert ".spec.image (helm)" in refused.err
        assert "hint:" in refused.err
        assert "--force-conflicts" in refused.err
        taken = c9s(bed, "apply", "-f", lab, "-n", namespace, "--force-conflicts")
        assert taken.code == 0, taken.err
        assert contents(client, namespace)["Node", "r2"]["spec"]["image"] == "alpine:3"
        assert "unchanged" in c9s(bed, "apply", "-f", lab, "-n", namespace).out.split()


TOPOLOGY = """\
apiVersion: c9s.run/v1alpha1
kind: Topology
metadata: {name: old, namespace: %s}
spec:
  definition:
    containerlab: |
      name: old
      topology:
        nodes:
          r1: {kind: linux, image: "alpine:3"}
"""


def test_names_that_a_living_topology_wants_are_refused_before_anything_is_written(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace:
        made = own_bed.kubectl("create", "-f", "-", text=TOPOLOGY % namespace)
        assert made.returncode == 0, made.stderr
        asked = Asked(own_bed, namespace)
        answer = c9s(own_bed, "apply", "-f", written(tmp_path, small_lab()), "-n", namespace)
        assert asked.writes() == []
    assert answer.code == 4
    assert "Node 'r1'" in answer.err
    assert "the Topology 'old' wants the name" in answer.err
    assert answer.out == ""


def test_objects_of_others_are_all_named_and_nothing_is_written(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        controlled = node("r1")
        owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "1", "controller": True}
        controlled["metadata"]["ownerReferences"] = [owner]
        # The Pod does not exist: without a finalizer the garbage collector would take the Node away.
        controlled["metadata"]["finalizers"] = ["c9s.run/test"]
        other_lab = node("r2", lab="other")
        hidden = config_map("files", lab="other", text="theirs")
        nobodys = link("r1-r2", "r1", "r2")
        del nobodys["metadata"]["labels"]
        for one in (other_lab, hidden, nobodys):
            client.apply(path_to(one, namespace), one).ok()
        client.apply(path_to(controlled, namespace), controlled).ok()
        before = contents(client, namespace)
        asked = Asked(own_bed, namespace)
        answer = c9s(own_bed, "apply", "-f", written(tmp_path, small_lab()), "-n", namespace)
        assert asked.writes() == []
        assert contents(client, namespace) == before
        free = {"metadata": {"finalizers": None}}
        client.patch(path_to(controlled, namespace), free).ok()
    assert answer.code == 4
    assert "Node 'r1'" in answer.err
    for text in (
        "Node 'r2' in namespace",
        "ConfigMap 'files' in namespace",
        "it belongs to the lab 'other'",
        "Link 'r1-r2' in namespace",
        "it is not of the lab 'lab'",
        "4 object(s) may not be written",
    ):
        assert text in answer.err
    assert answer.out == ""


def test_what_stands_there_without_a_lab_can_be_taken_over(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        nobodys = node("r1")
        del nobodys["metadata"]["labels"]
        client.apply(path_to(nobodys, namespace), nobodys).ok()
        lab = written(tmp_path, small_lab())
        assert c9s(bed, "apply", "-f", lab, "-n", namespace).code == 4
        assert c9s(bed, "apply", "-f", lab, "-n", namespace, "--force-conflicts").code == 0
        assert len(contents(client, namespace)) == 5


def test_prune_lists_first_and_deletes_only_what_we_applied_for_the_lab(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        extra = [node("r3"), config_map("more"), link("r2-r3", "r2", "r3")]
        whole = written(tmp_path, small_lab() + extra)
        assert c9s(own_bed, "apply", "-f", whole, "-n", namespace).code == 0
        other = written(tmp_path, [node("o1", lab="other")], "other.json")
        assert c9s(own_bed, "apply", "-f", other, "-n", namespace).code == 0
        foreign = node("r4")  # of this lab by its label, but applied by somebody else
        client.apply(path_to(foreign, namespace), foreign, manager="kubectl").ok()
        # Nothing of the kinds ConfigMap and Link is left in the input: they are looked for all the same.
        rest = written(tmp_path, [one for one in small_lab() if one["kind"] == "Node"])
        dry = c9s(own_bed, "apply", "-f", rest, "-n", namespace, "--prune", "--dry-run=client")
        assert ("Node", "r3") in contents(client, namespace)
        asked = Asked(own_bed, namespace)
        pruned = c9s(own_bed, "apply", "-f", rest, "-n", namespace, "--prune")
        left = set(contents(client, namespace))
        deletes = [one["objectRef"]["name"] for one in asked.writes()]
    gone = [
        "node r3",
        "link r1-r2",
        "link r2-r3",
        "nodeprofile lab",
        "configmap files",
        "configmap more",
    ]
    assert pruned.code == 0, pruned.err
    assert pruned.err.splitlines() == [f"to be pruned: {one}" for one in gone]
    assert dry.err == pruned.err
    assert left == {("Node", name) for name in ("r1", "r2", "r4", "o1")}
    assert deletes == [one.split()[1] for one in gone]
    assert [line for line in pruned.out.splitlines() if line.endswith("pruned")] == [
        f"{kind}.c9s.run/{name} pruned" if kind != "configmap" else f"configmap/{name} pruned"
        for kind, name in (one.split() for one in gone)
    ]


def test_without_prune_nothing_is_deleted(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace, bed.client() as client:
        assert c9s(bed, "apply", "-f", written(tmp_path, small_lab()), "-n", namespace).code == 0
        fewer = written(tmp_path, small_lab()[:-1])
        assert c9s(bed, "apply", "-f", fewer, "-n", namespace).code == 0
        assert ("Node", "r2") in contents(client, namespace)


def test_a_whole_topology_is_refused_with_the_way_to_go(bed: Bed, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(TOPOLOGY % "ns", encoding="utf-8")
    answer = c9s(bed, "apply", "-f", str(path))
    assert answer.code == 1
    assert "[not-split]" in answer.err
    assert "kubectl c9s split" in answer.err


def test_every_result_is_reported_also_when_another_write_fails(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        theirs = node("r050", image="helm:1")
        client.apply(path_to(theirs, namespace), theirs, manager="helm").ok()
        objects = [node(f"r{index:03}") for index in range(100)]
        answer = c9s(own_bed, "apply", "-f", written(tmp_path, objects), "-n", namespace)
        there = {name for _, name in versions(client, namespace)} - {"r050"}
    assert answer.code == 4
    said = {line.split()[0].partition("/")[2] for line in answer.out.splitlines()}
    assert said == there
    assert json.dumps(sorted(said)) != "[]"


def test_an_input_that_is_wrong_is_refused_as_a_whole_before_the_cluster_is_asked(
    tmp_path: Path,
) -> None:
    held = node("r4")
    held["metadata"]["annotations"] = {"c9s.run/startup-hold": "u"}
    wrong = [node("r1", colour="red"), node("r2", cpu=-1), node("r3"), node("r3"), held]
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    lab = written(tmp_path, [*wrong, secret])
    answer = command("apply", "-f", lab, "--kubeconfig", str(tmp_path / "none"))
    assert answer.code == 1
    assert answer.out == ""
    codes = re.findall(r"\[([a-z-]+)\]", answer.err)
    assert sorted(codes) == [
        "duplicate-object-name",
        "forbidden-metadata",
        "foreign-kind",
        "not-admissible",
        "unknown-field",
    ]
    assert "error: the input is not taken, 5 error(s) found" in answer.err
