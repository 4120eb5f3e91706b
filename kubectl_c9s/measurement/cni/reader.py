"""What a reader of a CNI's logs is: where the log of a host is found, and a parser that is fed line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import msgspec

from kubectl_c9s.measurement.statistics import Distribution

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_LINE: Final = 64 * 1024


class Source(NamedTuple):
    """Where logs are found: Pods with ``selector`` in the first of ``namespaces`` that has some, one a host.

    ``command`` prints the log of the host, run in ``container``.
    """

    namespaces: tuple[str, ...]
    selector: str
    container: str
    command: tuple[str, ...]


class CniTimes(msgspec.Struct, frozen=True, rename="camel"):
    """How long addresses took on one host, by the clock of that host: only differences mean something.

    ``allocations`` counts the calls for Pods of the namespace; ``waits`` is from asking for the host's lock to having
    it, ``holds`` from having it to giving it back, in seconds, with their sums. ``span`` is from the first time asked
    to the last given back: holds that sum up to nearly all of it are the limit of that host. ``lines`` counts the lines
    read, ``odd`` those that were cut, or whose times run backwards. ``first`` is the first time in the log and
    ``last`` that of the last allocation or lock, as written; ``complete`` is false when the log does not reach back to
    the moment from which on it was wanted.
    """

    allocations: int = 0
    waits: Distribution = Distribution(0)
    wait_sum: float = 0.0
    holds: Distribution = Distribution(0)
    hold_sum: float = 0.0
    span: float = 0.0
    lines: int = 0
    odd: int = 0
    first: str = ""
    last: str = ""
    complete: bool = True


class Parser(Protocol):
    """Takes the log of one host line by line; memory must not grow with the log."""

    def feed(self, line: bytes) -> None:
        """Take a line without its end."""

    def result(self) -> CniTimes:
        """Give what the lines so far say."""


class Reader(Protocol):
    """A plug-in for one CNI."""

    @property
    def name(self) -> str:
        """What it is called by, as in ``calico``."""

    @property
    def source(self) -> Source:
        """Where its logs are."""

    def parser(self, namespace: str, since: float | None) -> Parser:
        """Make a parser for Pods of a namespace, of lines from a moment on (seconds since 1970, by UTC)."""


class Lines:
    """Makes lines of pieces of a stream; of a line beyond :data:`LONGEST_LINE` bytes only the beginning is kept."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Take a piece and give the lines that it ends."""
        start = 0
        while (end := piece.find(b"\n", start)) >= 0:
            if self._rest:
                self._keep(piece[start:end])
                yield bytes(self._rest)
                self._rest.clear()
            else:
                yield piece[start : min(end, start + LONGEST_LINE)]
            start = end + 1
        self._keep(piece[start:])

    def _keep(self, part: bytes) -> None:
        self._rest += part[: LONGEST_LINE - len(self._rest)]

    def end(self) -> Iterator[bytes]:
        """Give the last line, if it was not ended: it may be cut."""
        if self._rest:
            yield bytes(self._rest)
            self._rest.clear()
