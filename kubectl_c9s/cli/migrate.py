"""``migrate``: manifests of older releases as today's."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kubectl_c9s.cli.inputflags import FILENAME, RECURSIVE, check_paths
from kubectl_c9s.cli.inputs import STDIN
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import answer_for, print_notes
from kubectl_c9s.files.onefile import write_file
from kubectl_c9s.files.unified import file_diff
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError, UsageError
from kubectl_c9s.resources.findings import Findings

if TYPE_CHECKING:
    from kubectl_c9s.cli.migrating import Result

_WAYS = ("in_place", "check", "output_file")


@click.command()
@FILENAME
@RECURSIVE
@click.option(
    "--in-place",
    is_flag=True,
    help="Write the files that change; without it the result is printed.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; show what would change, and end with 1 if anything would.",
)
@click.option("--output-file", metavar="FILE", help="Write the result here instead of printing it.")
@click.option(
    "--report",
    metavar="FILE",
    help="Write errors and warnings as JSON to FILE (- for stderr), too.",
)
@click.option("--fail-on-warning", is_flag=True, help="Refuse input with warnings, too.")
@global_options
def migrate(flags: dict[str, Any], **given: Any) -> int:
    """Bring manifests of clabernetes 0.8 up to date.

    LauncherProfiles become NodeProfiles, and fields that are gone are taken out, each with a word on what takes its
    place. Comments, order and quoting stay as they are, and so does every other document. Input that cannot be
    migrated is refused as a whole, with every reason and its place.

    \b
    Example:
      kubectl c9s migrate -f labs/ -R --check
      kubectl c9s migrate -f labs/ -R --in-place
    """  # noqa: D301 - \b is click's mark for a paragraph that is not to be wrapped
    # A short run that keeps nearly all it makes: looking for garbage only costs time.
    gc.disable()
    _check_flags(given)
    from kubectl_c9s.cli.migrating import migrate_all  # noqa: PLC0415 - after the flags are known

    findings = Findings()
    results = migrate_all(given["paths"], findings, recursive=given["recursive"])
    answer_for(findings, given, flags)
    if given["check"]:
        return _show_differences(results)
    if given["in_place"]:
        _write_files(results)
    else:
        _write_stream(results, given["output_file"])
    return 0


def _check_flags(given: dict[str, Any]) -> None:
    check_paths(given["paths"])
    chosen = [f"--{way.replace('_', '-')}" for way in _WAYS if given[way]]
    if len(chosen) > 1:
        raise UsageError(f"{chosen[0]} and {chosen[1]} do not go together")
    if given["in_place"] and STDIN in given["paths"]:
        raise UsageError("stdin cannot be changed in place")


def _show_differences(results: list[Result]) -> int:
    for one in results:
        for line in file_diff(one.name, one.data, one.changed):
            sys.stdout.write(safe_text(line, multiline=True))
    old = _changed(results)
    print_notes([f"{len(results)} file(s) read, {len(old)} of them of an older release"])
    return 1 if old else 0


def _changed(results: list[Result]) -> list[Result]:
    return [one for one in results if one.changed != one.data]


def _write_files(results: list[Result]) -> None:
    changed = _changed(results)
    for one in changed:
        _write(one.path, one.changed)
        print(f"{safe_text(one.name)} changed", file=sys.stderr)
    print_notes([f"{len(results)} file(s) read, {len(changed)} changed"])


def _write_stream(results: list[Result], path: str | None) -> None:
    from kubectl_c9s.cli.migrating import stream  # noqa: PLC0415 - loaded already

    data = stream([one.changed for one in results])
    if path:
        _write(path, data)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def _write(path: str, data: bytes) -> None:
    try:
        write_file(Path(path), data)
    except OSError as error:
        raise C9sError(f"cannot write {path}: {error.strerror}; it is as it was") from None
