"""RolloutPolicy: what its file says, and what it wants of a Config and of Topologies (policy.md).

Absent and 0 both mean off, which is *no limit*: more than every number. They are alike when compared, since the manager
may drop a zero that somebody wrote (config-and-chart.md §1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from kubectl_c9s.resources import duration
from kubectl_c9s.resources.objects import name_of, namespace_of
from kubectl_c9s.rollout.limits import FIELDS, Limits
from kubectl_c9s.rollout.owners import YIELD_TO
from kubectl_c9s.rollout.patterns import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.resources.objects import KubeObject

KIND: Final = "RolloutPolicy"

NOT_OBEYED: Final = ("pacing", "remediation")
"""Fields of ``spec`` that are part of the format, and that nothing obeys yet."""

Mode: TypeAlias = Literal["Report", "Enforce"]
"""What the reconciler does about differences: name them, or put them right."""

BOUNDS: Final = ("default", "max", "min")
"""The fields of a limit in a rule, in the order of :class:`Bounds`."""


class Bounds(NamedTuple):
    """What a rule says of one field; None is not said. A ``maximum`` or ``minimum`` of 0 bounds nothing."""

    default: int | None = None
    maximum: int | None = None
    minimum: int | None = None


class TopologyRule(NamedTuple):
    """One entry of ``spec.topologies``, the one at ``place``, counted from 0.

    It matches Topologies in a namespace that one of the patterns fits (None: in any) with all of these labels.
    """

    place: int
    namespaces: tuple[str, ...] | None = None
    labels: Mapping[str, str] = {}
    batch_size: Bounds = Bounds()
    max_concurrent_per_host: Bounds = Bounds()

    @property
    def bounds(self) -> tuple[Bounds, Bounds]:
        """Give what is said of both fields, in the order of :class:`Limits`."""
        return self.batch_size, self.max_concurrent_per_host

    def applies_to(self, namespace: str, labels: Mapping[str, str]) -> bool:
        """Tell whether the rule is about a Topology with these labels."""
        if self.namespaces is not None and not any(
            matches(pattern, namespace) for pattern in self.namespaces
        ):
            return False
        return all(labels.get(key) == value for key, value in self.labels.items())


class Guards(NamedTuple):
    """Whether a write may release waiting workloads, and the field managers that are not fought (policy.md)."""

    allow_release: bool = False
    yield_to: tuple[str, ...] = YIELD_TO


class Stall(NamedTuple):
    """When a start that does not go on is slow, and when it is stalled, in seconds."""

    slow_after: float = 60.0
    stalled_after: float = 300.0


class RolloutPolicy(NamedTuple):
    """A policy; an empty ``namespace`` was not given. Fields of ``config`` that are None are not managed.

    ``mode``, ``suspend`` and ``stall`` are for the reconciler: who writes a policy by hand means it.
    """

    name: str
    namespace: str = ""
    config: Limits = Limits()
    topologies: tuple[TopologyRule, ...] = ()
    guards: Guards = Guards()
    mode: Mode = "Report"
    suspend: bool = False
    stall: Stall = Stall()


def obeyed_part(obj: KubeObject) -> KubeObject:
    """Give a RolloutPolicy without the fields that nothing obeys yet; the object is not changed."""
    spec = obj.get("spec")
    if not isinstance(spec, dict) or spec.keys().isdisjoint(NOT_OBEYED):
        return obj
    return obj | {"spec": {key: item for key, item in spec.items() if key not in NOT_OBEYED}}


def policy_of(obj: KubeObject) -> RolloutPolicy:
    """Read a RolloutPolicy whose :func:`obeyed_part` the schema takes; a field that is null counts as absent."""
    spec = obj.get("spec") or {}
    rules = tuple(_rule(place, part) for place, part in enumerate(spec.get("topologies") or ()))
    config = Limits(*_numbers(spec.get("config"), FIELDS))
    return RolloutPolicy(
        name_of(obj),
        namespace_of(obj),
        config,
        rules,
        _guards(spec.get("guards") or {}),
        spec.get("mode") or "Report",
        bool(spec.get("suspend")),
        _stall(spec.get("stall") or {}),
    )


def _rule(place: int, part: Mapping[str, Any]) -> TopologyRule:
    match = part["match"]
    namespaces, labels = match.get("namespaces"), match.get("labels") or {}
    return TopologyRule(
        place,
        None if namespaces is None else tuple(namespaces),
        {key: value for key, value in labels.items() if value is not None},
        *(Bounds(*_numbers(part.get(field), BOUNDS)) for field in FIELDS),
    )


def _guards(part: Mapping[str, Any]) -> Guards:
    names = part.get("yieldTo")
    return Guards(bool(part.get("allowRelease")), YIELD_TO if names is None else tuple(names))


def _stall(part: Mapping[str, Any]) -> Stall:
    pairs = zip(("slowAfter", "stalledAfter"), Stall(), strict=True)
    return Stall(*(_seconds(part.get(field), default) for field, default in pairs))


def _seconds(written: str | None, default: float) -> float:
    return default if written is None else duration.parse(written) / 1e9


def _numbers(part: Mapping[str, Any] | None, fields: Iterable[str]) -> list[int | None]:
    found = ((part or {}).get(field) for field in fields)
    return [None if number is None else int(number) for number in found]


def rule_for(
    policy: RolloutPolicy, namespace: str, labels: Mapping[str, str]
) -> TopologyRule | None:
    """Give the first rule that is about a Topology; None: the Topology is not managed."""
    return next((rule for rule in policy.topologies if rule.applies_to(namespace, labels)), None)


def wanted_for_config(policy: RolloutPolicy, present: Limits) -> Limits:
    """Give the limits a Config should have: equal to ``present`` where nothing is to be written.

    A field that the policy lacks stays as it is; an explicit 0 in the policy switches the limit off.
    """
    return Limits(*map(_managed, policy.config, present))


def wanted_for_topology(
    policy: RolloutPolicy, namespace: str, labels: Mapping[str, str], present: Limits
) -> Limits | None:
    """Give the limits a Topology should have, equal to ``present`` where nothing is to be written.

    None if no rule is about it. Of the rule that is, each field says on its own:

    - ``default`` is written where the field is absent. A 0 that stands there was chosen, and stays off
    - ``max`` is written in place of more, and in place of off: no limit is more than every maximum
    - ``min`` is written in place of less; off is not less
    """
    rule = rule_for(policy, namespace, labels)
    if rule is None:
        return None
    return Limits(*map(_bounded, rule.bounds, present))


def _managed(wanted: int | None, present: int | None) -> int | None:
    return present if wanted is None or wanted == (present or 0) else wanted


def _bounded(bounds: Bounds, present: int | None) -> int | None:
    number = bounds.default if present is None else present
    if bounds.maximum and not 0 < (number or 0) <= bounds.maximum:
        number = bounds.maximum
    elif bounds.minimum and number and number < bounds.minimum:
        number = bounds.minimum
    return _managed(number, present)
