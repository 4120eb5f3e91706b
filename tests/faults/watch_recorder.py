"""Writes down what really happened: watches of its own, straight to the server, lines in a file (watch_lines.py).

    python tests/faults/watch_recorder.py --kubeconfig FILE --output FILE --watch v1/pods [--watch …] [--namespace NS]

As a process it ends with a signal, or with its standard input after ``--until-eof``; ``READY`` on stdout says that
every first list is written. Shares no code with the product's own watches: it is there to judge them.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

sys.path.append(str(Path(__file__).parents[1] / "testbed"))

from bed_client import Access, path_of, read_kubeconfig
from watch_lines import LineWriter
from watch_stream import SILENCE, Follower

if TYPE_CHECKING:
    from collections.abc import Sequence

SYNC_WITHIN: Final = 60.0  # seconds for the first lists


class Recorder:
    """Follows collections, given as paths, each in a thread of its own, until it is stopped."""

    def __init__(
        self, access: Access, paths: Sequence[str], output: Path, silence: float = SILENCE
    ) -> None:
        self._writer = LineWriter(output)
        self._followers = [Follower(access, path, self._writer, silence) for path in paths]
        self._threads = [
            threading.Thread(target=one.run, name=f"record {one.path}", daemon=True)
            for one in self._followers
        ]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin, and wait until every first list is written; TimeoutError when that does not happen."""
        for thread in self._threads:
            thread.start()
        for one in self._followers:
            if not one.synced.wait(SYNC_WITHIN):
                raise TimeoutError(f"no list of {one.path}: {one.trouble}")

    def stop(self) -> None:
        """End the watches and the file."""
        for one in self._followers:
            one.stop()
        for thread in self._threads:
            thread.join()
        self._writer.close()

    def cut(self) -> None:
        """Break the streams as a network would; they go on by themselves."""
        for one in self._followers:
            one.cut()


def main(arguments: list[str]) -> int:
    """Record until a signal comes; give the exit code."""
    options = _parser().parse_args(arguments)
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    if options.until_eof:
        threading.Thread(target=_watch_input, args=(stopped,), daemon=True).start()
    paths = [path_of(version, plural, options.namespace) for version, plural in options.watch]
    with Recorder(read_kubeconfig(options.kubeconfig), paths, options.output, options.silence):
        sys.stdout.write("READY\n")
        sys.stdout.flush()
        while not stopped.wait(0.2):
            pass  # short waits, so that signals are handled
    return 0


def _watch_input(stopped: threading.Event) -> None:
    while os.read(0, 1 << 16):
        pass
    stopped.set()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="watch_recorder.py", description=(__doc__ or "").splitlines()[0]
    )
    add = parser.add_argument
    add("--kubeconfig", type=Path, required=True, help="straight to the server, not by the proxy")
    add("--output", type=Path, required=True, help="file to append to")
    add("--watch", type=_collection, action="append", required=True, metavar="VERSION/PLURAL")
    add("--namespace", default="", help="by default all")
    add(
        "--silence",
        type=float,
        default=SILENCE,
        metavar="SECONDS",
        help="after which it reconnects",
    )
    add("--until-eof", action="store_true", help="stop when standard input ends, too")
    return parser


def _collection(text: str) -> tuple[str, str]:
    version, slash, plural = text.rpartition("/")
    if not slash or not version:
        raise argparse.ArgumentTypeError(
            "want a version and a plural: v1/pods, c9s.run/v1alpha1/nodes"
        )
    return version, plural


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
