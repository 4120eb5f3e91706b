"""Names of Nodes, Links and NodeProfiles as the manager derives them: split.md §8."""

from __future__ import annotations

import hashlib

import pytest
from split_lab import accepted, lab, refused


def digest(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def renamed(name: str) -> str:
    """Give the name of the Node that a node of this name becomes."""
    answer = accepted(f"topology: {{nodes: {{'{name}': {{}}}}}}")
    (given,) = answer.of("Node")
    expected = [] if given == name else [("renamed-nodes", "topology.nodes")]
    assert answer.warned() == expected
    return given


LONG = "A-very-long-router-name-that-goes-well-past-the-limit-of-sixty-three-characters-01"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *(("leaf1", "leaf1"), ("a", "a"), ("a--b", "a--b"), ("a-1", "a-1"), ("x" * 63, "x" * 63)),
        *(("R1", "r1"), ("PE_1", "pe-1"), ("a__b", "a-b"), ("a_.b", "a-b"), ("a-_b", "a--b")),
        *(
            ("-edge.router-", "edge-router"),
            ("_a_", "a"),
            ("7750-core", "clab-7750-core"),
            ("1", "clab-1"),
        ),
        *(("-1-", "clab-1"), ("é1", "clab-1"), ("aéb", "a-b"), ("ÅÄÖ x", "x"), ("a b", "a-b")),
        (LONG, f"{LONG.lower()[:55].rstrip('-')}-{digest(LONG, 7)}"),
        ("x" * 64, f"{'x' * 55}-{digest('x' * 64, 7)}"),
        ("x" * 54 + "-" + "y" * 20, f"{'x' * 54}-{digest('x' * 54 + '-' + 'y' * 20, 7)}"),
        ("1" * 59, f"clab-{'1' * 50}-{digest('1' * 59, 7)}"),
    ],
)
def test_names_of_nodes(name: str, wanted: str) -> None:
    assert renamed(name) == wanted
    assert len(wanted) <= 63


@pytest.mark.parametrize("name", ["", "-", "___", "é", "日本", "..", "--"])
def test_a_name_of_which_nothing_is_left_is_an_error(name: str) -> None:
    assert refused(f"topology: {{nodes: {{'{name}': {{}}}}}}") == [
        ("colliding-node-names", "topology.nodes")
    ]


@pytest.mark.parametrize(
    ("one", "two"), [("R1", "r1"), ("a_b", "a.b"), ("1", "clab-1"), ("-x", "x-")]
)
def test_two_nodes_with_one_name_are_an_error(one: str, two: str) -> None:
    answer = lab(f"topology: {{nodes: {{'{one}': {{}}, '{two}': {{}}}}}}")
    assert answer.codes() == [("colliding-node-names", "topology.nodes")]
    assert repr(one) in answer.errors[0]["message"]
    assert repr(two) in answer.errors[0]["message"]


def test_each_rename_is_a_warning_at_its_name() -> None:
    answer = accepted("topology:\n  nodes:\n    R1: {}\n    ok: {}\n    R2: {}\n")
    places = [(one["code"], one["line"], one["column"]) for one in answer.warnings]
    assert places == [("renamed-nodes", 9, 11), ("renamed-nodes", 11, 11)]


def test_what_names_a_node_follows_its_rename_and_policy_is_found_under_the_old_name() -> None:
    file = {"filePath": "/f", "configMapName": "m", "mode": "read"}
    probe = {"startupSeconds": 5}
    answer = accepted(
        "topology: {nodes: {R1: {labels: {c9s.run/appProtocols: 80=http}}, b: {network-mode: container:R1}},"
        " links: [{endpoints: [R1:e1, b:e1]}]}",
        deployment={
            "filesFromConfigMap": {"R1": [file]},
            "resources": {"R1": {"limits": {"cpu": "1"}}},
        },
        statusProbes={"excludedNodes": ["R1", "b"], "nodeProbeConfigurations": {"R1": probe}},
    )
    assert answer.node("r1") == {
        "appProtocols": [{"port": "80/tcp", "appProtocol": "http"}],
        "filesFromConfigMap": [file],
    }
    assert answer.node("b") == {"network-mode": "container:r1"}
    assert answer.specs("Link")["r1-e1-b-e1"]["endpointA"] == {
        "nodeName": "r1",
        "interfaceName": "e1",
    }
    assert answer.profile("lab-r1")["resources"] == {"limits": {"cpu": "1"}}
    probes = answer.profile()["statusProbes"]
    assert probes["excludedNodes"] == ["r1", "b"]
    assert probes["nodeProbeConfigurations"] == {"r1": probe}
    assert answer.specs("Node")["r1"]["profileRef"] == {"name": "lab-r1"}


