"""``fn`` changes what it is to change and keeps every byte of the rest (conventions.md §5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from door_tools import (
    BARE,
    LAB,
    as_item,
    call,
    config,
    items_as_stream,
    resource_list,
)
from fn_tools import KEPT, SPLIT, VALIDATE, fn
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path

ALIASED = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: *n}\n"


@given(
    items=st.lists(st.sampled_from(KEPT), unique=True), version=st.sampled_from(["v1", "v1beta1"])
)
def test_what_is_not_changed_keeps_every_byte(
    tmp_path_factory: pytest.TempPathFactory, items: list[str], version: str
) -> None:
    given_list = resource_list(*items, config=VALIDATE, version=version)
    answer = fn(tmp_path_factory.getbasetemp(), given_list)
    assert (answer.code, answer.out) == (0, given_list)


@given(
    before=st.lists(st.sampled_from(KEPT), max_size=3),
    after=st.lists(st.sampled_from(KEPT), max_size=3),
)
def test_a_topology_gives_way_to_its_objects_and_the_others_keep_their_bytes_and_order(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    stream = call("split", "-f", "-", cwd=folder, stdin=LAB).out
    answer = fn(folder, resource_list(*before, LAB, *after, config=SPLIT))
    assert answer.code == 0, answer.err
    objects = stream.split("---\n")
    assert answer.out == resource_list(*before, *objects, *after, config=SPLIT)


def test_topologies_give_way_each_in_its_place(tmp_path: Path) -> None:
    other = LAB.replace("name: demo", "name: other\n  namespace: other")
    answer = fn(tmp_path, resource_list(LAB, KEPT[0], other))
    names = [(one["kind"], one["metadata"]["name"]) for one in answer.value["items"]]
    mine = [("Link", "a-eth1-b-eth1"), ("Node", "a"), ("Node", "b")]
    assert names == [
        ("NodeProfile", "demo"),
        *mine,
        ("ConfigMap", "a"),
        ("NodeProfile", "other"),
        *mine,
    ]


def test_comments_behind_a_topology_stay(tmp_path: Path) -> None:
    behind = "  # of the lab\n# of the next object\n\n# still\n"
    text = resource_list(LAB, KEPT[1]).replace(
        "- apiVersion: v1\n  kind: Secret", f"{behind}- apiVersion: v1\n  kind: Secret"
    )
    out = fn(tmp_path, text).out
    assert behind.partition("\n")[2] + as_item(KEPT[1]) in out
    assert "# of the lab" not in out


def test_a_list_that_is_indented_or_has_lone_dashes_stays_so(tmp_path: Path) -> None:
    text = (
        "# head\napiVersion: config.kubernetes.io/v1\nkind: ResourceList # list\nitems: # the items\n"
        "  # first\n  -\n    # lab\n" + "".join(f"    {line}\n" for line in LAB.splitlines())
        + "  - # note\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: z}\n# end\n"
    )  # fmt: skip
    answer = fn(tmp_path, text)
    assert answer.out.startswith(
        text[: text.index("  -\n")] + "  - apiVersion: c9s.run/v1alpha1\n    kind: NodeProfile\n"
    )
    assert answer.out.endswith("      name: demo\n" + text[text.index("  - # note") :])
    assert len(answer.value["items"]) == 5


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "items": [yaml.safe_load(LAB)]}),
        f"kind: ResourceList\napiVersion: config.kubernetes.io/v1\nitems: [{json.dumps(yaml.safe_load(LAB))}]\n",
        resource_list(LAB) + "...\n",
        resource_list(LAB.replace("name: demo", "name: &n demo"), ALIASED),
    ],
    ids=["JSON", "flow style", "end marker", "alias"],
)  # fmt: skip
def test_a_list_of_another_style_is_answered_with_the_same_objects(
    tmp_path: Path, text: str
) -> None:
    answer = fn(tmp_path, text)
    assert answer.code == 0, answer.err
    expected = list(yaml.safe_load_all(call("split", "-f", "-", cwd=tmp_path, stdin=LAB).out))
    assert answer.value["items"][: len(expected)] == expected
    assert (
        answer.value["items"][len(expected) :]
        == yaml.safe_load(text.replace("...", ""))["items"][1:]
    )


def test_labs_that_the_configuration_holds_and_names_come_behind_the_items(tmp_path: Path) -> None:
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/one.clab.yml").write_text(BARE.replace("demo", "one"), encoding="utf-8")
    (tmp_path / "labs/two.yaml").write_text(LAB.replace("demo", "two"), encoding="utf-8")
    given_list = resource_list(KEPT[0], config=config(topology=BARE, paths=["labs"]))
    answer = fn(tmp_path, given_list)
    assert answer.code == 0, answer.err
    profiles = [
        one["metadata"]["name"] for one in answer.value["items"] if one["kind"] == "NodeProfile"
    ]
    assert profiles == ["demo", "one", "two"]
    assert items_as_stream(answer.out).startswith(KEPT[0].rstrip("\n").rpartition("\n")[0])


def test_the_configuration_that_kustomize_puts_among_the_items_is_kept(tmp_path: Path) -> None:
    own = config(topology=LAB).replace(
        "  name: labs", "  name: labs\n  annotations: {config.kubernetes.io/local-config: 'true'}"
    )
    answer = fn(tmp_path, resource_list(own, config=own))
    assert answer.code == 0, answer.err
    kinds = [one["kind"] for one in answer.value["items"]]
    assert kinds == ["C9sSplit", "NodeProfile", "Link", "Node", "Node"]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    once = fn(tmp_path, resource_list(KEPT[0], LAB, config=SPLIT)).out
    again = fn(tmp_path, once)
    assert (again.code, again.out) == (0, once)


def test_an_object_that_is_there_already_is_refused(tmp_path: Path) -> None:
    there = "apiVersion: c9s.run/v1alpha1\nkind: Node\nmetadata: {name: a}\nspec: {image: x}\n"
    answer = fn(tmp_path, resource_list(there, LAB))
    assert (answer.code, answer.codes()) == (1, [("error", "duplicate-object-name")])
