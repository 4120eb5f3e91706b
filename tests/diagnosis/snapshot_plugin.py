"""Fixtures of the tests of ``snapshot``: a small server with lists, and the schema of what is written."""

from __future__ import annotations

import http.server
import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import jsonschema_rs
import pytest
from silent_server import Scripted
from split_lab import Answer, command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from snapshot_server import Lists

SCHEMA = Path(__file__).parents[2] / "docs/schemas/snapshot.json"
Serve: TypeAlias = "Callable[[Lists], tuple[Scripted, Callable[..., Answer]]]"


@pytest.fixture
def serve_lists(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[Lists], tuple[Scripted, Callable[..., Answer]]]]:
    """Give a maker of a server, and of a way to run commands against it."""
    monkeypatch.setenv("KUBECONFIG", "/none")
    servers: list[Scripted] = []

    def make(lists: Lists) -> tuple[Scripted, Callable[..., Answer]]:
        server = Scripted(lists.answer)
        # The library stamps every answer; these come at a moment of ours.
        monkeypatch.setattr(
            http.server.BaseHTTPRequestHandler, "date_time_string", lambda *_: lists.date
        )
        server.start()
        servers.append(server)

        def run(*args: str) -> Answer:
            return command(*args, "--server", server.url)

        return server, run

    yield make
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def snapshot_schema() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads(SCHEMA.read_text(encoding="utf-8")))
