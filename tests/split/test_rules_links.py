"""Links: split.md §9."""

from __future__ import annotations

from typing import Any

import pytest
from split_lab import accepted, lab, refused

NODES = "nodes: {a: {}, b: {}}"


def links(text: str) -> list[dict[str, Any]]:
    """Give the specs of the Links of a lab with nodes a and b."""
    return list(accepted(f"topology: {{{NODES}, links: [{text}]}}").specs("Link").values())


def codes(text: str) -> list[tuple[str, str]]:
    return refused(f"topology: {{{NODES}, links: [{text}]}}")


def spec(a: str, b: str, **more: int) -> dict[str, Any]:
    ends = {
        f"endpoint{side}": dict(zip(("nodeName", "interfaceName"), end.split(":"), strict=True))
        for side, end in (("A", a), ("B", b))
    }
    return {**ends, **more}


@pytest.mark.parametrize("kind", ["", "type: brief, ", "type: veth, ", "type: ~, ", "type: '', "])
@pytest.mark.parametrize(
    "ends",
    [
        *("[a:eth1, b:eth2]", "['a:eth1', \"b:eth2\"]", "[' a : eth1 ', 'b: eth2']"),
        "[{node: a, interface: eth1}, {interface: ' eth2 ', node: b}]",
        "[a:eth1, {node: b, interface: eth2}]",
    ],
)
def test_every_form_of_two_endpoints_is_one_link(kind: str, ends: str) -> None:
    assert links(f"{{{kind}endpoints: {ends}}}") == [spec("a:eth1", "b:eth2")]


@pytest.mark.parametrize(
    ("mtu", "wanted"),
    [
        ("9000", {"mtu": 9000}),
        ("0x5DC", {"mtu": 1500}),
        ("1500.9", {"mtu": 1500}),
        ("0", {}),
        ("~", {}),
    ],
)
def test_mtu_is_written_unless_it_is_zero(mtu: str, wanted: dict[str, int]) -> None:
    assert links(f"{{endpoints: [a:x, b:y], mtu: {mtu}}}") == [spec("a:x", "b:y", **wanted)]


@pytest.mark.parametrize("mtu", ["big", '"1500"', "[1]", "true", "9" * 6000])
def test_another_mtu_is_refused(mtu: str) -> None:
    assert codes(f"{{endpoints: [a:x, b:y], mtu: {mtu}}}") == [
        ("invalid-type", "topology.links[0].mtu")
    ]


def test_both_ends_may_be_on_one_node() -> None:
    assert links("{endpoints: [a:x, a:y]}") == [spec("a:x", "a:y")]


@pytest.mark.parametrize("ends", ["[a:x, 'host:eth0']", "['host:eth0', a:x]"])
def test_one_end_may_be_the_host(ends: str) -> None:
    (found,) = links(f"{{endpoints: {ends}}}")
    names = [found["endpointA"]["nodeName"], found["endpointB"]["nodeName"]]
    assert sorted(names) == ["a", "host"]


def test_the_host_is_reserved_even_for_a_node_of_that_name() -> None:
    answer = accepted("topology: {nodes: {a: {}, host: {}}, links: [{endpoints: ['host:e', a:x]}]}")
    assert list(answer.specs("Link").values()) == [spec("host:e", "a:x")]


def test_the_host_on_both_sides_is_an_error() -> None:
    assert codes("{endpoints: ['host:a', 'host:b']}") == [
        ("invalid-host-link", "topology.links[0].endpoints")
    ]


@pytest.mark.parametrize("special", ["mgmt-net", "macvlan"])
@pytest.mark.parametrize("side", [0, 1])
def test_special_endpoints_are_refused(special: str, side: int) -> None:
    ends = ["a:x"]
    ends.insert(side, f"'{special}:eth0'")
    path = f"topology.links[0].endpoints[{side}]"
    assert codes(f"{{endpoints: [{', '.join(ends)}]}}") == [("unsupported-special-endpoint", path)]


@pytest.mark.parametrize(
    "kind", ["host", "mgmt-net", "macvlan", "vxlan", "vxlan-stitch", "dummy", "bridge", "Veth", "5"]
)
def test_other_types_are_refused(kind: str) -> None:
    wanted = ("unsupported-link-type", "topology.links[0].type")
    assert codes(f"{{type: {kind}}}") == [wanted]
    assert codes(f"{{type: {kind}, endpoints: [a:x, b:y]}}") == [wanted]


@pytest.mark.parametrize("key", ["endpoint", "host-interface", "remote", "vni", "mode", "dst-port"])
def test_keys_of_other_types_are_unknown(key: str) -> None:
    wanted = [("unsupported-field", key), ("unsupported-link-type", "topology.links[0].type")]
    assert codes(f"{{type: vxlan, {key}: x}}") == sorted(wanted, key=lambda one: one[1])
    assert codes(f"{{endpoints: [a:x, b:y], {key}: x}}") == [("unsupported-field", key)]


@pytest.mark.parametrize("key", ["labels", "vars"])
def test_labels_and_vars_of_a_link_are_refused_unless_empty(key: str) -> None:
    path = f"topology.links[0].{key}"
    assert codes(f"{{endpoints: [a:x, b:y], {key}: {{k: v}}}}") == [
        (f"unsupported-link-{key}", path)
    ]
    assert (
        len(links(f"{{endpoints: [a:x, b:y], {key}: {{}}}}, {{endpoints: [a:z, b:z], {key}: ~}}"))
        == 2
    )
    assert codes(f"{{endpoints: [a:x, b:y], {key}: [x]}}") == [("invalid-type", path)]


