"""A directory with foreign files, and what it is before and after a run that is killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rendered_lab import (
    FOREIGN,
    add_foreign_files,
    demo,
    identities,
    listing,
    rendering,
    tree,
)

from kubectl_c9s.files.directory import check, replace
from kubectl_c9s.resources.errors import GuardRefusal

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = rendering(demo(third=True)), rendering(demo("alpine:4"))


def write(directory: Path, *, new: bool = True) -> None:
    replace([(directory, NEW if new else OLD)], prune=True)


class Lab:
    """A directory with foreign files, and what it is before and after the run that is killed."""

    def __init__(self, parent: Path) -> None:
        self.directory = parent / "demo"
        self.make()
        self.before = tree(self.directory)
        write(self.directory)
        self.after = tree(self.directory)

    def make(self) -> None:
        """Make the directory anew, in the old state."""
        if self.directory.exists():
            write(self.directory, new=False)
        else:
            self.directory.mkdir(parents=True)
            add_foreign_files(self.directory)
            write(self.directory, new=False)
        self.foreign = {name: identities(self.directory)[name] for name in FOREIGN}

    def check_is_whole(self, way: str) -> None:
        """Expect the old or the new state; two renames have a moment without either."""
        if way == "renamed twice" and not self.directory.exists():
            with pytest.raises(GuardRefusal, match="was killed"):
                list(check(self.directory, NEW))
            return
        assert tree(self.directory) in (self.before, self.after)

    def check_next_run(self) -> None:
        """Expect of the next run the new state, the foreign files as they were, and nothing beside it."""
        (outcome,) = replace([(self.directory, NEW)], prune=True)
        assert outcome.notes == []
        assert tree(self.directory) == self.after
        assert listing(self.directory.parent) == ["demo"]
        now = identities(self.directory)
        for name, entry in self.foreign.items():
            same_file = now[name] == entry
            assert same_file or (entry[0] == "link" and now[name][:3] == entry[:3])
