"""What stands at a path, what is made of it, and what a Node says of it: the data of staging (staging.md B)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from kubectl_c9s.topology.staging import Request


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
    """One staged file of one node; ``secret`` names the Secret it comes from instead of a ConfigMap."""

    file_path: str
    identity: str
    digest: str
    mode: str
    secret: str | None
    request: Request


@dataclass(slots=True)
class Staging:
    """The result: ConfigMaps by identity, file lists and changed values of nodes (by written name)."""

    maps: list[StagedMap] = field(default_factory=list)
    files: dict[str, dict[str, list[dict[str, Any]]]] = field(default_factory=dict)
    paths: dict[str, dict[str, str]] = field(default_factory=dict)
    secrets: dict[str, dict[str, str]] = field(default_factory=dict)
