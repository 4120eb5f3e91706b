"""Every code of split.md §15, and its place in the outer file however the definition is written there."""

from __future__ import annotations

import json
import textwrap
from typing import NamedTuple

import pytest
from definition_forms import BLOCKS, FLOWS
from split_lab import place, split


class Case(NamedTuple):
    """A definition with one finding: code, path, and the n-th time that ``mark`` stands in the text."""

    code: str
    path: str
    mark: str
    text: str
    nth: int = 1


def nodes(body: str, links: str = "") -> str:
    block = textwrap.indent(textwrap.dedent(body), "    ")
    text = f"topology:\n  nodes:\n{block}\n"
    return text + (f"  links:\n{textwrap.indent(textwrap.dedent(links), '    ')}\n" if links else "")


def link(text: str) -> str:
    return nodes("r1: {}\nr2: {}", text)


R1 = "topology.nodes.r1"
ERRORS = [
    Case("unsupported-field", "topologies", "topologies", "topologies: {}\n" + nodes("r1: {}")),
    Case("unsupported-field", "node", "node", "topology:\n  node: {}\n  groups: {}\n"),
    Case("unsupported-field", "subnet", "subnet", "mgmt:\n  subnet: x\n" + nodes("r1: {}")),
    Case("unsupported-field", "cost", "cost", link("- endpoints: [r1:e1, r2:e1]\n  cost: 7")),
    Case("unsupported-field", "server", "server", nodes("r1:\n  dns:\n    server: [s]")),
    Case("unsupported-field", "stages", "stages", nodes("r1:\n  stages: {create: {}}")),
    Case("unsupported-field", "image", "image", nodes("r1:\n  kind-specific-config:\n    image: i")),
    Case(
        "duplicate-kind-config",
        f"{R1}.extra-key",
        "extra-key",
        nodes("r1:\n  extra-key: 1\n  kind-specific-config:\n    extra-key: 2"),
        nth=2,
    ),
    Case("invalid-kind-config", f"{R1}.kind-specific-config", "wrapped", nodes("r1:\n  kind-specific-config: wrapped")),
    Case("unsupported-network-mode", f"{R1}.network-mode", "bridge", nodes("r1:\n  network-mode: bridge")),
    Case(
        "unknown-network-mode-primary",
        f"{R1}.network-mode",
        "container:r9",
        nodes("r1:\n  network-mode: container:r9"),
    ),
    Case("network-mode-cycle", f"{R1}.network-mode", "container:r1", nodes("r1:\n  network-mode: container:r1")),
    Case("unsupported-restart-policy", f"{R1}.restart-policy", "never", nodes("r1:\n  restart-policy: never")),
    Case("unsupported-image-pull-policy", f"{R1}.image-pull-policy", "often", nodes("r1:\n  image-pull-policy: often")),
    Case("unsupported-link-apply-mode", f"{R1}.link-apply-mode", "cold", nodes("r1:\n  link-apply-mode: cold")),
    Case("reserved-bind-path", f"{R1}.binds[1]", "b:/etc/hosts", nodes("r1:\n  binds:\n    - b:/etc/hosts\n    - a:/x")),
    Case("malformed-bind", f"{R1}.binds[0]", "nowhere", nodes("r1:\n  binds:\n    - nowhere")),
    Case("invalid-alias", f"{R1}.aliases[1]", "Bad_One", nodes("r1:\n  aliases:\n    - good\n    - Bad_One")),
    Case("duplicate-alias", f"{R1}.aliases[0]", "taken", nodes("r1:\n  aliases: [taken]\ntaken: {}")),
    Case(
        "invalid-expose-ports-label",
        f"{R1}.labels.c9s.run/exposePorts[1]",
        "c9s.run/exposePorts",
        nodes("r1:\n  labels:\n    c9s.run/exposePorts: 80,x"),
    ),
    Case(
        "invalid-app-protocols-label",
        f"{R1}.labels.c9s.run/appProtocols[0]",
        "c9s.run/appProtocols",
        nodes("r1:\n  labels:\n    c9s.run/appProtocols: http"),
    ),
    Case("unusable-node-label", f"{R1}.labels.c9s.run/own", "c9s.run/own", nodes("r1:\n  labels:\n    c9s.run/own: x")),
    Case("unsupported-link-type", "topology.links[0].type", "vxlan", link("- type: vxlan")),
    Case(
        "unsupported-link-labels",
        "topology.links[0].labels",
        "labels",
        link("- endpoints: [r1:e1, r2:e1]\n  labels: {a: b}"),
    ),
    Case("unsupported-link-vars", "topology.links[0].vars", "vars", link("- endpoints: [r1:e1, r2:e1]\n  vars: {a: b}")),
    Case(
        "unsupported-special-endpoint",
        "topology.links[0].endpoints[1]",
        "macvlan:e0",
        link("- endpoints:\n    - r1:e1\n    - macvlan:e0"),
    ),
    Case("unknown-link-endpoint", "topology.links[0].endpoints[0]", "r9:e1", link("- endpoints: [r9:e1, r1:e1]")),
    Case("malformed-endpoint", "topology.links[0].endpoints[1]", "lonely", link("- endpoints: [r1:e1, lonely]")),
    Case("colliding-node-names", "topology.nodes", "r1_", nodes("r1: {}\nr1_: {}")),
    Case("invalid-type", f"{R1}.cpu", "many", nodes("r1:\n  cpu: many")),
    Case("invalid-components", f"{R1}.components[0].sfm", "sfm", nodes("r1:\n  components:\n    - slot: A\n      sfm: x")),
    Case("not-admissible", f"{R1}.ports[1]", "80-90", nodes("r1:\n  ports:\n    - 80/tcp\n    - 80-90")),
    Case("kind-case", f"{R1}.kind", "linux", "topology:\n  kinds: {LINUX: {}}\n  nodes:\n    r1: {kind: linux}\n"),
    Case("renamed-nodes", "topology.nodes", "PE_1", nodes("r1: {}\nPE_1: {}")),
    Case("host-port-pinning", f"{R1}.ports[1]", "8022:22", nodes("r1:\n  ports: ['80', '8022:22']")),
    Case("ignored-management-field", "mgmt.bridge", "bridge", "mgmt:\n  bridge: br0\n" + nodes("r1: {}")),
    Case("ignored-node-field", f"{R1}.mgmt-net", "oob", nodes("r1:\n  mgmt-net: oob")),
    Case("dropped-field", f"{R1}.hostname", "hostname", nodes("r1:\n  hostname: h")),
    Case("misspelt-field", f"{R1}.startup_config", "startup_config", nodes("r1:\n  startup_config: c")),
    Case(
        "endpoint-used-twice",
        "topology.links[1].endpoints[1]",
        "r1:e1",
        link("- endpoints: [r1:e1, r2:e1]\n- endpoints: [r2:e2, r1:e1]"),
        nth=2,
    ),
    Case(
        "ignored-endpoint-field",
        "topology.links[0].endpoints[0].mac",
        "mac",
        link("- endpoints: [{node: r1, interface: e1, mac: m}, r2:e1]"),
    ),
]
BROKEN = [
    Case("duplicate-key", "spec.definition.containerlab", "image", nodes("r1:\n  image: a\n  image: b"), nth=2),
    Case("foreign-tag", "spec.definition.containerlab", "!own", nodes("r1: !own {}")),
    Case("yaml-budget", "spec.definition.containerlab", "*loop", nodes("r1: &loop\n  exec: *loop")),
    Case("invalid-yaml", "spec.definition.containerlab", "*nowhere", nodes("r1: *nowhere")),
]


