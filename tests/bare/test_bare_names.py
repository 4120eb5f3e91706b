"""Names, namespaces, labels and the spec that a containerlab file gets: staging.md A2, A3, A5, C."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest
from bare_lab import OWNER, Directory, placed

from kubectl_c9s.resources.labels import forbidden_metadata

if TYPE_CHECKING:
    from pathlib import Path

TWO = """
    name: NAME
    topology:
      nodes:
        b: {kind: linux, binds: ["x:/x"]}
        a: {kind: linux}
      links:
        - endpoints: ["a:eth1", "b:eth1"]
"""


def two(top: Path, name: str = "lab") -> Directory:
    return Directory(top, TWO.replace("NAME", name), {"x": "1"})


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("demo", "demo"),
        ("SRv6_Lab", "srv6-lab"),
        ("Mixed_Case.Lab", "mixed-case-lab"),
        ("7hills", "clab-7hills"),
        ("-a--b-", "a--b"),
        ("a __ b", "a-b"),
        ("123", "clab-123"),
        ("a" * 59, "a" * 59),
    ],
)
def test_a_lab_is_named_like_a_node(written: str, name: str, tmp_path: Path) -> None:
    answer = two(tmp_path, written).accepted()
    assert answer.of("NodeProfile").keys() == {name}
    assert {one["metadata"]["namespace"] for one in answer.objects} == {f"c9s-{name}"}
    assert {one["metadata"]["labels"][OWNER] for one in answer.objects} == {name}
    assert [one for one in answer.warned() if one[0] == "renamed-lab"] == (
        [("renamed-lab", "name")] if written != name else []
    )


def test_a_long_name_of_a_lab_is_cut_and_then_needs_a_namespace(tmp_path: Path) -> None:
    written = "L" * 70
    cut = "l" * 55 + "-" + hashlib.sha256(written.encode()).hexdigest()[:7]
    lab = two(tmp_path, written)
    assert [one[0] for one in lab.refused().codes()] == ["lab-name"]
    answer = lab.accepted("-n", "mine")
    assert answer.of("NodeProfile").keys() == {cut}


@pytest.mark.parametrize("length", [60, 63])
def test_a_namespace_of_more_than_63_characters_is_refused(length: int, tmp_path: Path) -> None:
    lab = two(tmp_path, "a" * length)
    answer = lab.refused()
    assert answer.codes() == [("lab-name", "name")]
    assert "--namespace" in answer.errors[0]["message"]
    assert lab.accepted("--namespace", "short").of("NodeProfile").keys() == {"a" * length}


@pytest.mark.parametrize(
    "line", ["", "name:\n", "name: ''\n", "name: ~\n", "name: '...'\n", "name: ä\n"]
)
def test_a_lab_without_a_usable_name_is_refused_unless_one_is_given(
    line: str, tmp_path: Path
) -> None:
    lab = Directory(tmp_path, f"{line}topology: {{nodes: {{n: {{kind: linux}}}}}}\n")
    answer = lab.refused()
    assert answer.codes() == [("lab-name", "name")]
    assert "--name" in answer.errors[0]["message"]
    assert lab.accepted("--name", "Given_1").of("NodeProfile").keys() == {"given-1"}


@pytest.mark.parametrize("variable", ["__gitBranch__", "x-__gitHash__"])
def test_names_from_git_are_refused_with_advice(variable: str, tmp_path: Path) -> None:
    lab = two(tmp_path, variable)
    answer = lab.refused()
    assert [one[0] for one in answer.codes()] == ["lab-name"]
    assert placed(answer.errors[0]) == lab.place(variable)
    assert "--name" in answer.errors[0]["message"]


def test_git_variables_elsewhere_stay(tmp_path: Path) -> None:
    answer = Directory(
        tmp_path, "name: a\ntopology: {nodes: {n: {kind: linux, cmd: __gitHash__}}}\n"
    ).accepted()
    assert answer.node("n")["cmd"] == "__gitHash__"


def test_the_name_given_wins_and_is_used_for_everything(tmp_path: Path) -> None:
    answer = two(tmp_path).accepted("--name", "other")
    assert {one["metadata"]["namespace"] for one in answer.objects} == {"c9s-other"}
    assert {one["metadata"]["labels"][OWNER] for one in answer.objects} == {"other"}
    assert [name.rpartition("-")[0] for name in answer.of("ConfigMap")] == ["other-file"]


def test_a_namespace_comes_from_the_flag_then_the_variable(tmp_path: Path) -> None:
    lab, env = two(tmp_path), {"CLAB_KUBE_NAMESPACE": "from-variable"}
    namespaces = [
        {one["metadata"]["namespace"] for one in lab.accepted(*flags, env=env).objects}
        for flags in (
            (),
            ("--namespace", "from-flag"),
            ("--no-env",),
            ("--set", "CLAB_KUBE_NAMESPACE=set"),
        )
    ]
    assert namespaces == [{"from-variable"}, {"from-flag"}, {"c9s-lab"}, {"set"}]


@pytest.mark.parametrize("namespace", ["Upper", "a.b", "a" * 64, "-a", "a b"])
def test_an_unusable_namespace_in_the_variable_is_refused(namespace: str, tmp_path: Path) -> None:
    answer = two(tmp_path).refused(env={"CLAB_KUBE_NAMESPACE": namespace})
    assert answer.codes() == [("invalid-metadata", "")]
    assert "CLAB_KUBE_NAMESPACE" in answer.errors[0]["message"]


PROFILE: dict[str, Any] = {
    "deployment": {"persistence": {"enabled": True}},
    "expose": {
        "disableAutoExpose": False, "useNodeMgmtIpv4Address": False, "useNodeMgmtIpv6Address": False,
    },
    "statusProbes": {"enabled": True},
}  # fmt: skip


def test_probes_and_persistence_are_on_and_nothing_is_exposed_by_type(tmp_path: Path) -> None:
    (profile,) = two(tmp_path).accepted().of("NodeProfile").values()
    assert profile["spec"] == PROFILE


@pytest.mark.parametrize("given", ["ClusterIP", "headless", "LOADBALANCER", "none"])
def test_flags_change_the_profile(given: str, tmp_path: Path) -> None:
    flags = [
        "--no-persistence",
        "--expose-type",
        given,
        "--image-pull-secret",
        "one",
        "--image-pull-secret",
        "two",
    ]
    (profile,) = two(tmp_path).accepted(*flags).of("NodeProfile").values()
    spelling = {
        "clusterip": "ClusterIP",
        "headless": "Headless",
        "loadbalancer": "LoadBalancer",
        "none": "None",
    }
    assert profile["spec"] == {
        "expose": {**PROFILE["expose"], "exposeType": spelling[given.lower()]},
        "imagePull": {"pullSecrets": ["one", "two"]},
        "statusProbes": {"enabled": True},
    }


@pytest.mark.parametrize("mgmt", ["{ipv4-subnet: 10.0.0.0/24}", "[{ipv4-subnet: 10.0.0.0/24}]"])
def test_management_may_be_a_mapping_or_a_list_of_one(mgmt: str, tmp_path: Path) -> None:
    lab = Directory(
        tmp_path, f"name: a\nmgmt: {mgmt}\ntopology: {{nodes: {{n: {{kind: linux}}}}}}\n"
    )
    (profile,) = lab.accepted().of("NodeProfile").values()
    assert profile["spec"] == {**PROFILE, "mgmt": {"ipv4-subnet": "10.0.0.0/24"}}


def test_two_management_networks_are_refused(tmp_path: Path) -> None:
    lab = Directory(
        tmp_path,
        "name: a\nmgmt: [{network: a}, {network: b}]\ntopology: {nodes: {n: {kind: linux}}}\n",
    )
    assert ("multiple-management-networks", "mgmt") in lab.refused().codes()


@pytest.mark.parametrize("prefix", ["''", "x", "__lab-name"])
def test_the_prefix_does_nothing(prefix: str, tmp_path: Path) -> None:
    plain = two(tmp_path / "plain").accepted()
    with_prefix = Directory(
        tmp_path / "prefix", f"prefix: {prefix}" + two(tmp_path / "x").text, {"x": "1"}
    )
    assert with_prefix.accepted().out == plain.out


def test_every_object_has_the_owner_label_and_nothing_forbidden(tmp_path: Path) -> None:
    answer = two(tmp_path).accepted("--create-namespace")
    assert [forbidden_metadata(one) for one in answer.objects] == [[]] * 6
    kinds = {"ConfigMap", "NodeProfile", "Link", "Node"}
    labels = {
        one["kind"]: one["metadata"]["labels"] for one in answer.objects if one["kind"] in kinds
    }
    assert labels == {kind: {OWNER: "lab"} for kind in kinds}


def test_no_owner_label_leaves_it_out_everywhere_and_says_what_it_costs(tmp_path: Path) -> None:
    answer = two(tmp_path).accepted("--no-owner-label", "--create-namespace")
    assert all(OWNER not in one["metadata"].get("labels", {}) for one in answer.objects)
    assert any(OWNER in note and "containerlab" in note for note in answer.notes())


@pytest.mark.parametrize("kind", ["bridge", "ovs-bridge", "host", "ext-container", "k8s-kind"])
@pytest.mark.parametrize("where", ["node", "kindless", "group", "group-of-node"])
def test_pseudo_nodes_are_refused_after_inheritance(kind: str, where: str, tmp_path: Path) -> None:
    head, node = {
        "node": ("", f"{{kind: {kind}}}"),
        "kindless": (f"defaults: {{kind: {kind}}}", ""),
        "group": (f"groups: {{g: {{kind: {kind}}}}}\n  defaults: {{group: g}}", "{}"),
        "group-of-node": (f"groups: {{g: {{kind: {kind}}}}}", "{group: g}"),
    }[where]
    lab = Directory(
        tmp_path,
        f"name: a\ntopology:\n  {head}\n  nodes:\n    ok: {{kind: linux}}\n    br0: {node}\n",
    )
    answer = lab.refused()
    assert answer.codes() == [("pseudo-node", "topology.nodes.br0.kind")]
    assert placed(answer.errors[0]) == lab.place(f"{kind}")


@pytest.mark.parametrize("kind", ["Bridge", "linux-bridge", "hosts"])
def test_kinds_that_only_look_like_pseudo_nodes_are_taken(kind: str, tmp_path: Path) -> None:
    answer = Directory(
        tmp_path, f"name: a\ntopology: {{nodes: {{n: {{kind: {kind}}}}}}}\n"
    ).accepted()
    assert answer.node("n")["kind"] == kind


def test_settings_are_refused_with_advice_to_remove_them(tmp_path: Path) -> None:
    lab = Directory(tmp_path, "name: a\nsettings: {x: 1}\ntopology: {nodes: {n: {kind: linux}}}\n")
    answer = lab.refused()
    assert answer.codes() == [("unsupported-field", "settings")]
    assert placed(answer.errors[0]) == lab.place("settings")
    assert "remove" in answer.err
