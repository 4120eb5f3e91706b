"""What the reader promises about hostile input: documents, or a refusal that points at the place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hostile import ACCEPTED, HEAVY, MIB, REFUSED
from hypothesis import example, given
from hypothesis import strategies as st
from yaml_values import PIECES, WORDS, objects

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.yamlio.nodes import Mapping, Scalar, Sequence
from kubectl_c9s.yamlio.reader import read_documents
from kubectl_c9s.yamlio.writer import dump, dump_all

if TYPE_CHECKING:
    from kubectl_c9s.yamlio.nodes import Node
    from kubectl_c9s.yamlio.reader import Document

MEMORY = 512 * MIB
CHILD = f"""
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.yamlio.reader import read_documents
try:
    outcome = [len(read_documents(sys.stdin.buffer.read(), "lab.yaml"))]
except RefusedInput as error:
    outcome = [[finding.message, *finding.position] for finding in error.findings]
print(json.dumps(outcome))
"""


def outcome(data: bytes) -> list[Document] | RefusedInput:
    try:
        return read_documents(data, "lab.yaml")
    except RefusedInput as refusal:
        return refusal


def assert_it_points_somewhere(refusal: RefusedInput, data: bytes) -> None:
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for hidden in ("\x85", "\u2028", "\u2029"):  # libyaml breaks lines here too
        lines += data.count(hidden.encode())
    assert refusal.findings
    for finding in refusal.findings:
        assert finding.message
        assert finding.position.file == "lab.yaml"
        assert 1 <= finding.position.line <= lines
        assert finding.position.column >= 1


def plain_value(node: Node | None) -> Any:
    if isinstance(node, Mapping):
        return {key: plain_value(value) for key, (_, value) in node.entries.items()}
    if isinstance(node, Sequence):
        return [plain_value(item) for item in node.items]
    return node.text if isinstance(node, Scalar) else None


def texts_only(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: texts_only(item) for key, item in value.items()}
    if isinstance(value, list):
        return [texts_only(item) for item in value]
    return value if isinstance(value, str) else dump({"k": value})[3:-1]


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_at_its_place(name: str) -> None:
    data, code, line, column = REFUSED[name]
    refusal = outcome(data)
    assert isinstance(refusal, RefusedInput), "it was accepted"
    found = [(item.code, item.position.line, item.position.column) for item in refusal.findings]
    assert found == [(code, line, column)], refusal.findings


@pytest.mark.parametrize("name", ACCEPTED)
def test_it_is_read(name: str) -> None:
    data, documents = ACCEPTED[name]
    read = outcome(data)
    assert not isinstance(read, RefusedInput), read.findings
    assert len(read) == documents


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux holds a process to its memory limit"
)
@pytest.mark.parametrize("name", HEAVY)
def test_it_ends_within_bounds(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=HEAVY[name](),
        capture_output=True,
        check=False,
        timeout=60,  # a safety net for a run that would never end, not a statement about speed
        env={**os.environ, "PYTHONPATH": os.pathsep.join(item for item in sys.path if item)},
    )
    assert done.stderr == b""
    assert done.returncode == 0
    for entry in json.loads(done.stdout):
        if not isinstance(entry, int):
            message, file, line, column = entry
            assert len(message) < 500
            assert file == "lab.yaml"
            assert (line >= 1 and column >= 1) or "bytes" in message


@pytest.mark.parametrize("name", ["alias bomb", "merge bomb", "wide alias bomb"])
def test_a_bomb_is_refused(name: str) -> None:
    refusal = outcome(HEAVY[name]())
    assert isinstance(refusal, RefusedInput)
    assert [finding.code for finding in refusal.findings] == ["yaml-budget"]


@pytest.mark.parametrize("name", [name for name in HEAVY if "deep" in name])
def test_depth_is_refused(name: str) -> None:
    assert isinstance(outcome(HEAVY[name]()), RefusedInput)


@pytest.mark.parametrize("name", ["a flood of items", "a flood of keys"])
def test_a_flood_is_refused_where_it_becomes_too_much(name: str) -> None:
    refusal = outcome(HEAVY[name]())
    assert isinstance(refusal, RefusedInput)
    (finding,) = refusal.findings
    assert finding.code == "yaml-budget"
    assert finding.position.line > 1000


@pytest.mark.parametrize(
    "data",
    [
        b"a: !" + b"x" * 100_000 + b" b",
        b"? " + b"x" * 100_000 + b"\n: 1\n? " + b"x" * 100_000 + b"\n: 2\n",
        b"a: *" + b"x" * 100_000,
        b"a: !!int " + b"x" * 100_000,
    ],
)
def test_a_message_does_not_repeat_a_huge_input(data: bytes) -> None:
    refusal = outcome(data)
    assert isinstance(refusal, RefusedInput)
    assert all(len(finding.message) < 500 for finding in refusal.findings)


@given(data=st.binary(max_size=60))
@example(b"\xef\xbb\xbf\xff")
@example(b"\xff\xfe")
def test_any_bytes_are_read_or_refused_at_a_place(data: bytes) -> None:
    read = outcome(data)
    if isinstance(read, RefusedInput):
        assert_it_points_somewhere(read, data)


@given(pieces=st.lists(st.sampled_from([*PIECES, *WORDS, "a: ", "- ", "\n  ", "\n"]), max_size=15))
def test_any_text_is_read_or_refused_at_a_place(pieces: list[str]) -> None:
    data = "".join(pieces).encode()
    read = outcome(data)
    if isinstance(read, RefusedInput):
        assert_it_points_somewhere(read, data)


@given(obj=objects)
def test_what_we_write_we_read(obj: dict[str, Any]) -> None:
    (document,) = read_documents(dump(obj).encode(), "lab.yaml")
    assert plain_value(document.root) == texts_only(obj)


@given(batch=st.lists(objects, min_size=1, max_size=5))
def test_documents_are_cut_out_of_the_stream_whole(batch: list[dict[str, Any]]) -> None:
    documents = read_documents("".join(dump_all(batch)).encode(), "lab.yaml")
    assert len(documents) == len(batch)
    assert "".join(one.text[one.start : one.end] for one in documents) == documents[0].text
    for one in documents:
        (alone,) = read_documents(one.text[one.start : one.end].encode(), "lab.yaml")
        assert plain_value(alone.root) == plain_value(one.root)
