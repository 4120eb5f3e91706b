"""``--flux-no-substitute`` marks the objects that Flux's own substitution would change, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import flux_go
import pytest
import yaml
from door_tools import Answer, call
from flux_cli import Cli
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kubectl_c9s.resources.fluxmarks import SUBSTITUTE, holds_changed, is_changed, marked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bed_go import ToolChain

    Ask = Callable[[list[Any]], list[dict[str, str]]]

LAB = """\
name: metro
topology:
  kinds:
    linux: {image: "busybox:1.37"}
  nodes:
    pe1: {kind: linux, startup-config: pe1.cfg}
    pe2: {kind: linux, startup-config: pe2.cfg}
  links:
    - endpoints: [pe1:eth1, pe2:eth1]
"""
CONFIGS = {"pe1.cfg": 'set prompt "${HOST}>"\n', "pe2.cfg": "costs $5\n"}
TEXTS = st.text(st.sampled_from("$${}aA_: \n\\/#"), max_size=12)


@pytest.mark.parametrize("text", ["${x}", "a ${x", "${1#b}", "$${x}", "$1$$2", "$$", "$$$"])
def test_flux_changes_these_or_breaks_at_them(statuses: Ask, text: str) -> None:
    assert is_changed(text)
    assert statuses([{"text": text}]) != [{"text": text}]


# Each example asks all of them at once: the program starts once for hundreds of texts.
@settings(
    max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(texts=st.lists(TEXTS.filter(bool), min_size=200, max_size=400))
def test_a_text_that_is_not_marked_is_left_alone(statuses: Ask, texts: list[str]) -> None:
    kept = [text for text in texts if not is_changed(text)]
    assert [one.get("text") for one in statuses([{"text": text} for text in kept])] == kept


@given(
    st.recursive(
        TEXTS | st.integers() | st.none(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=8,
    )
)
def test_a_text_is_found_wherever_it_stands(value: Any) -> None:
    assert holds_changed(value) == any(map(is_changed, flat(value)))


def flat(value: Any) -> list[str]:
    """List all texts and keys."""
    if isinstance(value, dict):
        return [text for key, one in value.items() for text in (key, *flat(one))]
    if isinstance(value, list):
        return [text for one in value for text in flat(one)]
    return [value] if isinstance(value, str) else []


def test_the_mark_leaves_other_annotations_and_the_object_itself() -> None:
    obj: dict[str, Any] = {
        "kind": "ConfigMap",
        "metadata": {"name": "a", "annotations": {"b": "c"}},
        "data": {"x": "${y}"},
    }
    assert marked(obj)["metadata"]["annotations"] == {"b": "c", SUBSTITUTE: "disabled"}
    assert obj["metadata"]["annotations"] == {"b": "c"}
    plain = {**obj, "data": {"x": "$y"}}
    assert marked(plain) is plain


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    (tmp_path / "lab.clab.yml").write_text(LAB, encoding="utf-8")
    for name, text in CONFIGS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def split(lab: Path, *flags: str) -> Answer:
    answer = call("split", "-f", "lab.clab.yml", "--no-env", *flags, cwd=lab)
    assert answer.code == 0, answer.err
    return answer


def annotated(text: str) -> list[tuple[str, dict[str, str]]]:
    """Give kind and annotations of the objects that have any."""
    found = [one for one in yaml.safe_load_all(text) if one["metadata"].get("annotations")]
    return [(one["kind"], one["metadata"]["annotations"]) for one in found]


def test_only_what_flux_would_change_gets_the_mark(lab: Path) -> None:
    assert annotated(split(lab).out) == []
    answer = split(lab, "--flux-no-substitute")
    assert annotated(answer.out) == [("ConfigMap", {SUBSTITUTE: "disabled"})]
    (held,) = [one for one in yaml.safe_load_all(answer.out) if one["metadata"].get("annotations")]
    assert CONFIGS["pe1.cfg"] in held["data"].values()
    both = annotated(split(lab, "--flux-no-substitute", "--argo-sync-waves").out)
    assert len(both) == len(list(yaml.safe_load_all(answer.out)))
    assert [SUBSTITUTE in annotations for _, annotations in both].count(True) == 1


def test_a_directory_says_what_flux_would_change_and_names_the_flag(lab: Path) -> None:
    plain = split(lab, "--output-dir", "out")
    assert "1 object(s) hold ${ or $$" in plain.err
    assert "--flux-no-substitute" in plain.err
    told = split(lab, "--output-dir", "out", "--flux-no-substitute")
    assert "hold ${" not in told.err
    files = (lab / "out/configmaps").glob("metro-*.yaml")
    assert sum(SUBSTITUTE in file.read_text(encoding="utf-8") for file in files) == 1
    checked = call(
        "split", "-f", "lab.clab.yml", "--no-env", "--output-dir", "out", "--check", cwd=lab
    )
    assert checked.code == 1
    assert f"-    {SUBSTITUTE}: disabled" in checked.out


def test_nothing_is_said_where_there_is_nothing_to_change(lab: Path) -> None:
    (lab / "pe1.cfg").write_text("hostname pe1\n", encoding="utf-8")
    assert "hold ${" not in split(lab, "--output-dir", "out").err
    assert annotated(split(lab, "--flux-no-substitute").out) == []


def test_flux_builds_a_rendered_folder_and_leaves_marked_texts_alone(
    lab: Path, tool: Callable[[ToolChain, str], Path]
) -> None:
    flux = Cli(tool(flux_go.CLI, "flux"))

    def built(*flags: str) -> set[str]:
        split(lab, "--output-dir", "out", *flags)
        printed = call("gitops", "flux", "--path", "out", cwd=lab).out
        added = "spec:\n  postBuild: {substitute: {HOST: other}}\n"
        (lab / "flux.yaml").write_text(printed.replace("spec:\n", added), encoding="utf-8")
        text = flux.build("metro-configmaps", lab / "out/configmaps", lab / "flux.yaml")
        return {value for one in yaml.safe_load_all(text) if one for value in one["data"].values()}

    changed = {CONFIGS["pe1.cfg"].replace("${HOST}", "other"), CONFIGS["pe2.cfg"]}
    assert built() == changed
    assert built("--flux-no-substitute") == set(CONFIGS.values())
