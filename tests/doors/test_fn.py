"""``fn`` keeps the contract of KRM functions (conventions.md §5)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
import yaml
from door_tools import (
    BARE,
    BROKEN,
    LAB,
    Answer,
    as_item,
    call,
    config,
    items_as_stream,
    resource_list,
)
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path

# Texts that a reader and writer of YAML would not give back as they were.
KEPT = (
    "# ahead\napiVersion: v1 # behind\nkind: ConfigMap\nmetadata: {name: 'a',   labels: {x: 'y'}}\n# below\n",
    'apiVersion: v1\nkind: Secret\nmetadata:\n    name: "b"\nstringData:\n    t: |+\n        # no comment\n\n\n',
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: 'it''s\n    folded'\n  b: >-\n    folded\n    too\n",
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "d"}, "data": {"n": "017"}}\n',
    "kind: Service\napiVersion: v1\nmetadata:\n  annotations:\n    internal.config.kubernetes.io/path: 'x/y.yaml'\n"
    "    internal.config.kubernetes.io/index: '3'\n    config.k8s.io/id: '1'\n  name: e\n",
)
RENAMED = LAB.replace(" a:", " A:").replace('"a:', '"A:')
SPLIT = config()
VALIDATE = config(kind="C9sValidate")


def fn(cwd: Path, stdin: str) -> Answer:
    return call("fn", cwd=cwd, stdin=stdin)


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
        resource_list(LAB.replace("name: demo", "name: &n demo"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: *n}\n"),
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


def test_findings_are_results_with_object_field_file_place_and_code(tmp_path: Path) -> None:
    annotations = "  annotations:\n    internal.config.kubernetes.io/path: labs/demo.yaml\n    internal.config.kubernetes.io/index: '2'\n"
    broken = BROKEN.replace("  name: demo\n", f"  name: demo\n  namespace: lab\n{annotations}")
    given_list = resource_list(KEPT[0], broken)
    answer = fn(tmp_path, given_list)
    assert answer.code == 1
    assert answer.out.startswith(given_list)
    (result,) = answer.results
    line = next(number for number, text in enumerate(broken.splitlines(), 1) if "nobody" in text)
    assert result == {
        "severity": "error",
        "message": "endpoint names node 'nobody', which is no node of this definition",
        "resourceRef": {
            "apiVersion": "c9s.run/v1alpha1",
            "kind": "Topology",
            "name": "demo",
            "namespace": "lab",
        },
        "field": {"path": "spec.definition.containerlab"},
        "file": {"path": "labs/demo.yaml", "index": 2},
        "tags": {
            "code": "unknown-link-endpoint",
            "path": "topology.links[0].endpoints[1]",
            "line": str(line),
            "column": str(broken.splitlines()[line - 1].index('"nobody') + 1),
        },
    }
    assert f"labs/demo.yaml#2:{line}:" in answer.err


def test_findings_of_the_outer_object_name_its_own_field(tmp_path: Path) -> None:
    wrong = LAB.replace("spec:\n", "spec:\n  naming: prefixed\n")
    (result,) = fn(tmp_path, resource_list(wrong)).results
    assert result["field"] == {"path": "spec.naming"}
    assert result["tags"] == {"code": "removed-field", "line": "6", "column": "3"}


def test_findings_in_a_named_file_carry_its_path(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(BROKEN, encoding="utf-8")
    (result,) = fn(tmp_path, resource_list(config=config(paths=["lab.yaml"]))).results
    assert result["file"] == {"path": "lab.yaml", "index": 0}
    assert result["tags"]["line"] == "13"
    assert "resourceRef" not in result


def test_findings_in_a_lab_the_configuration_holds_point_into_that_lab(tmp_path: Path) -> None:
    (result,) = fn(tmp_path, resource_list(config=config(topology=BROKEN))).results
    assert result["resourceRef"] == {
        "apiVersion": "kubectl.c9s.run/v1alpha1",
        "kind": "C9sSplit",
        "name": "labs",
    }
    assert result["field"] == {"path": "spec.topology"}
    assert (result["tags"]["line"], result["tags"]["path"]) == (
        "13",
        "topology.links[0].endpoints[1]",
    )


def test_warnings_are_results_and_do_not_fail_unless_asked(tmp_path: Path) -> None:
    renamed = RENAMED
    answer = fn(tmp_path, resource_list(renamed))
    assert (answer.code, answer.codes()) == (0, [("warning", "renamed-nodes")])
    strict = fn(tmp_path, resource_list(renamed, config=config(failOnWarning=True)))
    assert (strict.code, strict.codes()) == (1, [("warning", "renamed-nodes"), ("error", "")])
    assert strict.value["items"] == yaml.safe_load(resource_list(renamed))["items"]


def test_results_of_earlier_functions_are_kept(tmp_path: Path) -> None:
    earlier = {"message": "hello", "severity": "info"}
    text = resource_list(RENAMED) + f"results: [{json.dumps(earlier)}]\n"
    found = fn(tmp_path, text).results
    assert found[0] == earlier
    assert len(found) == 2
    quiet = resource_list(LAB) + "results:\n- message: hello # as it was\n"
    assert fn(tmp_path, quiet).out.endswith("results:\n- message: hello # as it was\n")


def test_a_validator_finds_what_split_finds_and_changes_nothing(tmp_path: Path) -> None:
    given_list = resource_list(KEPT[0], BROKEN, KEPT[1], config=VALIDATE)
    answer = fn(tmp_path, given_list)
    assert (answer.code, answer.codes()) == (1, [("error", "unknown-link-endpoint")])
    assert answer.out.startswith(given_list)
    sound = resource_list(KEPT[0], LAB, config=VALIDATE)
    answer = fn(tmp_path, sound)
    assert (answer.code, answer.out) == (0, sound)


def test_a_validator_checks_all_objects_together_as_validate_does(tmp_path: Path) -> None:
    node = "apiVersion: c9s.run/v1alpha1\nkind: Node\nmetadata: {name: a}\nspec: {image: x, profileRef: {name: gone}}\n"
    (tmp_path / "node.yaml").write_text(node, encoding="utf-8")
    report = json.loads(call("validate", "-f", "node.yaml", "-o", "json", cwd=tmp_path).out)
    expected = [(one["severity"], one["code"]) for one in report["findings"]]
    assert expected
    answer = fn(tmp_path, resource_list(KEPT[0], node, config=VALIDATE))
    assert answer.codes() == expected
    assert {one["resourceRef"]["kind"] for one in answer.results} == {"Node"}
    ignoring = config(kind="C9sValidate", ignore=[code for _, code in expected])
    quiet = fn(tmp_path, resource_list(KEPT[0], node, config=ignoring))
    assert (quiet.code, quiet.results) == (0, [])
    wrong = fn(tmp_path, resource_list(node, config=config(kind="C9sValidate", ignore=["no-such"])))
    assert wrong.results[0]["message"] == "spec.ignore there is no code 'no-such'"


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    once = fn(tmp_path, resource_list(KEPT[0], LAB, config=SPLIT)).out
    again = fn(tmp_path, once)
    assert (again.code, again.out) == (0, once)


def test_an_object_that_is_there_already_is_refused(tmp_path: Path) -> None:
    there = "apiVersion: c9s.run/v1alpha1\nkind: Node\nmetadata: {name: a}\nspec: {image: x}\n"
    answer = fn(tmp_path, resource_list(there, LAB))
    assert (answer.code, answer.codes()) == (1, [("error", "duplicate-object-name")])


@pytest.mark.parametrize(
    ("spec", "field", "words"),
    [
        ({"path": ["x"]}, "path", "is no field; known are paths, recursive, name"),
        ({"paths": "x"}, "paths", "has to be a list of texts"),
        (
            {"set": {"A": 1}},
            "set",
            "has to be a mapping of texts; write numbers, true and false in quotes",
        ),
        ({"set": {"A-B": "1"}}, "set", "'A-B' is no name of a variable"),
        ({"recursive": "yes"}, "recursive", "has to be true or false"),
        ({"maxObjectBytes": True}, "maxObjectBytes", "has to be a whole number"),
        ({"maxObjectBytes": 0}, "maxObjectBytes", "has to be 1 or more"),
        ({"namespace": "No"}, "namespace", "'No' is no name of a namespace"),
        (
            {"exposeType": "Node"},
            "exposeType",
            "'Node' is none of ClusterIP, Headless, LoadBalancer, None",
        ),
        (
            {"topology": {"a": "b"}},
            "topology",
            "has to be a text: a Topology manifest or a containerlab file",
        ),
    ],
)
def test_a_configuration_with_something_wrong_is_a_result_at_its_field(
    tmp_path: Path, spec: dict[str, object], field: str, words: str
) -> None:
    answer = fn(tmp_path, resource_list(LAB, config=config(**spec)))
    assert answer.code == 1
    (result,) = answer.results
    assert result["field"] == {"path": f"spec.{field}"}
    assert result["message"].startswith(f"spec.{field} {words}")
    assert result["tags"]["code"] == "invalid-function-config"
    assert (result["tags"]["line"], result["resourceRef"]["kind"]) == ("5", "C9sSplit")


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: labs}\ndata: {}\n",
        config().replace("v1alpha1", "v2"),
        config().replace("C9sSplit", "Split"),
    ],
)
def test_a_configuration_of_another_kind_is_refused(tmp_path: Path, text: str) -> None:
    answer = fn(tmp_path, resource_list(LAB, config=text))
    assert answer.codes() == [("error", "invalid-function-config")]
    assert (
        "has to be a C9sSplit or C9sValidate of kubectl.c9s.run/v1alpha1"
        in answer.results[0]["message"]
    )


def test_a_validator_names_no_labs(tmp_path: Path) -> None:
    answer = fn(
        tmp_path, resource_list(LAB, config=config(kind="C9sValidate", paths=["x"], topology=LAB))
    )
    assert [one["field"]["path"] for one in answer.results] == ["spec.paths", "spec.topology"]


@pytest.mark.parametrize(
    ("stdin", "words"),
    [
        ("", "stdin is empty"),
        ("a: [", "not valid YAML"),
        (LAB, "the input is no ResourceList"),
        (resource_list(LAB, version="v2"), "has to be of version config.kubernetes.io/v1 or"),
        (resource_list(LAB) + "---\n" + LAB, "there is a second document"),
        (resource_list().replace("[]", "{}"), "items has to be a list"),
        (resource_list("a"), "every item has to be an object"),
        (resource_list(KEPT[0] + "kind: Twice\n"), "key 'kind' is given twice"),
    ],
)
def test_an_input_that_cannot_be_read_is_answered_with_a_list_of_one_result(
    tmp_path: Path, stdin: str, words: str
) -> None:
    answer = fn(tmp_path, stdin)
    assert answer.code == 1
    assert answer.value["kind"] == "ResourceList"
    assert answer.value["items"] == []
    assert [one["severity"] for one in answer.results] == ["error"]
    assert words in answer.results[0]["message"]
    assert words in answer.err


def test_nothing_to_do_without_items_and_labs_is_an_error(tmp_path: Path) -> None:
    answer = fn(tmp_path, resource_list())
    assert (answer.code, answer.codes()) == (1, [("error", "")])
    assert "spec.topology or spec.paths" in answer.err


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (["../lab.yaml"], "leads out of the current directory"),
        (["link.yaml"], "leads out of the current directory"),
        (["elsewhere/back.yaml"], "leads out of the current directory"),
        (["{absolute}"], "leads out of the current directory"),
        (["none.yaml"], "none.yaml: it does not exist"),
        (["pipe.yaml"], "no regular file"),
    ],
)
def test_paths_stay_in_the_working_directory(tmp_path: Path, paths: list[str], words: str) -> None:
    work, outside = tmp_path / "work", tmp_path / "outside"
    work.mkdir()
    outside.mkdir()
    for file in (tmp_path / "lab.yaml", work / "inside.yaml"):
        file.write_text(LAB, encoding="utf-8")
    (work / "link.yaml").symlink_to("../lab.yaml")
    (work / "elsewhere").symlink_to("../outside")
    (outside / "back.yaml").symlink_to("../work/inside.yaml")
    os.mkfifo(work / "pipe.yaml")
    named = [path.format(absolute=work / "inside.yaml") for path in paths]
    answer = fn(work, resource_list(config=config(paths=named)))
    assert answer.code == 2
    (result,) = answer.results
    assert words in result["message"]
    assert answer.value["items"] == []


def test_the_environment_does_not_reach_a_lab(tmp_path: Path) -> None:
    bare = BARE.replace("x:1", "${IMAGE:=none}")
    text = resource_list(config=config(topology=bare))
    answer = call(
        "fn", cwd=tmp_path, stdin=text, env={"IMAGE": "leaked", "CLAB_KUBE_NAMESPACE": "leaked"}
    )
    assert "image: none" in answer.out
    assert "leaked" not in answer.out
    chosen = fn(tmp_path, resource_list(config=config(topology=bare, set={"IMAGE": "chosen"})))
    assert "image: chosen" in chosen.out
    assert chosen.results == [{"message": "variables replaced: IMAGE", "severity": "info"}]


def test_an_older_plugin_says_on_stderr_what_is_wrong_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(config(), encoding="utf-8")
    answer = call("fn", "config", cwd=tmp_path, stdin=BROKEN)
    assert (answer.code, answer.out) == (1, "")
    assert "Topology/demo:13:35: error: endpoint names node 'nobody'" in answer.err


def test_an_older_plugin_keeps_the_other_objects_of_the_stream(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(config(), encoding="utf-8")
    answer = call("fn", "config", cwd=tmp_path, stdin="---\n".join([KEPT[0], LAB, KEPT[1]]))
    alone = call("split", "-f", "-", cwd=tmp_path, stdin=LAB).out
    assert answer.out == "---\n".join([KEPT[0], alone, KEPT[1]])


@pytest.mark.parametrize("content", [None, "", "a: 1\n---\nb: 2\n"])
def test_an_older_plugin_needs_one_configuration(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "config").write_text(content, encoding="utf-8")
    answer = call("fn", "config", cwd=tmp_path, stdin=LAB)
    assert (answer.code, answer.out) == (2, "")


def test_one_name_cannot_be_that_of_two_labs(tmp_path: Path) -> None:
    answer = fn(tmp_path, resource_list(LAB, config=config(name="x", topology=BARE)))
    assert answer.code == 2
    assert "name is set and can name one lab; there are 2" in answer.results[0]["message"]
    answer = fn(tmp_path, resource_list(LAB, config=config(name="x")))
    assert "name: x\n" in answer.out
