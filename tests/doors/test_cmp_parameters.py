"""``cmp`` takes parameters and variables as Argo CD hands them over, and nothing else (conventions.md §6)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cmp_tools import generate, names, objects
from door_tools import BARE, call, parameters

from kubectl_c9s.cli.doorsettings import PLUGIN

if TYPE_CHECKING:
    from pathlib import Path


def test_defaults_that_are_announced_are_those_that_are_applied(source: Path) -> None:
    announced = json.loads(call("cmp", "parameters", cwd=source).out)
    assert [one["name"] for one in announced] == [one.name for one in PLUGIN]
    given = []
    for one in announced:
        assert one["collectionType"] in {"string", "array", "map"}
        assert one["title"]
        assert one["tooltip"]
        assert one["required"] is False
        given.append({"name": one["name"], one["collectionType"]: one[one["collectionType"]]})
    by_hand = call("cmp", "generate", cwd=source, env={"ARGOCD_APP_PARAMETERS": json.dumps(given)})
    assert by_hand.out == generate(source).out == call("cmp", "generate", cwd=source).out != ""


def test_parameters_set_name_namespace_and_what_objects_carry(source: Path) -> None:
    found = objects(
        generate(source, name="mine", namespace="there", owner_label="false", sync_waves="false")
    )
    assert {one["metadata"]["namespace"] for one in found} == {"there"}
    assert found[0]["metadata"] == {"name": "mine", "namespace": "there"}


def test_parameters_are_also_read_from_single_variables(source: Path) -> None:
    (source / "bare.clab.yml").write_text(BARE.replace("x:1", "$IMAGE:$TAG"), encoding="utf-8")
    env = {
        "PARAM_PATHS_0": "bare.clab.yml", "PARAM_NAMESPACE": "there", "PARAM_SET_IMAGE": "alpine",
        "PARAM_SET_TAG": "3", "PARAM_SYNC_WAVES": "false", "PARAM_MAX_OBJECT_BYTES": "5000",
    }  # fmt: skip
    answer = call("cmp", "generate", cwd=source, env=env)
    assert objects(answer)[-1]["spec"]["image"] == "alpine:3"
    assert {one["metadata"]["namespace"] for one in objects(answer)} == {"there"}
    # JSON is the whole truth where it is there.
    both = call("cmp", "generate", cwd=source, env=env | parameters(paths=["lab.yaml"]))
    assert "namespace" not in objects(both)[0]["metadata"]


def test_many_paths_keep_their_order(source: Path) -> None:
    for number in range(12):
        (source / f"{number}.clab.yml").write_text(
            BARE.replace("demo", f"lab-{number}"), encoding="utf-8"
        )
    order = [*range(11, -1, -1)]
    env = {f"PARAM_PATHS_{place}": f"{number}.clab.yml" for place, number in enumerate(order)}
    found = [
        name for name in names(call("cmp", "generate", cwd=source, env=env)) if "Profile" in name
    ]
    assert found == [f"NodeProfile/lab-{number}" for number in order]


def test_only_the_users_variables_reach_a_lab(source: Path) -> None:
    (source / "lab.yaml").unlink()
    bare = BARE.replace("x:1", "${A:=none}/${B:=none}/${HOME:=none}/${ARGOCD_APP_NAME:=none}")
    (source / "bare.clab.yml").write_text(bare, encoding="utf-8")
    env = {
        "A": "process", "HOME": "/secret", "ARGOCD_APP_NAME": "app", "CLAB_KUBE_NAMESPACE": "process",
        "ARGOCD_ENV_A": "user", "ARGOCD_ENV_B": "user",
    }  # fmt: skip
    found = objects(generate(source, env=env, set={"B": "parameter"}))
    assert found[-1]["spec"]["image"] == "user/parameter/none/none"
    assert found[-1]["metadata"]["namespace"] == "c9s-demo"
    chosen = objects(generate(source, env=env | {"ARGOCD_ENV_CLAB_KUBE_NAMESPACE": "mine"}))
    assert chosen[-1]["metadata"]["namespace"] == "mine"


def test_the_destination_namespace_is_taken_only_when_asked(source: Path) -> None:
    env = {"ARGOCD_APP_NAMESPACE": "destination"}
    assert "namespace" not in objects(generate(source, env=env))[0]["metadata"]
    found = objects(generate(source, env=env, destination_namespace="true"))
    assert {one["metadata"]["namespace"] for one in found} == {"destination"}
    for more in ({"namespace": "x"}, {}):
        answer = generate(source, env=env if more else None, destination_namespace="true", **more)
        assert (answer.code, answer.out) == (2, "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no JSON"),
        ('[{"string": "x"}]', "a list of parameters with a name each"),
        ('["x"]', "a list of parameters with a name each"),
        ('[{"name": "path", "string": "x"}]', "parameter 'path' is unknown"),
        ('[{"name": "name", "string": "x"}, {"name": "name", "string": "y"}]', "name is given twice"),
        ('[{"name": "paths", "string": "x"}]', "parameter paths is of type array, not string"),
        ('[{"name": "name", "array": ["x"]}]', "parameter name is of type string, not array"),
        ('[{"name": "paths", "array": [1]}]', "parameter paths has to be a list of texts"),
        ('[{"name": "set", "map": {"A": 1}}]', "parameter set has to be a mapping of texts"),
        ('[{"name": "set", "map": {"A B": "1"}}]', "parameter set: 'A B' is no name of a variable"),
        ('[{"name": "recursive", "string": "yes"}]', "has to be true or false, not 'yes'"),
        ('[{"name": "max-object-bytes", "string": "1e6"}]', "has to be a whole number, not '1e6'"),
        ('[{"name": "namespace", "string": "No"}]', "parameter namespace: 'No' is no name of a namespace"),
    ],
)  # fmt: skip
def test_a_parameter_that_cannot_be_used_is_an_error(source: Path, text: str, words: str) -> None:
    answer = call("cmp", "generate", cwd=source, env={"ARGOCD_APP_PARAMETERS": text})
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


@pytest.mark.parametrize(
    "text", ["", "[]", "null", '[{"name": "paths", "array": []}, {"name": "name", "string": ""}]']
)
def test_empty_parameters_are_the_defaults(source: Path, text: str) -> None:
    answer = call("cmp", "generate", cwd=source, env={"ARGOCD_APP_PARAMETERS": text})
    assert answer.out == generate(source).out
