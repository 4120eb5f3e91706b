"""Nothing gets past the proof: losses and changes are planted in objects, composed Topologies and the composer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml
from generated_labs import topologies
from hypothesis import assume, given
from hypothesis import strategies as st
from proofs import DEFAULT, rich_lab, split

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology import composing, data
from kubectl_c9s.topology.compile import split_topology
from kubectl_c9s.topology.composing import compose
from kubectl_c9s.topology.render import Rendered
from kubectl_c9s.topology.verifying import Difference, differing, prove, source_of, verify
from kubectl_c9s.yamlio import reader, writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from kubectl_c9s.yamlio.reader import Document


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of every value that is no filled collection."""
    items: Any = ()
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
    inner = [leaf for key, item in items for leaf in leaves(item, (*path, key))]
    yield from inner or [path]


def changed(value: Any, path: tuple[Any, ...], new: Any = None) -> Any:
    """Copy a value with one part of it replaced, or left out."""
    copied = json.loads(json.dumps(value))  # what objects share is parted, too
    holder = copied
    for part in path[:-1]:
        holder = holder[part]
    if new is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    return copied


def spec_paths(rendered: Rendered) -> list[tuple[Any, ...]]:
    """Give the paths of all values that the objects of a lab were split for: specs and labels."""
    found = [path for path in leaves(rendered._asdict()) if {"spec", "labels"} & set(path)]
    return [path for path in found if not {"endpointA", "endpointB"} & set(path)]


def test_every_value_that_a_split_would_lose_or_change_is_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    paths = spec_paths(rendered)
    for path in paths:
        for new in (None, other(data.value_at(rendered._asdict(), path))):
            lost = Rendered(**changed(rendered._asdict(), path, new))
            assert prove(lost, source).differences != [], (path, new)
    assert len(paths) > 110


def other(value: Any) -> Any:
    """Give another value of the same type; None, which is to say none at all, where there is no other."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "x"
    return value + 1 if isinstance(value, int | float) else None


@given(topologies(), st.data())
def test_a_loss_anywhere_in_any_lab_is_noticed(document: Document, draw: st.DataObject) -> None:
    rendered = split_topology(document, DEFAULT, Findings())
    assume(rendered is not None)
    assert rendered is not None
    whole = rendered._asdict()
    saying = [path for path in spec_paths(rendered) if data.value_at(whole, path) not in ({}, [])]
    path = draw.draw(st.sampled_from(saying))
    lost = Rendered(**changed(whole, path))
    assert prove(lost, source_of(document, DEFAULT)).differences != []


def test_an_object_that_a_split_would_lose_is_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    for kind, objects in rendered._asdict().items():
        for index in range(len(objects)):
            lost = Rendered(**changed(rendered._asdict(), (kind, index)))
            assert prove(lost, source).differences != [], objects[index]


def test_wires_that_a_split_would_exchange_are_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    for index in range(len(rendered.links)):
        for new in ("eth9", "Eth1"):
            lost = Rendered(
                **changed(
                    rendered._asdict(), ("links", index, "spec", "endpointA", "interfaceName"), new
                )
            )
            assert prove(lost, source).differences != []


def test_every_value_that_composing_would_lose_is_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    composed = compose(rendered, "lab", "space")
    assert verify(rendered, composed, source) == []
    text = composed["spec"]["definition"]["containerlab"]
    definition = yaml.safe_load(text)
    spec = {**composed["spec"], "definition": definition}
    paths = list(leaves(spec))
    for path in paths:
        if path in MEANS_THE_SAME:
            continue
        lost = changed(spec, path)
        lost["definition"] = {"containerlab": writer.dump(lost["definition"])}
        assert verify(rendered, {**composed, "spec": lost}, source) != [], path
    assert len(paths) > 110


# The definition's name is not used, a flag that is not said is false, and the API server enables probes.
MEANS_THE_SAME = {
    ("statusProbes", "enabled"),
    ("definition", "name"),
    ("expose", "useNodeMgmtIpv4Address"),
    ("expose", "useNodeMgmtIpv6Address"),
}


def test_a_composer_that_forgets_something_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    for name, forgetful in (
        ("_body", lambda *_: {}),
        ("_resources", lambda *_: {}),
        ("_deployment", lambda *_: {}),
        ("_probes", lambda *_: {}),
        ("_link", lambda *_: {"endpoints": ["r1_:eth1", "r2:Eth1"]}),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(composing._Composer, name, forgetful)  # noqa: SLF001 - a planted mutant
            assert prove(rendered, source).differences != [], name
    assert prove(rendered, source).differences == []


def test_a_difference_names_object_place_and_both_values() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    lost = Rendered(**changed(rendered._asdict(), ("nodes", 0, "spec", "user")))
    assert prove(lost, source).differences == [
        Difference("Node/r1", "user", '"root"', "nothing", "input")
    ]
    told = Rendered(
        **changed(rendered._asdict(), ("profiles", 0, "spec", "expose", "exposeType"), "None")
    )
    assert prove(told, source).differences == [
        Difference("NodeProfile/lab-r1", "spec.expose.exposeType", '"ClusterIP"', '"None"'),
        Difference("NodeProfile/lab", "expose.exposeType", '"ClusterIP"', '"None"', "input"),
    ]


def test_a_composed_topology_that_is_refused_is_a_difference() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    broken = Rendered(**changed(rendered._asdict(), ("nodes", 0, "spec", "binds", 0), "no bind"))
    (found,) = prove(broken, source).differences
    assert found.path == "topology.nodes.r1_.binds[0]"
    assert found.became.startswith("refused: ")


def test_objects_in_another_order_or_twice_are_noticed() -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    for nodes in (rendered.nodes[::-1], [*rendered.nodes, rendered.nodes[-1]]):
        found = prove(rendered._replace(nodes=nodes), source).differences
        assert [(one.object, one.path) for one in found] == [("Topology/lab", "order of objects")]


def test_a_lab_too_large_to_be_read_again_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    document = rich_lab()
    rendered, source = split(document), source_of(document, DEFAULT)
    monkeypatch.setattr(reader, "MAX_BYTES", 1000)
    (found,) = prove(rendered, source).differences
    assert found.became.startswith("refused: ")


def test_truth_values_are_no_numbers_and_numbers_have_one_type() -> None:
    assert list(differing({"a": True}, {"a": 1})) == [(("a",), True, 1)]
    assert list(differing([1, {"a": 2}], [1.0, {"a": 2}])) == []
    assert list(differing([1, 2], [1])) == [((), [1, 2], [1])]
