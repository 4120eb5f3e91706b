"""Deciding on staged files: ConfigMaps, entries of Nodes, changed values, findings (staging.md B1-B4, D)."""

from __future__ import annotations

import fnmatch
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.topology import labpaths
from kubectl_c9s.topology.stagingrules import looks_secret, pod_of, secret_key, url_problem
from kubectl_c9s.topology.staging import MAX_FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.topology.context import Context
    from kubectl_c9s.topology.flatten import Flat
    from kubectl_c9s.topology.staging import Request

_CLIENT_APPLY_BYTES: Final = 262_144
_WRITTEN_BACK: Final = frozenset({"startup-config", "license"})


class FoundFile(NamedTuple):
    """A file that was looked at: ``relative`` is its name below a directory, empty for a single file.

    ``digest`` is the SHA-256 of its bytes in hex; ``binary`` whether they need base64; ``origin`` where to read it.
    """

    relative: str
    executable: bool
    size: int
    digest: str
    binary: bool
    private_key: bool
    origin: str


class Found(NamedTuple):
    """What stands at a path: files, or the reason (code, message) why nothing is taken from there."""

    files: tuple[FoundFile, ...] = ()
    directory: bool = False
    problems: tuple[tuple[str, str], ...] = ()


class StagedMap(NamedTuple):
    """One ConfigMap to write; exactly one of ``text`` and ``origin`` says where its bytes are."""

    identity: str
    name: str
    digest: str
    binary: bool
    size: int
    text: str | None
    origin: str | None


class Entry(NamedTuple):
    """One staged file of one node."""

    file_path: str
    identity: str
    mode: str
    request: Request


