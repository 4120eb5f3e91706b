"""The product's requests of this process as they go out and come back, with something done around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.cluster.connection import Connection, Reply, Request
from kubectl_c9s.cluster.errors import Unreachable, api_error

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Step = Callable[[], object]
    Send = Callable[[], Reply]
    Answer = Callable[[Send], Reply]
    Fits = Callable[[Request], bool]


class Wire:
    """``sent`` has all requests in order; steps are done once, before or after the request of a number, from 0 on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[Request] = []
        self._before: dict[int, Step] = {}
        self._answers: list[tuple[Fits, Answer]] = []
        self._all: Answer | None = None
        real = Connection._once  # noqa: SLF001 - the one place where requests leave

        def once(connection: Connection, request: Request, limit: float) -> Reply:
            number = len(self.sent)
            self.sent.append(request)
            if step := self._before.pop(number, None):
                step()

            def send() -> Reply:
                return real(connection, request, limit)

            for place, (fits, answer) in enumerate(self._answers):
                if fits(request):
                    del self._answers[place]
                    return answer(send)
            return self._all(send) if self._all else send()

        monkeypatch.setattr(Connection, "_once", once)

    def reset(self) -> None:
        """Begin to count anew, without any steps."""
        self.sent.clear()
        self._before.clear()
        self._answers.clear()
        self._all = None

    def before(self, number: int, step: Step) -> None:
        """Do something before the request of a number is sent."""
        self._before[number] = step

    def before_next(self, fits: Fits, step: Step) -> None:
        """Do something before the next request that fits is sent."""

        def answer(send: Send) -> Reply:
            step()
            return send()

        self._answers.append((fits, answer))

    def answer_write(self, answer: Answer) -> None:
        """Answer the next write by a function that is given the way to send it."""
        self._answers.append((is_write, answer))

    def answer_next(self, fits: Fits, answer: Answer) -> None:
        """Answer the next request that fits."""
        self._answers.append((fits, answer))

    def answer_all(self, answer: Answer) -> None:
        """Answer every request from now on, until :meth:`reset`."""
        self._all = answer


def is_write(request: Request) -> bool:
    """Tell whether this is a PATCH that is no dry run."""
    return request.method == "PATCH" and not (request.query or {}).get("dryRun")


def is_dry(request: Request) -> bool:
    """Tell whether this is a PATCH that is a dry run."""
    return request.method == "PATCH" and not is_write(request)


def fails_after(status: int) -> Answer:
    """Let the server do it, and give this status all the same."""

    def answer(send: Send) -> Reply:
        send()
        raise api_error(status, b"", "patch")

    return answer


def refused_by(status: int) -> Answer:
    """Give this status, and let the server hear nothing of it."""

    def answer(_: Send) -> Reply:
        raise api_error(status, b"", "patch")

    return answer


def lost_after(send: Send) -> Reply:
    """Let the server do it, and lose its answer."""
    send()
    raise Unreachable("the answer was lost", sent=True)
