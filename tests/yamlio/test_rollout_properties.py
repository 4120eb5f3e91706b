"""Edits of generated manifests: the data changes as wanted, and every other line comes through as it is."""

from __future__ import annotations

import difflib
import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rollout_manifests import WORDS, Manifest, manifests

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.rolloutedit import Change, Leave, Limit, edit_rollout
from kubectl_c9s.yamlio.rollouttarget import Target
from kubectl_c9s.yamlio.values import json_value

LAB = Target.topology("lab")
NUMBERS = st.sampled_from([0, 5, 7, 8, 2**31 - 1])
LIMITS: st.SearchStrategy[Limit] = st.one_of(st.sampled_from(Leave), NUMBERS)
CHANGES = st.builds(Change, LIMITS, LIMITS, st.booleans())
LINES = re.compile(b"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\\Z")
CLOSING = re.compile(rb" *\}[^\r\n]*\s*")  # the last line of a flow mapping that becomes {}


def edited(manifest: Manifest, change: Change) -> bytes | None:
    """Give the new bytes, None where the form is refused; no other refusal passes."""
    try:
        return edit_rollout(manifest.data, "f", LAB, change)
    except RefusedInput as refusal:
        if [one.code for one in refusal.findings] != ["uneditable-form"]:
            raise
        return None


def data_of(data: bytes) -> list[Any]:
    return [json_value(one.root) if one.root else None for one in read_documents(data, "f")]


def wanted(stream: list[Any], change: Change) -> list[Any]:
    """Make the change in the data, as a person who knows no YAML would."""
    lab = next(one for one in stream if one and one["metadata"]["name"] == "lab")
    for field, limit in (
        ("batchSize", change.batch_size),
        ("maxConcurrentPerHost", change.max_concurrent_per_host),
    ):
        if isinstance(limit, int):
            lab["spec"] = lab.get("spec") or {}
            lab["spec"]["rollout"] = lab["spec"].get("rollout") or {}
            lab["spec"]["rollout"][field] = limit
    rollout = (lab.get("spec") or {}).get("rollout") or {}
    removed = False
    for field, limit in (
        ("batchSize", change.batch_size),
        ("maxConcurrentPerHost", change.max_concurrent_per_host),
    ):
        if limit is Leave.OUT and field in rollout:
            del rollout[field]
            removed = True
    if change.drop_empty and removed and not rollout:
        del lab["spec"]["rollout"]
    return stream


def changed_lines(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """Give the lines that are only in the first, and those only in the second."""
    old, new = LINES.findall(before), LINES.findall(after)
    assert (b"".join(old), b"".join(new)) == (before, after)
    gone, come = [], []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            gone += old[i1:i2]
            come += new[j1:j2]
    return gone, come


def has_word(line: bytes) -> bool:
    return any(word.encode() in line for word in WORDS)


@given(manifests(), CHANGES)
def test_only_the_limits_change(manifest: Manifest, change: Change) -> None:
    after = edited(manifest, change)
    if after is None:
        # A block scalar before the removed lines would take in what stands behind them.
        assert change.drop_empty
        return
    assert data_of(after) == wanted(data_of(manifest.data), change)
    gone, come = changed_lines(manifest.data, after)
    if gone and not gone[-1].endswith((b"\n", b"\r")) and come[:1] != gone[-1:]:
        # The last line has got a line break, because others follow.
        come = [line for line in come if line.rstrip(b"\r\n") != gone[-1]]
        gone = gone[:-1] if not has_word(gone[-1]) else gone
    assert [line for line in come if not has_word(line)] == []
    removed = [line for line in gone if not has_word(line) and not CLOSING.fullmatch(line)]
    if not change.drop_empty:
        assert removed == []


@given(manifests(), CHANGES)
def test_an_edit_keeps_mark_line_ends_and_the_missing_last_one(
    manifest: Manifest, change: Change
) -> None:
    before, after = manifest.data, edited(manifest, change)
    if after is None:
        return
    assert after.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")
    if b"\n" in before or b"\r" in before:
        ends = {line[len(line.rstrip(b"\r\n")) :] for line in LINES.findall(before)}
        assert {line[len(line.rstrip(b"\r\n")) :] for line in LINES.findall(after)} <= ends | {b""}


@given(manifests(), NUMBERS, NUMBERS)
def test_setting_back_restores_the_bytes(manifest: Manifest, batch: int, cap: int) -> None:
    fields = {name: text for name, text in manifest.fields.items() if text in {"0", "5", "&n 5"}}
    there = {name: int(text[-1]) for name, text in fields.items()}
    other = edit_rollout(manifest.data, "f", LAB, change_of(there, batch, cap))
    back = change_of(there, there.get("batchSize", 0), there.get("maxConcurrentPerHost", 0))
    assert edit_rollout(other, "f", LAB, back) == manifest.data


def change_of(fields: dict[str, int], batch: int, cap: int) -> Change:
    return Change(
        batch if "batchSize" in fields else Leave.AS_IT_IS,
        cap if "maxConcurrentPerHost" in fields else Leave.AS_IT_IS,
    )


@given(manifests(), CHANGES)
def test_a_second_time_changes_nothing(manifest: Manifest, change: Change) -> None:
    after = edited(manifest, change)
    if after is None:
        return
    assert edit_rollout(after, "f", LAB, change) == after


json_texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"], exclude_characters="\u2028\u2029")
)
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 99), json_texts),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(json_texts, inner)),
    max_leaves=6,
)
blocks = st.dictionaries(
    st.sampled_from(["batchSize", "maxConcurrentPerHost", "other"]), st.integers(0, 9)
)
rest = st.dictionaries(json_texts.filter(lambda key: key != "rollout"), json_values, max_size=2)
specs = st.one_of(
    st.none(),
    rest,
    st.builds(
        lambda more, block, first: (
            {"rollout": block} | more if first else more | {"rollout": block}
        ),
        rest,
        st.one_of(st.none(), blocks),
        st.booleans(),
    ),
)


@given(
    specs,
    CHANGES,
    st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    st.booleans(),
    st.booleans(),
)
def test_json_stays_json(
    spec: Any,
    change: Change,
    indent: int | str | None,
    compact: bool,  # noqa: FBT001 - hypothesis gives it by name
    listed: bool,  # noqa: FBT001 - the same
) -> None:  # fmt: skip
    lab = {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "lab"},
        "spec": spec,
    }
    whole = {"apiVersion": "v1", "kind": "List", "items": [lab]} if listed else lab
    separators = (",", ":") if compact else None
    before = json.dumps(whole, indent=indent, separators=separators, ensure_ascii=False)
    after = edit_rollout(before.encode(), "f", LAB, change).decode()
    loaded = json.loads(after)
    found = loaded["items"][0] if listed else loaded
    assert found == wanted([json.loads(json.dumps(lab))], change)[0]
    if len(after) != len(before):
        again = json.dumps(loaded, indent=indent, separators=separators, ensure_ascii=False)
        assert after == again
