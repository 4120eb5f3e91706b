"""The one RolloutPolicy of an input: which is taken, and what is said when none can be."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from policy_objects import policy

from kubectl_c9s.cli.policyinput import read_policy
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.rollout.limits import Limits
from kubectl_c9s.yamlio.writer import dump

if TYPE_CHECKING:
    from pathlib import Path

    from kubectl_c9s.rollout.policyfile import RolloutPolicy

CONFIG = (
    "apiVersion: c9s.run/v1alpha1\nkind: Config\nmetadata: {name: clabernetes}\nspec: {wrong: 1}\n"
)


def read(*paths: Path, namespace: str = "") -> tuple[RolloutPolicy, list[str]]:
    """Read the policy; give the codes of the warnings, too."""
    warnings = Findings()
    found = read_policy(tuple(map(str, paths)), warnings, namespace=namespace)
    assert not warnings.has_errors()
    return found, [one.code for one in warnings.warnings]


def written(folder: Path, name: str, *texts: str) -> Path:
    path = folder / name
    path.write_text("---\n".join(texts), encoding="utf-8")
    return path


def refusal(*paths: Path) -> RefusedInput:
    with pytest.raises(RefusedInput) as caught:
        read(*paths)
    assert caught.value.exit_code == 1
    return caught.value


def test_a_policy_is_read_among_other_objects_which_are_not_looked_at(tmp_path: Path) -> None:
    text = dump(policy("pace", config={"batchSize": 5}))
    found, warnings = read(written(tmp_path, "all.yaml", CONFIG, text, "any: thing\n", ""))
    assert (found.name, found.config, warnings) == ("pace", Limits(5), [])


def test_a_policy_is_read_from_stdin_and_out_of_a_list() -> None:
    listed = {"apiVersion": "v1", "kind": "List", "items": [policy("pace", config={})]}
    stdin = io.TextIOWrapper(io.BytesIO(dump(listed).encode()))
    with mock.patch("sys.stdin", stdin):
        assert read_policy(("-",), Findings()).name == "pace"


def test_the_namespace_of_the_flag_is_that_of_a_policy_that_names_none(tmp_path: Path) -> None:
    one = policy("pace")
    assert read(written(tmp_path, "p.yaml", dump(one)), namespace="c9s")[0].namespace == "c9s"
    one["metadata"]["namespace"] = "own"
    assert read(written(tmp_path, "p.yaml", dump(one)), namespace="c9s")[0].namespace == "own"
    assert read(written(tmp_path, "p.yaml", dump(policy("pace"))))[0].namespace == ""


def test_what_deserves_a_look_is_handed_on(tmp_path: Path) -> None:
    rule = {"match": {}, "batchSize": {"max": 5}}
    text = dump(policy(pacing={"mode": "Off"}, topologies=[rule, rule]))
    found, warnings = read(written(tmp_path, "p.yaml", text))
    assert sorted(warnings) == ["policy-field-unused", "unreachable-rule"]
    assert len(found.topologies) == 2


def test_everything_that_is_wrong_is_said_at_once_with_its_place(tmp_path: Path) -> None:
    text = dump(policy(config={"batchSize": -1}, colour="red", pacing="x"))
    path = written(tmp_path, "p.yaml", CONFIG, text)
    refused = refusal(path)
    assert [one.code for one in refused.findings] == ["unknown-field", "not-admissible"]
    assert refused.message == "the policy is not taken, 2 error(s) found"
    assert {one.position.file for one in refused.findings} == {str(path)}
    assert all(one.position.line > 5 for one in refused.findings)


def test_several_policies_are_named_with_their_places(tmp_path: Path) -> None:
    text = dump(policy("one", config={"batchSize": -1}))
    first = written(tmp_path, "a.yaml", CONFIG, text)
    second = written(tmp_path, "b.yaml", dump(policy("two")))
    refused = refusal(first, second)
    assert f"one ({first}:6), two ({second}:1)" in refused.message
    assert [one.code for one in refused.findings] == ["not-admissible"]


@pytest.mark.parametrize("text", ["", CONFIG, "any: thing\n", "- RolloutPolicy\n"])
def test_an_input_without_a_policy_is_refused(tmp_path: Path, text: str) -> None:
    refused = refusal(written(tmp_path, "p.yaml", text))
    assert refused.message.startswith("the input has no RolloutPolicy")
    assert refused.findings == ()


def test_a_policy_of_another_group_is_none_and_one_of_another_version_is_refused(
    tmp_path: Path,
) -> None:
    other = policy() | {"apiVersion": "example.com/v1"}
    assert refusal(written(tmp_path, "p.yaml", dump(other))).findings == ()
    for version, code in (
        ("toolkit.c9s.run/v2", "unsupported-version"),
        ("c9s.run/v1alpha1", "unknown-kind"),
    ):
        path = written(tmp_path, "p.yaml", dump(policy() | {"apiVersion": version}))
        assert [one.code for one in refusal(path).findings] == [code]


def test_a_file_that_is_no_yaml_is_refused_even_beside_a_policy(tmp_path: Path) -> None:
    broken = written(tmp_path, "a.yaml", "kind: RolloutPolicy\n  apiVersion: {\n")
    assert [one.code for one in refusal(broken).findings] == ["invalid-yaml"]
    whole = written(tmp_path, "b.yaml", dump(policy()))
    assert [one.code for one in refusal(broken, whole).findings] == ["invalid-yaml"]


def test_a_file_that_is_not_there_is_an_error_of_the_command_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path / "none.yaml")
    assert caught.value.exit_code == 2


def test_a_field_that_is_null_counts_as_absent(tmp_path: Path) -> None:
    text = dump(policy(config={"batchSize": None}, topologies=None, guards={"yieldTo": None}))
    found, warnings = read(written(tmp_path, "p.yaml", text))
    assert (found.config, found.topologies, warnings) == (Limits(), (), [])
    assert found.guards.yield_to
