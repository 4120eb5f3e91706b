"""Which RolloutPolicy rules: of those in the manager's namespace the oldest (policy.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kubectl_c9s.resources import schema
from kubectl_c9s.resources.objects import TOOLKIT_API_VERSION, name_of, namespace_of
from kubectl_c9s.rollout.policyfile import KIND, obeyed_part, policy_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.policyfile import RolloutPolicy


class Candidate(NamedTuple):
    """A RolloutPolicy of the cluster; without a ``policy`` the ``problem`` says why it cannot be obeyed."""

    namespace: str
    name: str
    uid: str
    created: str
    generation: int
    deleting: bool
    policy: RolloutPolicy | None
    problem: str = ""


class Ruling(NamedTuple):
    """The policy that rules (None: nothing is managed), and those that would, from the oldest on."""

    ruler: Candidate | None
    superseded: tuple[Candidate, ...] = ()


def candidate(obj: KubeObject) -> Candidate:
    """Read a RolloutPolicy as the server has it.

    The server has checked it already, but perhaps by the definition of another release: what ours does not take is
    not obeyed in part either.
    """
    head = {key: obj["metadata"][key] for key in ("namespace", "name")}
    spec = obj.get("spec") or {}
    known = obeyed_part(
        {"apiVersion": TOOLKIT_API_VERSION, "kind": KIND, "metadata": head, "spec": spec}
    )
    problem = "" if schema.is_valid(KIND, known) else _problem(known)
    meta = obj["metadata"]
    return Candidate(
        namespace_of(obj),
        name_of(obj),
        meta.get("uid") or "",
        meta.get("creationTimestamp") or "",
        meta.get("generation") or 0,
        meta.get("deletionTimestamp") is not None,
        None if problem else policy_of(known),
        problem,
    )


def _problem(known: KubeObject) -> str:
    first, *others = schema.violations(KIND, known)
    more = f", and {len(others)} more" if others else ""
    return f"{first.place}: {first.message}{more}"


def ruling(candidates: Iterable[Candidate], namespace: str) -> Ruling:
    """Choose by creation time, then by name; policies of other namespaces, and those on their way out, have no part.

    One that cannot be obeyed rules all the same: whether a policy is right does not decide which one is meant.
    """
    own = [one for one in candidates if one.namespace == namespace and not one.deleting]
    own.sort(key=lambda one: (one.created, one.name))
    return Ruling(own[0], tuple(own[1:])) if own else Ruling(None)
