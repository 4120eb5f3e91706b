"""The file of a recorded start: JSON, read with words for what is wrong with it."""

from __future__ import annotations

from typing import Final

from kubectl_c9s.measurement.ownfiles import OwnFile
from kubectl_c9s.measurement.run import FORMAT, KIND, MILESTONES, Run
from kubectl_c9s.resources.errors import RefusedInput

_HINT: Final = "measure watch and measure replay write such files"
_FILE: Final = OwnFile(KIND, FORMAT, "recorded start", _HINT)


def write_run(run: Run) -> bytes:
    """Give the file of a run."""
    return _FILE.write(run)


def is_run(data: bytes) -> bool:
    """Tell whether a file is a run and not a list of objects; it may still be a wrong one."""
    return data.lstrip()[:1] == b"{" and f'"{KIND}"'.encode() in data


def read_run(data: bytes, name: str) -> Run:
    """Read the file of a run; RefusedInput says what is wrong with it."""
    run = _FILE.read(data, name, Run)
    unknown = {key for one in run.devices for key in (*one.stamps, *one.observed)} - set(MILESTONES)
    if unknown:
        raise RefusedInput(f"{name} has an unknown milestone {min(unknown)!r}", hint=_HINT)
    return run
