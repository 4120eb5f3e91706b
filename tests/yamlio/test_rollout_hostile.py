"""Edits of manifests that somebody has typed into at random: a refusal, or the right change, and no fault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from rollout_commands import MANIFESTS, cases, edited, parsed

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.rolloutedit import Change, Leave, Limit, edit_rollout
from kubectl_c9s.yamlio.rollouttarget import Target, find_home, limit_of
from kubectl_c9s.yamlio.values import json_value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

PIECES = [
    *" \t\n\r#:?,-{}[]\"'|>&*!~%\x85\u2028",
    *(" # c", "? ", "- ", "&a ", "*a", "<<: *a", "|+", ">-\n", "null", "{}", "!!int ", "!!str ", "! ", "\r\n", "😀"),
    *("rollout", "batchSize: 5", "rollout:\n    batchSize: 7\n", "spec:", "...\n", "---\n", "? rollout\n  : "),
]  # fmt: skip
TARGETS = sorted({parsed(case.command)[0] for path in MANIFESTS for case in cases(path)})
LIMITS: st.SearchStrategy[Limit] = st.one_of(st.sampled_from(Leave), st.sampled_from([0, 4, 25]))


@given(
    st.sampled_from(MANIFESTS),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.sampled_from([*PIECES, ""]))),
    st.sampled_from(TARGETS),
    st.builds(Change, LIMITS, LIMITS, st.booleans()),
)
def test_a_broken_manifest_is_refused_or_changed_as_wanted(
    manifest: Path, edits: Sequence[tuple[float, int, str]], target: Target, change: Change
) -> None:
    text = manifest.read_bytes().decode()
    for where, cut, piece in edits:
        at = int(where * len(text))
        text = text[:at] + piece + text[at + cut :]
    try:
        after = edit_rollout(text.encode(), "f.yaml", target, change)
    except RefusedInput as refusal:
        places = [one.position for one in refusal.findings]
        assert {one.file for one in places} == {"f.yaml"}
        return
    home = find_home(read_documents(after, "f.yaml"), "f.yaml", target)
    for field, limit in zip(("batchSize", "maxConcurrentPerHost"), change[:2], strict=True):
        node = limit_of(home, field)
        if isinstance(limit, int):
            assert node
            assert json_value(node) == limit
        else:
            assert limit is Leave.AS_IT_IS or node is None


STREAMS = {"helmrelease.yaml", "stream.yaml", "topology-block-keep.yaml"}
REFUSED_BY_KUBECTL = {
    "config-merge-override.yaml"
}  # strictly read, a key beside a merge key that gives it is a repeat
ONE_DOCUMENT = [
    (path, case.command)
    for path in MANIFESTS
    if path.name not in STREAMS | REFUSED_BY_KUBECTL
    for case in cases(path)
    if not case.outcome[0].startswith("refused")
]


def test_the_reader_of_kubectl_sees_the_same_change(
    go_read: Callable[[Sequence[str]], list[Any]],
) -> None:
    assert len(ONE_DOCUMENT) >= 80
    before = go_read([path.read_text(encoding="utf-8-sig") for path, _ in ONE_DOCUMENT])
    after = go_read([edited(path, command).decode("utf-8-sig") for path, command in ONE_DOCUMENT])
    for (path, command), old, new in zip(ONE_DOCUMENT, before, after, strict=True):
        assert "ok" in old, (path.name, old)
        assert "ok" in new, (path.name, command, new)
        assert without_rollout(new["ok"]) == without_rollout(old["ok"]), (path.name, command)
        _, change = parsed(command)
        found = set(limits_in(new["ok"]))
        wanted = {limit for limit in change[:2] if isinstance(limit, int)}
        assert wanted <= found, (path.name, command)


def without_rollout(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: without_rollout(item) for key, item in value.items() if key != "rollout"}
        return {
            key: item
            for key, item in kept.items()
            if not (key in {"spec", "globalConfig"} and not item)
        }
    return [without_rollout(item) for item in value] if isinstance(value, list) else value


def limits_in(value: Any) -> list[int]:
    if isinstance(value, list):
        return [limit for item in value for limit in limits_in(item)]
    if not isinstance(value, dict):
        return []
    own = value.get("rollout")
    inner = [limit for item in value.values() for limit in limits_in(item)]
    return [*(own.values() if isinstance(own, dict) else ()), *inner]
