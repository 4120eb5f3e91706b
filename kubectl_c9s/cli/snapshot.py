"""``snapshot``: what ``diagnose`` looks at, saved to be looked at later or by somebody else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.cli.reporting import print_notes
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.diagnosis.dump import SnapshotHeader

STDOUT: Final = "-"
_ARCHIVES: Final = (".tar.gz", ".tgz")
_TEXT: Final = ".json"


@click.command()
@click.option(
    "--output-file", "target", metavar="FILE", required=True,
    help="Where to put it: a .json or .tar.gz file, or - for stdout; a file that is there is replaced.",
)  # fmt: skip
@click.option(
    "--redact", is_flag=True,
    help="Replace names and addresses, leave out what a diagnosis does not read; it stays the same.",
)  # fmt: skip
@global_options
def snapshot(flags: dict[str, Any], target: str, redact: bool) -> None:  # noqa: FBT001 - click passes it
    """Save what diagnose and status look at: lists of Pods, Nodes, Deployments, Events and more, never of Secrets.

    Looks at all namespaces, or with -n at one and what may be seen of the manager's. What may not be read is named in
    the snapshot, and missing when it is diagnosed. 'kubectl c9s diagnose -f FILE' reads it.
    """
    _check_target(target)
    from kubectl_c9s.cli.snapshotparts import take_snapshot  # noqa: PLC0415 - slow to import

    header, lists = take_snapshot(flags, redact=redact)
    print_notes(header.unseen.values())
    size = _write(target, header, lists)
    if target != STDOUT:
        kinds = f"{len(header.collected)} kinds at {header.at}"
        print(f"{safe_text(target)}: {kinds}, {size:,} bytes", file=sys.stderr)


def _check_target(target: str) -> None:
    """Refuse a file that cannot be written before anybody is asked."""
    if target == STDOUT:
        return
    if not target.endswith((_TEXT, *_ARCHIVES)):
        raise UsageError(f"--output-file {target!r} ends neither in .json nor in .tar.gz")
    path = Path(target)
    if path.exists() and not path.is_file():
        raise UsageError(f"--output-file {target!r} is no regular file")
    if not path.parent.is_dir():
        raise UsageError(f"--output-file {target!r}: there is no directory {str(path.parent)!r}")


def _write(target: str, header: SnapshotHeader, lists: Mapping[str, Iterable[bytes]]) -> int:
    """Write the snapshot; give the bytes of a file."""
    from kubectl_c9s.diagnosis.snapshot import as_list, as_parts  # noqa: PLC0415 - slow to import

    if target == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(as_list(header, lists.values()))
        return 0
    from kubectl_c9s.files.onefile import write_file  # noqa: PLC0415 - only for files

    path = Path(target)
    try:
        if target.endswith(_ARCHIVES):
            from kubectl_c9s.files.archive import packed  # noqa: PLC0415 - only for archives
            from kubectl_c9s.resources.moments import seconds_of  # noqa: PLC0415 - only for archives

            write_file(
                path, packed(as_parts(header, lists), seconds_of(header.at) or 0.0), private=True
            )
        else:
            write_file(path, as_list(header, lists.values()), private=True)
    except OSError as error:
        raise C9sError(f"cannot write {target}: {error.strerror}") from None
    return path.stat().st_size
