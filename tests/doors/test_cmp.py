"""``cmp`` keeps the contract of Argo CD's config management plugins (conventions.md §6)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from door_tools import BARE, BROKEN, LAB, Answer, call, parameters

from kubectl_c9s.cli.doorsettings import PLUGIN

if TYPE_CHECKING:
    from pathlib import Path

OTHER = "# ours\napiVersion: v1\nkind: Secret\nmetadata: {name: other}\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Give a source directory with one lab."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "lab.yaml").write_text(LAB, encoding="utf-8")
    return folder


def generate(source: Path, env: dict[str, str] | None = None, **given: Any) -> Answer:
    return call("cmp", "generate", cwd=source, env=parameters(**given) | (env or {}))


def objects(answer: Answer) -> list[dict[str, Any]]:
    assert answer.code == 0, answer.err
    return list(yaml.safe_load_all(answer.out))


def names(answer: Answer) -> list[str]:
    return [f"{one['kind']}/{one['metadata']['name']}" for one in objects(answer)]


def test_it_renders_the_labs_of_the_directory(source: Path) -> None:
    (source / "bare.clab.yml").write_text(BARE.replace("demo", "other"), encoding="utf-8")
    (source / ".hidden.yaml").write_text(BROKEN, encoding="utf-8")
    (source / "sub").mkdir()
    (source / "sub/more.yml").write_text(
        LAB.replace("demo", "more").replace("spec:", "  namespace: more\nspec:", 1),
        encoding="utf-8",
    )
    flat = [
        "NodeProfile/other",
        "NodeProfile/demo",
        "Link/a-eth1-b-eth1",
        "Node/a",
        "Node/a",
        "Node/b",
    ]
    assert names(generate(source)) == flat
    assert len(names(generate(source, recursive="true"))) == len(flat) + 4
    assert names(generate(source, paths=["sub"]))[0] == "NodeProfile/more"


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


def test_a_directory_without_a_lab_is_an_error_unless_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(OTHER, encoding="utf-8")
    answer = generate(tmp_path)
    assert (answer.code, answer.out) == (1, "")
    assert "other.yaml:2:1: warning: the document is no lab and is left out" in answer.err
    assert "error: the directory has no lab" in answer.err
    allowed = generate(tmp_path, allow_empty="true")
    assert (allowed.code, allowed.out) == (0, "")


def test_a_lab_that_is_refused_is_an_error_even_where_nothing_is_allowed(source: Path) -> None:
    (source / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    answer = generate(source, allow_empty="true")
    assert (answer.code, answer.out) == (1, "")
    assert "broken.yaml:13:35: error: endpoint names node 'nobody'" in answer.err


def test_other_objects_are_rendered_as_they_were_when_asked(source: Path) -> None:
    (source / "other.yaml").write_text(OTHER, encoding="utf-8")
    assert "Secret" not in generate(source).out
    answer = generate(source, pass_through="true")
    assert answer.out == OTHER + "---\n" + generate(source).out


@pytest.mark.parametrize("text", ["a: 1\n", "[1]\n", "apiVersion: v1\nkind: ConfigMap\n"])
def test_what_is_no_object_never_reaches_the_output(source: Path, text: str) -> None:
    (source / "odd.yaml").write_text(text, encoding="utf-8")
    answer = generate(source, pass_through="true")
    assert (answer.code, answer.out) == (1, "")
    assert "odd.yaml:1:1: error: the document is no Kubernetes object" in answer.err


def test_two_objects_of_one_name_are_refused(source: Path) -> None:
    there = "apiVersion: c9s.run/v1beta1\nkind: Node\nmetadata: {name: a}\n"
    (source / "node.yaml").write_text(there, encoding="utf-8")
    answer = generate(source, pass_through="true")
    assert (answer.code, answer.out) == (1, "")
    assert "the Node 'a' of namespace '' is there twice [duplicate-object-name]" in answer.err


def test_the_order_of_waves_is_profiles_and_maps_then_links_then_nodes(source: Path) -> None:
    (source / "lab.yaml").unlink()
    bare = (
        BARE.replace("'x:1'", "'x:1', startup-config: a.cfg") + "    b: {kind: linux, image: x}\n"
    )
    (source / "bare.clab.yml").write_text(
        f"{bare}  links:\n    - endpoints: ['a:e1', 'b:e1']\n", encoding="utf-8"
    )
    (source / "a.cfg").write_text("x\n", encoding="utf-8")
    found = objects(generate(source, create_namespace="true"))
    wave = "argocd.argoproj.io/sync-wave"
    waves = [(one["kind"], one["metadata"]["annotations"][wave]) for one in found]
    assert waves == [
        ("Namespace", "0"), ("ConfigMap", "0"), ("NodeProfile", "0"), ("Link", "1"), ("Node", "2"), ("Node", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        {"paths": [".."]},
        {"paths": ["../outside/lab.yaml"]},
        {"paths": ["link.yaml"]},
        {"paths": ["folder/lab.yaml"]},
        {"paths": ["folder/back.yaml"]},
        {"paths": ["/etc/passwd"]},
        {"paths": ["~/lab.yaml"]},
        {"paths": ["lab.yaml\0"]},
        {"paths": ["."]},
        {"paths": ["lab.yaml"], "allow_outside": ["../outside"]},
        {"paths": ["lab.yaml"], "allow_outside": ["folder"]},
    ],
)
def test_no_path_leaves_the_source_directory(source: Path, given: dict[str, Any]) -> None:
    outside = source.parent / "outside"
    outside.mkdir()
    (outside / "lab.yaml").write_text(LAB.replace("demo", "secret"), encoding="utf-8")
    (outside / "back.yaml").symlink_to(source / "lab.yaml")
    (source / "link.yaml").symlink_to("../outside/lab.yaml")
    (source / "folder").symlink_to("../outside")
    answer = generate(source, **given)
    assert (answer.code, answer.out) == (2, "")
    assert "secret" not in answer.err


@pytest.mark.parametrize(
    "config", ["../outside/a.cfg", "link.cfg", "folder/a.cfg", "/etc/hostname", "~/a.cfg"]
)
def test_no_file_of_a_lab_leaves_the_source_directory(source: Path, config: str) -> None:
    outside = source.parent / "outside"
    outside.mkdir()
    (outside / "a.cfg").write_text("secret", encoding="utf-8")
    (source / "link.cfg").symlink_to("../outside/a.cfg")
    (source / "folder").symlink_to("../outside")
    bare = BARE.replace("'x:1'", f"'x:1', startup-config: {config}")
    (source / "bare.clab.yml").write_text(bare, encoding="utf-8")
    answer = generate(source, paths=["bare.clab.yml"])
    assert (answer.code, answer.out) == (1, "")
    assert "secret" not in answer.err


def test_links_and_directories_inside_the_source_directory_are_followed(source: Path) -> None:
    (source / "shared").mkdir()
    (source / "shared/a.cfg").write_text("hello\n", encoding="utf-8")
    (source / "labs").mkdir()
    bare = BARE.replace("'x:1'", "'x:1', startup-config: ../shared/a.cfg")
    (source / "shared/bare.clab.yml").write_text(bare, encoding="utf-8")
    (source / "labs/bare.clab.yml").symlink_to("../shared/bare.clab.yml")
    refused = generate(source, paths=["labs/bare.clab.yml"])
    assert "outside-lab-directory" in refused.err
    found = objects(generate(source, paths=["labs"], allow_outside=["shared"]))
    assert found[0]["data"] == {"file": "hello\n"}


@pytest.mark.skipif(os.fsencode("\udcff") != b"\xff", reason="file names are not bytes here")
def test_a_file_name_that_is_no_text_is_an_error(source: Path) -> None:
    with open(os.fsencode(source) + b"/\xff.yaml", "wb") as stream:  # noqa: PTH123 - a name of bytes
        stream.write(LAB.encode())
    answer = generate(source)
    assert (answer.code, answer.out) == (2, "")
    assert "the name is not valid UTF-8" in answer.err
