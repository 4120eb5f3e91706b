"""Which kind and group hold, and what is taken from the first layer that has it: split.md §4."""

from __future__ import annotations

import pytest
from split_lab import accepted, lab, node

FIRST_TEXT = [
    *("image", "license", "startup-config", "entrypoint", "cmd", "user", "shm-size", "memory"),
    *("network-mode", "restart-policy", "link-apply-mode", "image-pull-policy", "mgmt-net"),
]
# Values that differ and pass every check, from the least specific layer on.
LEGAL = {
    "network-mode": ["container:d", "container:k", "container:g", "container:o"],
    "restart-policy": ["always", "Always", "unless-stopped", "Unless-stopped"],
    "link-apply-mode": ["live", "restart", "recreate", "live"],
    "image-pull-policy": ["always", "Always", "never", "IfNotPresent"],
}
LAYERS = ["defaults", "kind", "group", "node"]


def layered(stated: dict[str, str], body: str = "kind: k, group: g") -> dict[str, object]:
    """Give the spec of a node with values stated on some of the four layers, less what holds the layers."""
    text = f"""
        topology:
          defaults: {{{stated.get("defaults", "")}}}
          kinds: {{k: {{{stated.get("kind", "")}}}}}
          groups: {{g: {{{stated.get("group", "")}}}}}
          nodes: {{n: {{{body}, {stated.get("node", "")}}}, d: {{}}, k: {{}}, g: {{}}, o: {{}}}}
    """
    spec = lab(text.replace(", }", "}")).node("n")
    return {key: value for key, value in spec.items() if key not in {"kind", "group"}}


# A network-mode in defaults would be one of the node it names, too.
STACKS = [(f, n) for f in FIRST_TEXT for n in range(4) if (f, n) != ("network-mode", 0)]


@pytest.mark.parametrize(("field", "most"), STACKS)
def test_the_first_layer_with_a_text_wins(field: str, most: int) -> None:
    values = LEGAL.get(field, ["d", "k", "g", "o"])
    least = 1 if field == "network-mode" else 0
    stated = {LAYERS[i]: f"{field}: '{values[i]}'" for i in range(least, most + 1)}
    assert layered(stated) == {field: values[most]}


@pytest.mark.parametrize("empty", ["''", "~", '""'])
@pytest.mark.parametrize("field", ["image", "cmd", "user", "memory"])
def test_an_empty_text_hides_nothing(field: str, empty: str) -> None:
    stated = {"defaults": f"{field}: d", "group": f"{field}: {empty}", "node": f"{field}: {empty}"}
    assert layered(stated) == {field: "d"}


@pytest.mark.parametrize("field", ["startup-delay", "cpu"])
def test_zero_hides_nothing(field: str) -> None:
    stated = {"kind": f"{field}: 7", "group": f"{field}: 0", "node": f"{field}: 0"}
    assert layered(stated) == {field: 7}
    assert layered({**stated, "node": f"{field}: 3"}) == {field: 3}
    assert layered({"node": f"{field}: 0"}) == {}


@pytest.mark.parametrize(
    "field", ["enforce-startup-config", "suppress-startup-config", "privileged"]
)
def test_an_explicit_false_counts_and_is_written(field: str) -> None:
    assert layered({"defaults": f"{field}: true", "group": f"{field}: false"}) == {field: False}
    assert layered({"defaults": f"{field}: false", "node": f"{field}: true"}) == {field: True}
    assert layered({"defaults": f"{field}: false", "node": f"{field}: ~"}) == {field: False}


@pytest.mark.parametrize("field", ["aliases", "mgmt-ipv4", "mgmt-ipv6"])
def test_what_belongs_to_the_node_alone_is_not_inherited(field: str) -> None:
    value = "[x]" if field == "aliases" else "192.0.2.1"
    stated = dict.fromkeys(LAYERS[:3], f"{field}: {value}")
    assert layered(stated) == {}
    own = layered({"node": f"{field}: {value}"})
    assert own == {field: ["x"] if field == "aliases" else "192.0.2.1"}


def test_ports_come_whole_from_the_first_layer_that_has_some() -> None:
    stated = {"defaults": "ports: [1, 2]", "kind": "ports: [3]", "group": "ports: []"}
    assert layered(stated) == {"ports": ["3"]}
    assert layered({**stated, "node": "ports: [4, 4]"}) == {"ports": ["4", "4"]}


@pytest.mark.parametrize(
    ("field", "low", "high"),
    [
        ("dns", "{servers: [s], search: [a]}", "{options: [o]}"),
        ("healthcheck", "{test: [t], retries: 3}", "{interval: 5}"),
    ],
)
def test_an_object_comes_whole_from_the_first_layer_that_has_one(
    field: str, low: str, high: str
) -> None:
    stated = {"kind": f"{field}: {low}", "node": f"{field}: {high}"}
    wanted = {"dns": {"options": ["o"]}, "healthcheck": {"interval": 5}}[field]
    assert layered(stated) == {field: wanted}
    assert layered({**stated, "node": f"{field}: ~"}) != {}
    assert layered({**stated, "node": f"{field}: {{}}"}) == {}


def kind_and_group(text: str) -> tuple[object, object]:
    spec = accepted(text).node("n")
    return spec.get("kind"), spec.get("group")