@pytest.mark.parametrize("name", ["c", "A", "Host", "a b"])
def test_an_endpoint_on_an_unknown_node_is_refused(name: str) -> None:
    path = "topology.links[0].endpoints"
    assert codes(f"{{endpoints: ['{name}:x', b:y]}}") == [("unknown-link-endpoint", f"{path}[0]")]
    assert codes(f"{{endpoints: [b:y, '{name}:x']}}") == [("unknown-link-endpoint", f"{path}[1]")]


def test_both_ends_are_reported() -> None:
    path = "topology.links[0].endpoints"
    assert codes("{endpoints: [y:x, 'macvlan:x']}") == [
        ("unknown-link-endpoint", f"{path}[0]"),
        ("unsupported-special-endpoint", f"{path}[1]"),
    ]


@pytest.mark.parametrize(
    ("ends", "suffix"),
    [
        *(("[]", ""), ("[a:x]", ""), ("[a:x, b:y, a:z]", ""), ("a:x", ""), ("{a: x}", "")),
        *(
            ("[a, b:y]", "[0]"),
            ("[a:x, 'b:y:z']", "[1]"),
            ("[':x', b:y]", "[0]"),
            ("[a:x, 'b:']", "[1]"),
        ),
        *(
            ("[' :x', b:y]", "[0]"),
            ("[a:x, ~]", "[1]"),
            ("[a:x, [b, y]]", "[1]"),
            ("['', b:y]", "[0]"),
        ),
        *(("[{node: a}, b:y]", "[0].interface"), ("[{interface: x}, b:y]", "[0].node")),
        *(
            ("[{node: 1, interface: x}, b:y]", "[0].node"),
            ("[a:x, {node: b, interface: 1}]", "[1].interface"),
        ),
        *(
            ("[{node: '', interface: x}, b:y]", "[0].node"),
            ("[{node: a, interface: true}, b:y]", "[0].interface"),
        ),
        ("[{node: a, interface: ~}, b:y]", "[0].interface"),
        ("[{node: a, interface: [x]}, b:y]", "[0].interface"),
        ("[{node: 'a:b', interface: x}, b:y]", "[0]"),
    ],
)
def test_malformed_endpoints_are_refused(ends: str, suffix: str) -> None:
    found = codes(f"{{endpoints: {ends}}}")
    assert {code for code, _ in found} == {"malformed-endpoint"}
    assert f"topology.links[0].endpoints{suffix}" in {path for _, path in found}


@pytest.mark.parametrize("link", ["{}", "{mtu: 5}", "{endpoints: ~}", "{type: veth}"])
def test_a_link_without_endpoints_is_refused(link: str) -> None:
    assert codes(link) == [("malformed-endpoint", "topology.links[0].endpoints")]


def test_texts_that_look_like_other_values_are_taken_as_written() -> None:
    answer = accepted("topology: {nodes: {1: {}, yes: {}}, links: [{endpoints: [1:30, yes:0x1]}]}")
    (found,) = answer.specs("Link").values()
    assert found == spec("clab-1:30", "yes:0x1")
    quoted = accepted(
        "topology: {nodes: {1: {}}, links: [{endpoints: [{node: '1', interface: yes}, 1:2]}]}"
    )
    assert next(iter(quoted.specs("Link").values())) == spec("clab-1:yes", "clab-1:2")


def test_other_keys_of_an_endpoint_are_ignored_with_a_warning() -> None:
    answer = accepted(
        f"topology: {{{NODES}, links: [{{endpoints: [{{node: a, interface: x, mac: m, ipv4: i}}, b:y]}}]}}"
    )
    assert list(answer.specs("Link").values()) == [spec("a:x", "b:y")]
    path = "topology.links[0].endpoints[0]"
    assert answer.warned() == [
        ("ignored-endpoint-field", f"{path}.ipv4"),
        ("ignored-endpoint-field", f"{path}.mac"),
    ]


def test_an_interface_used_by_two_links_is_warned_about() -> None:
    answer = accepted(
        f"topology: {{{NODES}, links: [{{endpoints: [a:x, b:y]}}, {{endpoints: [a:z, b:z]}}, "
        "{endpoints: [b:w, a:x]}, {endpoints: [a:x, b:v]}]}"
    )
    assert len(answer.of("Link")) == 4
    assert answer.warned() == [
        ("endpoint-used-twice", "topology.links[2].endpoints[1]"),
        ("endpoint-used-twice", "topology.links[3].endpoints[0]"),
    ]


def test_interfaces_of_the_host_may_be_used_by_many_links() -> None:
    answer = accepted(
        f"topology: {{{NODES}, links: [{{endpoints: [a:x, 'host:h']}}, {{endpoints: [b:x, 'host:h']}}]}}"
    )
    assert answer.warned() == []


@pytest.mark.parametrize("kind", ["bridge", "ovs-bridge", "host", "ext-container"])
def test_nodes_of_pseudo_kinds_are_ordinary_nodes(kind: str) -> None:
    answer = accepted(
        f"topology: {{nodes: {{sw: {{kind: {kind}}}, a: {{}}}}, links: [{{endpoints: [sw:x, a:x]}}]}}"
    )
    assert answer.node("sw") == {"kind": kind}
    assert list(answer.of("Link")) == ["sw-x-a-x"]


def test_everything_wrong_with_links_is_reported_together() -> None:
    answer = lab(
        f"topology: {{{NODES}, links: [{{type: dummy, labels: {{k: v}}}}, {{endpoints: [a:x, z:y], vars: {{k: v}}}}]}}"
    )
    assert answer.codes() == [
        ("unsupported-link-labels", "topology.links[0].labels"),
        ("unsupported-link-type", "topology.links[0].type"),
        ("unknown-link-endpoint", "topology.links[1].endpoints[1]"),
        ("unsupported-link-vars", "topology.links[1].vars"),
    ]
