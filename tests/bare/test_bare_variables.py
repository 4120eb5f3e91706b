"""Variables of containerlab files on the command line: where they come from, what is said, places of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bare_lab import Directory, command, placed

if TYPE_CHECKING:
    from pathlib import Path

EVERYWHERE = """
    # the comment ${A} may use $B too
    name: $LAB
    topology:
      nodes:
        n$A:
          kind: linux
          image: "alpine:${TAG:-3}"
          env:
            KEY_$A: '$B'
            ${B}: x
          startup-config: |
            hostname n$A
            motd $$A $C ${C}
"""


def test_variables_are_replaced_in_comments_keys_and_blocks(tmp_path: Path) -> None:
    env = {"A": "1", "B": "two", "LAB": "Paris"}
    answer = Directory(tmp_path, EVERYWHERE).accepted(env=env)
    node = answer.node("n1")
    assert node["image"] == "alpine:3"
    assert node["env"] == {"KEY_1": "two", "two": "x"}
    (data, _) = answer.staged("n1")["/clabernetes/startup-config.partial.cfg"]
    assert data == b"hostname n1\nmotd $A $C $C\n"
    assert answer.of("NodeProfile").keys() == {"paris"}
    assert "variables replaced: A, B, LAB" in answer.notes()
    assert "variables not set, left as written: $C" in answer.notes()


def test_set_wins_over_the_environment(tmp_path: Path) -> None:
    lab = Directory(tmp_path, "name: l-$A-${B}-$C\ntopology: {nodes: {n: {kind: linux}}}\n")
    answer = lab.accepted("--set", "A=1", "--set", "A=2", "--set", "C=", env={"A": "0", "B": "b"})
    assert answer.of("NodeProfile").keys() == {"l-2-b--c"}  # $C is empty, so it stays
    assert "variables not set, left as written: $C" in answer.notes()


def test_no_env_ignores_the_process_but_not_set(tmp_path: Path) -> None:
    lab = Directory(tmp_path, "name: ${A:-a}-${B:-b}\ntopology: {nodes: {n: {kind: linux}}}\n")
    env = {"A": "1", "B": "2", "CLAB_KUBE_NAMESPACE": "elsewhere"}
    answer = lab.accepted("--no-env", "--set", "B=3", env=env)
    (profile,) = answer.of("NodeProfile").values()
    assert (profile["metadata"]["name"], profile["metadata"]["namespace"]) == ("a-3", "c9s-a-3")


def test_a_topology_manifest_is_not_expanded(tmp_path: Path) -> None:
    text = """
        apiVersion: c9s.run/v1alpha1
        kind: Topology
        metadata: {name: demo}
        spec:
          definition:
            containerlab: |
              topology: {nodes: {n: {kind: linux, cmd: "$A {{ b }}"}}}
    """
    answer = Directory(tmp_path, text).accepted(env={"A": "1"})
    assert answer.node("n")["cmd"] == "$A {{ b }}"
    assert answer.notes() == []


def test_values_are_not_expanded_again(tmp_path: Path) -> None:
    lab = Directory(tmp_path, 'name: a\ntopology: {nodes: {n: {kind: linux, cmd: "$A"}}}\n')
    answer = lab.accepted(env={"A": "$B {{ .x }} ${", "B": "b"})
    assert answer.node("n")["cmd"] == "$B {{ .x }} ${"


def test_import_envs_reaches_the_node_as_it_is(tmp_path: Path) -> None:
    text = 'name: a\ntopology: {nodes: {n: {kind: linux, env: {__IMPORT_ENVS: "true"}}}}\n'
    answer = Directory(tmp_path, text).accepted(env={"A": "1"})
    assert answer.node("n")["env"] == {"__IMPORT_ENVS": "true"}


def test_a_variable_may_make_the_file_readable(tmp_path: Path) -> None:
    """Without its variables this text is no YAML."""
    text = (
        "name: a\ntopology:\n  nodes:\n    n: {kind: linux, image: ${IMAGE:-a:b}, binds: [$BIND]}\n"
    )
    answer = Directory(tmp_path, text, {"x": "1"}).accepted(env={"BIND": "x:/y"})
    assert answer.staged("n") == {"x": (b"1", "read")}


@pytest.mark.parametrize("text", ["name: {{ .Name }}", "name: a\n# {{ x }}", "{{ if }}\nname: b"])
def test_templates_are_refused_with_the_way_to_a_plain_file(text: str, tmp_path: Path) -> None:
    lab = Directory(tmp_path, f"{text}\ntopology:\n  nodes: {{n: {{kind: linux}}}}\n")
    answer = lab.refused()
    found = [one for one in answer.errors if one["code"] == "template"]
    assert [placed(one) for one in found] == [lab.place("{{")]
    assert "containerlab" in found[0]["message"]
    assert "deploy --emit-crs --export-rendered FILE" in found[0]["message"]


PLACES = """
    name: a  # $A
    topology:
      nodes:
        n:
          kind: linux
          env: {A: $A, B: "${B:-b}", C: [no]}
          $A: {x: 1}
          runtime: docker
          binds: ["$A:/a", "${B:-b}:/b", "gone:/c"]
