"""``diagnostics report`` of a URL: two scrapes some seconds apart, and what is kept when the second one fails."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from manager_metrics import NODE, idle_manager, reconcile
from split_lab import command

from kubectl_c9s.cli import diagnosticssource

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def served(*answers: tuple[int, str]) -> Iterator[tuple[str, list[str]]]:
    """Serve answers in order; give the URL, and the paths that were asked for."""
    left, asked = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status, body = left.pop(0)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status in {301, 302}:
                self.send_header("Location", "/elsewhere")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the seconds that were waited for, on a clock of our own; nobody waits."""
    slept: list[float] = []

    class Clock:
        def monotonic(self) -> float:
            return 1000.0 + sum(slept)

        def sleep(self, seconds: float) -> None:
            slept.append(seconds)

    monkeypatch.setattr(diagnosticssource, "time", Clock())
    return slept


def texts() -> tuple[str, str]:
    before = idle_manager()
    after = before.later()
    reconcile(after, NODE, 300)
    return before.text(), after.text()


def report(*arguments: str, code: int = 0) -> tuple[Any, str]:
    answer = command("diagnostics", "report", *arguments, "-o", "json")
    assert answer.code == code, answer.err
    return json.loads(answer.out) if answer.out else None, answer.err


@pytest.mark.parametrize("prefix", ["", "metrics="])
@pytest.mark.parametrize(
    ("end", "path"), [("", "/metrics"), ("/", "/metrics"), ("/proxy/m?a=b", "/proxy/m?a=b")]
)
def test_a_url_is_asked_twice(waits: list[float], prefix: str, end: str, path: str) -> None:
    with served(*((200, text) for text in texts())) as (url, asked):
        found, err = report(f"{prefix}{url}{end}")
    assert asked == [path, path]
    assert waits == [30]
    assert found["facts"]["elapsed"] == 30
    assert found["figures"]["controllers"][1]["reconciles"]["success"] == 10
    assert "30 s after the first" in err


def test_the_seconds_can_be_chosen(waits: list[float]) -> None:
    with served(*((200, text) for text in texts())) as (url, _):
        found, _ = report(url, "--seconds", "10")
    assert waits == [10]
    assert found["figures"]["controllers"][1]["reconciles"]["success"] == 30


@pytest.mark.parametrize(
    ("second", "word"),
    [((500, "broken"), "HTTP 500"), ((302, ""), "HTTP 302"), ((200, "<html>"), "HTML"), ((200, "a 1"), "cut off")],
)  # fmt: skip
@pytest.mark.usefixtures("waits")
def test_the_first_scrape_is_kept_when_the_second_fails(second: tuple[int, str], word: str) -> None:
    with served((200, texts()[0]), second) as (url, asked):
        found, _ = report(url)
    assert len(asked) == 2
    assert found["figures"]["controllers"][1]["workers"] == 16
    assert "only one scrape" in found["void"]
    assert word in found["notes"][0]


@pytest.mark.parametrize(
    ("first", "code"), [((404, "no"), 3), ((301, ""), 3), ((200, "<html>"), 1), ((200, ""), 1)]
)
def test_a_first_answer_that_is_none_ends_it(
    waits: list[float], first: tuple[int, str], code: int
) -> None:
    with served(first) as (url, asked):
        found, err = report(url, code=code)
    assert found is None
    assert err.startswith("error: ")
    assert asked == ["/metrics"]
    assert waits == []


def test_nobody_who_listens_is_said() -> None:
    with served() as (url, _):
        pass
    assert "refused" in report(url, code=3)[1].lower()
