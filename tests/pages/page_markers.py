"""The markers above blocks of pages: ``checked``, ``run``, ``not run``, ``prepare``, and what they can say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MARKER_WORDS: Final = frozenset({"checked", "run", "not run", "prepare"})
# Why a block is not run. A new reason needs a good one; test_page_reasons.py counts the blocks of each.
REASONS: Final = {
    "needs a container engine": "no image can be built or pulled where the tests run",
    "needs an external account": "it writes to a registry or a Git host",
    "needs a package index": "it installs from the network",
    "runs these tests": "it is what runs the tests, or takes as long as they do",
}
_OPTION: Final = re.compile(r"exit (?P<exit>\d+)|(?P<flag>bed|shape|background)|file (?P<file>\S+)")


class MarkerError(Exception):
    """A marker says what no marker can say."""


@dataclass(frozen=True)
class Marker:
    """What a marker says; ``status`` is the exit code of the last command of its block."""

    word: str
    status: int = 0
    bed: bool = False
    shape: bool = False
    background: bool = False
    file: str = ""
    reason: str = ""

    @property
    def runs(self) -> bool:
        """Tell whether the block is played."""
        return self.word != "not run"

    @property
    def compares(self) -> bool:
        """Tell whether what the block prints is compared with the page."""
        return self.word == "checked"


def parse_marker(comment: str) -> Marker | None:
    """Read the text of a comment; None when it is no marker, MarkerError when it is a wrong one."""
    word, colon, rest = (part.strip() for part in comment.partition(":"))
    if word not in MARKER_WORDS:
        return None
    if word == "not run":
        if rest not in REASONS:
            raise MarkerError(f"'{rest}' is no reason of page_markers.py")
        return Marker(word, reason=rest)
    if colon and not rest:
        raise MarkerError(f"'{comment}' says nothing behind its colon")
    return _with_options(word, rest)


def _with_options(word: str, rest: str) -> Marker:
    given: dict[str, str] = {}
    left = rest
    while left:
        option = _OPTION.match(left)
        if option is None:
            raise MarkerError(f"'{left}' is no option of a marker")
        left = left[option.end() :].lstrip()
        given |= {key: value for key, value in option.groupdict().items() if value is not None}
        if option["flag"]:
            given[option["flag"]] = "yes"
    if "shape" in given and word != "checked":
        raise MarkerError("'shape' goes with 'checked'")
    return Marker(
        word,
        status=int(given.get("exit", "0")),
        bed="bed" in given,
        shape="shape" in given,
        background="background" in given,
        file=given.get("file", ""),
    )
