"""One object of the input while it is looked at: what it is, where its parts stand, what was found of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources.labels import TOPOLOGY_OWNER
from kubectl_c9s.resources.objects import kind_of, name_of, namespace_of
from kubectl_c9s.resources.schema_source import GROUPS
from kubectl_c9s.resources.verdicts import Issue, Verdict
from kubectl_c9s.topology import data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.resources.findings import Finding, Findings, Position
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.resources.verdicts import Level
    from kubectl_c9s.topology.render import Rendered
    from kubectl_c9s.validation.reading import Reading
    from kubectl_c9s.yamlio.reader import Document

CONTAINERLAB = "containerlab"
"""The kind under which a containerlab file is reported."""
_LONGEST: Final = 1000  # a message or path holds texts of the input, which may have any length


class Split(NamedTuple):
    """What the split compiler made of a lab; ``rendered`` is None when it was refused."""

    name: str
    namespace: str
    findings: Findings
    rendered: Rendered | None


class Thing:
    """One object of the input; ``lab`` is there for a lab that was split."""

    def __init__(self, document: Document, reading: Reading, namespace: str) -> None:
        value = reading.value
        self.document = document
        self.reading = reading
        self.obj: KubeObject = value if isinstance(value, dict) else {}
        self.api = text(self.obj.get("apiVersion"))
        self.kind = kind_of(self.obj)
        self.name = name_of(self.obj)
        self.namespace = namespace_of(self.obj) or namespace
        self.lab: Split | None = None
        self.checked = True
        self._issues: dict[Issue, None] = {}

    @property
    def group(self) -> str:
        """Give the API group, ``""`` for the core one."""
        return self.api.rpartition("/")[0]

    @property
    def ours(self) -> bool:
        """Tell whether the object is of a kind of clabernetes or of the toolkit."""
        return self.kind in GROUPS.get(self.group, ())

    @property
    def is_config_map(self) -> bool:
        """Tell whether the object is a ConfigMap."""
        return self.kind == "ConfigMap" and self.api == "v1"

    def error(self, code: str, path: Sequence[str | int], message: str) -> None:
        """Report what is wrong, at the place of a field or of its nearest parent."""
        self.add("error", code, path, message, self.place(path))

    def warning(self, code: str, path: Sequence[str | int], message: str) -> None:
        """Report what deserves a look."""
        self.add("warning", code, path, message, self.place(path))

    def info(self, code: str, path: Sequence[str | int], message: str) -> None:
        """Report what was not looked at."""
        self.add("info", code, path, message, self.place(path))

    def add(
        self, level: Level, code: str, path: Sequence[str | int], message: str, at: Position
    ) -> None:
        """Report something at a place of its own; an exact repeat is taken once, a long text cut."""
        self._issues[Issue(level, code, _cut(data.dotted(path)), _cut(message), at)] = None

    def take(self, finding: Finding, level: Level) -> None:
        """Take over a finding of the split compiler."""
        issue = Issue(level, finding.code, finding.path, finding.message, finding.position)
        self._issues[issue] = None

    def place(self, path: Sequence[str | int] = ()) -> Position:
        """Give the place of a field, or of its nearest parent."""
        return self.document.position(data.find(self.document.root, path))

    def verdict(self, ignored: frozenset[str] = frozenset()) -> Verdict:
        """Sum up; issues of ignored codes are left out."""
        issues = [issue for issue in self._issues if issue.code not in ignored]
        issues.sort(key=Issue.sort_key)
        return Verdict(
            self.api,
            self.kind,
            self.namespace,
            self.name,
            self.place(),
            tuple(issues),
            self.checked,
        )

    def codes(self) -> list[str]:
        """Give the codes of all issues, repeats included."""
        return [issue.code for issue in self._issues]


def _cut(said: str) -> str:
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"


def owner_of(obj: KubeObject) -> str:
    """Give the lab that a label says an object belongs to, or the empty text."""
    return text(mapping(mapping(obj.get("metadata")).get("labels")).get(TOPOLOGY_OWNER))


def mapping(value: object) -> dict[str, Any]:
    """Give a value that is a mapping, or an empty one: wrong types are the schema's matter."""
    return value if isinstance(value, dict) else {}


def text(value: object) -> str:
    """Give a value that is a text, or the empty one."""
    return value if isinstance(value, str) else ""


def listed(value: object) -> list[Any]:
    """Give a value that is a list, or an empty one."""
    return value if isinstance(value, list) else []


def shown(thing: Thing) -> str:
    """Say where an object stands: ``file:line``."""
    at = thing.place()
    return f"{at.file}:{at.line}" if at.line else at.file
