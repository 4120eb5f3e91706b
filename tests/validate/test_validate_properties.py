"""What ``split`` writes is valid, and what is broken in it is found."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from checking import check, stream
from generated_labs import topologies
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.validation.run import Input, validate
from kubectl_c9s.validation.run import Options as Asked
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.writer import dump_all

if TYPE_CHECKING:
    from kubectl_c9s.resources.verdicts import Report
    from kubectl_c9s.yamlio.reader import Document

# Said of a lab that the compiler takes; the cluster marks the objects.
TAKEN = {"endpoint-used-twice", "profile-conflict", "flux-substitution"}


def objects_of(document: Document) -> list[dict[str, Any]]:
    rendered = split_topology(document, Options(), Findings())
    assume(rendered is not None)
    assert rendered is not None
    return copy.deepcopy(rendered.ordered())


def report_on(objects: list[dict[str, Any]]) -> Report:
    documents = read_documents("".join(dump_all(objects)).encode(), "out.yaml")
    return validate([Input(document) for document in documents], [], Asked())


def has_alias_of_renamed_node(objects: list[dict[str, Any]]) -> bool:
    """Tell whether an alias is a Node's name: the compiler compares with names as written (split.md §15)."""
    nodes = {one["metadata"]["name"]: one["spec"] for one in objects if one["kind"] == "Node"}
    return any(alias in nodes for spec in nodes.values() for alias in spec.get("aliases", ()))


def codes(report: Report, level: str) -> set[str]:
    return {issue.code for _, issue in report.issues() if issue.level == level}


@settings(max_examples=60)
@given(topologies())
def test_what_split_writes_is_valid(document: Document) -> None:
    objects = objects_of(document)
    report = report_on(objects)
    assert codes(report, "error") == (
        {"duplicate-alias"} if has_alias_of_renamed_node(objects) else set()
    )
    assert codes(report, "warning") <= TAKEN
    assert codes(report, "info") == set()


@settings(max_examples=30)
@given(topologies())
def test_a_topology_is_valid_exactly_when_it_can_be_split(document: Document) -> None:
    findings = Findings()
    rendered = split_topology(document, Options(), findings)
    report = validate([Input(document)], [], Asked())
    assert report.valid is (rendered is not None)


def _drop_profile(objects: list[dict[str, Any]], _: int) -> str:
    used = next(one for one in objects if one["kind"] == "Node")["spec"]["profileRef"]["name"]
    objects[:] = [
        one for one in objects if (one["kind"], one["metadata"]["name"]) != ("NodeProfile", used)
    ]
    return "missing-profile"


def _drop_node(objects: list[dict[str, Any]], nth: int) -> str:
    links = [one for one in objects if one["kind"] == "Link"]
    nodes = {one["metadata"]["name"] for one in objects if one["kind"] == "Node"}
    ends = [one["spec"][end]["nodeName"] for one in links for end in ("endpointA", "endpointB")]
    named = sorted(set(ends) & nodes - {"host"})
    assume(named)
    assume(len(nodes) > 1)
    gone = named[nth % len(named)]
    objects[:] = [
        one for one in objects if (one["kind"], one["metadata"]["name"]) != ("Node", gone)
    ]
    return "unknown-link-endpoint"


def _misspell(objects: list[dict[str, Any]], nth: int) -> str:
    objects[nth % len(objects)]["spec"]["spelt-wrongly"] = 1
    return "unknown-field"


def _empty_required(objects: list[dict[str, Any]], nth: int) -> str:
    links = [one for one in objects if one["kind"] == "Link"]
    assume(links)
    del links[nth % len(links)]["spec"]["endpointB"]
    return "not-admissible"


def _adopt(objects: list[dict[str, Any]], nth: int) -> str:
    objects[nth % len(objects)]["metadata"].setdefault("labels", {})["c9s.run/topologyKind"] = (
        "containerlab"
    )
    return "forbidden-metadata"


def _double(objects: list[dict[str, Any]], nth: int) -> str:
    other = copy.deepcopy(objects[nth % len(objects)])
    other["spec"]["spelt-wrongly"] = 1
    objects.append(other)
    return "conflicting-object"


def _other_lab(objects: list[dict[str, Any]], nth: int) -> str:
    other = copy.deepcopy(objects[nth % len(objects)])
    other["metadata"]["labels"] = {"c9s.run/topologyOwner": "another-lab"}
    objects.append(other)
    return "duplicate-object-name"


def _another_version(objects: list[dict[str, Any]], nth: int) -> str:
    objects[nth % len(objects)]["apiVersion"] = "c9s.run/v2"
    return "unsupported-version"


def _circle(objects: list[dict[str, Any]], nth: int) -> str:
    nodes = [one for one in objects if one["kind"] == "Node"]
    node = nodes[nth % len(nodes)]
    node["spec"]["network-mode"] = f"container:{node['metadata']['name']}"
    return "network-mode-cycle"


MUTATIONS = (
    _drop_profile, _drop_node, _misspell, _empty_required, _adopt, _double, _other_lab, _another_version, _circle,
)  # fmt: skip


@settings(max_examples=150)
@given(topologies(), st.sampled_from(MUTATIONS), st.integers(0, 1000))
def test_what_is_broken_in_the_output_of_split_is_found(
    document: Document, mutate: Any, nth: int
) -> None:
    objects = objects_of(document)
    code = mutate(objects, nth)
    assert code in codes(report_on(objects), "error")


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
KINDS = ["Node", "Link", "NodeProfile", "Config", "ConfigMap", "Topology", "List", "Other",
         "RolloutPolicy"]  # fmt: skip
FIELDS = ["data", "binaryData", "status", "items"]


@st.composite
def odd_objects(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an object of any shape where rules look."""
    kind = draw(st.sampled_from(KINDS))
    api = "v1" if kind in {"ConfigMap", "List"} else "c9s.run/v1alpha1"
    api = f"toolkit.{api}" if kind == "RolloutPolicy" else api
    part = st.dictionaries(
        st.sampled_from(["profileRef", "endpointA", "aliases", "filesFromConfigMap", "statusProbes", "rollout",
                         "network-mode", "definition", "group", "names", "config", "guards", "mode", "topologies"]),
        values, max_size=4,
    )  # fmt: skip
    metadata = st.dictionaries(
        st.sampled_from(["name", "namespace", "labels", "annotations", "ownerReferences"]),
        values,
        max_size=4,
    )
    return {
        "apiVersion": api,
        "kind": kind,
        "metadata": draw(st.one_of(metadata, values)),
        "spec": draw(st.one_of(part, values)),
        draw(st.sampled_from(FIELDS)): draw(values),
    }


@settings(max_examples=150)
@given(st.lists(odd_objects(), max_size=4))
def test_an_object_of_any_shape_is_judged_without_a_fault(objects: list[dict[str, Any]]) -> None:
    answer = check(stream(*objects))
    assert answer.code in {0, 1}
    assert "internal fault" not in answer.err
