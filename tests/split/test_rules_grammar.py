"""Grammar of the definition: split.md §2."""

from __future__ import annotations

import pytest
from split_lab import accepted, lab, node, refused, split

NODES = "nodes: {a: {kind: linux}, b: {kind: linux}}"


def test_every_known_section_is_taken() -> None:
    text = f"""
        name: x
        prefix: y
        debug: false
        mgmt: {{ipv4-subnet: 192.0.2.0/24}}
        topology:
          defaults: {{image: i}}
          kinds: {{linux: {{user: u}}}}
          groups: {{g: {{cmd: c}}}}
          {NODES}
          links: [{{endpoints: [a:e, b:e]}}]
    """
    assert [one["kind"] for one in accepted(text).objects] == [
        "NodeProfile",
        "Link",
        "Node",
        "Node",
    ]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"topologies: {{}}\ntopology: {{{NODES}}}", "topologies"),
        (f"topology: {{{NODES}, node: {{}}}}", "node"),
        (f"topology: {{{NODES}, kind: x}}", "kind"),
        (f"topology: {{{NODES}, links: [{{endpoints: [a:e, b:e], cost: 1}}]}}", "cost"),
        (f"mgmt: {{subnet: x}}\ntopology: {{{NODES}}}", "subnet"),
        ("topology: {nodes: {a: {dns: {server: [x]}}}}", "server"),
        ("topology: {nodes: {a: {healthcheck: {tests: [x]}}}}", "tests"),
        ("topology: {nodes: {a: {certificate: {issued: true}}}}", "issued"),
        ("topology: {nodes: {a: {config: {variables: {}}}}}", "variables"),
    ],
)
def test_an_unknown_key_outside_of_node_blocks_is_refused(text: str, key: str) -> None:
    assert refused(text) == [("unsupported-field", key)]


def test_an_unknown_key_of_a_node_is_no_error() -> None:
    assert node("{some-key: 1}") == {"kind-specific-config": {"some-key": 1}}


@pytest.mark.parametrize(
    "text", ["name: x", "topology:", "topology: ~", "{}", "~", "# nothing", "---"]
)
def test_a_definition_without_topology_is_refused(text: str) -> None:
    assert refused(text) == [("no-topology-section", "topology")]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        *(("topology: [a]", "topology"), ("[a]", "definition"), ("just text", "definition")),
        *(("topology: {nodes: [a]}", "topology.nodes"), ("topology: {kinds: x}", "topology.kinds")),
        *(
            ("topology: {defaults: x}", "topology.defaults"),
            ("topology: {groups: [g]}", "topology.groups"),
        ),
        ("topology: {nodes: {a: x}}", "topology.nodes.a"),
        ("topology: {kinds: {linux: [x]}, nodes: {a: {}}}", "topology.kinds.linux"),
        ("topology: {nodes: {a: {}}, links: {endpoints: [a:e, a:f]}}", "topology.links"),
        ("topology: {nodes: {a: {}}, links: [x]}", "topology.links[0]"),
        ("topology: {nodes: {a: {}}, links: [~]}", "topology.links[0]"),
        ("mgmt: x\ntopology: {nodes: {a: {}}}", "mgmt"),
        ("mgmt: {ipv4-gw: [x]}\ntopology: {nodes: {a: {}}}", "mgmt.ipv4-gw"),
        ("mgmt: {mtu: big}\ntopology: {nodes: {a: {}}}", "mgmt.mtu"),
        ("mgmt: {external-access: 1}\ntopology: {nodes: {a: {}}}", "mgmt.external-access"),
        ("topology: {nodes: {a: {hostname: [x]}}}", "topology.nodes.a.hostname"),
        (
            "topology: {groups: {unused: {image: [x]}}, nodes: {a: {}}}",
            "topology.groups.unused.image",
        ),
    ],
)
def test_a_known_key_of_the_wrong_type_is_refused(text: str, path: str) -> None:
    assert refused(text) == [("invalid-type", path)]


def test_after_a_wrong_type_nothing_is_looked_up() -> None:
    text = (
        "topology: {nodes: {a: {image: [x], network-mode: host}}, links: [{endpoints: [a:e, z:e]}]}"
    )
    assert refused(text) == [("invalid-type", "topology.nodes.a.image")]


@pytest.mark.parametrize(
    "empty", ["", "nodes: ", "nodes: {}", "nodes: {}, links: []", "links: , kinds: "]
)
def test_a_lab_without_nodes_gives_no_objects(empty: str) -> None:
    assert accepted(f"topology: {{{empty}}}").objects == []


@pytest.mark.parametrize("body", ["", " ~", " {}"])
def test_a_node_body_may_be_empty(body: str) -> None:
    answer = accepted(f"topology:\n  defaults: {{kind: linux}}\n  nodes:\n    leaf1:{body}\n")
    assert answer.node("leaf1") == {"kind": "linux"}