def test_policy_under_the_new_name_is_no_policy_of_the_node() -> None:
    answer = accepted("topology: {nodes: {R1: {}}}", deployment={"resources": {"r1": {}}})
    assert list(answer.of("NodeProfile")) == ["lab"]
    assert ("unused-entry", "spec.deployment.resources.r1") in answer.warned()


def link(a: str, b: str, nodes: str = "a: {}, b: {}") -> str:
    answer = accepted(f"topology: {{nodes: {{{nodes}}}, links: [{{endpoints: ['{a}', '{b}']}}]}}")
    (name,) = answer.of("Link")
    assert len(name) <= 63
    return name


@pytest.mark.parametrize(
    ("interface", "part"),
    [
        *(("eth1", "eth1"), ("e1-1", "e1-1"), ("1", "1"), ("a--b", "a--b")),
        ("Eth2", "eth2-" + digest("Eth2", 8)),
        ("Gi0/0/0", "gi0-0-0-" + digest("Gi0/0/0", 8)),
        ("1/1/c1/1", "1-1-c1-1-" + digest("1/1/c1/1", 8)),
        ("e__1", "e--1-" + digest("e__1", 8)),
        ("-e-", "e-" + digest("-e-", 8)),
        ("//", "x-" + digest("//", 8)),
        ("é", "x-" + digest("é", 8)),
        ("e 1", "e-1-" + digest("e 1", 8)),
    ],
)
def test_the_interface_part_of_a_link_name(interface: str, part: str) -> None:
    assert link(f"a:{interface}", "b:x") == f"a-{part}-b-x"
    assert link("a:x", f"b:{interface}") == f"a-x-b-{part}"


def test_the_digest_of_the_worked_example() -> None:
    assert link("PE_1:eth1", "cpe:Eth2", "PE_1: {}, cpe: {}") == "pe-1-eth1-cpe-eth2-6e995a20"


def test_the_order_of_endpoints_is_kept_and_makes_another_name() -> None:
    text = "topology: {nodes: {a: {}, b: {}}, links: [{endpoints: [b:y, a:x]}, {endpoints: [a:x1, b:y1]}]}"
    assert list(accepted(text).of("Link")) == ["a-x1-b-y1", "b-y-a-x"]


def test_a_long_link_name_is_cut_without_trimming() -> None:
    a = "a" * 54
    fits = f"{a}-x-bbbb-y"
    assert len(fits) == 63
    assert link(f"{a}:x", "bbbb:y", f"{a}: {{}}, bbbb: {{}}") == fits
    whole = f"{a}-x-bbbbb-y"
    assert link(f"{a}:x", "bbbbb:y", f"{a}: {{}}, bbbbb: {{}}") == f"{a}--{digest(whole, 7)}"


def test_the_name_of_a_dedicated_profile_follows_the_same_rule() -> None:
    name = "n" * 60
    answer = accepted(
        f"topology: {{nodes: {{{name}: {{}}}}}}", deployment={"resources": {name: {}}}
    )
    wanted = ("lab-" + name)[:55] + "-" + digest("lab-" + name, 7)
    assert list(answer.of("NodeProfile")) == [wanted]
    assert answer.specs("Node")[name]["profileRef"] == {"name": wanted}


@pytest.mark.parametrize(
    ("nodes", "links"),
    [
        ("a: {}, b: {}", "{endpoints: [a:x, b:y]}, {endpoints: [a:x, b:y]}"),
        ("a: {}, a-x: {}", "{endpoints: [a:x-eth1, a:z]}, {endpoints: [a-x:eth1, a:z]}"),
        (
            "R1: {}, r2: {}",
            "{endpoints: [R1:x, r2:y]}, {endpoints: [{node: R1, interface: x}, r2:y]}",
        ),
    ],
)
def test_two_links_of_one_name_are_refused(nodes: str, links: str) -> None:
    text = f"topology: {{nodes: {{{nodes}}}, links: [{links}]}}"
    assert refused(text) == [("duplicate-object-name", "topology.links[1]")]


def test_three_links_of_one_name_are_reported_twice() -> None:
    one = "{endpoints: [a:x, a:y]}"
    text = f"topology: {{nodes: {{a: {{}}}}, links: [{one}, {one}, {one}]}}"
    assert refused(text) == [("duplicate-object-name", f"topology.links[{i}]") for i in (1, 2)]
