"""A plain HTTP client for an API server, from a kubeconfig: enough for tests, and no code of the product's.

Understands client certificates and tokens, as data or as files; no exec plugins and no proxies.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import http.client
import json
import os
import select
import ssl
import tempfile
import urllib.parse
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import yaml
from bed_state import BedUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Json: TypeAlias = dict[str, Any]

MERGE_PATCH: Final = "application/merge-patch+json"
JSON_PATCH: Final = "application/json-patch+json"
APPLY_PATCH: Final = "application/apply-patch+yaml"


@dataclasses.dataclass(frozen=True)
class Access:
    """How to reach a server: its URL, and PEM texts; ``token`` goes beside or instead of a certificate."""

    server: str
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    token: str | None = None

    def as_token(self, token: str) -> Access:
        """Give the same server for the owner of a token."""
        return Access(self.server, self.ca, token=token)

    def tls(self) -> ssl.SSLContext:
        """Make the settings for connections; trusts the given authority, or the system's."""
        context = ssl.create_default_context(cadata=self.ca)
        if self.cert and self.key:
            with tempfile.NamedTemporaryFile(
                "w"
            ) as pem:  # Python takes certificates from files only
                pem.write(f"{self.cert}\n{self.key}\n")
                pem.flush()
                context.load_cert_chain(pem.name)
        return context

    def kubeconfig(self) -> str:
        """Give the same access as a kubeconfig that needs no other file."""
        cluster = {"server": self.server} | _data("certificate-authority", self.ca)
        user = _data("client-certificate", self.cert) | _data("client-key", self.key)
        user |= {"token": self.token} if self.token else {}
        context = {"cluster": "bed", "user": "bed"}
        return json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "clusters": [{"name": "bed", "cluster": cluster}],
                "users": [{"name": "bed", "user": user}],
                "contexts": [{"name": "bed", "context": context}],
                "current-context": "bed",
            },
            indent=1,
        )


def _data(key: str, pem: str | None) -> dict[str, str]:
    return {f"{key}-data": base64.b64encode(pem.encode()).decode()} if pem else {}


def read_kubeconfig(path: Path) -> Access:
    """Read the current context; :class:`BedUnavailable` when it needs what this client lacks."""
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
        context = _named(config, "context", config["current-context"])
        cluster = _named(config, "cluster", context["cluster"])
        user = _named(config, "user", context["user"])
    except (OSError, KeyError, TypeError, yaml.YAMLError, StopIteration) as error:
        raise BedUnavailable(f"{path} is no kubeconfig with a current context: {error!r}") from None
    cert, key = _pem(user, "client-certificate", path), _pem(user, "client-key", path)
    if not cert and not user.get("token"):
        raise BedUnavailable(f"{path} has neither a client certificate nor a token")
    ca = _pem(cluster, "certificate-authority", path)
    return Access(cluster["server"], ca, cert, key, user.get("token"))


def _named(config: Json, kind: str, name: str) -> Json:
    found: Json = next(one[kind] for one in config[f"{kind}s"] if one["name"] == name)
    return found


def _pem(entry: Json, key: str, path: Path) -> str | None:
    if data := entry.get(f"{key}-data"):
        return base64.b64decode(data).decode()
    file = entry.get(key)
    return (path.parent / file).read_text(encoding="utf-8") if file else None


@dataclasses.dataclass(frozen=True)
class Answer:
    """What the server said: the HTTP status and the body."""

    status: int
    body: bytes

    def json(self) -> Json:
        """Give the body as an object."""
        value: Json = json.loads(self.body)
        return value

    def ok(self) -> Json:
        """Give the body as an object; AssertionError with the server's words unless it was done."""
        assert self.status < http.client.BAD_REQUEST, f"{self.status}: {self.body[:2000]!r}"
        return self.json()


class ApiClient:
    """Talks to one server on one connection, one request at a time; a thread takes a client of its own."""

    def __init__(self, access: Access, *, agent: str = "testbed", timeout: float = 30.0) -> None:
        self.access = access
        self._agent = agent
        self._timeout = timeout
        self._tls = access.tls()
        self._connection: http.client.HTTPSConnection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection; the next request makes another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        content: str = "application/json",
    ) -> Answer:
        """Send one request, never a second time; OSError or HTTPException when no answer came."""
        url = f"{path}?{urllib.parse.urlencode(query)}" if query else path
        headers = {"Accept": "application/json", "User-Agent": self._agent}
        if self.access.token:
            headers["Authorization"] = f"Bearer {self.access.token}"
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = content
        connection = self._ready()
        try:
            connection.request(method, url, data, headers)
            response = connection.getresponse()
            return Answer(response.status, response.read())
        except BaseException:
            self.close()
            raise

    def _ready(self) -> http.client.HTTPSConnection:
        """Give a connection that the server has not closed since."""
        if self._connection is not None and self._connection.sock is not None:
            if not select.select([self._connection.sock], [], [], 0)[0]:
                return self._connection
            self.close()
        url = urllib.parse.urlsplit(self.access.server)
        self._connection = http.client.HTTPSConnection(
            url.hostname or "", url.port or 443, timeout=self._timeout, context=self._tls
        )
        return self._connection

    def get(self, path: str, **query: str) -> Answer:
        """Read an object or a list."""
        return self.request("GET", path, query=query)

    def create(self, path: str, body: Json, **query: str) -> Answer:
        """Create an object in a collection, or call a subresource."""
        return self.request("POST", path, body, query=query)

    def patch(self, path: str, body: Any, content: str = MERGE_PATCH, **query: str) -> Answer:
        """Change an object."""
        return self.request("PATCH", path, body, query=query, content=content)

    def apply(self, path: str, body: Json, manager: str = "testbed") -> Answer:
        """Bring an object to what the body says, with force."""
        query = {"fieldManager": manager, "force": "true"}
        return self.request("PATCH", path, body, query=query, content=APPLY_PATCH)

    def delete(self, path: str, **query: str) -> Answer:
        """Delete an object."""
        return self.request("DELETE", path, query=query)


def path_of(version: str, plural: str, namespace: str = "", name: str = "", sub: str = "") -> str:
    """Give the path of a collection, an object or a subresource; ``version`` as in ``apiVersion``."""
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    within = ["namespaces", namespace] if namespace else []
    return "/".join([root, *within, plural, *([name] if name else []), *([sub] if sub else [])])


def reachable(url: str, tls: ssl.SSLContext | None = None) -> bool:
    """Tell whether a health endpoint answers with 200."""
    parts = urllib.parse.urlsplit(url)
    host, port = parts.hostname or "", parts.port
    connection = (
        http.client.HTTPSConnection(host, port, timeout=5, context=tls)
        if tls
        else http.client.HTTPConnection(host, port, timeout=5)
    )
    with contextlib.closing(connection):
        try:
            connection.request("GET", parts.path)
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False


def write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read, in one step."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    part.replace(path)
