"""Faults at the N-th change a run makes to the file system: the process dies, or the system refuses.

Every change of the product goes through one of the functions below, so every N is a point where a kill or a full disk
can strike; between two of them the file system does not change.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.files import staging

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

KILLED: Final = 77
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a directory of our own is made in it
CHANGES: Final = (
    *("mkdir", "rmdir", "link", "symlink", "unlink", "rename", "write", "fsync"),
    *("chmod", "fchmod", "fchown", "chown", "utime", "setxattr"),
)


class Faults:
    """Counts changes; ``strike`` is called instead of the N-th, with the function and its arguments."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, number: int, strike: Callable[..., Any]
    ) -> None:
        self.count = 0
        self._number, self._strike = number, strike
        for name in CHANGES:
            monkeypatch.setattr(os, name, self._guarded(getattr(os, name)))
        monkeypatch.setattr(
            os, "open", self._guarded(os.open, lambda *given: given[1] & os.O_CREAT)
        )
        for name in ("exchange", "sync_file_system"):
            monkeypatch.setattr(staging, name, self._guarded(getattr(staging, name)))

    def _guarded(
        self, real: Callable[..., Any], counts: Callable[..., object] = lambda *_: True
    ) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            if counts(*given):
                self.count += 1
                if self.count == self._number:
                    return self._strike(real, *given, **named)
            return real(*given, **named)

        return called


def die(real: Callable[..., Any], *given: Any, **_: Any) -> None:
    """End the process as SIGKILL does: no handler runs. A write is cut in the middle."""
    if real.__name__ == "write":
        real(given[0], bytes(given[1])[: len(given[1]) // 2])
    os._exit(KILLED)


@contextlib.contextmanager
def quick_folder(otherwise: Path) -> Iterator[Path]:
    """Give an empty directory, in memory where there is such a place, for what is done hundreds of times."""
    if not _MEMORY.is_dir():
        yield otherwise
        return
    with tempfile.TemporaryDirectory(dir=_MEMORY) as name:
        yield Path(name)


def in_child(action: Callable[[], object]) -> int:
    """Run an action in a process of its own; give its exit code, 0 if it came to its end."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            action()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
