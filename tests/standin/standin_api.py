"""Requests of the stand-in: plain HTTP, every thread on a connection of its own, writes with preconditions."""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.parse
from typing import TYPE_CHECKING, Final, Self

from bed_client import ApiClient

if TYPE_CHECKING:
    from bed_client import Access, Answer
    from standin_views import Json

MANAGER: Final = "manager"  # how the manager appears in managedFields (admission.md §10)
AGENT: Final = "clabernetes-manager-standin"


class Stopped(Exception):
    """The stand-in leads no more: nothing may be written."""


class WriteRefused(Exception):
    """The API server did not take a write; ``conflict`` when what it was based on is out of date."""

    def __init__(self, method: str, path: str, answer: Answer) -> None:
        self.status = answer.status
        gone = answer.status == http.client.NOT_FOUND and method != "POST"
        self.conflict = gone or answer.status == http.client.CONFLICT
        try:
            self.words = str(answer.json().get("message"))
        except ValueError:
            self.words = answer.body[:200].decode(errors="replace")
        super().__init__(f"{method} {path}: {answer.status} {self.words}")


class Api:
    """Requests for all threads of one leader; after :meth:`stop` none of them writes any more."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self._own = threading.local()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Refuse writes from now on."""
        self._stopped.set()

    def pause(self, seconds: float) -> None:
        """Wait; :class:`Stopped` as soon as the stand-in leads no more."""
        if self._stopped.wait(seconds):
            raise Stopped

    @property
    def client(self) -> ApiClient:
        """Give this thread's client, for reading."""
        if not hasattr(self._own, "client"):
            self._own.client = ApiClient(self.access, agent=AGENT)
        client: ApiClient = self._own.client
        return client

    def create(self, path: str, body: Json) -> Json:
        """Create an object in a collection; :class:`WriteRefused` when it is there already."""
        return self._write("POST", path, body)

    def update(self, path: str, body: Json) -> Json:
        """Replace an object at the resourceVersion that the body has."""
        return self._write("PUT", path, body)

    def patch(self, path: str, body: Json) -> Json:
        """Change an object by a merge patch; with a resourceVersion in it only at that one."""
        return self._write("PATCH", path, body)

    def delete(self, path: str, uid: str) -> None:
        """Delete one very object."""
        self._write("DELETE", path, {"preconditions": {"uid": uid}})

    def annotate(self, path: str, version: str, key: str, value: str | None) -> Json:
        """Set or remove an annotation at a resourceVersion."""
        meta = {"resourceVersion": version, "annotations": {key: value}}
        return self.patch(path, {"metadata": meta})

    def _write(self, method: str, path: str, body: Json) -> Json:
        if self._stopped.is_set():
            raise Stopped
        content = "application/merge-patch+json" if method == "PATCH" else "application/json"
        query = None if method == "DELETE" else {"fieldManager": MANAGER}
        answer = self.client.request(method, path, body, query=query, content=content)
        if answer.status >= http.client.BAD_REQUEST:
            raise WriteRefused(method, path, answer)
        return answer.json()


class Stream:
    """One watch on a connection of its own: an iterator over the lines of its answer."""

    def __init__(self, access: Access, path: str, query: dict[str, str], silence: float) -> None:
        url = urllib.parse.urlsplit(access.server)
        self._connection = http.client.HTTPSConnection(
            url.hostname or "", url.port or 443, timeout=silence, context=access.tls()
        )
        headers = {"Accept": "application/json", "User-Agent": AGENT}
        if access.token:
            headers["Authorization"] = f"Bearer {access.token}"
        self._request = f"{path}?{urllib.parse.urlencode(query)}", headers
        self._response: http.client.HTTPResponse | None = None

    def __enter__(self) -> Self:
        path, headers = self._request
        self._connection.request("GET", path, headers=headers)
        self._response = self._connection.getresponse()
        return self

    def __exit__(self, *exc: object) -> None:
        self._connection.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        assert self._response is not None, "a stream is used in a with statement"
        line = self._response.readline()
        if not line:
            raise StopIteration
        return line

    def cut(self) -> None:
        """End it from another thread, which is then told of the end, or of an error."""
        if (sock := self._connection.sock) is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it has ended by itself
