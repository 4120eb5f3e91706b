"""Deciding on staged files: ConfigMaps, entries of Nodes, changed values, findings (staging.md B1-B4, D)."""

from __future__ import annotations

import fnmatch
import hashlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.topology import labpaths, stagingconflicts
from kubectl_c9s.topology.stagedfiles import Entry, StagedMap, Staging
from kubectl_c9s.topology.staging import MAX_FILE_BYTES
from kubectl_c9s.topology.stagingrules import PRIVATE_KEY, looks_secret, secret_key, url_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.topology.flatten import Flat
    from kubectl_c9s.topology.stagedfiles import Found, FoundFile
    from kubectl_c9s.topology.staging import Request

_CLIENT_APPLY_BYTES: Final = 262_144
_WRITTEN_BACK: Final = frozenset({"startup-config", "license"})


class StagingOptions(NamedTuple):
    """``secrets`` are (pattern, secret name); ``digests`` map URLs to ``sha256:…``."""

    secrets: tuple[tuple[str, str], ...] = ()
    digests: tuple[tuple[str, str], ...] = ()


class Stager:
    """Takes requests with what was found for them."""

    def __init__(self, context: Context, lab: str, options: StagingOptions) -> None:
        self._context = context
        self._lab = lab
        self._options = options
        self._digests = dict(options.digests)
        self._maps: dict[str, StagedMap] = {}
        self._first: dict[str, Request] = {}
        self._clear: set[str] = set()
        self._entries: dict[str, dict[tuple[str, str], Entry]] = {}
        self._result = Staging()

    def stage(
        self, requests: Iterable[Request], found: Mapping[str, Found], nodes: Mapping[str, Flat]
    ) -> Staging:
        """Stage everything; what is wrong is in the context's findings."""
        for request in requests:
            if request.url is not None:
                self._url(request, request.url)
            elif request.text is not None:
                self._text(request, request.text)
            else:
                self._files(request, found[request.shown])
            if request.field in _WRITTEN_BACK:
                self._result.paths.setdefault(request.node, {})[request.field] = request.shown
        entries = {node: list(own.values()) for node, own in self._entries.items()}
        for entry, message in stagingconflicts.at_one_place(entries, nodes):
            self._error(entry.request, "grouped-path-conflict", message)
        for staged, message in stagingconflicts.of_one_name(self._maps.values()):
            self._error(self._first[staged.identity], "staging-conflict", message)
        self._result.maps = [self._maps[key] for key in sorted(self._maps, key=_as_bytes)]
        for node, own in entries.items():
            self._write_entries(node, own)
        return self._result

    def _error(self, request: Request, code: str, message: str) -> None:
        path = f"topology.nodes.{request.node}.{request.path}"
        self._context.error(code, path, f"node {request.node!r}: {message}", request.at)

    def _warning(self, request: Request, code: str, message: str) -> None:
        path = f"topology.nodes.{request.node}.{request.path}"
        self._context.warning(code, path, f"node {request.node!r}: {message}", request.at)

    def _url(self, request: Request, url: str) -> None:
        digest = self._digests.get(url)
        if digest is None:
            message = (
                f"{request.field} {url!r} is a URL and nothing is downloaded: commit the file, "
                f"or give its digest with --url-digest {url}=sha256:…"
            )
            self._error(request, "remote-file", message)
        elif reason := url_problem(url, digest, request.shown):
            self._error(request, "remote-file", f"{request.field} {url!r} {reason}")
        else:
            entry = {"filePath": request.shown, "url": url, "digest": digest}
            self._lists(request.node).setdefault("filesFromURL", []).append(entry)

    def _text(self, request: Request, text: str) -> None:
        data = text.encode()
        if len(data) > MAX_FILE_BYTES:
            message = f"the inline {request.field} has {len(data)} bytes, at most {MAX_FILE_BYTES} can be staged"
            self._error(request, "file-too-large", message)
            return
        if request.field == "startup-config":
            identity = labpaths.inline_identity(request.node)
        else:
            identity = labpaths.identity(request.shown)
        digest = hashlib.sha256(data).hexdigest()
        # Patterns do not take an inline text to a Secret: there is no file to make the Secret of.
        self._map(
            request,
            Entry(request.shown, identity, digest, "read", None, request),
            StagedMap(
                identity,
                self._name(identity),
                digest,
                binary=False,
                size=len(data),
                text=text,
                origin=None,
            ),
        )
        if request.field == "license" or PRIVATE_KEY in text:
            message = (
                f"the inline {request.field} goes into a ConfigMap in clear text; put it into a file, "
                "which --files-from-secret can take from a Secret"
            )
            self._warning(request, "secret-in-clear-text", message)

    def _files(self, request: Request, found: Found) -> None:
        for code, message in found.problems:
            self._error(request, code, f"{request.field} {request.written!r}: {message}")
        if found.directory and not found.files and not found.problems:
            message = f"directory {request.shown!r} is empty; the planner will refuse the bind"
            self._warning(request, "empty-directory", message)
        if found.files and request.field == "env-files":
            message = "the planner refuses env-files; put the variables into env"
            self._warning(request, "env-files-refused", message)
        for file in found.files:
            path = request.shown
            if found.directory:
                path = labpaths.below(path, file.relative)
            self._file(request, path, file)

    def _file(self, request: Request, path: str, file: FoundFile) -> None:
        identity = labpaths.identity(path)
        mode = "execute" if file.executable else "read"
        secret = self._secret_for(identity, path)
        entry = Entry(path, identity, file.digest, mode, secret, request)
        if secret is not None:
            self._add(entry)
            return
        self._map(
            request,
            entry,
            StagedMap(
                identity,
                self._name(identity),
                file.digest,
                file.binary,
                file.size,
                None,
                file.origin,
            ),
        )
        secret_field = request.field in {"license", "env-files"}
        secret_looking = secret_field or file.private_key or looks_secret(path)
        if secret_looking and identity not in self._clear:
            self._clear.add(identity)
            message = (
                f"{path!r} looks like a secret and goes into a ConfigMap in clear text; "
                "--files-from-secret PATTERN=SECRET takes it from a Secret"
            )
            self._warning(request, "secret-in-clear-text", message)

    def _map(self, request: Request, entry: Entry, staged: StagedMap) -> None:
        known = self._maps.setdefault(entry.identity, staged)
        self._first.setdefault(entry.identity, request)
        self._add(entry)
        if known.digest != staged.digest:
            message = f"{entry.identity!r} stands for two different contents"
            self._error(request, "staging-conflict", message)
        if known is staged and staged.size > _CLIENT_APPLY_BYTES:
            message = (
                f"{entry.file_path!r} has {staged.size} bytes: client-side apply cannot take its ConfigMap, "
                "use server-side apply"
            )
            self._warning(request, "large-config-map", message)

    def _add(self, entry: Entry) -> None:
        own = self._entries.setdefault(entry.request.node, {})
        own.setdefault((entry.file_path, entry.identity), entry)

    def _name(self, identity: str) -> str:
        return labpaths.config_map_name(self._lab, identity)

    def _secret_for(self, identity: str, path: str) -> str | None:
        for pattern, secret in self._options.secrets:
            if fnmatch.fnmatchcase(identity, pattern) or fnmatch.fnmatchcase(path, pattern):
                return secret
        return None

    def _lists(self, node: str) -> dict[str, list[dict[str, Any]]]:
        return self._result.files.setdefault(node, {})

    def _write_entries(self, node: str, entries: list[Entry]) -> None:
        for entry in sorted(
            entries, key=lambda one: (_as_bytes(one.identity), _as_bytes(one.file_path))
        ):
            if entry.secret is not None:
                kind = "filesFromSecret"
                where = {
                    "secretName": entry.secret,
                    "secretPath": self._secret_key(entry.secret, entry),
                }
            else:
                kind = "filesFromConfigMap"
                where = {"configMapName": self._maps[entry.identity].name, "configMapPath": "file"}
            written = {"filePath": entry.file_path, **where, "mode": entry.mode}
            self._lists(node).setdefault(kind, []).append(written)

    def _secret_key(self, secret: str, entry: Entry) -> str:
        """Give the key of a file in its Secret: the file's name, with part of a digest if that is taken."""
        keys = self._result.secrets.setdefault(secret, {})
        key = secret_key(entry.identity, keys)
        keys[key] = entry.identity
        return key


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
