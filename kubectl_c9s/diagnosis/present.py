"""A diagnosis as JSON data: a stable interface, versioned (docs/schemas/diagnosis.json)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.diagnosis.blockers import blockers
from kubectl_c9s.resources.moments import text_of
from kubectl_c9s.resources.remedies import REMEDIES

if TYPE_CHECKING:
    from kubectl_c9s.diagnosis.blockers import Blocker
    from kubectl_c9s.diagnosis.finding import Evidence, Ref
    from kubectl_c9s.diagnosis.report import Diagnosis, Entry
    from kubectl_c9s.diagnosis.world import World

VERSION: Final = 1
_NAMES: Final = re.compile(r"[a-z0-9.-]*")
_SHOWN: Final = 3


def present(diagnosis: Diagnosis) -> dict[str, Any]:
    """Give the whole report."""
    world = diagnosis.world
    causes = {finding.unit: entry.code for entry in diagnosis.entries for finding in entry.findings}
    return {
        "version": VERSION,
        "at": text_of(world.now),
        "managerNamespace": world.place.namespace,
        "verdict": diagnosis.verdict,
        "primaryCause": diagnosis.primary,
        "causes": [_entry(entry, world) for entry in diagnosis.entries],
        "blockers": [_blocker(one, causes) for one in blockers(world)],
        "counts": diagnosis.counts,
        "slots": _ledger(diagnosis, causes),
        "remedies": diagnosis.remedies,
        "notCollected": list(diagnosis.not_collected),
    }


def object_json(ref: Ref) -> dict[str, str]:
    """Give an object as reports name it; hosts have no namespace."""
    found = {
        "apiVersion": ref.api_version,
        "kind": ref.kind,
        "namespace": ref.namespace,
        "name": ref.name,
    }
    return {key: value for key, value in found.items() if value or key != "namespace"}


def _entry(entry: Entry, world: World) -> dict[str, Any]:
    found: dict[str, Any] = {
        "code": entry.code,
        "state": entry.state,
        "scope": list(entry.scope),
        "objects": [object_json(ref) for ref in entry.objects],
    }
    if entry.sub:
        found["sub"] = entry.sub
    if entry.over_limit:
        found["overLimit"] = True
    return found | {
        "since": text_of(entry.since) if entry.since is not None else None,
        "blocks": entry.blocks,
        "evidence": [_evidence(one) for one in entry.evidence],
        "remedy": _remedy(entry, world),
        "remedies": list(entry.remedies),
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "object": object_json(evidence.about),
        "source": evidence.source,
        "text": evidence.text,
        "time": evidence.time or None,
        "count": evidence.times,
    }


def _remedy(entry: Entry, world: World) -> dict[str, Any] | None:
    if not entry.remedies:
        return None
    code = entry.remedies[0]
    remedy = REMEDIES[code]
    commands: list[str] = []
    for ref in entry.objects or ():
        kind = "Host" if (ref.api_version, ref.kind) == ("v1", "Node") else ref.kind
        commands += (_command(text, ref, world) for text in remedy.commands.get(kind, ()))
    if not entry.objects:
        commands += remedy.commands.get("", ())
    shown = [one for one in dict.fromkeys(commands) if one][: _SHOWN * 2]
    return {"code": code, "text": remedy.text, "commands": shown, "risk": remedy.risk}


def _command(text: str, ref: Ref, world: World) -> str:
    """Fill a command in; a name that could mean something to a shell gives none."""
    values = {
        "name": ref.name,
        "namespace": ref.namespace,
        "manager": world.place.namespace,
        "app": world.place.app,
    }
    if not all(_NAMES.fullmatch(value) for value in values.values()):
        return ""
    return text.format(**values)


def _blocker(one: Blocker, causes: dict[str, str]) -> dict[str, Any]:
    more = f"; {one.remaining} more blocker(s) remain" if one.remaining else ""
    text = (
        f"fix or delete {one.ref.full_name}, then {one.next} workload(s) are let through next{more}"
    )
    return {
        "barrier": one.barrier,
        "object": object_json(one.ref),
        "cause": causes.get(one.unit),
        "next": one.next,
        "remaining": one.remaining,
        "text": text,
    }


def _ledger(diagnosis: Diagnosis, causes: dict[str, str]) -> dict[str, Any]:
    """Give the slots of each host where somebody boots or waits: who holds them, since when, why."""
    world = diagnosis.world
    since = {
        finding.unit: finding.since for entry in diagnosis.entries for finding in entry.findings
    }
    found: dict[str, Any] = {}
    for host, count in world.host_gate.hosts.items():
        if not count.booting and not count.queued:
            continue
        holders = []
        for view in count.booting:
            unit = view.node_uid if view.node_uid in world.nodes else view.uid
            moment = since.get(unit)
            holders.append(
                {
                    "pod": view.full_name,
                    "since": text_of(moment) if moment is not None else view.created or None,
                    "cause": causes.get(unit),
                }
            )
        holders.sort(key=lambda holder: (str(holder["since"]), str(holder["pod"])))
        found[host] = {
            "limit": world.snapshot.per_host,
            "holders": holders,
            "queued": [v.full_name for v in count.queued],
        }
    return found
