"""Ports, and the directives among a node's labels: split.md §6."""

from __future__ import annotations

import pytest
from split_lab import accepted, lab, node

EXPOSE = "c9s.run/exposePorts"
PROTOCOLS = "c9s.run/appProtocols"


def one(*, ports: str = "", expose: str | None = None, protocols: str | None = None) -> str:
    labels = [
        f"{key}: {value!r}"
        for key, value in ((EXPOSE, expose), (PROTOCOLS, protocols))
        if value is not None
    ]
    return f"topology: {{nodes: {{n: {{ports: [{ports}], labels: {{{', '.join(labels)}}}}}}}}}"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        *(
            ("8080:80", "80"),
            ("127.0.0.1:8443:443/tcp", "443/tcp"),
            ("'[::1]:53:53/udp'", "53/udp"),
        ),
        *(("1:2:3:4", "4"), ("50022:22/TCP", "22/TCP")),
    ],
)
def test_everything_up_to_the_last_colon_is_lost_with_a_warning(written: str, kept: str) -> None:
    answer = accepted(one(ports=f"22, {written}"))
    assert answer.node("n") == {"ports": ["22", kept]}
    assert answer.warned() == [("host-port-pinning", "topology.nodes.n.ports[1]")]


@pytest.mark.parametrize("port", ["80", "161/UDP", "161/udp", "1", "65535/tcp", "80/TCP"])
def test_other_ports_stay_as_written(port: str) -> None:
    answer = accepted(one(ports=port))
    assert answer.node("n") == {"ports": [port]}
    assert answer.warned() == []


def test_inherited_ports_are_warned_about_for_each_node() -> None:
    answer = accepted(
        "topology: {defaults: {ports: ['1:2', 3, '4:5']}, nodes: {a: {}, b: {ports: [6]}}}"
    )
    assert answer.node("a") == {"ports": ["2", "3", "5"]}
    assert answer.warned() == [
        ("host-port-pinning", "topology.nodes.a.ports[0]"),
        ("host-port-pinning", "topology.nodes.a.ports[2]"),
    ]


@pytest.mark.parametrize(
    ("label", "ports"),
    [
        *(("80", ["80/tcp"]), (" 80 ,443/TCP", ["80/tcp", "443/tcp"]), ("53/UdP", ["53/udp"])),
        *(("1,65535/udp", ["1/tcp", "65535/udp"]), ("80,80/tcp,80/udp", ["80/tcp", "80/udp"])),
    ],
)
def test_exposed_ports_are_appended_in_canonical_form(label: str, ports: list[str]) -> None:
    assert accepted(one(expose=label)).node("n") == {"ports": ports}


def test_an_exposed_port_that_is_there_already_is_not_repeated() -> None:
    answer = accepted(one(ports="22, 161/UDP, '8080:80/tcp'", expose="22/tcp,161/udp,80,161,443"))
    assert answer.node("n") == {"ports": ["22", "161/UDP", "80/tcp", "161/tcp", "443/tcp"]}


@pytest.mark.parametrize(
    "entry",
    ["", " ", "0", "65536", "x", "80/sctp", "80/", "8080:80", "80-90", "-1", "1.5", "9" * 6000],
)
def test_a_bad_exposed_port_is_refused_with_its_index(entry: str) -> None:
    answer = lab(one(expose=f"80,{entry},81,{entry}"))
    path = f"topology.nodes.n.labels.{EXPOSE}"
    assert answer.codes() == [
        ("invalid-expose-ports-label", f"{path}[1]"),
        ("invalid-expose-ports-label", f"{path}[3]"),
    ]


def test_an_empty_label_is_one_empty_entry() -> None:
    path = f"topology.nodes.n.labels.{EXPOSE}[0]"
    assert lab(one(expose="")).codes() == [("invalid-expose-ports-label", path)]


def test_protocol_hints_keep_their_order_and_their_ports_are_canonical() -> None:
    answer = accepted(one(protocols="443=https, 161/UDP = ,5201/udp=example.org/iperf"))
    assert answer.node("n") == {
        "appProtocols": [
            {"port": "443/tcp", "appProtocol": "https"},
            {"port": "161/udp", "appProtocol": ""},
            {"port": "5201/udp", "appProtocol": "example.org/iperf"},
        ]
    }


