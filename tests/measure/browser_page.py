"""A page opened in a headless browser: what it asked the network for, what its console said, how it looks."""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import websocket

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--no-first-run", "--disable-background-networking", "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)  # fmt: skip
_PATIENCE: Final = 90.0
"""Seconds until a browser that does not answer is given up; a busy machine takes its time."""


def find_browser() -> str:
    """Give the program; without one the test is skipped, or fails where everything must be tested."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    if os.environ.get("CI"):
        pytest.fail(f"no browser: install one of {', '.join(NAMES)}")
    pytest.skip(f"no browser is installed: none of {', '.join(NAMES)}")


class Page:
    """An open page. ``asked`` are addresses it requested, ``said`` errors and warnings of its console."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(address, timeout=_PATIENCE)
        self._numbers = itertools.count(1)
        self._loaded = 0
        self.asked: list[str] = []
        self.said: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser for something, and take note of what it tells meanwhile."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = self._next()
            if message.get("id") == number:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result

    def open(self, path: Path, *, scheme: str = "light", media: str = "screen") -> None:
        """Open a file and wait until it has loaded."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)
        before = self._loaded
        self.call("Page.navigate", url=path.as_uri())
        while self._loaded == before:
            self._next()
        self.markup()  # what the page did at its end is told before this answer

    def run(self, expression: str) -> Any:
        """Evaluate JavaScript in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def markup(self) -> str:
        """Give the page as it is now, also where scripts may not run."""
        root = self.call("DOM.getDocument")["root"]
        return str(self.call("DOM.getOuterHTML", nodeId=root["nodeId"])["outerHTML"])

    def shot(self) -> bytes:
        """Take a picture of what can be seen without scrolling."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def paper(self) -> bytes:
        """Print to PDF."""
        return base64.b64decode(self.call("Page.printToPDF")["data"])

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def _next(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv())
        told = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded += 1
            case "Network.requestWillBeSent":
                self.asked.append(told["request"]["url"])
            case "Runtime.exceptionThrown":
                self.said.append(str(told["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.said.append(str(told["args"]))
            case "Log.entryAdded":
                self.said.append(str(told["entry"]))
        return message


@contextmanager
def browser() -> Iterator[int]:
    """Run a browser with a profile of its own; give the port it is spoken to."""
    program = find_browser()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [program, *_FLAGS, f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": folder},
        )
        try:
            yield _port(Path(folder) / "DevToolsActivePort", process)
        finally:
            process.terminate()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _port(file: Path, process: subprocess.Popen[bytes]) -> int:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, "the browser ended"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        if len(lines) > 1:
            return int(lines[0])
        time.sleep(0.05)
    pytest.fail("the browser did not start")


@contextmanager
def new_page(port: int) -> Iterator[Page]:
    """Open an empty page, and close it in the end."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?about:blank", method="PUT")
    with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310 - our own browser
        target = json.loads(answer.read())
    page = Page(target["webSocketDebuggerUrl"])
    try:
        yield page
    finally:
        page.call("Page.close")
        page.close()