def found(text: str) -> list[tuple[str, str, int, int]]:
    answer = split(text)
    return [(o["code"], o["path"], o["line"], o["column"]) for o in answer.errors or answer.warnings]


def title(case: Case) -> str:
    return f"{case.code}-{case.mark}"


@pytest.mark.parametrize("form", list(BLOCKS))
@pytest.mark.parametrize("case", ERRORS + BROKEN, ids=title)
def test_a_finding_points_into_the_outer_file(case: Case, form: str) -> None:
    text = BLOCKS[form](case.text)
    line, column = place(text, case.mark, case.nth)
    # In a quoted text the quote of the file is not a part of the mark, a quote of the definition is.
    if text[text.index(case.mark) - 1] in "'":
        column -= 1
    assert found(text) == [(case.code, case.path, line, column)]


@pytest.mark.parametrize("form", list(FLOWS))
@pytest.mark.parametrize("case", ERRORS, ids=title)
def test_a_finding_points_into_a_flow_mapping_in_quotes(case: Case, form: str) -> None:
    text = FLOWS[form](case.text)
    line, column = place(text, json.dumps(case.mark), case.nth)
    assert found(text) == [(case.code, case.path, line, column)]


@pytest.mark.parametrize("form", [*BLOCKS, *FLOWS])
def test_what_has_no_place_of_its_own_points_to_the_definition(form: str) -> None:
    text = {**BLOCKS, **FLOWS}[form]("name: lab\n")
    line, column = place(text, "containerlab")
    (at,) = found(text)
    assert at[:2] == ("no-topology-section", "topology")
    assert line <= at[2] <= line + 1
    assert at[2] > line or at[3] > column