def test_anchors_aliases_and_merge_keys_work() -> None:
    text = """
        topology:
          defaults: &base {image: i, env: &env {A: a}}
          kinds:
            linux: {<<: *base, user: u}
          nodes:
            a: &a {kind: linux, exec: &exec [x, y], env: {<<: *env, B: b}}
            b: *a
            c: {<<: [{cmd: first, user: own}, {cmd: second}], kind: linux}
            d: {exec: *exec}
          links: &links
            - &link {endpoints: &ends [a:e1, b:e1]}
            - {<<: *link, endpoints: [a:e2, b:e2], mtu: 9000}
    """
    answer = accepted(text)
    shared = {
        "kind": "linux",
        "image": "i",
        "user": "u",
        "exec": ["x", "y"],
        "env": {"A": "a", "B": "b"},
    }
    assert answer.node("a") == answer.node("b") == shared
    assert answer.node("c") == {
        "kind": "linux",
        "image": "i",
        "user": "own",
        "cmd": "first",
        "env": {"A": "a"},
    }
    assert answer.node("d") == {"image": "i", "env": {"A": "a"}, "exec": ["x", "y"]}
    assert list(answer.of("Link")) == ["a-e1-b-e1", "a-e2-b-e2"]


def test_a_merged_key_never_beats_a_written_one() -> None:
    assert node("{image: own, <<: {image: merged, cmd: c}}") == {"image": "own", "cmd": "c"}


def test_a_quoted_merge_key_is_a_key() -> None:
    assert node('{env: {"<<": x}}') == {"env": {"<<": "x"}}


def test_the_list_of_endpoints_may_be_an_alias_but_one_endpoint_may_not() -> None:
    text = (
        "topology: {nodes: {a: {}}, links: [{endpoints: &e [a:x, a:y]}, {endpoints: *e, mtu: 5}]}"
    )
    assert lab(text).codes() == [("duplicate-object-name", "topology.links[1]")]
    one = "topology: {nodes: {a: {}}, links: [{endpoints: [&e a:x, a:y]}, {endpoints: [*e, a:z]}]}"
    assert refused(one) == [("malformed-endpoint", "topology.links[1].endpoints[0]")]


def test_nothing_is_expanded() -> None:
    body = "{image: '${IMAGE:=x}', startup-config: __clabNodeDir__/c, binds: ['./a/../b:/c'], cmd: $PATH}"
    assert node(body) == {
        "image": "${IMAGE:=x}",
        "startup-config": "__clabNodeDir__/c",
        "binds": ["./a/../b:/c"],
        "cmd": "$PATH",
    }


@pytest.mark.parametrize("mgmt", ["{ipv4-gw: 192.0.2.1}", "[{ipv4-gw: 192.0.2.1}]"])
def test_mgmt_is_a_mapping_or_a_list_of_one(mgmt: str) -> None:
    answer = accepted(f"mgmt: {mgmt}\ntopology: {{{NODES}}}")
    assert answer.profile()["mgmt"] == {"ipv4-gw": "192.0.2.1"}


@pytest.mark.parametrize("mgmt", ["", "~", "[]", "[~]"])
def test_an_empty_mgmt_is_none(mgmt: str) -> None:
    assert "mgmt" not in accepted(f"mgmt: {mgmt}\ntopology: {{{NODES}}}").profile()


def test_two_management_networks_are_refused() -> None:
    text = f"mgmt: [{{ipv4-gw: a}}, {{ipv4-gw: b}}]\ntopology: {{{NODES}}}"
    assert refused(text) == [("multiple-management-networks", "mgmt")]


def test_a_definition_may_be_json() -> None:
    answer = split(
        '{"apiVersion": "c9s.run/v1alpha1", "kind": "Topology", "metadata": {"name": "lab"}, "spec": '
        '{"definition": {"containerlab": "{\\"topology\\": {\\"nodes\\": {\\"a\\": {\\"cpu\\": 1e0}}}}"}}}'
    )
    assert answer.node("a") == {"cpu": 1}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("topology: {nodes: {a: {}, a: {}}}", "duplicate-key"), ("topology: [", "invalid-yaml")),
        *(("topology: {nodes: !x {}}", "foreign-tag"), ("topology: &a {nodes: *a}", "yaml-budget")),
        *(
            ("topology: {nodes: {? [a] : b}}", "invalid-yaml"),
            ("topology: *nowhere", "invalid-yaml"),
        ),
    ],
)
def test_bad_yaml_in_the_definition_is_the_only_finding(text: str, code: str) -> None:
    assert refused(text) == [(code, "spec.definition.containerlab")]
