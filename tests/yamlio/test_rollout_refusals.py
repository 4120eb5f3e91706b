"""What an edit refuses, and the place it points at."""

from __future__ import annotations

from typing import Final

import pytest
from rollout_refused import CONFIG, LAB, REFUSED, SET, UNSET

from kubectl_c9s.resources.errors import C9sError, RefusedInput
from kubectl_c9s.yamlio.rolloutedit import Change, edit_rollout
from kubectl_c9s.yamlio.rollouttarget import Target, only_target


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_at_its_place(name: str) -> None:
    text, change, expected = REFUSED[name]
    with pytest.raises(RefusedInput) as caught:
        edit_rollout(text.encode(), "f.yaml", Target.config(), change)
    findings = caught.value.findings
    found = [(one.code, one.position.line, one.position.column) for one in findings]
    assert found == [one[:3] for one in expected], findings
    for finding, (*_, words) in zip(findings, expected, strict=True):
        assert words in finding.message
        assert finding.position.file == "f.yaml"
        assert finding.severity == "error"
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("given", "meant"),
    [("", 2), ("a", 1), ("b", 1), ("c", 0)],
)
def test_a_namespace_leaves_out_what_says_another(given: str, meant: int) -> None:
    text = "---\n".join(
        LAB.replace("name: lab", f"name: lab, namespace: {namespace}") for namespace in "ab"
    )
    target = Target.topology("lab", given)
    if meant == 1:
        after = edit_rollout(text.encode(), "f", target, SET).decode()
        assert after.split("---")[given == "b"].endswith("spec:\n  rollout:\n    batchSize: 9\n")
        return
    with pytest.raises(RefusedInput) as caught:
        edit_rollout(text.encode(), "f", target, SET)
    assert len(caught.value.findings) == max(meant, 1)


def test_an_object_without_namespace_may_be_meant_by_any() -> None:
    assert b"batchSize: 9" in edit_rollout(LAB.encode(), "f", Target.topology("lab", "a"), SET)


ONLY = {
    "a Config": (CONFIG, "", Target.config()),
    "values": ("manager: {}\n", "", Target.config()),
    "a lab": (f"a: 1\n---\n{LAB}", "ns", Target.topology("lab", "ns")),
    "a lab beside another Config": (
        LAB + "---\n" + CONFIG.replace("clabernetes", "mine"), "", Target.topology("lab"),
    ),
    "two labs in two namespaces": (
        LAB.replace("lab", "a, namespace: a") + "---\n" + LAB.replace("lab", "b, namespace: b"),
        "b",
        Target.topology("b", "b"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ONLY)
def test_a_file_about_one_thing_says_what_it_is(name: str) -> None:
    text, namespace, target = ONLY[name]
    assert only_target(text.encode(), "f", namespace) == target
    assert b"batchSize: 9" in edit_rollout(text.encode(), "f", target, SET)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{LAB}---\n{CONFIG}", [5, 1]),
        (f"{LAB}---\n{LAB.replace('lab', 'other')}", [1, 5]),
        ("kind: Secret\n", [0]),
        ("", [0]),
    ],
)
def test_a_file_about_several_things_or_none_does_not(text: str, lines: list[int]) -> None:
    with pytest.raises(RefusedInput) as caught:
        only_target(text.encode(), "f")
    assert [one.position.line for one in caught.value.findings] == lines
    assert {one.code for one in caught.value.findings} == {"no-single-object"}


def test_what_already_is_so_is_not_looked_at_twice() -> None:
    """An alias that gives the wanted number is no reason to refuse: nothing has to change."""
    text = CONFIG + "x: &r {batchSize: 9}\nspec:\n  rollout: *r\n"
    assert edit_rollout(text.encode(), "f", Target.config(), SET) == text.encode()
    assert edit_rollout(CONFIG.encode(), "f", Target.config(), UNSET) == CONFIG.encode()
    assert edit_rollout(CONFIG.encode(), "f", Target.config(), Change()) == CONFIG.encode()


WRONG: Final = {
    "another number": "a: 1\nspec:\n  rollout:\n    batchSize: 10\n",
    "a text": "a: 1\nspec:\n  rollout:\n    batchSize: '9'\n",
    "another value": "a: 2\nspec:\n  rollout:\n    batchSize: 9\n",
    "the same value for some readers only": "a: 0x1\nspec:\n  rollout:\n    batchSize: 9\n",
    "one entry more": "a: 1\nspec:\n  rollout:\n    batchSize: 9\n  b: 1\n",
    "one entry less": "spec:\n  rollout:\n    batchSize: 9\n",
    "another place": "a: 1\nspec: {}\nrollout:\n  batchSize: 9\n",
    "one document more": "a: 1\nspec:\n  rollout:\n    batchSize: 9\n---\nb: 1\n",
    "no YAML": "a: 1\nspec: [\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_result_that_is_not_as_wanted_is_kept_back(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kubectl_c9s.yamlio.rolloutedit.spliced", lambda *_: CONFIG + WRONG[name])
    with pytest.raises(C9sError, match="nothing was changed") as caught:
        edit_rollout(f"{CONFIG}a: 1\n".encode(), "f.yaml", Target.config(), SET)
    assert type(caught.value) is C9sError


def test_a_text_that_breaks_between_two_changes_is_kept_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kubectl_c9s.yamlio.rolloutedit.spliced", lambda *_: "a: [\n")
    change = Change(batch_size=9, max_concurrent_per_host=9)
    with pytest.raises(C9sError, match="nothing was changed"):
        edit_rollout(CONFIG.encode(), "f.yaml", Target.config(), change)
