"""What holds for every lab, and for any text as a name."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml
from any_lab import definitions, reordered, specs, topology
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from split_lab import Answer, command, split

from kubectl_c9s.resources import names, schema
from kubectl_c9s.resources.labels import forbidden_metadata

ROOT = Path(__file__).parents[2]
few = settings(
    max_examples=60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


def taken(definition: dict[str, Any], spec: dict[str, Any] | None = None) -> Answer:
    answer = split(topology(definition, spec))
    assume(answer.code == 0)
    return answer


@few
@given(definitions, specs)
def test_a_lab_is_split_or_refused_with_places(
    definition: dict[str, Any], spec: dict[str, Any]
) -> None:
    answer = split(topology(definition, spec))
    assert answer.code == (1 if answer.errors else 0), answer.err
    for one in [*answer.errors, *answer.warnings]:
        assert one["file"] == "<stdin>"
        assert one["line"] > 0 < one["column"]
        assert one["code"]
        assert one["message"]


@few
@given(definitions, specs, st.integers())
def test_the_order_of_keys_and_nodes_changes_nothing(
    definition: dict[str, Any], spec: dict[str, Any], seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - an order, not a secret
    one = split(topology(definition, spec))
    other = split(topology(reordered(definition, chance), reordered(spec, chance)))
    assert (one.code, one.out) == (other.code, other.out)
    assert Counter(one.codes()) == Counter(other.codes())
    assert Counter(one.warned()) == Counter(other.warned())


@few
@given(definitions, specs)
def test_objects_are_valid_have_names_of_their_own_and_carry_nothing_forbidden(
    definition: dict[str, Any], spec: dict[str, Any]
) -> None:
    answer = taken(definition, spec)
    seen = Counter((one["kind"], one["metadata"]["name"]) for one in answer.objects)
    assert [key for key, count in seen.items() if count > 1] == []
    for one in answer.objects:
        assert schema.violations(one["kind"], one) == []
        assert forbidden_metadata(one) == []


@few
@given(definitions, specs)
def test_every_node_has_its_profile_and_every_link_its_nodes(
    definition: dict[str, Any], spec: dict[str, Any]
) -> None:
    answer = taken(definition, spec)
    nodes, profiles = answer.specs("Node"), answer.of("NodeProfile")
    assert {one["profileRef"]["name"] for one in nodes.values()} == set(profiles)
    ends = {
        one[end]["nodeName"]
        for one in answer.specs("Link").values()
        for end in ("endpointA", "endpointB")
    }
    assert ends <= {*nodes, "host"}
    assert len(nodes) == len(definition["topology"]["nodes"])


@few
@given(definitions, specs)
def test_yaml_read_by_another_reader_is_what_json_says(
    definition: dict[str, Any], spec: dict[str, Any]
) -> None:
    text = topology(definition, spec)
    answer = split(text)
    assume(answer.code == 0)
    written = command("split", "-f", "-", stdin=text.encode()).out
    assert list(yaml.load_all(written, yaml.CSafeLoader)) == answer.objects


@given(any_text)
@example("\x1b[31m")
@example("\x00")
@example("a" * 500)
@example("İ")
@settings(max_examples=150)
def test_any_text_as_a_node_name_gives_a_legal_name_or_one_error(name: str) -> None:
    definition = {"topology": {"nodes": {name: None}, "links": [{"endpoints": [
        {"node": name, "interface": "e1"}, {"node": name, "interface": "e2"}]}]}}  # fmt: skip
    if (
        not name.strip()
        or ":" in name
        or name.strip() != name
        or name in {"host", "mgmt-net", "macvlan"}
    ):
        definition["topology"].pop("links")
    answer = split(topology(definition))
    if answer.code:
        assert answer.codes() == [("colliding-node-names", "topology.nodes")]
        assert not any(character in "abcdefghijklmnopqrstuvwxyz0123456789" for character in name)
    else:
        (given_name,) = answer.of("Node")
        assert names.is_dns1035_label(given_name)
        for link in answer.of("Link"):
            assert names.is_dns1123_label(link)
    assert "\x1b" not in answer.err


@given(any_text)
@example("\x1b]0;x\x07")
@example("//")
@example("é" * 60)
@settings(max_examples=150)
def test_any_text_as_an_interface_name_gives_a_legal_name_or_one_error(interface: str) -> None:
    ends = [{"node": "a", "interface": interface}, {"node": "a", "interface": "other"}]
    answer = split(topology({"topology": {"nodes": {"a": None}, "links": [{"endpoints": ends}]}}))
    if answer.code:
        ((code, path),) = answer.codes()
        assert code == "malformed-endpoint"
        assert path.startswith("topology.links[0].endpoints[0]")
        assert ":" in interface or not interface.strip()
    else:
        (link,) = answer.of("Link")
        assert names.is_dns1123_label(link)
        (spec,) = answer.specs("Link").values()
        assert spec["endpointA"]["interfaceName"] == interface.strip()


@given(st.lists(any_text, min_size=2, max_size=8, unique=True))
@settings(max_examples=60)
def test_names_of_many_nodes_are_different_or_the_lab_is_refused(texts: list[str]) -> None:
    answer = split(topology({"topology": {"nodes": dict.fromkeys(texts)}}))
    if answer.code:
        assert {code for code, _ in answer.codes()} == {"colliding-node-names"}
    else:
        assert len(answer.of("Node")) == len(texts)


SEEDED = """topology:
  defaults: {labels: {b: x, a: y}, env: {Z: 1, A: 2}, own-b: 1, own-a: 2}
  nodes: {R2: {hostname: x, mgmt-net: m}, R1: {imag: x}, a: {ports: ['1:2', '3:4']}}
  links: [{endpoints: [R2:x, a:y]}, {endpoints: [R1:x, a:y]}]
"""
WRONG = "topology: {nodes: {b: {stages: 1, runtime: 2}, a: {labels: {c9s.run/a: x, c9s.run/b: y}}, A: {}}}\n"


def test_the_bytes_are_the_same_under_every_hash_seed(tmp_path: Path) -> None:
    files = []
    for index, text in enumerate((SEEDED, WRONG)):
        file = tmp_path / f"{index}.yaml"
        block = "".join(f"      {line}\n" for line in text.splitlines())
        head = "apiVersion: c9s.run/v1alpha1\nkind: Topology\nmetadata: {name: lab}\nspec:\n"
        file.write_text(
            f"{head}  rollout: {{batchSize: 1}}\n  definition:\n    containerlab: |\n{block}"
        )
        files.append(str(file))
    for name in files:
        outcomes = {seeded(name, seed) for seed in ("0", "1", "4242")}
        assert len(outcomes) == 1


def seeded(file: str, seed: str) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "split", "-f", file],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr
