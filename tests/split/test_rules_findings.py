"""Every code of split.md §15, and its place in the outer file however the definition is written there."""

from __future__ import annotations

import json

import pytest
from definition_forms import BLOCKS, FLOWS
from finding_cases import BROKEN, FINDINGS, Case, link, nodes
from split_lab import place, split


def found(text: str) -> list[tuple[str, str, int, int]]:
    answer = split(text)
    return [
        (o["code"], o["path"], o["line"], o["column"]) for o in answer.errors or answer.warnings
    ]


def title(case: Case) -> str:
    return f"{case.code}-{case.mark}"


@pytest.mark.parametrize("form", list(BLOCKS))
@pytest.mark.parametrize("case", FINDINGS + BROKEN, ids=title)
def test_a_finding_points_into_the_outer_file(case: Case, form: str) -> None:
    text = BLOCKS[form](case.text)
    line, column = place(text, case.mark, case.nth)
    # In a quoted text the quote of the file is not a part of the mark, a quote of the definition is.
    if text[text.index(case.mark) - 1] == "'":
        column -= 1
    assert found(text) == [(case.code, case.path, line, column)]


@pytest.mark.parametrize("form", list(FLOWS))
@pytest.mark.parametrize("case", FINDINGS, ids=title)
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
    wanted = (
        "duplicate-object-name",
        "topology.links[1]",
        *place(text, "{endpoints: [r1:e, r2:e]}"),
    )
    assert found(text) == [wanted]


def test_a_host_link_without_a_node_points_to_the_link() -> None:
    text = BLOCKS["literal"](link("- {endpoints: ['host:a', 'host:b']}"))
    assert found(text) == [
        ("invalid-host-link", "topology.links[0].endpoints", *place(text, "{endpoints"))
    ]


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
