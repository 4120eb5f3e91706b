"""A namespace of a replay, and what a server says to the requests for it."""

from __future__ import annotations

from silent_server import Reply, status

from kubectl_c9s.cluster.replaysite import Site

SITE = Site("new", "uid", "0a1b")
EXISTS = Reply(409, status(409, "already exists", "AlreadyExists"))
MISSING = Reply(404, status(404, "not found", "NotFound"))
MADE = Reply(201, {})
LOST = Reply(lost=True)
