"""Rules for RolloutPolicies: the schema, and what the file says without any effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.resources import schema
from kubectl_c9s.rollout.limits import FIELDS
from kubectl_c9s.rollout.patterns import covers
from kubectl_c9s.rollout.policyfile import BOUNDS, KIND, NOT_OBEYED, obeyed_part, policy_of
from kubectl_c9s.validation.objects import check_schema
from kubectl_c9s.validation.things import mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.rollout.policyfile import Bounds, RolloutPolicy, TopologyRule
    from kubectl_c9s.validation.things import Thing

_RULES: Final = ("spec", "topologies")


def check_policy(thing: Thing) -> None:
    """Report what is wrong with a policy; of one that is right, what has no effect."""
    spec = mapping(thing.obj.get("spec"))
    for field in NOT_OBEYED:
        if spec.get(field) is not None:
            message = f"spec.{field} is not obeyed yet"
            thing.warning("policy-field-unused", ("spec", field), message)
    known = obeyed_part(thing.obj)
    if schema.is_valid(KIND, known):
        policy = policy_of(known)
        _advise_on_order(thing, policy)
        _advise_on_limits(thing, policy)
    else:
        check_schema(thing, known)


def _advise_on_order(thing: Thing, policy: RolloutPolicy) -> None:
    """Warn about rules behind one that matches all that they match: the first match wins."""
    for rule in policy.topologies:
        for earlier in policy.topologies[: rule.place]:
            if _takes_all(earlier, rule):
                message = (
                    f"the rule is never asked: topologies[{earlier.place}] matches everything that it matches, "
                    "and the first match wins"
                )
                thing.warning("unreachable-rule", (*_RULES, rule.place), message)
                break


def _takes_all(earlier: TopologyRule, rule: TopologyRule) -> bool:
    if not earlier.labels.items() <= rule.labels.items():
        return False
    if earlier.namespaces is None:
        return True
    # A rule for all namespaces is one for "*".
    return all(
        any(covers(pattern, other) for pattern in earlier.namespaces)
        for other in rule.namespaces or ("*",)
    )


def _advise_on_limits(thing: Thing, policy: RolloutPolicy) -> None:
    for rule in policy.topologies:
        caps = (0, policy.config.per_host)
        for field, bounds, cap in zip(FIELDS, rule.bounds, caps, strict=True):
            for name, why in _useless(bounds, cap):
                path = (*_RULES, rule.place, field, name)
                thing.warning("useless-topology-limit", path, f"{field}.{name} {why}")


def _useless(bounds: Bounds, cap: int) -> Iterator[tuple[str, str]]:
    """Give the bounds without effect, each with the reason; ``cap`` is the Config's, 0 for none.

    Only host limits have one: both count at the same time, so the greater one never holds anything back
    (admission.md §6). A batch of a Topology is released into the queue of the Config and shapes it at any size.
    """
    for name, number in zip(BOUNDS, bounds, strict=True):
        if number == 0:
            yield name, f"is 0, which {_zero(name, bounds)}"
        elif number and cap and number > cap:
            why = f"config lets only {cap} devices boot on a host, those of all labs together"
            yield name, f"is {number}, but {why}"


def _zero(name: str, bounds: Bounds) -> str:
    if name != "default":
        return "bounds nothing"
    if bounds.maximum:
        return f"is off and so above every maximum: max ({bounds.maximum}) is written"
    return "is off, as absent is, and is never written"
