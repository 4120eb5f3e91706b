"""Results for programs: they read back the same, and nothing in them moves a terminal."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_c9s.output.structured import json_line, structured
from kubectl_c9s.yamlio.reader import read_documents


@given(st.text())
@example("\x7f\x1b[2J\x9b\u202e")
def test_json_is_printable_ascii_and_reads_back(text: str) -> None:
    for written, ends in ((structured({"a": text}, "json"), 3), (json_line({"a": text}), 1)):
        assert json.loads(written) == {"a": text}
        assert written.count("\n") == ends
        assert all(" " <= one <= "~" or one == "\n" for one in written)


@pytest.mark.parametrize("control", ["\x7f", "\x1b", "\x9b", "\u202e", "\0"])
def test_yaml_has_no_control_either(control: str) -> None:
    written = structured({"a": f"x{control}y"}, "yaml")
    assert control not in written
    (document,) = read_documents(written.encode(), "written")
    assert document.root is not None
