"""The door for tests: faults are read and set, and the state is seen, over HTTP on loopback.

``GET /state`` and ``GET /faults`` give JSON; ``PUT /faults`` replaces all faults and answers 400 with the reason when
it does not know one of them.
"""

from __future__ import annotations

import dataclasses
import http.server
import json
import threading
from typing import TYPE_CHECKING, Any

from standin_faults import Faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from standin_faults import FaultBoard


class Control:
    """A server of its own thread; ``port`` is where it listens."""

    def __init__(self, port: int, faults: FaultBoard, state: Callable[[], dict[str, Any]]) -> None:
        class Handler(_Handler):
            board, see = faults, staticmethod(state)

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    board: FaultBoard
    see: Callable[[], dict[str, Any]]

    def do_GET(self) -> None:
        if self.path == "/state":
            self._answer(200, self.see())
        elif self.path == "/faults":
            self._answer(200, dataclasses.asdict(self.board.now))
        else:
            self._answer(404, {"error": "there are /state and /faults"})

    def do_PUT(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        try:
            faults = Faults.read(json.loads(text))
        except (ValueError, TypeError, AttributeError) as error:
            self._answer(400, {"error": str(error)})
            return
        self.board.put(faults)
        self._answer(200, dataclasses.asdict(faults))

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_args: object) -> None:
        """Say nothing: tests ask often."""
