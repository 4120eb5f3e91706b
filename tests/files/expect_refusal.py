"""Expecting that a directory is refused, by writing and by checking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rendered_lab import demo, identities, listing, rendering

from kubectl_c9s.files.directory import check, replace
from kubectl_c9s.resources.errors import GuardRefusal

if TYPE_CHECKING:
    from pathlib import Path


def refused(directory: Path, match: str, *, lab: str = "demo") -> None:
    """Expect a refusal, by writing and by checking, that leaves the whole parent as it was."""
    parent = directory.parent
    before = (identities(parent), listing(parent)) if parent.name == "labs" else None
    with pytest.raises(GuardRefusal, match=match):
        replace([(directory, rendering(demo(), lab=lab))])
    with pytest.raises(GuardRefusal, match=match):
        list(check(directory, rendering(demo(), lab=lab)))
    if before:
        assert (identities(parent), listing(parent)) == before
