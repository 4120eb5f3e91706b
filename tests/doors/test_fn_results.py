"""``fn`` puts what it finds into results, with object, field, file, place and code (conventions.md §5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from door_tools import (
    BROKEN,
    LAB,
    call,
    config,
    resource_list,
)
from fn_tools import KEPT, RENAMED, VALIDATE, fn

if TYPE_CHECKING:
    from pathlib import Path


def test_findings_are_results_with_object_field_file_place_and_code(tmp_path: Path) -> None:
    annotations = (
        "  annotations:\n    internal.config.kubernetes.io/path: labs/demo.yaml\n"
        "    internal.config.kubernetes.io/index: '2'\n"
    )
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


def test_results_stand_in_the_list_also_where_the_input_has_an_end_marker(tmp_path: Path) -> None:
    assert len(fn(tmp_path, resource_list(RENAMED, KEPT[1]) + "...\n").results) == 1
    assert len(fn(tmp_path, resource_list(RENAMED, KEPT[1]) + "---\n").results) == 1


def test_a_validator_finds_what_split_finds_and_changes_nothing(tmp_path: Path) -> None:
    given_list = resource_list(KEPT[0], BROKEN, KEPT[1], config=VALIDATE)
    answer = fn(tmp_path, given_list)
    assert (answer.code, answer.codes()) == (1, [("error", "unknown-link-endpoint")])
    assert answer.out.startswith(given_list)
    sound = resource_list(KEPT[0], LAB, config=VALIDATE)
    answer = fn(tmp_path, sound)
    assert (answer.code, answer.out) == (0, sound)


def test_a_validator_checks_all_objects_together_as_validate_does(tmp_path: Path) -> None:
    node = (
        "apiVersion: c9s.run/v1alpha1\nkind: Node\nmetadata: {name: a}\n"
        "spec: {image: x, profileRef: {name: gone}}\n"
    )
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