"""


@pytest.mark.parametrize("value", ["1", "a much longer value than its name", "", "ä漢🙂", "x}#,"])
def test_findings_point_behind_expansions_of_any_length(value: str, tmp_path: Path) -> None:
    text = PLACES.replace("$A,", '"$A",').replace("$A:", '"$A":', 1)
    lab = Directory(tmp_path, text, {"b": "", value or "x": ""})
    answer = lab.refused("--set", f"A={value}", env={"B": ""})
    found = [one for one in answer.errors if one["code"] == "invalid-type"]
    assert [placed(one) for one in found] == [lab.place("[no]")]


def test_findings_of_staging_point_behind_expansions(tmp_path: Path) -> None:
    lab = Directory(tmp_path, PLACES.replace(", C: [no]", ""), {"b": ""})
    answer = lab.refused(env={"A": "longer/than/that"})
    assert {(one["code"], placed(one)) for one in answer.errors} == {
        ("unsupported-field", lab.place("runtime")),
        ("missing-file", lab.place('"gone')),
        ("missing-file", lab.place('"$A:/a')),
    }


def test_findings_point_below_an_expansion_of_several_lines(tmp_path: Path) -> None:
    text = """
        name: a
        topology:
          nodes:
            n:
              kind: linux
              $BLOCK
              startup-config: gone.cfg
    """
    lab = Directory(tmp_path, text)
    answer = lab.refused(
        env={"BLOCK": "image: x\n      license: no.lic\n      runtime: x\n      cmd: y"}
    )
    assert {(one["code"], placed(one)) for one in answer.errors} == {
        ("missing-file", lab.place("$BLOCK")),
        ("unsupported-field", lab.place("$BLOCK")),
        ("missing-file", lab.place("gone.cfg")),
    }
    assert {one["path"] for one in answer.errors} == {
        "topology.nodes.n.license", "runtime", "topology.nodes.n.startup-config",
    }  # fmt: skip


def test_bad_yaml_is_placed_in_the_text_the_user_wrote(tmp_path: Path) -> None:
    text = "name: a\ntopology:\n  nodes:\n    n: {kind: linux, cmd: $A}\n    n: {}\n"
    lab = Directory(tmp_path, text)
    answer = lab.refused(env={"A": "|\n\n\n  x".replace("|", '"\n\n') + '"'})
    assert [(one["code"], placed(one)) for one in answer.errors] == [
        ("duplicate-key", lab.place("n: {}")),
    ]


def test_positions_count_from_the_top_of_the_file(tmp_path: Path) -> None:
    """The containerlab file is the second document."""
    text = "# head\nkind: x\napiVersion: v1\n---\nname: a$A\ntopology:\n  nodes:\n    n: {kind: linux, license: gone}\n"
    lab = Directory(tmp_path, text)
    answer = lab.refused(env={"A": "\n"})
    assert [(one["code"], placed(one)) for one in answer.errors] == [
        ("missing-file", lab.place("gone")),
    ]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(ending: str, tmp_path: Path) -> None:
    lines = ["# $A", "name: a", "topology:", "  nodes:", '    n: {cmd: "$A", license: gone}', ""]
    lab = Directory(tmp_path, "x: 1", {})
    lab.add("lab.clab.yml", ("\ufeff" + ending.join(lines)).encode())
    (found,) = lab.refused(env={"A": "longer"}).errors
    assert (found["line"], found["column"]) == (5, lines[4].index("gone") + 1)


def test_a_value_may_not_bring_a_second_document(tmp_path: Path) -> None:
    text = "name: a\n$A\ntopology: {nodes: {n: {kind: linux}}}\n"
    lab = Directory(tmp_path, text)
    answer = lab.refused(env={"A": "topology: {nodes: {m: {kind: linux}}}\n---\nname: b"})
    assert [(one["code"], placed(one)) for one in answer.errors] == [
        ("invalid-yaml", lab.place("$A")),
    ]


@pytest.mark.parametrize("pair", ["A", "=x", ""])
def test_set_needs_a_name_and_a_value(pair: str, tmp_path: Path) -> None:
    lab = Directory(tmp_path, "name: a\ntopology: {nodes: {}}\n")
    answer = command("split", "-f", str(lab.top), "--set", pair)
    assert (answer.code, answer.out) == (2, b"")


def test_set_takes_everything_behind_the_first_sign(tmp_path: Path) -> None:
    lab = Directory(tmp_path, "name: a\ntopology: {nodes: {n: {kind: linux, cmd: $URL $B}}}\n")
    answer = lab.accepted("--set", "URL=http://x/?a=b", "--set", "B=c=d")
    assert answer.node("n")["cmd"] == "http://x/?a=b c=d"
