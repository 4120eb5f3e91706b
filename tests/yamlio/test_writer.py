"""What the YAML writer promises: every reader reads back what was written."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from yaml_values import WORDS, corpus, in_every_place, objects, same, texts

from kubectl_c9s.resources.characters import has_hidden
from kubectl_c9s.yamlio.writer import Writer, dump, dump_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    GoRead = Callable[[Sequence[str]], list[Any]]

READERS: dict[str, Callable[[str], Any]] = {
    "PyYAML (YAML 1.1, libyaml)": lambda text: yaml.load(text, Loader=yaml.CSafeLoader),
    "ruamel.yaml (YAML 1.2, pure)": lambda text: YAML(typ="safe", pure=True).load(text),
}


def shuffled(value: Any, chance: Random) -> Any:
    if isinstance(value, dict):
        items = [(key, shuffled(item, chance)) for key, item in value.items()]
        return dict(chance.sample(items, len(items)))
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=150)
@given(obj=objects)
def test_any_object_is_read_back_unchanged(reader: str, obj: dict[str, Any]) -> None:
    text = dump(obj)
    assert same(obj, READERS[reader](text)), text


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=150)
@given(text=texts, other=texts)
def test_any_text_survives_in_every_place(reader: str, text: str, other: str) -> None:
    obj = in_every_place(text, other)
    written = dump(obj)
    assert same(obj, READERS[reader](written)), written


def test_kubectls_reader_reads_back_thousands_of_awkward_texts(go_read: GoRead) -> None:
    awkward = corpus(4000)
    wrote = [in_every_place(text, other) for text, other in pairwise(awkward)]
    documents = [dump(obj) for obj in wrote]
    for obj, document, answer in zip(wrote, documents, go_read(documents), strict=True):
        assert same(obj, answer.get("ok")), f"{document}\n{answer}"


@settings(max_examples=30)
@given(batch=st.lists(objects, min_size=1, max_size=20))
def test_kubectls_reader_reads_back_any_object(
    go_read: GoRead, batch: list[dict[str, Any]]
) -> None:
    documents = [dump(obj) for obj in batch]
    for obj, document, answer in zip(batch, documents, go_read(documents), strict=True):
        assert same(obj, answer.get("ok")), f"{document}\n{answer}"


@given(batch=st.lists(objects, min_size=1, max_size=6))
def test_a_stream_holds_its_documents_one_by_one(batch: list[dict[str, Any]]) -> None:
    stream = "".join(dump_all(batch))
    assert stream == "---\n".join(dump(obj) for obj in batch)
    read = list(yaml.load_all(stream, Loader=yaml.CSafeLoader))
    assert len(read) == len(batch)
    assert all(map(same, batch, read))


def test_a_long_stream_comes_in_chunks_and_loses_nothing() -> None:
    objs = [{"kind": "Node", "metadata": {"name": f"n{i}"}, "spec": {"x": i}} for i in range(9000)]
    chunks = list(dump_all(objs))
    assert len(chunks) > 1
    assert "".join(chunks) == "---\n".join(map(dump, objs))


def test_an_empty_stream_is_empty() -> None:
    assert list(dump_all([])) == []


@given(obj=objects, chance=st.randoms(use_true_random=False))
def test_the_order_keys_came_in_does_not_show(obj: dict[str, Any], chance: Random) -> None:
    assert dump(shuffled(obj, chance)) == dump(obj)


def test_hash_seeds_do_not_show() -> None:
    program = (
        "import sys, yaml_values as v\n"
        "from kubectl_c9s.yamlio.writer import dump_all\n"
        "objs = [v.in_every_place(a, b) for a, b in zip(v.WORDS, v.WORDS[1:])]\n"
        "sys.stdout.buffer.write(''.join(dump_all(objs)).encode())"
    )
    path = os.pathsep.join(item for item in sys.path if item)
    written = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(written) == 1
    assert written != {b""}


@given(objs=st.lists(objects, max_size=8))
def test_what_a_writer_remembers_does_not_show(objs: list[dict[str, Any]]) -> None:
    writer = Writer()
    again = objs + objs  # the second time everything is known, and shared by identity
    assert [writer.document(obj) for obj in again] == [dump(obj) for obj in again]


def test_a_shared_mapping_is_written_out_for_each_object_and_depth() -> None:
    shared = {"a": "x", "b": ["c"]}
    writer = Writer()
    once = "  a: x\n  b:\n  - c\n"
    expected = f"data:\n{once}spec:\n{once}zz:\n  in:\n    a: x\n    b:\n    - c\n"
    for _ in range(3):
        assert writer.document({"spec": shared, "data": shared, "zz": {"in": shared}}) == expected


@given(obj=objects)
def test_nothing_hidden_tagged_or_anchored_is_printed(obj: dict[str, Any]) -> None:
    text = dump(obj)
    assert not has_hidden(text)
    assert text.endswith("\n")
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        assert getattr(event, "anchor", None) is None
        assert getattr(event, "tag", None) is None
        if isinstance(event, yaml.CollectionStartEvent) and event.flow_style:
            assert event.start_mark is not None
            assert text[event.start_mark.index :][:2] in {"{}", "[]"}  # only an empty one is flow


def test_every_word_is_text_again_for_every_reader() -> None:
    text = dump({"words": list(WORDS)})
    for read in READERS.values():
        assert read(text) == {"words": list(WORDS)}