def test_a_hint_exposes_nothing() -> None:
    assert "ports" not in accepted(one(protocols="443=https")).node("n")


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "443",
        "443:https",
        "=https",
        "0=x",
        "70000=x",
        "80/x=y",
        "443=a b",
        "443=-x",
        "443=a/b/c",
        "443=a=b",
    ],
)
def test_a_bad_protocol_hint_is_refused_with_its_index(entry: str) -> None:
    path = f"topology.nodes.n.labels.{PROTOCOLS}[1]"
    assert lab(one(protocols=f"80=http,{entry}")).codes() == [("invalid-app-protocols-label", path)]


@pytest.mark.parametrize(
    ("label", "index"), [("443=a,443/tcp=b", 1), ("53/udp=a,54=b,53/UDP=", 2), ("1=,1=", 1)]
)
def test_a_port_may_have_one_hint(label: str, index: int) -> None:
    path = f"topology.nodes.n.labels.{PROTOCOLS}[{index}]"
    assert lab(one(protocols=label)).codes() == [("invalid-app-protocols-label", path)]


def test_directives_are_inherited_whole() -> None:
    answer = accepted(f"""
        topology:
          defaults: {{labels: {{{EXPOSE}: "80,81", {PROTOCOLS}: "80=http"}}}}
          nodes:
            a: {{}}
            b: {{labels: {{{EXPOSE}: "90"}}}}
    """)
    hint = [{"port": "80/tcp", "appProtocol": "http"}]
    assert answer.node("a") == {"ports": ["80/tcp", "81/tcp"], "appProtocols": hint}
    assert answer.node("b") == {"ports": ["90/tcp"], "appProtocols": hint}


def test_directives_never_become_metadata() -> None:
    answer = accepted(one(expose="80", protocols="80=http"))
    assert answer.of("Node")["n"]["metadata"]["labels"] == {"c9s.run/topologyOwner": "lab"}
    assert "labels" not in node("{labels: {a: b}}")


def test_labels_become_metadata_and_not_spec() -> None:
    labels = "{graph-icon: router, team: net-1, example.org/x: a.b_c, empty: ''}"
    answer = accepted(f"topology: {{nodes: {{n: {{labels: {labels}}}}}}}")
    assert answer.of("Node")["n"]["metadata"]["labels"] == {
        "graph-icon": "router",
        "team": "net-1",
        "example.org/x": "a.b_c",
        "empty": "",
        "c9s.run/topologyOwner": "lab",
    }
    assert answer.node("n") == {}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("a", "two words"), ("a", "x" * 64), ("a", "-x"), ("a", "é"), ("a", "x/y")),
        *(
            ("a b", "x"),
            ("-a", "x"),
            ("a/b/c", "x"),
            ("UP/x", "x"),
            ("x" * 64, "x"),
            ("", "x"),
            ("/a", "x"),
        ),
        *(
            ("c9s.run/anything", "x"),
            ("c9s.run/app", "clabernetes"),
            ("c9s.run/topologyOwner", "lab"),
        ),
        *(("c9s.run/exposeports", "80"), ("app.kubernetes.io/name", "x")),
    ],
)
def test_a_label_kubernetes_or_the_manager_would_not_take_is_refused(key: str, value: str) -> None:
    answer = lab(f"topology: {{nodes: {{n: {{labels: {{ok: ok, '{key}': '{value}'}}}}}}}}")
    assert answer.codes() == [("unusable-node-label", f"topology.nodes.n.labels.{key}")]


def test_other_recommended_labels_are_taken() -> None:
    answer = accepted(
        "topology: {nodes: {n: {labels: {app.kubernetes.io/part-of: x, c9s.runs/a: y}}}}"
    )
    labels = answer.of("Node")["n"]["metadata"]["labels"]
    assert (labels["app.kubernetes.io/part-of"], labels["c9s.runs/a"]) == ("x", "y")
