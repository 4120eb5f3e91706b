"""One installation in trouble, for all tests of the command, and the diagnosis of what was saved of it."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

from snapshot_sites import site
from split_lab import command

if TYPE_CHECKING:
    from snapshot_objects import Json

OBJECTS = site(random.Random(11))  # noqa: S311 - the same site for all tests
SPACE = next(
    one["metadata"]["namespace"]
    for one in OBJECTS
    if one["apiVersion"].startswith("c9s") and one["kind"] == "Node"
)
HOME = next(one["metadata"]["namespace"] for one in OBJECTS if one["kind"] == "Lease")


def diagnosed(*args: str) -> tuple[int, Json]:
    answer = command("diagnose", "-o", "json", *args)
    assert answer.out, answer.err
    return answer.code, json.loads(answer.out)
