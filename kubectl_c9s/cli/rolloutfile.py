"""``rollout set -f``: the same change in a manifest or a chart's values file, nothing else touched."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.cli.inputs import STDIN, read_bytes
from kubectl_c9s.cli.rolloutflags import SUFFIXES
from kubectl_c9s.files.onefile import write_file
from kubectl_c9s.files.unified import file_diff
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError, UsageError
from kubectl_c9s.rollout.limits import FIELDS
from kubectl_c9s.yamlio.rolloutedit import Change, Leave, edit_rollout
from kubectl_c9s.yamlio.rollouttarget import Target, only_target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.rollout.limits import Edit
    from kubectl_c9s.yamlio.rolloutedit import Limit

_LIVE_ONLY: Final = ("print_patch", "output", "release_all", "allow")


def edit_file(flags: Mapping[str, Any], given: Mapping[str, Any], edit: Edit) -> int:
    """Change the file, or print it changed; a dry run prints the difference."""
    for flag in _LIVE_ONLY:
        if given[flag]:
            raise UsageError(f"--{flag.replace('_', '-')} is for a cluster, not for a file")
    path = given["filename"]
    name = "<stdin>" if path == STDIN else path
    if given["in_place"] and path == STDIN:
        raise UsageError("stdin cannot be changed in place")
    data = read_bytes(path)
    target = _target(given["target"], flags.get("namespace") or "", data, name)
    changed = edit_rollout(data, name, target, _change(edit))
    if given["dry_run"] != "none":
        for line in file_diff(name, data, changed):
            sys.stdout.write(safe_text(line, multiline=True))
        return 0
    if not given["in_place"]:
        sys.stdout.flush()
        sys.stdout.buffer.write(changed)
        return 0
    if changed != data:
        _write(Path(path), changed)
    result = "unchanged" if changed == data else "changed"
    print(f"{safe_text(name)} {result}{SUFFIXES[given['dry_run']]}", file=sys.stderr)
    return 0


def _target(text: str | None, namespace: str, data: bytes, name: str) -> Target:
    if not text:
        return only_target(data, name, namespace)
    from kubectl_c9s.rollout.targets import parse_target  # noqa: PLC0415 - only when one is named

    kind, object_name = parse_target(text)
    return Target.config(namespace) if kind == "Config" else Target.topology(object_name, namespace)


def _change(edit: Edit) -> Change:
    wanted: dict[str, Limit] = dict.fromkeys(edit.removed, Leave.OUT)
    wanted |= dict(edit.values)
    batch, per_host = (wanted.get(field, Leave.AS_IT_IS) for field in FIELDS)
    return Change(batch, per_host)


def _write(path: Path, data: bytes) -> None:
    try:
        write_file(path, data)
    except OSError as error:
        raise C9sError(f"cannot write {path}: {error.strerror}; it is as it was") from None
