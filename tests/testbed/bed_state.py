"""Where a bed keeps what it is made of: folders, locks, free ports and what was decided when it started.

Nothing of a bed lies in the checkout. Binaries are kept in a cache by version; a bed has a folder of its own below
the state root, named like the bed. Beside those stand folders with names that no bed can have: ``_locks``, whose files
stay when a bed goes, ``_failed``, ``_kind``, ``_kubectl-cache``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import random
import socket
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# Below the range from which systems take the ports of outgoing connections: a component that was
# killed finds its port free when it starts again.
PORTS: Final = range(15_000, 32_000)


class BedUnavailable(Exception):
    """No bed can be had on this machine; the message says why in one line."""


class BedBroken(Exception):
    """A bed should work and does not; the message has the end of the logs."""


def _root(own: str, base: str, default: str) -> Path:
    if chosen := os.environ.get(own):
        return Path(chosen).absolute()
    return Path(os.environ.get(base) or Path.home() / default).absolute() / "kubectl-c9s/testbed"


def cache_root() -> Path:
    """Give the folder of the binaries; ``C9S_TESTBED_CACHE`` moves it."""
    return _root("C9S_TESTBED_CACHE", "XDG_CACHE_HOME", ".cache")


def state_root() -> Path:
    """Give the folder of the running beds; ``C9S_TESTBED_STATE`` moves it."""
    return _root("C9S_TESTBED_STATE", "XDG_STATE_HOME", ".local/state")


def bed_folder(name: str) -> Path:
    """Give the folder of a bed of our own processes."""
    return state_root() / name


def _open_lock(path: Path) -> IO[str]:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path.open("a", encoding="utf-8")


@contextlib.contextmanager
def locked(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold a lock file, alone or with others; waits for it. A killed holder lets go of it."""
    with _open_lock(path) as file:
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def locked_if_free(path: Path) -> Iterator[bool]:
    """Hold a lock file alone, and say whether that was possible without waiting."""
    with _open_lock(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def operation_lock(name: str) -> Path:
    """Give the lock under which a bed is started and stopped."""
    return state_root() / "_locks" / f"{name}.operation"


def users_lock(name: str) -> Path:
    """Give the lock that everybody shares who is using a bed."""
    return state_root() / "_locks" / f"{name}.users"


@dataclasses.dataclass(frozen=True)
class BedState:
    """What a bed was started with; ``state.json`` in its folder.

    ``ports`` by component (TCP, on loopback), ``tools`` the binaries, ``flags`` what was added to a component's
    own, ``nodes`` the number of fake Kubernetes nodes, ``keep`` whether it outlives the tests that use it.
    """

    ports: dict[str, int]
    tools: dict[str, str]
    flags: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    nodes: int = 3
    keep: bool = False

    @staticmethod
    def load(folder: Path) -> BedState | None:
        """Read the state; None where there is none, or one that another version has written."""
        try:
            found: dict[str, Any] = json.loads((folder / "state.json").read_text(encoding="utf-8"))
            return BedState(**found)
        except (OSError, ValueError, TypeError):
            return None

    def save(self, folder: Path) -> None:
        """Write the state in one step."""
        write_whole(folder / "state.json", json.dumps(dataclasses.asdict(self), indent=1))


def write_whole(path: Path, text: str) -> bool:
    """Write a file under another name and rename it; tell whether that changed anything."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
    return True


@contextlib.contextmanager
def choosing_ports() -> Iterator[None]:
    """Let one bed at a time choose its ports and write down which they are."""
    with locked(state_root() / "_locks/ports"):
        yield


def free_ports(names: list[str]) -> dict[str, int]:
    """Choose ports that nobody listens on and no other bed has written down."""
    states = (BedState.load(path.parent) for path in bed_folder("").glob("*/state.json"))
    taken = {port for state in states if state for port in state.ports.values()}
    candidates = [port for port in PORTS if port not in taken]
    random.shuffle(candidates)
    free = (port for port in candidates if is_free(port))
    return {name: next(free) for name in names}


def is_free(port: int) -> bool:
    """Tell whether nobody listens on a port of loopback."""
    with socket.socket() as probe:
        # As the components do: a port whose last connections are still timing out is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
