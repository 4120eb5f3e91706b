"""A site diagnosed, and what is expected of the report in the words of the contract (causes.md)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from diagnosis_objects import NOW, Json

from kubectl_c9s.diagnosis.dump import Reader
from kubectl_c9s.diagnosis.place import find_place
from kubectl_c9s.diagnosis.present import present
from kubectl_c9s.diagnosis.report import diagnose
from kubectl_c9s.diagnosis.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from diagnosis_stages import Stages

SCOPED = {"global", "topology", "host"}


class Report:
    """A report as JSON data, with short names for objects: ``Node lab/a``, ``Host worker-1``, ``Pod lab/a-5d9f``."""

    def __init__(self, data: Json) -> None:
        self.data = data
        self.verdict: str = data["verdict"]
        self.primary: str | None = data["primaryCause"]
        self.counts: Json = data["counts"]
        self.remedies: list[str] = data["remedies"]
        self.codes = [one["code"] for one in data["causes"]]

    def cause(self, code: str) -> Json:
        """Give the entry of a code; there must be one."""
        assert code in self.codes, f"{code} is not among {self.codes}"
        return next(one for one in self.data["causes"] if one["code"] == code)

    def objects(self, code: str) -> set[str]:
        """Give what an entry blames."""
        return {short(one) for one in self.cause(code)["objects"]}

    def text(self, code: str) -> str:
        """Give all evidence of an entry."""
        return "\n".join(one["text"] for one in self.cause(code)["evidence"])

    def scoped(self) -> set[tuple[str, str]]:
        """Give code and object of all that is blamed for holding a barrier."""
        return {
            (one["code"], short(obj))
            for one in self.data["causes"]
            if SCOPED & set(one["scope"])
            for obj in one["objects"]
        }

    def blamed(self) -> set[str]:
        """Give the objects that are blamed for holding a barrier."""
        return {name for _, name in self.scoped()}

    def expect(self, code: str, scope: str, objects: Iterable[str] | str, **more: Any) -> Json:
        """Compare an entry: scopes by their letters, objects by short names, ``state``, ``sub``, ``remedies``, …."""
        entry = self.cause(code)
        letters = "".join(one[0].upper() for one in entry["scope"])
        assert letters == scope, (code, entry["scope"])
        wanted = {objects} if isinstance(objects, str) else set(objects)
        assert self.objects(code) == wanted
        for key, value in more.items():
            name = {"over": "overLimit"}.get(key, key)
            assert entry.get(name) == value, (code, name, entry.get(name))
        return entry


def short(obj: Json) -> str:
    """Give kind, namespace and name of an object as reports name it."""
    kind = "Host" if (obj["apiVersion"], obj["kind"]) == ("v1", "Node") else obj["kind"]
    full = f"{obj['namespace']}/{obj['name']}" if "namespace" in obj else obj["name"]
    return f"{kind} {full}"


def report(site: Stages, **settings: Any) -> Report:
    """Diagnose a site as a foreign List; ``namespace`` looks at it as ``-n`` does, ``without`` drops kinds."""
    dropped = set(settings.pop("without", ()))
    items = [one for one in site.objects if _kind(one) not in dropped]
    header = settings.pop("header", None)
    return report_of(
        {"apiVersion": "v1", "kind": "List", "items": items} | (header or {}), **settings
    )


def _kind(obj: Json) -> str:
    return "Host" if (obj["apiVersion"], obj["kind"]) == ("v1", "Node") else str(obj["kind"])


def report_of(data: Json, **settings: Any) -> Report:
    """Diagnose a List."""
    namespace, manager = settings.pop("namespace", None), settings.pop("manager", None)
    reader = Reader()
    reader.take(json.dumps(data).encode())
    dump = reader.dump
    dump.namespace = namespace or dump.namespace
    now = NOW.timestamp()
    return Report(present(diagnose(dump, find_place(dump, manager), now, Settings(**settings))))
