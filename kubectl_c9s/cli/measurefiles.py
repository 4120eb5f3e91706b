"""Files of recorded starts that a command line names, and where a result goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kubectl_c9s.files.objectlists import STDIN, name_of, read_whole
from kubectl_c9s.resources.errors import C9sError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.measurement.run import Run

_SUFFIX: Final = ".json"


def read_runs(path: str) -> Iterator[tuple[Run, str]]:
    """Read a run, or those of a directory in files that end in .json; give each with its name.

    JSON of another kind is passed over in a directory, with a note; a replay keeps such files beside its run. Raises
    UsageError for what cannot be read, RefusedInput for what is no run, or is cut off.
    """
    from kubectl_c9s.cli.reporting import print_notes  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.measurement.runfile import read_run  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.measurement.sound import check_numbers  # noqa: PLC0415 - likewise

    files, found = _files(path), 0
    for file in files:
        name, data = name_of(file), read_whole(file)
        if file != path and _is_other(data):
            print_notes([f"{name} is no recorded start, and passed over"])
            continue
        run = read_run(data, name)
        check_numbers(run, name)
        found += 1
        yield run, name
    if not found:
        raise UsageError(f"directory {path} has no recorded start in it")


def _files(path: str) -> list[str]:
    if path == STDIN or not Path(path).is_dir():
        return [path]
    found = sorted(str(one) for one in Path(path).iterdir() if one.suffix == _SUFFIX)
    if not found:
        raise UsageError(f"directory {path} has no {_SUFFIX} file")
    return found


def _is_other(data: bytes) -> bool:
    """Tell whether a file is whole JSON and something else than a run."""
    import msgspec  # noqa: PLC0415 - after the flags are known

    from kubectl_c9s.measurement.run import KIND  # noqa: PLC0415 - likewise

    try:
        head = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return not isinstance(head, dict) or head.get("kind") != KIND


def write_result(parts: Iterable[str], target: str | None) -> None:
    """Print a result, or write it to a file, whole or not at all."""
    if target in (None, STDIN):
        sys.stdout.writelines(parts)
        return
    from kubectl_c9s.files.onefile import write_file  # noqa: PLC0415 - only for files

    path = Path(str(target))
    if not path.parent.is_dir():
        raise UsageError(f"--output-file {target!r}: there is no directory {str(path.parent)!r}")
    try:
        write_file(path, (part.encode("utf-8", "backslashreplace") for part in parts))
    except OSError as error:
        raise C9sError(f"cannot write {target}: {error.strerror}") from None
