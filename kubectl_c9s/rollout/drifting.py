"""How the limits of a Config or Topology differ from what a policy wants (policy.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources.objects import CONFIG_NAME, name_of, namespace_of
from kubectl_c9s.rollout.limits import FIELDS, Limits, limits_of
from kubectl_c9s.rollout.owners import rollout_owners
from kubectl_c9s.rollout.patches import block_of
from kubectl_c9s.rollout.policyfile import (
    Bounds,
    rule_for,
    wanted_for_config,
    wanted_for_topology,
)

if TYPE_CHECKING:
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.limits import Field
    from kubectl_c9s.rollout.policyfile import RolloutPolicy


class Drift(NamedTuple):
    """One field that is not as the policy wants it.

    ``object`` as :func:`full_name` gives it; ``old`` is None where the field is absent; ``why`` is the place in the
    policy; ``writer`` is the field manager that owns the field, empty when nobody does.
    """

    object: str
    field: Field
    old: int | None
    new: int
    why: str
    writer: str


def full_name(obj: KubeObject) -> str:
    """Name an object as people are told: ``Config c9s/clabernetes``."""
    return f"{obj['kind']} {namespace_of(obj)}/{name_of(obj)}"


def drift_of(policy: RolloutPolicy, obj: KubeObject) -> tuple[Drift, ...] | None:
    """Give the fields that differ, in the order of the fields; None when the policy does not speak of the object.

    Absent and 0 are alike, and a field that the policy does not speak of is as it should be.
    """
    return _of_config(policy, obj) if obj["kind"] == "Config" else _of_topology(policy, obj)


def _of_config(policy: RolloutPolicy, obj: KubeObject) -> tuple[Drift, ...] | None:
    if policy.config == Limits():
        return None
    wanted = wanted_for_config(policy, limits_of(block_of(obj)))
    return _differing(obj, wanted, tuple(f"spec.config.{field}" for field in FIELDS))


def _of_topology(policy: RolloutPolicy, obj: KubeObject) -> tuple[Drift, ...] | None:
    present, labels = limits_of(block_of(obj)), obj["metadata"].get("labels") or {}
    rule = rule_for(policy, namespace_of(obj), labels)
    wanted = wanted_for_topology(policy, namespace_of(obj), labels, present)
    if rule is None or wanted is None or rule.bounds == (Bounds(), Bounds()):
        return None
    places = tuple(
        f"spec.topologies[{rule.place}].{field}.{_bound(said, old, new)}"
        for field, said, old, new in zip(FIELDS, rule.bounds, present, wanted, strict=True)
    )
    return _differing(obj, wanted, places)


def _bound(said: Bounds, old: int | None, new: int | None) -> str:
    """Name the bound that a number was taken from."""
    if old is None and new == said.default:
        return "default"
    return "max" if new == said.maximum else "min"


def _differing(obj: KubeObject, wanted: Limits, places: tuple[str, ...]) -> tuple[Drift, ...]:
    present = limits_of(block_of(obj))
    return tuple(
        Drift(full_name(obj), field, old, new, place, _writer(obj, field))
        for field, old, new, place in zip(FIELDS, present, wanted, places, strict=True)
        if new is not None and new != old
    )


def _writer(obj: KubeObject, field: Field) -> str:
    """Give the field manager that owns the field, the one that wrote last if there are several."""
    owners = rollout_owners(obj["metadata"].get("managedFields"))
    own = [(owner.time, owner.manager) for owner in owners if field in owner.fields]
    return max(own, default=("", ""))[1]


def drift_without_config(policy: RolloutPolicy) -> tuple[Drift, ...]:
    """Give what is missing when there is no Config: no limit applies then, so a wanted 0 is there already."""
    name = f"Config {policy.namespace}/{CONFIG_NAME}"
    return tuple(
        Drift(name, field, None, new, f"spec.config.{field}", "")
        for field, new in zip(FIELDS, policy.config, strict=True)
        if new
    )
