"""``fn CONFIG`` is a plugin of the older kind: objects in, objects out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from door_tools import (
    BROKEN,
    LAB,
    call,
    config,
)
from fn_tools import KEPT

if TYPE_CHECKING:
    from pathlib import Path


def test_an_older_plugin_says_on_stderr_what_is_wrong_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(config(), encoding="utf-8")
    answer = call("fn", "config", cwd=tmp_path, stdin=BROKEN)
    assert (answer.code, answer.out) == (1, "")
    assert "Topology/demo:13:35: error: endpoint names node 'nobody'" in answer.err


def test_an_older_plugin_keeps_the_other_objects_of_the_stream(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(config(), encoding="utf-8")
    answer = call("fn", "config", cwd=tmp_path, stdin="---\n".join([KEPT[0], LAB, KEPT[1]]))
    alone = call("split", "-f", "-", cwd=tmp_path, stdin=LAB).out
    assert answer.out == "---\n".join([KEPT[0], alone, KEPT[1]])


@pytest.mark.parametrize("content", [None, "", "a: 1\n---\nb: 2\n"])
def test_an_older_plugin_needs_one_configuration(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "config").write_text(content, encoding="utf-8")
    answer = call("fn", "config", cwd=tmp_path, stdin=LAB)
    assert (answer.code, answer.out) == (2, "")