SECTIONS = "kinds: {k: {group: kg}}, groups: {g: {kind: gk}, dg: {kind: dgk}, kindless: {}}"


@pytest.mark.parametrize(
    ("defaults", "body", "wanted"),
    [
        ("{kind: d, group: dg}", "{kind: own, group: g}", ("own", "g")),
        ("{kind: d, group: dg}", "{group: g}", ("gk", "g")),
        ("{kind: d, group: dg}", "{group: kindless}", ("dgk", "kindless")),
        ("{kind: d, group: dg}", "{group: no-such}", ("dgk", "no-such")),
        ("{kind: d, group: dg}", "{}", ("dgk", "dg")),
        ("{kind: d, group: kindless}", "{}", ("d", "kindless")),
        ("{kind: d, group: no-such}", "{}", ("d", "no-such")),
        ("{kind: d}", "{}", ("d", None)),
        ("{}", "{}", (None, None)),
        ("{group: dg}", "{kind: k}", ("k", "kg")),
        ("{kind: k}", "{cmd: x}", ("k", "kg")),
        ("{kind: k, group: kindless}", "{}", ("k", "kg")),
        ("{kind: k, group: kindless}", "", ("k", "kindless")),
        ("{kind: k}", "", ("k", None)),
        ("{kind: d, group: dg}", "", ("dgk", "dg")),
    ],
)
def test_which_kind_and_group_hold(defaults: str, body: str, wanted: tuple[object, object]) -> None:
    text = f"topology: {{defaults: {defaults}, {SECTIONS}, nodes: {{n: {body}}}}}"
    assert kind_and_group(text) == wanted


def test_a_group_without_a_block_is_a_group() -> None:
    answer = accepted("topology: {nodes: {n: {group: any}}}")
    assert answer.node("n") == {"group": "any"}
    assert answer.of("Node")["n"]["metadata"]["labels"]["c9s.run/topologyGroup"] == "any"


def test_kind_and_group_inside_other_blocks_select_nothing_there() -> None:
    text = "topology: {kinds: {k: {kind: other}}, groups: {g: {group: other}}, nodes: {n: {kind: k, group: g}}}"
    assert kind_and_group(text) == ("k", "g")


def test_kinds_are_matched_exactly_with_a_warning_where_case_differs() -> None:
    text = "topology: {kinds: {Linux: {image: i}}, nodes: {n: {kind: linux}, o: {kind: other}}}"
    answer = accepted(text)
    assert answer.node("n") == {"kind": "linux"}
    assert answer.warned() == [("kind-case", "topology.nodes.n.kind")]


@pytest.mark.parametrize(
    ("blocks", "path"),
    [
        ("defaults: {kind: linux}", "topology.defaults.kind"),
        ("defaults: {group: g}, groups: {g: {kind: LINUX}}", "topology.groups.g.kind"),
    ],
)
def test_case_of_an_inherited_kind_is_warned_about_where_it_stands(blocks: str, path: str) -> None:
    answer = accepted(f"topology: {{{blocks}, kinds: {{Linux: {{}}}}, nodes: {{n: {{}}}}}}")
    assert answer.warned() == [("kind-case", path)]


@pytest.mark.parametrize(
    ("layer", "wanted"), [("node", "t"), ("group", "t"), ("kind", "t"), ("defaults", " t ")]
)
def test_type_loses_its_blanks_but_not_in_defaults(layer: str, wanted: str) -> None:
    assert layered({layer: "type: ' t '"}) == {"type": wanted}


def test_a_type_of_blanks_hides_the_inherited_one() -> None:
    assert layered({"defaults": "type: d", "node": "type: '  '"}) == {}


@pytest.mark.parametrize(
    "field",
    ["runtime", "auto-remove", "pid-mode", "cgroupns-mode", "cpu-set", "stages", "credentials"],
)
@pytest.mark.parametrize(
    "block",
    [
        "defaults",
        "kinds: {unused",
        "groups: {unused",
        "nodes: {n",
        "kinds: {k: {kind-specific-config",
    ],
)
def test_a_refused_field_is_refused_in_any_block_used_or_not(field: str, block: str) -> None:
    text = f"topology: {{{block}: {{{field}: ~}}{'}' * block.count('{')}}}"
    assert lab(text).codes() == [("unsupported-field", field)]


@pytest.mark.parametrize("field", ["position", "hostname", "volumes", "cgroup-parent"])
def test_a_field_without_a_place_is_left_out_with_a_warning(field: str) -> None:
    answer = accepted(f"topology: {{nodes: {{n: {{cmd: c, {field}: x}}}}}}")
    assert answer.node("n") == {"cmd": "c"}
    assert answer.warned() == [("dropped-field", f"topology.nodes.n.{field}")]


def test_what_is_empty_is_left_out() -> None:
    body = (
        "{image: '', exec: [], env: {}, cpu: 0, startup-delay: 0, binds: [], ports: [], aliases: [], labels: {}, "
        "dns: {servers: []}, healthcheck: {retries: 0}, config: {vars: {}}, mgmt-ipv4: ''}"
    )
    assert node(body) == {}


def test_values_of_maps_may_be_empty_texts() -> None:
    assert node("{env: {A: ''}, sysctls: {b: ~}}") == {"env": {"A": ""}, "sysctls": {"b": ""}}