@dataclass(slots=True)
class Staging:
    """The result: ConfigMaps by identity, file lists and changed values of nodes (by written name)."""

    maps: list[StagedMap] = field(default_factory=list)
    files: dict[str, dict[str, list[dict[str, Any]]]] = field(default_factory=dict)
    paths: dict[str, dict[str, str]] = field(default_factory=dict)
    secrets: dict[str, dict[str, str]] = field(default_factory=dict)


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
        self._maps: dict[str, StagedMap] = {}
        self._entries: dict[str, dict[tuple[str, str], Entry]] = {}
        self._result = Staging()

    def stage(
        self, requests: Iterable[Request], found: Mapping[str, Found], nodes: Mapping[str, Flat]
    ) -> Staging:
        """Stage everything; what is wrong is in the context's findings."""
        for request in requests:
            if request.url is not None:
                self._url(request)
            elif request.text is not None:
                self._text(request, request.text)
            else:
                self._files(request, found[request.shown])
            if request.field in _WRITTEN_BACK:
                self._result.paths.setdefault(request.node, {})[request.field] = request.shown
        self._check_groups(nodes)
        self._check_names()
        self._result.maps = [self._maps[key] for key in sorted(self._maps, key=_as_bytes)]
        for node, entries in self._entries.items():
            self._write_entries(node, list(entries.values()))
        return self._result

    def _error(self, request: Request, code: str, message: str) -> None:
        path = f"topology.nodes.{request.node}.{request.path}"
        self._context.error(code, path, f"node {request.node!r}: {message}", request.at)

    def _warning(self, request: Request, code: str, message: str) -> None:
        path = f"topology.nodes.{request.node}.{request.path}"
        self._context.warning(code, path, f"node {request.node!r}: {message}", request.at)

    def _url(self, request: Request) -> None:
        url = request.url or ""
        digest = dict(self._options.digests).get(url)
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
        inline = request.field == "startup-config"
        identity = labpaths.inline_identity(request.node) if inline else labpaths.identity(request.shown)
        digest = hashlib.sha256(data).hexdigest()
        staged = self._map(identity, digest, binary=False, size=len(data), text=text)
        self._add(request, Entry(request.shown, identity, "read", request), staged)

    def _files(self, request: Request, found: Found) -> None:
        for code, message in found.problems:
            self._error(request, code, f"{request.field} {request.written!r}: {message}")
        if found.directory and not found.files and not found.problems:
            message = f"directory {request.shown!r} is empty; the planner will refuse the bind"
            self._warning(request, "empty-directory", message)
        for file in found.files:
            path = labpaths.below(request.shown, file.relative) if found.directory else request.shown
            identity = labpaths.identity(path)
            staged = self._map(identity, file.digest, binary=file.binary, size=file.size, origin=file.origin)
            mode = "execute" if file.executable else "read"
            self._add(request, Entry(path, identity, mode, request), staged)
            self._warn_secret(request, path, file)

    def _map(
        self, identity: str, digest: str, *, binary: bool, size: int, text: str | None = None, origin: str | None = None
    ) -> StagedMap:
        name = labpaths.config_map_name(self._lab, identity)
        return StagedMap(identity, name, digest, binary, size, text, origin)

    def _add(self, request: Request, entry: Entry, staged: StagedMap) -> None:
        if self._secret_for(entry) is None:
            known = self._maps.setdefault(entry.identity, staged)
            if known.digest != staged.digest:
                message = f"{entry.identity!r} stands for two different contents"
                self._error(request, "staging-conflict", message)
            if known is staged and staged.size > _CLIENT_APPLY_BYTES:
                message = (
                    f"{entry.file_path!r} has {staged.size} bytes: client-side apply cannot take its ConfigMap, "
                    "use server-side apply"
                )
                self._warning(request, "large-config-map", message)
        self._entries.setdefault(request.node, {}).setdefault((entry.file_path, entry.identity), entry)

    def _warn_secret(self, request: Request, path: str, file: FoundFile) -> None:
        secret = request.field in {"license", "env-files"} or file.private_key or looks_secret(path)
        if secret and not any(fnmatch.fnmatchcase(path, pattern) for pattern, _ in self._options.secrets):
            message = (
                f"{path!r} looks like a secret and goes into a ConfigMap in clear text; "
                "--files-from-secret PATTERN=SECRET takes it from a Secret"
            )
            self._warning(request, "secret-in-clear-text", message)
        if request.field == "env-files":
            message = "the planner refuses env-files; put the variables into env"
            self._warning(request, "env-files-refused", message)

    def _secret_for(self, entry: Entry) -> str | None:
        for pattern, secret in self._options.secrets:
            if fnmatch.fnmatchcase(entry.identity, pattern) or fnmatch.fnmatchcase(entry.file_path, pattern):
                return secret
        return None

    def _lists(self, node: str) -> dict[str, list[dict[str, Any]]]:
        return self._result.files.setdefault(node, {})

    def _write_entries(self, node: str, entries: list[Entry]) -> None:
        for entry in sorted(entries, key=lambda one: (_as_bytes(one.identity), _as_bytes(one.file_path))):
            if (secret := self._secret_for(entry)) is not None:
                key = self._secret_key(secret, entry)
                written = {"filePath": entry.file_path, "secretName": secret, "secretPath": key, "mode": entry.mode}
                self._lists(node).setdefault("filesFromSecret", []).append(written)
            else:
                name = self._maps[entry.identity].name
                written = {
                    "filePath": entry.file_path, "configMapName": name, "configMapPath": "file", "mode": entry.mode,
                }  # fmt: skip
                self._lists(node).setdefault("filesFromConfigMap", []).append(written)

    def _secret_key(self, secret: str, entry: Entry) -> str:
        """Give the key of a file in its Secret: the file's name, with part of a digest if that is taken."""
        keys = self._result.secrets.setdefault(secret, {})
        key = secret_key(entry.identity, keys)
        keys[key] = entry.identity
        return key

    def _check_names(self) -> None:
        names: dict[str, str] = {}
        for identity, staged in self._maps.items():
            if (other := names.setdefault(staged.name, identity)) != identity:
                message = f"{other!r} and {identity!r} both get the ConfigMap name {staged.name!r}"
                self._context.error("staging-conflict", "topology.nodes", message, None)

    def _check_groups(self, nodes: Mapping[str, Flat]) -> None:
        """Members of one Pod cannot have the same path with different bytes or mode."""
        places: dict[tuple[str, str], Entry] = {}
        for node in sorted(self._entries):
            pod = pod_of(node, nodes)
            for entry in self._entries[node].values():
                other = places.setdefault((pod, labpaths.in_pod(entry.file_path)), entry)
                if other is not entry and self._differ(other, entry):
                    message = (
                        f"{entry.file_path!r} differs from the file at the same place of node "
                        f"{other.request.node!r}, which shares its Pod"
                    )
                    self._error(entry.request, "grouped-path-conflict", message)

    def _differ(self, one: Entry, two: Entry) -> bool:
        if one.identity == two.identity:
            return one.mode != two.mode
        maps = (self._maps.get(one.identity), self._maps.get(two.identity))
        digests = {found.digest if found else "" for found in maps}
        return one.mode != two.mode or len(digests) > 1


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


