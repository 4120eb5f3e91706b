"""What is not checked: rules in CEL that nothing here evaluates.

The rules of our own schemas are evaluated (``schema_strict.RULES``). Others can come with the input: in the
CustomResourceDefinitions of a newer release, or in policies on our kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources.schema_source import GROUPS
from kubectl_c9s.resources.schema_strict import RULES
from kubectl_c9s.validation.things import listed, mapping, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubectl_c9s.validation.things import Thing

_RULES: Final = "x-kubernetes-validations"
_KNOWN: Final = frozenset("".join(rule.split()) for rule in RULES)
_SHOWN: Final = 120


def note_unchecked_rules(thing: Thing) -> None:
    """Note each CEL rule on our kinds that a definition or policy of the input brings along."""
    spec = mapping(thing.obj.get("spec"))
    if thing.kind == "CustomResourceDefinition" and text(spec.get("group")) in GROUPS:
        kind = text(mapping(spec.get("names")).get("kind"))
        for path, rule in _rules(spec, ("spec",)):
            _note(thing, path, rule, f"on {kind or 'a kind of ours'}")
    elif thing.kind == "ValidatingAdmissionPolicy" and _is_on_ours(spec):
        for index, validation in enumerate(listed(spec.get("validations"))):
            rule = text(mapping(validation).get("expression"))
            _note(thing, ("spec", "validations", index), rule, "of a policy on our kinds")


def _rules(part: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Give place and text of every rule of a definition."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from _rules(item, (*path, index))
    elif isinstance(part, dict):
        for key, item in part.items():
            if key != _RULES:
                yield from _rules(item, (*path, key))
                continue
            for index, rule in enumerate(listed(item)):
                yield (*path, key, index), text(mapping(rule).get("rule"))


def _note(thing: Thing, path: tuple[str | int, ...], rule: str, whose: str) -> None:
    if "".join(rule.split()) not in _KNOWN:
        shown = rule if len(rule) <= _SHOWN else f"{rule[:_SHOWN]}…"
        thing.info(
            "rule-not-checked", path, f"the CEL rule {shown!r} {whose} is not evaluated here"
        )


def _is_on_ours(spec: dict[str, Any]) -> bool:
    rules = listed(mapping(spec.get("matchConstraints")).get("resourceRules"))
    groups = [group for rule in rules for group in listed(mapping(rule).get("apiGroups"))]
    return any(group in groups for group in (*GROUPS, "*"))
