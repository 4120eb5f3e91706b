"""``fn`` takes what its configuration says, refuses what it does not know, and stays in its directory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from door_tools import (
    BARE,
    LAB,
    call,
    config,
    resource_list,
)
from fn_tools import fn

if TYPE_CHECKING:
    from pathlib import Path


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
    tmp_path: Path, spec: dict[str, Any], field: str, words: str
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


def test_one_name_cannot_be_that_of_two_labs(tmp_path: Path) -> None:
    answer = fn(tmp_path, resource_list(LAB, config=config(name="x", topology=BARE)))
    assert answer.code == 2
    assert "name is set and can name one lab; there are 2" in answer.results[0]["message"]
    answer = fn(tmp_path, resource_list(LAB, config=config(name="x")))
    assert "name: x\n" in answer.out
