"""Diagnosing a dump with and without names, and saying what the one must be when the other is known."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_c9s.diagnosis.dump import Reader
from kubectl_c9s.diagnosis.place import find_place
from kubectl_c9s.diagnosis.present import present
from kubectl_c9s.diagnosis.redact import Redacted, redact
from kubectl_c9s.diagnosis.report import diagnose
from kubectl_c9s.resources.moments import seconds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Json = dict[str, Any]
_UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
Key = tuple[str, str, str, str]


class Both(NamedTuple):
    """Reports of a dump as it is and without names; the objects of both; the text that may be shown, but for UIDs."""

    plain: Json
    new: Json
    objects: list[Json]
    redacted: Redacted
    text: bytes


def both(objects: Iterable[Json], when: str, **known: Any) -> Both:
    """Diagnose objects twice; ``known`` are what else a dump knows, such as ``collected``."""
    items = list(objects)
    reader = _reader(items, known)
    made = redact(reader.dump)
    new_items = [one for found in made.objects.values() for one in found]
    text = _UUID.sub(
        b"", msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": new_items})
    )
    same: Json = {"collected": set(reader.dump.collected)}
    if known.get("namespace"):
        same["namespace"] = made.names.name(known["namespace"])
    again = _reader(new_items, same)
    return Both(report(reader, when), report(again, when), items, made, text)


def _reader(items: list[Json], known: Json) -> Reader:
    reader = Reader()
    reader.take(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode())
    for key, value in known.items():
        setattr(reader.dump, key, value)
    return reader


def report(reader: Reader, when: str) -> Json:
    """Give the report of a diagnosis."""
    now = seconds_of(when)
    assert now is not None
    return present(diagnose(reader.dump, find_place(reader.dump, None), now))


class Renamed:
    """What the objects are called now, found by their UIDs, which stay; what is no object goes by its parts."""

    def __init__(self, found: Both) -> None:
        self._names = found.redacted.names
        new = {
            (one["kind"], one["metadata"]["uid"]): one["metadata"]
            for objects in found.redacted.objects.values()
            for one in objects
            if one["kind"] != "Event"
        }
        self.pairs: dict[Key, tuple[str, str]] = {}
        for one in found.objects:
            meta = one["metadata"]
            other = new.get((one["kind"], meta["uid"]))
            if other is not None:
                key = _key(one["apiVersion"], one["kind"], meta)
                self.pairs[key] = other.get("namespace", ""), other["name"]

    def name(self, text: str) -> str:
        return self._names.name(text) if text else ""

    def full(self, text: str) -> str:
        """Rename ``namespace/name``."""
        return "/".join(map(self.name, text.split("/")))

    def ref(self, ref: Json) -> Json:
        key = _key(ref["apiVersion"], ref["kind"], ref)
        if key not in self.pairs and ref["kind"] in ("Lease", "Deployment"):
            return ref | {
                "namespace": self.name(ref["namespace"])
            }  # one that is missing, under a fixed name
        namespace, name = self.pairs.get(key) or (self.name(key[2]), self.name(key[3]))
        return ref | {"name": name} | ({"namespace": namespace} if namespace else {})

    def sub(self, sub: str) -> str:
        """Rename a resource or gate of somebody's own."""
        head = "insufficient-" if sub.startswith("insufficient-") else ""
        return head + self._names.key(sub.removeprefix(head)) if "acme" in sub else sub


def _key(version: str, kind: str, meta: Json) -> Key:
    return version.rpartition("/")[0], kind, meta.get("namespace", ""), meta["name"]


def expected(found: Both) -> Json:
    """Give the report that the redacted dump must give, but for the texts in it."""
    to, plain = Renamed(found), found.plain
    return plain | {
        "managerNamespace": to.name(plain["managerNamespace"]),
        "causes": [_cause(one, to) for one in plain["causes"]],
        "blockers": [_blocker(one, to) for one in plain["blockers"]],
        "counts": _counts(plain["counts"], to),
        "slots": {to.name(host): _slot(slot, to.full) for host, slot in plain["slots"].items()},
    }


def _cause(cause: Json, to: Renamed) -> Json:
    seen = [one | {"object": to.ref(one["object"]), "text": ""} for one in cause["evidence"]]
    found = cause | {"objects": [to.ref(one) for one in cause["objects"]], "evidence": seen}
    return _silent(found | ({"sub": to.sub(cause["sub"])} if "sub" in cause else {}))


def _silent(cause: Json) -> Json:
    """Leave out what is made of names for people: commands, and texts of evidence."""
    remedy = cause["remedy"] and {
        key: one for key, one in cause["remedy"].items() if key != "commands"
    }
    seen = [one | {"text": ""} for one in cause["evidence"]]
    return cause | {"remedy": remedy, "evidence": seen}


def without_texts(report: Json) -> Json:
    """Give a report as :func:`expected` does."""
    blockers = [one | {"text": ""} for one in report["blockers"]]
    return report | {"causes": list(map(_silent, report["causes"])), "blockers": blockers}


def _blocker(blocker: Json, to: Renamed) -> Json:
    kind, _, name = blocker["barrier"].partition(" ")
    barrier = blocker["barrier"]
    if kind in ("topology", "host"):
        barrier = f"{kind} {to.full(name)}"
    return blocker | {"barrier": barrier, "object": to.ref(blocker["object"]), "text": ""}


def _counts(counts: Json, to: Renamed) -> Json:
    lists = ("blockingGroups", "nextBatch")
    return {
        "global": counts["global"]
        | {key: list(map(to.full, counts["global"][key])) for key in lists},
        "topologies": {
            to.full(name): one | {"blocking": list(map(to.name, one["blocking"]))}
            for name, one in counts["topologies"].items()
        },
        "hosts": {to.name(host): one for host, one in counts["hosts"].items()},
        "orphanBoots": list(map(to.full, counts["orphanBoots"])),
    }


def _slot(slot: Json, full: Callable[[str], str]) -> Json:
    holders = [one | {"pod": full(one["pod"])} for one in slot["holders"]]
    return slot | {"holders": holders, "queued": list(map(full, slot["queued"]))}
