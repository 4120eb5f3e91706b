"""What is printed of a change: every turn of both fields of both kinds, hostile names, long lists, JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.output.rollouttexts import (
    difference,
    effect_lines,
    finding_lines,
    impact_lines,
    proposal_json,
)
from kubectl_c9s.resources.listing import some
from kubectl_c9s.rollout.guards import Guard, Warned
from kubectl_c9s.rollout.impact import Effect, turn_of
from kubectl_c9s.rollout.proposal import Proposal, block_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.rollout.limits import Block, Field

GOLDEN: Final = Path(__file__).parent / "golden/impact.txt"
VALUES: Final = ((2, 0), (None, 2), (2, 4), (4, 2), (None, 0))
FEW: Final[dict[str, Any]] = {
    "nobody": {},
    "some start": {"waiting": ("a/x", "a/y"), "starts": ("a/x",)},
    "some are adopted and block": {
        "waiting": ("a/x",),
        "adopted": ("a/up", "b/up"),
        "blocking": ("b/up",),
    },
    "a Topology waits": {"waiting": ("a/x",), "holdup": "1 of 2 Nodes are there"},
    "a Topology is stopped": {
        "waiting": ("a/x", "a/y"),
        "starts": ("a/x",),
        "holdup": "the hold of a/y belongs to another Topology",
    },
    "slots": {
        "waiting": ("a/x-1", "a/y-1", "b/z-1"),
        "starts": ("a/x-1", "b/z-1"),
        "hosts": (("h1", 1), ("h2", 1)),
        "booting": ("a/up-1",),
    },
    "orphans": {"waiting": ("a/x-1",), "orphans": ("b/gone-1",), "booting": ("b/gone-1",)},
}
OF_KIND: Final = {
    "Config": {"nobody", "some start", "some are adopted and block"},
    "Topology": {"nobody", "some start", "a Topology waits", "a Topology is stopped"},
}
SLOTS: Final = {"nobody", "slots", "orphans"}


def sections() -> Iterator[str]:
    for kind, batches in OF_KIND.items():
        field: Field
        for field, wanted in (("batchSize", batches), ("maxConcurrentPerHost", SLOTS)):
            for old, new in VALUES:
                for name in [one for one in FEW if one in wanted]:
                    effect = sample(field, old, new, FEW[name])
                    lines = [f"  {line}" for line in effect_lines(effect, kind)]
                    head = f"{kind}, {field} {old} → {new} ({effect.turn}), {name}:"
                    yield "\n".join([head, *lines])


def sample(field: Field, old: int | None, new: int | None, few: dict[str, Any]) -> Effect:
    effect = Effect(field, turn_of(old, new), old, new, **few)
    if effect.turn != "off":
        return effect
    starts = effect.starts if effect.holdup or effect.orphans else effect.waiting
    return effect._replace(released=effect.waiting, starts=starts, blocking=(), adopted=())


def test_every_turn_has_its_words(*, update_golden: bool) -> None:
    text = "\n".join(sections()) + "\n"
    if update_golden:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def proposal(*effects: Effect, before: Block = None, after: Block = None, **more: Any) -> Proposal:
    meta = {"name": "clabernetes", "namespace": "c9s", "resourceVersion": "7"}
    obj: dict[str, Any] = {"apiVersion": "c9s.run/v1alpha1", "kind": "Config", "metadata": meta}
    obj["spec"] = {"rollout": before} if before is not None else {}
    values: dict[str, Any] = {"guards": (), "warnings": (), "advice": None}
    return Proposal(obj, after, effects, **(values | more))


def told(found: Proposal) -> list[str]:
    return [*impact_lines(found), *finding_lines(found)]


def test_a_change_is_told_with_its_warnings_advice_guards_and_hints() -> None:
    lines = told(
        proposal(
            Effect("batchSize", "off", 2, 0, released=("a/x",), waiting=("a/x",), starts=("a/x",)),
            warnings=(Warned("some-code", "mind the gap"),),
            advice="a chart keeps this",
            guards=(Guard("would-release", "no", "give --release-all"), Guard("other", "never")),
        )
    )
    assert lines == [
        "impact: batchSize: releases 1 waiting workload(s) now: a/x",
        "warning: mind the gap [some-code]",
        "note: a chart keeps this",
        "refused: no [would-release]",
        "hint: give --release-all",
        "refused: never [other]",
    ]


hostile = st.text(min_size=1, max_size=12)


@given(hostile, hostile, st.sampled_from(sorted(FEW)), st.sampled_from(VALUES))
def test_no_name_reaches_a_terminal_as_it_is_or_begins_a_line(
    name: str, host: str, few: str, values: tuple[int | None, int | None]
) -> None:
    fields: tuple[Field, Field] = ("batchSize", "maxConcurrentPerHost")
    bad: dict[str, Any] = {
        key: (f"a/{name}",) * len(value) for key, value in FEW[few].items() if key != "holdup"
    }
    bad["hosts"] = ((host, 1),)
    found = proposal(
        *(sample(field, *values, bad) for field in fields),
        warnings=(Warned("code", name),),
        advice=name,
        guards=(Guard("code", f"no: {name}"),),
    )
    for line in told(found):
        assert line.startswith(("impact: ", "warning: ", "note: ", "refused: "))
        assert not any(one in line for one in "\n\r\x1b\x9b\u202e\u2028")
        line.encode()


def test_hints_keep_their_lines_and_nothing_else_that_moves_the_cursor() -> None:
    guards = (Guard("gitops-owner", "kept by a tool", "commit this:\nspec:\n\x1b[2J  rollout: {}"),)
    assert told(proposal(guards=guards))[1] == ("hint: commit this:\nspec:\n^[[2J  rollout: {}")


@given(st.integers(0, 30))
def test_of_many_names_the_first_ten_are_shown_and_the_others_counted(count: int) -> None:
    names = [f"n{number}" for number in range(count)]
    text = some(names)
    assert text.startswith(", ".join(names[:10]))
    assert ("n10" in text) == (count > 100)
    assert text.endswith(f" and {count - 10} more") == (count > 10)


@pytest.mark.parametrize("field", ["batchSize", "maxConcurrentPerHost"])
@pytest.mark.parametrize("kind", ["Config", "Topology"])
def test_long_lists_are_cut_in_every_line(kind: str, field: Field) -> None:
    many = tuple(f"ns/n{number:03}" for number in range(500))
    for old, new in VALUES[:4]:
        fields = {"waiting": many, "starts": many, "adopted": many, "blocking": many}
        hosts = tuple((f"h{number:03}", 1) for number in range(500))
        effect = sample(field, old, new, fields | {"booting": many, "hosts": hosts})
        lines = list(effect_lines(effect, kind))
        assert lines
        assert all(len(line) < 250 and "n010" not in line for line in lines)


def test_the_json_has_all_names_and_null_for_absent_blocks() -> None:
    many = tuple(f"ns/n{number}" for number in range(40))
    effect = Effect("batchSize", "first", None, 2, waiting=many, starts=many[:2])
    found = proposal_json(proposal(effect, after={"batchSize": 2}, guards=(Guard("c", "m"),)))
    assert json.loads(json.dumps(found)) == {
        "kind": "Config",
        "namespace": "c9s",
        "name": "clabernetes",
        "resourceVersion": "7",
        "before": None,
        "after": {"batchSize": 2},
        "changes": True,
        "impact": [
            {
                "field": "batchSize",
                "turn": "first",
                "old": None,
                "new": 2,
                "waiting": list(many),
                "starts": list(many[:2]),
            }
        ],
        "warnings": [],
        "guards": [{"code": "c", "message": "m", "hint": ""}],
        "advice": None,
    }


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, {"batchSize": 2}, ["+spec:", "+  rollout:", "+    batchSize: 2"]),
        ({"batchSize": 2}, None, ["-spec:", "-  rollout:", "-    batchSize: 2"]),
        ({"batchSize": 2}, {"batchSize": 0}, ["-    batchSize: 2", "+    batchSize: 0"]),
        ({}, {}, []),
        (
            {"maxConcurrentPerHost": 1, "batchSize": 2},
            {"batchSize": 2},
            ["-    maxConcurrentPerHost: 1"],
        ),
        ({"batchSize": 1}, {}, ["-  rollout:", "-    batchSize: 1", "+  rollout: {}"]),
    ],
)
def test_the_difference_shows_what_changes_in_the_block(
    before: Block, after: Block, expected: list[str]
) -> None:
    lines = list(difference("config", block_lines(before), block_lines(after)))
    changed = [
        line.rstrip("\n") for line in lines if line[0] in "+-" and line[:3] not in {"+++", "---"}
    ]
    assert changed == expected
    assert all(line.endswith("\n") for line in lines)
    assert bool(lines) == bool(expected)
    if lines:
        assert lines[:2] == ["--- LIVE/config\n", "+++ MERGED/config\n"]


def test_a_block_that_no_api_server_would_give_cannot_fake_lines() -> None:
    before: Any = {"a\n+    batchSize: 9": "\x1b[2K"}
    lines = list(difference("config", block_lines(before), block_lines({})))
    assert [line for line in lines if "9" in line] == ["-    a\\n+    batchSize: 9: ^[[2K\n"]
