from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rendered_lab import C9S, demo, head, link, node, profile, rendering

from kubectl_c9s.yamlio.inventory import is_own_path
from kubectl_c9s.yamlio.layout import LAYOUTS, Identity, Layout, arrange, identify, place

LAYOUT = st.sampled_from(LAYOUTS)
NAMES = st.text(max_size=300) | st.sampled_from(["a", "A", "a.b", "shared", "_shared", "con", ""])
KINDS = st.sampled_from(
    [
        ("", "Namespace"),
        ("", "ConfigMap"),
        ("", "Node"),
        ("rbac.authorization.k8s.io", "Role"),
        ("c9s.run", "NodeProfile"),
        ("c9s.run", "Link"),
        ("c9s.run", "Node"),
    ]
)
IDENTITIES = st.builds(
    lambda kind, *rest: Identity(kind[0], kind[1], rest[0], rest[1], tuple(sorted(rest[2]))),
    KINDS,
    NAMES,
    st.sampled_from(["", "a", "b"]),
    st.sets(NAMES, max_size=2),
)


def paths(objects: list[dict[str, Any]], layout: Layout) -> list[str]:
    return [path for path, _ in arrange([(obj, None) for obj in objects], "demo", layout)]


def test_by_kind_has_a_folder_for_each_kind_in_the_order_of_application() -> None:
    assert paths(demo()[::-1], "by-kind") == [
        "namespace.yaml",
        "configmaps/demo-file-1.yaml",
        "configmaps/demo-file-0.yaml",
        "nodeprofiles/demo-r2.yaml",
        "nodeprofiles/demo.yaml",
        "links/r1-eth1-r2-eth2.yaml",
        "nodes/r2.yaml",
        "nodes/r1.yaml",
    ]


def test_by_node_gathers_what_belongs_to_one_node_alone() -> None:
    assert paths(demo(), "by-node") == [
        "_shared/namespace.yaml",
        "_shared/configmaps/demo-file-0.yaml",
        "r2/configmaps/demo-file-1.yaml",
        "_shared/nodeprofiles/demo.yaml",
        "r2/profile.yaml",
        "r1/links/r1-eth1-r2-eth2.yaml",
        "r1/node.yaml",
        "r2/node.yaml",
    ]


def test_the_profile_of_the_lab_is_shared_even_by_a_single_node() -> None:
    assert paths([profile("demo"), node("r1")], "by-node") == [
        "_shared/nodeprofiles/demo.yaml",
        "r1/node.yaml",
    ]


def test_a_link_from_the_host_belongs_to_the_node_at_its_other_end() -> None:
    assert paths([link("host", "r1")], "by-node") == ["r1/links/host-eth1-r1-eth2.yaml"]


def test_a_node_called_shared_does_not_meet_what_is_shared() -> None:
    found = paths([profile("demo"), node("shared")], "by-node")
    assert found == ["_shared/nodeprofiles/demo.yaml", "shared/node.yaml"]


def test_objects_of_other_kinds_go_in_front_and_apart() -> None:
    role = head("Role", "system:reader", "rbac.authorization.k8s.io/v1")
    (other, own) = paths([node("r1"), role], "by-kind")
    assert own == "nodes/r1.yaml"
    assert other.startswith("others/role-system-reader_")


def test_a_node_of_the_cluster_is_not_taken_for_a_node_of_the_lab() -> None:
    assert paths([head("Node", "worker", "v1")], "by-node") == ["_shared/others/node-worker.yaml"]


def test_of_a_config_map_the_head_is_enough() -> None:
    heads = [{key: obj[key] for key in ("apiVersion", "kind", "metadata")} for obj in demo()[:3]]
    assert paths([*heads, *demo()[3:]], "by-node") == paths(demo(), "by-node")


def test_one_object_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="twice"):
        paths([node("r1"), node("r1")], "by-kind")


def test_names_that_differ_in_case_alone_get_files_that_differ_in_more() -> None:
    heads = [head("ConfigMap", "Data", "v1"), head("ConfigMap", "DATA", "v1")]
    assert len({path.casefold() for path in paths(heads, "by-kind")}) == 2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_another_image_of_one_node_changes_one_file(layout: Layout) -> None:
    before, after = (dict(rendering(demo(image), layout).files) for image in ("a:1", "a:2"))
    texts = [{path: text() for path, text in files.items()} for files in (before, after)]  # type: ignore[operator]
    changed = {path for path, text in texts[1].items() if texts[0][path] != text}
    assert texts[0].keys() == texts[1].keys()
    assert changed == {"nodes/r1.yaml" if layout == "by-kind" else "r1/node.yaml"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_node_more_leaves_the_files_of_the_others_where_they_are(layout: Layout) -> None:
    assert set(paths(demo(), layout)) < set(paths(demo(third=True), layout))


@given(st.lists(IDENTITIES, unique_by=lambda one: one[:4], max_size=8), LAYOUT)
def test_every_object_gets_a_path_of_its_own_that_stays_inside(
    objects: list[Identity], layout: Layout
) -> None:
    found = place(objects, layout)
    assert len({path.casefold() for path in found}) == len(objects)
    assert [path for path in found if not is_own_path(path)] == []
    assert all(len(part) <= 255 for path in found for part in path.split("/"))
    folders = {path[:end] for path in found for end, letter in enumerate(path) if letter == "/"}
    assert folders.isdisjoint(found)


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["profileRef", "name", "filesFromConfigMap", "endpointA", "nodeName"]),
            inner,
        )
    ),
    max_leaves=6,
)


@given(st.sampled_from(["Node", "Link", "NodeProfile"]), JSON)
def test_objects_of_any_shape_have_an_identity(kind: str, spec: Any) -> None:
    (found,) = identify([{**head(kind, "x"), "spec": spec}], "demo")
    assert found[:4] == (C9S.partition("/")[0], kind, "x", "c9s-demo")