def test_several_management_networks_point_to_the_second() -> None:
    text = BLOCKS["literal"]("mgmt:\n  - {bridge: a}\n  - {bridge: b}\n" + nodes("r1: {}"))
    assert found(text) == [("multiple-management-networks", "mgmt", *place(text, "{bridge: b}"))]


def test_links_of_one_name_point_to_the_second() -> None:
    text = BLOCKS["literal"](link("- endpoints: [r1:e, r2:e]\n- {endpoints: [r1:e, r2:e]}"))
    wanted = ("duplicate-object-name", "topology.links[1]", *place(text, "{endpoints: [r1:e, r2:e]}"))
    assert found(text) == [wanted]


def test_a_host_link_without_a_node_points_to_the_link() -> None:
    text = BLOCKS["literal"](link("- {endpoints: ['host:a', 'host:b']}"))
    assert found(text) == [("invalid-host-link", "topology.links[0].endpoints", *place(text, "{endpoints"))]


INHERITED = {
    "defaults": "topology:\n  defaults:\n    {0}\n  nodes:\n    r1:\n",
    "kind": "topology:\n  kinds:\n    k:\n      {0}\n  nodes:\n    r1: {{kind: k}}\n",
    "group": "topology:\n  groups:\n    g:\n      {0}\n  nodes:\n    r1: {{group: g}}\n",
}


@pytest.mark.parametrize("layer", list(INHERITED))
@pytest.mark.parametrize(
    ("line", "mark", "code"),
    [
        ("restart-policy: never", "never", "unsupported-restart-policy"),
        ("binds: ['a:/b', 'x:/etc/hosts']", "'x:/etc/hosts'", "reserved-bind-path"),
        ("labels: {c9s.run/own: x}", "c9s.run/own", "unusable-node-label"),
        ("ports: [x]", "x]", "not-admissible"),
        ("network-mode: none", "none", "unsupported-network-mode"),
    ],
)
def test_an_inherited_value_is_placed_where_it_was_written(
    layer: str, line: str, mark: str, code: str
) -> None:
    text = BLOCKS["literal"](INHERITED[layer].format(line))
    ((given, _, *at),) = found(text)
    assert given == code
    assert tuple(at) == place(text, mark)


def test_findings_of_all_blocks_are_reported_together_in_order() -> None:
    text = """
topology:
  defaults: {runtime: x}
  kinds: {unused: {kind-specific-config: {image: x}}}
  nodes:
    b: {network-mode: host, aliases: [a]}
    a: {restart-policy: no, labels: {c9s.run/x: y}, binds: [a:/etc/hosts]}
    A: {}
  links:
    - {endpoints: [a:x, z:x], labels: {l: m}}
    - {type: dummy}
"""
    assert [(code, path) for code, path, *_ in found(BLOCKS["literal"](text))] == [
        ("unsupported-field", "image"),
        ("unsupported-field", "runtime"),
        ("unknown-link-endpoint", "topology.links[0].endpoints[1]"),
        ("unsupported-link-labels", "topology.links[0].labels"),
        ("unsupported-link-type", "topology.links[1].type"),
        ("colliding-node-names", "topology.nodes"),
        ("reserved-bind-path", "topology.nodes.a.binds[0]"),
        ("unusable-node-label", "topology.nodes.a.labels.c9s.run/x"),
        ("unsupported-restart-policy", "topology.nodes.a.restart-policy"),
        ("duplicate-alias", "topology.nodes.b.aliases[0]"),
        ("unsupported-network-mode", "topology.nodes.b.network-mode"),
    ]


def test_findings_of_one_path_are_ordered_by_line() -> None:
    text = "topology:\n  groups:\n    g: {stages: {}}\n  defaults: {stages: {}}\n  nodes: {n: {stages: {}}}\n"
    lines = [line for _, _, line, _ in found(BLOCKS["literal"](text))]
    assert len(lines) == 3
    assert lines == sorted(lines)


def test_findings_name_nodes_as_they_are_written() -> None:
    text = BLOCKS["literal"](nodes("PE_1: {network-mode: host}"))
    assert found(text)[0][1] == "topology.nodes.PE_1.network-mode"
