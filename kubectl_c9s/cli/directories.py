"""``split --output-dir``: a directory that lives in Git."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.cli.work import as_object
from kubectl_c9s.files.directory import Outcome, Rendering, check, lab_directory, replace
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.fluxmarks import SUBSTITUTE, is_changed
from kubectl_c9s.yamlio.layout import arrange
from kubectl_c9s.yamlio.writer import Writer, dump

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cli.work import LabPart, Work
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.layout import Layout


def keep_directory(work: Work, given: dict[str, Any]) -> int:
    """Bring the directory up to date, or with ``--check`` show what is not; gives the exit code.

    One lab is kept in the directory itself, several each in one of its name.
    """
    several = len(work.parts) > 1
    if several and work.others:
        raise UsageError(
            "--pass-through with --output-dir takes one lab, because it has one place for the rest"
        )
    top = Path(given["output_dir"])
    done: set[str] = set()
    watch = _Watch()
    jobs = [
        (
            lab_directory(top, part.name) if several else top,
            _rendering(work, part, given["layout"], done, watch),
        )
        for part in work.parts
    ]
    if len({directory for directory, _ in jobs}) < len(jobs):
        raise UsageError("two labs of one name cannot share a directory")
    if given["check"]:
        return _check(jobs, prune=given["prune"], several=several)
    for outcome in replace(jobs, prune=given["prune"]):
        _print(outcome)
    print_notes(watch.notes())
    return 0


class _Watch:
    """Looks at every text that is written for what Flux would change; each is made once."""

    def __init__(self) -> None:
        self._found = 0

    def see(self, make: Callable[[], str]) -> str:
        text = make()
        self._found += is_changed(text) and SUBSTITUTE not in text
        return text

    def notes(self) -> list[str]:
        if not self._found:
            return []
        words = "which Flux changes where post-build substitution is on; --flux-no-substitute keeps them from it"
        return [f"{self._found} object(s) hold ${{ or $$, {words}"]


def _rendering(
    work: Work, part: LabPart, layout: Layout, done: set[str], watch: _Watch
) -> Rendering:
    writer = Writer()
    pairs: list[tuple[KubeObject, Callable[[], str]]] = []
    for item in work.others:
        obj = as_object(item)
        pairs.append((obj, partial(dump, obj)))
    for head, make in work.made_objects(part, done):
        pairs.append((head, partial(_dumped, make, work)))
    for obj in part.rendered.ordered():
        shown = work.annotated(obj)
        pairs.append((shown, partial(writer.document, shown)))
    seen = [(obj, partial(watch.see, make)) for obj, make in pairs]
    return Rendering(part.name, part.namespace, layout, arrange(seen, part.name, layout))


def _dumped(make: Callable[[], KubeObject], work: Work) -> str:
    return dump(work.annotated(make()))


def _check(jobs: list[tuple[Path, Rendering]], *, prune: bool, several: bool) -> int:
    differs = False
    for directory, rendering in jobs:
        for line in check(
            directory, rendering, prune=prune, prefix=f"{directory.name}/" if several else ""
        ):
            differs = True
            sys.stdout.write(safe_text(line, multiline=True) if sys.stdout.isatty() else line)
    return 1 if differs else 0


def _print(outcome: Outcome) -> None:
    for path in outcome.edited:
        print(
            f"warning: {safe_text(path)} had been changed by hand and is written anew",
            file=sys.stderr,
        )
    print_notes(outcome.notes)
    counts = (
        (outcome.new, "new"), (outcome.changed, "changed"), (outcome.removed, "removed"),
        (outcome.stale, "no longer needed (--prune removes them)"),
    )  # fmt: skip
    said = ", ".join(f"{len(paths)} {what}" for paths, what in counts if paths) or "up to date"
    print(f"{safe_text(outcome.directory)}: {said}", file=sys.stderr)
