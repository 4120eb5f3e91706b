"""What stays of the parts that objects have in common when names are taken out: metadata, conditions, containers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kubectl_c9s.diagnosis.redactwords import CONTAINERS
from kubectl_c9s.resources import labels
from kubectl_c9s.rollout.views import HOST_GRANT, IGNORE, NODE_UID, PRIMARY_CONTAINER, WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kubectl_c9s.diagnosis.redactnames import Names
    from kubectl_c9s.resources.live import Condition, Container, Meta
    from kubectl_c9s.resources.observed import ObservedContainerStatus

Json = dict[str, Any]
LIMITS: Final = ("batchSize", "maxConcurrentPerHost")
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+(?:Z|[+-][0-9:]+)?")
_UIDS: Final = (labels.STARTUP_HOLD, labels.STARTUP_ADMITTED, HOST_GRANT, NODE_UID)
_TIMED: Final = tuple(f"f:{one}" for one in (labels.STARTUP_ADMITTED, HOST_GRANT))
_PROBE: Final = ("initialDelaySeconds", "periodSeconds", "failureThreshold")
_STATES: Final = ("waiting", "running", "terminated")
_MOMENTS: Final = ("startedAt", "finishedAt")
_DEVICE: Final = "device-"


def filled(**fields: Any) -> Json:
    """Give an object without what is absent or empty; 0 and false stay."""
    return {key: value for key, value in fields.items() if value not in (None, "", [], {})}


def time_of(text: object) -> str | None:
    """Give a time as it is, and nothing else that may stand in its place."""
    return text if isinstance(text, str) and _TIME.fullmatch(text) else None


class Parts:
    """Makes parts of objects anew with new names."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def meta(self, meta: Meta, name: str | None = None) -> Json:
        """Keep what identifies an object, when it came and goes, and the marks of startups."""
        names = self._names
        owners = [
            filled(
                apiVersion=names.key(one.api_version),
                kind=names.word(one.kind),
                name=names.name(one.name),
                uid=names.uid(one.uid),
                controller=one.controller,
            )
            for one in meta.owner_references or ()
        ]
        return filled(
            name=names.name(meta.name) if name is None else name,
            namespace=names.name(meta.namespace),
            uid=names.uid(meta.uid),
            creationTimestamp=time_of(meta.creation_timestamp),
            deletionTimestamp=time_of(meta.deletion_timestamp),
            deletionGracePeriodSeconds=getattr(meta, "deletion_grace_period_seconds", None),
            generation=getattr(meta, "generation", None),
            finalizers=[names.key(one) for one in getattr(meta, "finalizers", None) or ()],
            labels=dict(self._labels(meta)),
            annotations=dict(self._annotations(meta)),
            ownerReferences=owners,
            managedFields=self._written(meta),
        )

    def _labels(self, meta: Meta) -> Iterator[tuple[str, str]]:
        for key, value in (meta.labels or {}).items():
            if key == labels.APP:
                yield key, self._names.app(value)
            elif key in (WORKLOAD, labels.TOPOLOGY_OWNER):
                yield key, self._names.name(value)
            elif key in (labels.COMPONENT, IGNORE):
                yield key, self._names.key(value)

    def _annotations(self, meta: Meta) -> Iterator[tuple[str, str]]:
        for key, value in (meta.annotations or {}).items():
            if key in _UIDS:
                yield key, self._names.uid(value)
            elif key == PRIMARY_CONTAINER:
                yield key, self._container_name(value)

    def _written(self, meta: Meta) -> list[Json]:
        """Keep when limits and marks were written, as far as anybody looks at it."""
        owned = getattr(meta, "managed_fields", None)
        if isinstance(owned, msgspec.Raw):
            # Nearly all objects have none: looking is faster than reading.
            raw = bytes(owned)
            owned = msgspec.json.decode(raw) if any(key.encode() in raw for key in _TIMED) else ()
        found = []
        for entry in owned or ():
            fields = _fields(entry.get("fieldsV1") or {})
            if fields:
                words = ("manager", "operation", "subresource")
                told = {key: self._names.key(str(entry.get(key) or "")) for key in words}
                found.append(filled(**told, time=time_of(entry.get("time")), fieldsV1=fields))
        return found

    def conditions(self, conditions: Iterable[Condition] | None) -> list[Json]:
        """Keep conditions, with their messages."""
        names = self._names
        return [
            filled(
                type=names.word(one.type),
                status=names.word(one.status),
                reason=names.word(one.reason or ""),
                message=names.text(one.message or ""),
                lastTransitionTime=time_of(one.last_transition_time),
                observedGeneration=getattr(one, "observed_generation", None),
            )
            for one in conditions or ()
        ]

    def _container_name(self, name: str) -> str:
        if name in CONTAINERS:
            return name
        head = _DEVICE if name.startswith(_DEVICE) else ""
        return head + self._names.name(name.removeprefix(head))

    def containers(
        self, containers: Iterable[Container] | None, *, images: bool = False
    ) -> list[Json]:
        """Keep names of containers and how long they may take to start; with ``images`` which they run, by a code."""
        found = []
        for one in containers or ():
            image = self._names.name(getattr(one, "image", "")) if images else ""
            found.append(
                filled(name=self._container_name(one.name), image=image) | _probe(one.startup_probe)
            )
        return found

    def statuses(self, statuses: Iterable[ObservedContainerStatus] | None) -> list[Json]:
        """Keep how far containers are."""
        return [
            filled(
                name=self._container_name(one.name),
                started=one.started,
                restartCount=one.restart_count,
                state=self._state(one.state),
                lastState=self._state(one.last_state),
            )
            for one in statuses or ()
        ]

    def _state(self, state: Json | None) -> Json:
        found = {}
        for kind in _STATES:
            details = (state or {}).get(kind)
            if details is not None:
                code = details.get("exitCode")
                found[kind] = filled(
                    reason=self._names.word(str(details.get("reason") or "")),
                    message=self._names.text(str(details.get("message") or "")),
                    exitCode=code if isinstance(code, int) else None,
                    **{key: time_of(details.get(key)) for key in _MOMENTS},
                )
        return found


def _probe(probe: Json | None) -> Json:
    """Keep how long a startup probe waits, not what it asks."""
    if probe is None:
        return {}
    times = {key: probe[key] for key in _PROBE if isinstance(probe.get(key), int | float)}
    return {"startupProbe": times}


def _fields(fields: Json) -> Json:
    """Keep the fields whose time of writing is looked at."""
    marks = ((fields.get("f:metadata") or {}).get("f:annotations") or {}).keys() & set(_TIMED)
    limits = (fields.get("f:spec") or {}).get("f:rollout")
    found: Json = {}
    if marks:
        found["f:metadata"] = {"f:annotations": {mark: {} for mark in sorted(marks)}}
    if limits is not None:
        known: Json = {f"f:{field}": {} for field in LIMITS if f"f:{field}" in limits}
        found["f:spec"] = {"f:rollout": known}
    return found
