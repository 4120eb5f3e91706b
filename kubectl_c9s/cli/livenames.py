"""Names that only a kubeconfig or a cluster knows, for completion: soon or not at all, and never a word of noise.

Asking may wait for a server, a name service or a credential plugin, and some of these know no time limit. So a child
asks, in a session of its own without a terminal, and writes each name it finds. When the time is up it is ended with
all it has started; what it has written until then is the answer (conventions.md §1: at most 100 names, 1 s in all).
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOST: Final = 100
# Of the second that a user may wait the start of the program takes a part, too.
_BUDGET: Final = 0.85
# For those whose credential plugin takes longer, and who would rather wait.
_VARIABLE: Final = "C9S_COMPLETION_SECONDS"


def live_names(kind: str, typed: str, given: Mapping[str, list[str]]) -> list[str]:
    """Give names that begin with what is typed; none when nobody answers in time.

    ``given`` are the flags on the line by their longest name, each with its values.
    """
    end = time.monotonic() + budget()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _ask(writing, kind, typed, given)
    os.close(writing)
    try:
        found = gathered(reading, end)
    finally:
        os.close(reading)
        _end(child)
    return found[:MOST]


def budget() -> float:
    """Give the seconds that asking may take."""
    with contextlib.suppress(ValueError):
        return float(os.environ.get(_VARIABLE) or _BUDGET)
    return _BUDGET


def gathered(pipe: int, end: float, clock: Callable[[], float] = time.monotonic) -> list[str]:
    """Read lines until the pipe is closed or ``end`` is there; a line that is not whole is left out."""
    data = b""
    while (left := end - clock()) > 0 and select.select([pipe], [], [], left)[0]:
        chunk = os.read(pipe, 65536)
        if not chunk:
            break
        data += chunk
    return data[: data.rfind(b"\n") + 1].decode().splitlines()


def _ask(writing: int, kind: str, typed: str, given: Mapping[str, list[str]]) -> NoReturn:
    """Be the child. Whatever goes wrong: it says nothing more."""
    try:
        # Without a terminal no credential plugin can ask anything.
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        from kubectl_c9s.cli.liveasking import ask  # noqa: PLC0415 - the client is slow to import

        for name in ask(kind, typed, as_flags(given)):
            os.write(writing, f"{name}\n".encode())
    except BaseException:  # noqa: BLE001, S110 - there is nobody to tell
        pass
    finally:
        os._exit(0)


def _end(child: int) -> None:
    """End the child and what it has started, such as a credential plugin."""
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def as_flags(given: Mapping[str, list[str]]) -> dict[str, Any]:
    """Give the flags of the line as commands get them; the last value of a flag wins."""
    found: dict[str, Any] = {}
    for flag, values in given.items():
        name = flag.lstrip("-").replace("-", "_")
        if name == "as_group":
            found[name] = values
        else:
            # A shell's own script hands words over as they are typed.
            found[{"as": "as_user"}.get(name, name)] = os.path.expanduser(values[-1])  # noqa: PTH111 - pathlib costs start-up
    return found
