"""A bed made of processes of our own: started, revived, broken on purpose, and taken away again."""

from __future__ import annotations

import dataclasses
import http.client
import shutil
import signal
import sys
import time
from typing import TYPE_CHECKING, Final

import bed_components as components
from bed_base import Bed
from bed_components import COMPONENTS, NEEDED
from bed_objects import load_crds, load_door, make_nodes, wait_nodes
from bed_process import Daemon
from bed_state import (
    BedBroken,
    BedState,
    bed_folder,
    choosing_ports,
    free_ports,
    locked,
    operation_lock,
)

if TYPE_CHECKING:
    from pathlib import Path

# How a client says that the server did not do what it was asked.
NO_ANSWER: Final = (OSError, http.client.HTTPException, AssertionError)
READY_WITHIN: Final = 180.0  # seconds; a bed needs about six, a busy machine more


@dataclasses.dataclass(frozen=True)
class Wish:
    """What is asked of a bed; None leaves a running one as it is.

    ``flags`` go to components in addition to their own, e.g. ``--kube-api-qps=200``.
    """

    nodes: int | None = None
    flags: dict[str, list[str]] | None = None
    keep: bool = False


@dataclasses.dataclass(frozen=True)
class OwnBed(Bed):
    """A bed with processes that a test may kill, stop and start again."""

    folder: Path

    @property
    def state(self) -> BedState:
        """Read what the bed was started with; :class:`BedBroken` when it is not there."""
        state = BedState.load(self.folder)
        if state is None:
            raise BedBroken(f"there is no bed {self.name} in {self.folder}")
        return state

    @property
    def audit_log(self) -> Path:
        """Give the file with one JSON object a line for each request (audit-policy.yaml)."""
        return self.folder / "audit.log"

    @property
    def components(self) -> list[str]:
        """Name the components of this bed, in the order of starting."""
        return [name for name in COMPONENTS if name in self.state.tools]

    def daemon(self, name: str) -> Daemon:
        """Give the process of a component: its number, its log, signals."""
        return Daemon(name, self.folder)

    def start(self, name: str) -> None:
        """Start a component unless it lives, with the data it had; does not wait until it is well."""
        if self.daemon(name).pid() is None:
            self.daemon(name).start(components.command(name, self.folder, self.state))

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> None:
        """End a component, by default without warning, and wait until it is gone."""
        self.daemon(name).stop(number)

    def restart(self, name: str, number: signal.Signals = signal.SIGKILL) -> None:
        """End a component, start it again and wait until it is well."""
        self.kill(name, number)
        self.start(name)
        self.wait_healthy(name)

    def healthy(self, name: str) -> bool:
        """Ask a component whether it is ready to work."""
        alive = self.daemon(name).pid() is not None
        return alive and components.healthy(name, self.folder, self.state)

    def wait_healthy(self, *names: str) -> None:
        """Wait until components are well; :class:`BedBroken` with the log of one that is not."""
        end = time.monotonic() + READY_WITHIN
        for name in names:
            while not self.healthy(name):
                if self.daemon(name).pid() is None:
                    raise BedBroken(f"{name} has ended{self.daemon(name).tail()}")
                if time.monotonic() > end:
                    raise BedBroken(f"{name} does not become ready{self.daemon(name).tail()}")
                time.sleep(0.05)

    def bring_up(self) -> None:
        """Start what does not run as it should, load what every bed has, wait until all is well."""
        state, changed = self.state, components.copy_settings(self.folder)
        for name in reversed(self.components):
            wanted = components.command(name, self.folder, state)
            if name in changed or self.daemon(name).argv() != wanted:
                self.kill(name)
        self._start(*NEEDED)
        others = [name for name in self.components if name not in NEEDED and name != "kwok"]
        for name in others:
            self.start(name)
        with self.client() as client:
            load_crds(client)
            make_nodes(client, state.nodes)
            if "kwok" in state.tools:
                load_door(client)
                self._start("kwok")
                self.wait_healthy(*others)
                wait_nodes(client, state.nodes)

    def _start(self, *names: str) -> None:
        for name in names:
            self.start(name)
        self.wait_healthy(*names)

    def stop_all(self) -> None:
        """End every process of the bed at once; its data is not needed any more."""
        daemons = [self.daemon(name) for name in COMPONENTS]
        for daemon in daemons:
            daemon.send(signal.SIGKILL)
        for daemon in daemons:
            daemon.wait_gone()


def bed_of(name: str) -> OwnBed:
    """Give the bed of a name, whether it is there or not."""
    folder = bed_folder(name)
    return OwnBed(name, "own", components.kubeconfig(folder), folder)


def up(name: str, tools: dict[str, str], wish: Wish) -> OwnBed:
    """Start a bed or find it running; one that is half there is revived, or made anew.

    :class:`BedBroken` with the end of the logs when that fails; then nothing of it runs, and the logs stay.
    """
    bed = bed_of(name)
    with locked(operation_lock(name)):
        if bed.daemon("etcd").pid() and (old := BedState.load(bed.folder)):
            _merged(old, tools, wish).save(bed.folder)
            try:
                bed.bring_up()
            except (BedBroken, *NO_ANSWER) as error:
                print(f"bed {name} is made anew: {error}", file=sys.stderr)
            else:
                return bed
        _make(bed, tools, wish)
        try:
            bed.bring_up()
        except BaseException as error:
            bed.stop_all()
            if isinstance(error, NO_ANSWER):
                raise BedBroken(f"{error}{bed.daemon('kube-apiserver').tail()}") from error
            raise
        return bed


def _merged(old: BedState, tools: dict[str, str], wish: Wish) -> BedState:
    return dataclasses.replace(
        old,
        tools=tools | old.tools,
        nodes=max(old.nodes, wish.nodes or 0),
        flags=old.flags if wish.flags is None else wish.flags,
        keep=old.keep or wish.keep,
    )


def _make(bed: OwnBed, tools: dict[str, str], wish: Wish) -> None:
    """Make the folder of a bed from nothing; of one that was there only the logs stay."""
    bed.stop_all()
    old_logs = bed.folder / "log.old"
    bed.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if (bed.folder / "log").is_dir():
        shutil.rmtree(old_logs, ignore_errors=True)
        (bed.folder / "log").rename(old_logs)
    for path in bed.folder.iterdir():
        if path.is_dir() and path != old_logs:
            shutil.rmtree(path)
        elif path != old_logs:
            path.unlink()
    with choosing_ports():
        ports = free_ports(list(components.PORT_NAMES))
        nodes = BedState.nodes if wish.nodes is None else wish.nodes
        state = BedState(ports, tools, wish.flags or {}, nodes, wish.keep)
        state.save(bed.folder)
    components.prepare(bed.folder, state)


def down(name: str, *, unless_kept: bool = False) -> bool:
    """Stop a bed and remove its folder; tell whether there was one."""
    bed = bed_of(name)
    with locked(operation_lock(name)):
        state = BedState.load(bed.folder)
        if not bed.folder.is_dir() or (unless_kept and state and state.keep):
            return False
        bed.stop_all()
        shutil.rmtree(bed.folder)
    return True
