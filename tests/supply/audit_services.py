"""Stand-ins for what the audit asks: an advisory service that speaks OSV, and a package index."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator

# In the form of OSV, after the advisory of that name.
ADVISORY: dict[str, Any] = {
    "id": "GHSA-h5c8-rqwp-cp95",
    "aliases": ["CVE-2024-22195"],
    "summary": "Jinja vulnerable to HTML attribute injection when passing user input as keys to xmlattr filter",
    "details": "The xmlattr filter can be abused to inject arbitrary HTML attributes.",
    "modified": "2024-02-16T08:13:23Z",
    "published": "2024-01-11T15:20:48Z",
    "affected": [
        {
            "package": {"name": "jinja2", "ecosystem": "PyPI", "purl": "pkg:pypi/jinja2"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "3.1.3"}]}],
        }
    ],
    "schema_version": "1.6.0",
}


class Service(BaseHTTPRequestHandler):
    """Answers advisories by name and version, and pages of an index; says nothing on stderr."""

    advisories: ClassVar[dict[tuple[str, str], dict[str, Any]]] = {}
    pages: ClassVar[dict[str, dict[str, Any]]] = {}
    status: ClassVar[int] = 200

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found = self.advisories.get((asked["package"]["name"], asked["version"]))
        self._answer({"vulns": [found]} if found else {}, "application/json")

    def do_GET(self) -> None:
        page = self.pages.get(self.path.strip("/").rpartition("/")[2])
        self._answer(page or {}, "application/vnd.pypi.simple.v1+json")

    def _answer(self, answer: dict[str, Any], kind: str) -> None:
        body = json.dumps(answer).encode()
        self.send_response(self.status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(**contents: Any) -> Iterator[str]:
    """Serve; give the address."""
    handler = type("Own", (Service,), contents)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def index_page(name: str, version: str, sha256: str, *, yanked: str | bool) -> dict[str, Any]:
    """Give the page of a package with one release of one file (PEP 691)."""
    file = f"{name}-{version}-py3-none-any.whl"
    metadata = {"sha256": "0" * 64}
    return {
        "meta": {"api-version": "1.1"},
        "name": name,
        "versions": [version],
        "files": [
            {
                "filename": file, "url": f"/files/{file}", "hashes": {"sha256": sha256},
                "size": 1, "yanked": yanked, "core-metadata": metadata,
            }
        ],
    }  # fmt: skip
