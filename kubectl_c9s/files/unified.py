"""Unified diffs of single files, with headers as Git writes them, so that ``git apply`` takes them."""

from __future__ import annotations

import itertools
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Tag: TypeAlias = Literal["replace", "delete", "insert", "equal"]
    Edit: TypeAlias = tuple[Tag, int, int, int, int]

MAX_BYTES: Final = 4 << 20
"""Files above this size are only said to differ."""

_CONTEXT: Final = 3
# Above, the changed part is shown as replaced as a whole: looking for its likeness takes quadratic time.
_MAX_PAIRS: Final = 4_000_000


def file_diff(path: str, old: bytes | None, new: bytes | None) -> Iterator[str]:
    """Give the lines, each with its line feed, of the diff of a file; None where it is not there.

    Nothing if both are equal. What is no UTF-8 text, or too large, is only said to differ.
    """
    if old == new:
        return
    left, right = f"a/{path}", f"b/{path}"
    yield f"diff --git {left} {right}\n"
    if old is None:
        yield "new file mode 100644\n"
        left = "/dev/null"
    if new is None:
        yield "deleted file mode 100644\n"
        right = "/dev/null"
    texts = [_lines(data or b"") for data in (old, new)]
    if texts[0] is None or texts[1] is None:
        yield f"Binary files {left} and {right} differ\n"
        return
    hunks = _hunks(texts[0], texts[1])
    for number, line in enumerate(hunks):
        if not number:
            yield f"--- {left}\n"
            yield f"+++ {right}\n"
        yield line


def _lines(data: bytes) -> list[str] | None:
    """Split at line feeds, which stay; None for what is no text to show."""
    if len(data) > MAX_BYTES or b"\0" in data:
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    for group in _Edits(old, new).get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from _marked(" ", old[start:end])
                continue
            yield from _marked("-", old[start:end])
            yield from _marked("+", new[new_start:new_end])


def _range(start: int, end: int) -> str:
    """Write a range as unified diffs do: counted from 1; an empty one stands behind the line before it."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start if not length else start + 1},{length}"


def _marked(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"


class _Edits(SequenceMatcher[str]):
    """Edits between two texts, in time that stays bounded: equal ends are not searched."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        head = _common(old, new)
        tail = _common(old[head:][::-1], new[head:][::-1])
        self._ends = (head, len(old) - tail, len(new) - tail)
        self._lengths = (len(old), len(new))
        super().__init__(None, old[head : len(old) - tail], new[head : len(new) - tail])

    def get_opcodes(self) -> list[Any]:
        """Give the edits in the whole texts."""
        head, old_end, new_end = self._ends
        edits: list[Edit] = [("equal", 0, head, 0, head)] if head else []
        if (old_end - head) * (new_end - head) > _MAX_PAIRS:
            edits.append(("replace", head, old_end, head, new_end))
        else:
            shifted = super().get_opcodes()
            edits += [(tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in shifted]
        if old_end < self._lengths[0]:
            edits.append(("equal", old_end, self._lengths[0], new_end, self._lengths[1]))
        return edits


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
