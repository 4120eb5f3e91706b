"""Which manager leads, from now on: the Lease is asked every few seconds, and at once after something went wrong."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from kubectl_c9s.cluster.activepod import NoLeader, find_active
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubectl_c9s.cluster.activepod import Active, Place
    from kubectl_c9s.cluster.connection import Connection

PERIOD: Final = 3.0
_CALM: Final = 0.5  # seconds between two questions at least, however many ask for one


class Leadership:
    """Follows leadership from a Pod that leads now; ``say`` is told in words whenever something has changed."""

    def __init__(
        self,
        connection: Connection,
        place: Place,
        active: Active,
        say: Callable[[str], None],
        period: float = PERIOD,
    ) -> None:
        self._connection, self._place, self._say, self._period = connection, place, say, period
        self._active: Active | None = active
        self._last = active
        self._doubt = ""
        self._changed = threading.Condition()
        self._doubted = threading.Event()
        self._stopped = threading.Event()
        self._asking = False
        self._answers = 0
        self._thread = threading.Thread(target=self._follow, name="c9s-leader", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more; waits for the answer that is due."""
        self._stopped.set()
        self._doubted.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(self._period)

    @property
    def stopped(self) -> bool:
        """Tell whether nobody asks any more."""
        return self._stopped.is_set()

    def doubt(self, seconds: float) -> None:
        """Have the Lease asked at once, because the Pod did not answer, and wait for the answer at most so long."""
        with self._changed:
            # A question that is under way was asked before there was a doubt.
            seen = self._answers + self._asking
            self._doubted.set()
            self._changed.wait_for(lambda: self._stopped.is_set() or self._answers > seen, seconds)

    def current(self, seconds: float) -> Active:
        """Give the Pod that leads, waiting for one at most so long. Raises NoLeader."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped.is_set() or self._active is not None, seconds
            )
            if self._active is None or self._stopped.is_set():
                raise NoLeader(self._doubt or "no manager leads")
            return self._active

    def _follow(self) -> None:
        while not self._stopped.is_set():
            in_doubt = self._doubted.wait(self._period)
            self._doubted.clear()
            if self._stopped.is_set():
                return
            self._ask()
            if in_doubt:
                self._stopped.wait(_CALM)

    def _ask(self) -> None:
        found, doubt = None, ""
        with self._changed:
            self._asking = True
        try:
            found = find_active(self._connection, self._place)
        except NoLeader as error:
            doubt = error.message
        except C9sError as error:  # that nothing is known now does not move what was known
            found, doubt = self._active, error.message
        except Exception as error:  # noqa: BLE001 - nobody else sees what happens in this thread
            found, doubt = self._active, f"{type(error).__name__}: {error}"
        with self._changed:
            before, self._active = self._active, found
            news, self._doubt = doubt != self._doubt, doubt
            self._asking = False
            self._answers += 1
            self._changed.notify_all()
        if doubt and news:
            self._say(
                f"{doubt}; waiting" if found is None else f"the leader cannot be asked for: {doubt}"
            )
        elif found is not None and not doubt:
            self._tell(before, found)

    def _tell(self, before: Active | None, found: Active) -> None:
        moved, self._last = found.uid != self._last.uid, found
        if moved:
            off = "; its diagnostics are off" if found.diagnostics is False else ""
            self._say(f"leadership has moved: new connections go to {found.name}{off}")
        elif before is None:
            self._say(f"{found.name} leads again")
