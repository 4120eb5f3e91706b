"""Links of containerlab files: brought into brief form first, staging.md A4."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bare_lab import Answer, Directory, placed

if TYPE_CHECKING:
    from pathlib import Path

# Short forms of ends that are mappings.
ENDS = {
    "(n1)": "{node: n1, interface: e1}",
    "(n2)": "{node: n2, interface: e2}",
    "(host)": "{node: host, interface: up}",
    "(gone)": "{node: gone, interface: e1}",
}
HEAD = """\
name: a
topology:
  nodes:
    n1: {kind: linux}
    n2: {kind: linux}
    Host: {kind: linux}
  links:
"""


def lab(top: Path, *links: str) -> Directory:
    text = "".join(f"    - {link}\n" for link in links)
    for short, end in ENDS.items():
        text = text.replace(short, end)
    return Directory(top, HEAD + text)


def accepted(top: Path, *links: str) -> Answer:
    return lab(top, *links).accepted()


@pytest.mark.parametrize(
    ("link", "a", "b", "mtu"),
    [
        # brief: same order, an MTU of its own or 9500
        ('{endpoints: ["n1:e1", "n2:e2"]}', "n1:e1", "n2:e2", "9500"),
        ('{endpoints: ["n2:e2", "n1:e1"]}', "n2:e2", "n1:e1", "9500"),
        ('{endpoints: ["n1:e1", "n2:e2"], mtu: 1500}', "n1:e1", "n2:e2", "1500"),
        ('{endpoints: ["n1:e1", "n2:e2"], mtu: 0}', "n1:e1", "n2:e2", "9500"),
        ('{type: brief, endpoints: ["n1:e1", "n2:e2"]}', "n1:e1", "n2:e2", "9500"),
        ('{type: "", endpoints: ["n1:e1", "n2:e2"]}', "n1:e1", "n2:e2", "9500"),
        ('{type: " Brief ", endpoints: ["n1:e1", "n2:e2"]}', "n1:e1", "n2:e2", "9500"),
        ('{endpoints: [" n1 : e1 ", "n2:e2"]}', "n1:e1", "n2:e2", "9500"),
        ('{endpoints: ["n1:e1", "n1:e2"]}', "n1:e1", "n1:e2", "9500"),
        # host in any case on either side of a brief link: second
        ('{endpoints: ["n1:e1", "host:up"]}', "n1:e1", "host:up", "9500"),
        ('{endpoints: ["host:up", "n1:e1"]}', "n1:e1", "host:up", "9500"),
        ('{endpoints: ["HOST:up", "n1:e1"], mtu: 1400}', "n1:e1", "host:up", "1400"),
        ('{endpoints: ["n1:e1", "Host:up"]}', "n1:e1", "host:up", "9500"),
        # veth: endpoints as mappings, no MTU unless given, order as written
        ("{type: veth, endpoints: [(n1), (n2)]}", "n1:e1", "n2:e2", "-"),
        ("{type: veth, mtu: 9500, endpoints: [(n2), (n1)]}", "n2:e2", "n1:e1", "9500"),
        ("{type: VETH, endpoints: [(n1), (n2)]}", "n1:e1", "n2:e2", "-"),
        ("{type: veth, endpoints: [(host), (n1)]}", "host:up", "n1:e1", "-"),
        # host: allowed here, host second
        ("{type: host, endpoint: (n1), host-interface: up}", "n1:e1", "host:up", "-"),
        ("{type: Host, endpoint: (n1), host-interface: up, mtu: 1300}", "n1:e1", "host:up", "1300"),
        # ours: mappings without a type, as in a Topology
        ("{endpoints: [(n1), (n2)]}", "n1:e1", "n2:e2", "-"),
        ("{endpoints: [(host), (n1)], mtu: 7}", "host:up", "n1:e1", "7"),
    ],
)  # fmt: skip
def test_a_link_is_prepared_as_containerlab_does(
    link: str, a: str, b: str, mtu: str, tmp_path: Path
) -> None:
    answer = accepted(tmp_path, link)
    assert answer.links() == [(a, b, mtu)]
    name = f"{a}-{b}".replace(":", "-")
    assert list(answer.of("Link")) == [name]


def test_addresses_of_an_endpoint_are_lost_with_a_warning(tmp_path: Path) -> None:
    ends = '{node: n1, interface: e1, mac: "02:00:00:00:00:01", ipv4: 10.0.0.1/24, ipv6: "::1/64", vars: {x: 1}}'
    answer = accepted(tmp_path, f"{{type: veth, endpoints: [{ends}, (n2)]}}")
    assert answer.links() == [("n1:e1", "n2:e2", "-")]
    assert [one for one in answer.warned() if one[0] == "ignored-endpoint-field"] == [
        ("ignored-endpoint-field", f"topology.links[0].endpoints[0].{key}")
        for key in ("ipv4", "ipv6", "mac", "vars")
    ]


@pytest.mark.parametrize(
    ("link", "code", "path"),
    [
        ('{endpoints: ["n1:e1", "mgmt-net:x"]}', "unsupported-special-endpoint", "endpoints[1]"),
        ('{endpoints: ["mgmt-net:x", "n1:e1"]}', "unsupported-special-endpoint", "endpoints[1]"),
        ('{endpoints: ["MacVlan:x", "n1:e1"]}', "unsupported-special-endpoint", "endpoints[1]"),
        ("{type: mgmt-net, endpoint: (n1), host-interface: x}", "unsupported-special-endpoint", "endpoints[1]"),
        ("{type: macvlan, endpoint: (n1), host-interface: x}", "unsupported-special-endpoint", "endpoints[1]"),
        ('{endpoints: ["host:x", "host:y"]}', "invalid-host-link", "endpoints"),
        ("{type: host, endpoint: {node: host, interface: e1}, host-interface: x}", "invalid-host-link", "endpoints"),
        ('{endpoints: ["n1:e1", "gone:e1"]}', "unknown-link-endpoint", "endpoints[1]"),
        ('{endpoints: ["host:x", "gone:e1"]}', "unknown-link-endpoint", "endpoints[0]"),
        ("{type: host, endpoint: (gone), host-interface: x}", "unknown-link-endpoint", "endpoints[0]"),
        ('{endpoints: ["n1:e1:0", "n2:e1"]}', "malformed-endpoint", "endpoints[0]"),
        ('{endpoints: ["n1:e1"]}', "malformed-endpoint", "endpoints"),
        ('{endpoints: ["n1:e1", "n2:e1", "n2:e2"]}', "malformed-endpoint", "endpoints"),
        ("{type: Veth, endpoints: [(n1)]}", "malformed-endpoint", "endpoints"),
        ('{type: " brief", endpoints: ["n1:e1"]}', "malformed-endpoint", "endpoints"),
        ("{type: host, host-interface: x}", "malformed-endpoint", "endpoint"),
        ("{type: host, endpoint: (n1)}", "malformed-endpoint", "host-interface"),
        ('{type: host, endpoint: (n1), host-interface: ""}', "malformed-endpoint", "host-interface"),
        ('{type: host, endpoint: (n1), host-interface: "a:b"}', "malformed-endpoint", "host-interface"),
        ("{type: host, endpoint: {node: n1}, host-interface: x}", "malformed-endpoint", "endpoint.interface"),
        ('{endpoints: ["n1:e1", "n2:e1"], labels: {a: b}}', "unsupported-link-labels", "labels"),
        ('{endpoints: ["n1:e1", "n2:e1"], vars: {a: b}}', "unsupported-link-vars", "vars"),
        ("{type: veth, vars: {a: 1}, endpoints: [(n1), (n2)]}", "unsupported-link-vars", "vars"),
        ("{type: host, endpoint: (n1), host-interface: x, labels: {a: b}}", "unsupported-link-labels", "labels"),
    ],
)  # fmt: skip
def test_links_that_no_cluster_has_are_refused(
    link: str, code: str, path: str, tmp_path: Path
) -> None:
    assert (code, f"topology.links[0].{path}") in lab(tmp_path, link).refused().codes()


@pytest.mark.parametrize("key", ["ipv4", "ipv6"])
@pytest.mark.parametrize(
    "link",
    [
        'endpoints: ["n1:e1", "n2:e1"]',
        "type: host, endpoint: {node: n1, interface: e}, host-interface: x",
    ],
)
def test_addresses_of_a_link_are_refused(link: str, key: str, tmp_path: Path) -> None:
    found = lab(tmp_path, f"{{{link}, {key}: [x, y]}}")
    answer = found.refused()
    assert answer.codes() == [("unsupported-field", key)]
    assert placed(answer.errors[0]) == found.place(f"{key}:")


@pytest.mark.parametrize(
    "kind", ["vxlan", "vxlan-stitch", "dummy", "veth-stitch", "bridge", "other"]
)
def test_other_types_of_links_are_refused(kind: str, tmp_path: Path) -> None:
    found = lab(
        tmp_path,
        f'{{type: {kind}, endpoints: ["n1:e1", "n2:e2"]}}',
        '{endpoints: ["n1:e2", "n2:e1"]}',
    )
    answer = found.refused()
    assert answer.codes() == [("unsupported-link-type", "topology.links[0].type")]
    assert placed(answer.errors[0]) == found.place(kind)


def test_all_links_are_reported_together_at_their_places(tmp_path: Path) -> None:
    found = lab(
        tmp_path,
        '{endpoints: ["macvlan:x", "n1:e1"]}',
        '{endpoints: ["n1:e1", "gone:e1"]}',
        "{type: mgmt-net, endpoint: (n1), host-interface: x}",
    )
    assert [(one["code"], placed(one)) for one in found.refused().errors] == [
        ("unsupported-special-endpoint", found.place('"macvlan:x"')),
        ("unknown-link-endpoint", found.place('"gone:e1"')),
        ("unsupported-special-endpoint", found.place("mgmt-net")),
    ]


def test_ends_follow_the_new_names_of_nodes(tmp_path: Path) -> None:
    nodes = "nodes: {R1: {kind: linux}, R_2: {kind: linux}}"
    text = f'name: a\ntopology:\n  {nodes}\n  links: [{{endpoints: ["host:x", "R_2:e"]}}]\n'
    answer = Directory(tmp_path, text).accepted()
    assert answer.links() == [("r-2:e", "host:x", "9500")]


@pytest.mark.parametrize("links", ["[]", "~", ""])
def test_a_lab_may_have_no_links(links: str, tmp_path: Path) -> None:
    answer = Directory(
        tmp_path, f"name: a\ntopology:\n  nodes: {{n: {{kind: linux}}}}\n  links: {links}\n"
    ).accepted()
    assert answer.links() == []


@pytest.mark.parametrize("link", ["x", "[a, b]"])
def test_a_link_is_a_mapping(link: str, tmp_path: Path) -> None:
    assert lab(tmp_path, link).refused().codes() == [("invalid-type", "topology.links[0]")]
