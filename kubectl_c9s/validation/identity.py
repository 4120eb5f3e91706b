"""Rules for objects of one kind, namespace and name: given twice, or claimed by two labs (split.md §§8, 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubectl_c9s.validation.things import shown
from kubectl_c9s.validation.world import profile_of

if TYPE_CHECKING:
    from kubectl_c9s.validation.things import Thing
    from kubectl_c9s.validation.world import Member, World


def check_identities(world: World) -> None:
    """Report objects that are there twice: the last one applied wins, silently."""
    beside: dict[int, tuple[Member, Member, int]] = {}
    for members in world.members.values():
        first: dict[tuple[str, str], Member] = {}
        for member in members:
            other = first.setdefault(member.key, member)
            if other is member or not member.name:
                continue
            if _makes_the_same(other, member):
                lab = (other if other.derived else member).thing
                seen = beside.get(id(lab), (other, member, 0))
                beside[id(lab)] = (seen[0], seen[1], seen[2] + 1)
            else:
                _report(other, member)
    for one, two, count in beside.values():
        _report_beside(one, two, count)


def _makes_the_same(one: Member, two: Member) -> bool:
    """Tell whether a lab and an object that says it belongs to that lab meet: source and rendering."""
    return one.derived != two.derived and one.owner == two.owner


def _report(first: Member, member: Member) -> None:
    if first.derived and member.derived and _is_same_lab(first.thing, member.thing):
        return  # the labs themselves are there twice: said of them
    what = f"{member.kind} {member.name!r}"
    if _of_two_labs(first, member):
        message = f"{_lab(first)} and {_lab(member)} both have the {what} in namespace {member.namespace!r}"
        member.error(
            "duplicate-object-name",
            ("metadata", "name"),
            f"{message}; {shown(first.thing)} is the other",
        )
    elif first.obj == member.obj:
        member.warning(
            "repeated-object",
            ("metadata", "name"),
            f"the {what} is also in {shown(first.thing)}, the same",
        )
    else:
        message = f"the {what} is also in {shown(first.thing)}, with other content{_policies(first, member)}"
        member.error(
            "conflicting-object", ("metadata", "name"), f"{message}; the one applied last wins"
        )


def _of_two_labs(first: Member, member: Member) -> bool:
    if first.derived or member.derived:
        return first.owner != member.owner or first.derived == member.derived
    return bool(first.owner and member.owner and first.owner != member.owner)


def _policies(first: Member, member: Member) -> str:
    """Say so where a Node ends up under two policies."""
    if member.kind == "NodeProfile" and first.spec != member.spec:
        return ": Nodes that name it are under two policies"
    if member.kind == "Node" and profile_of(first) != profile_of(member):
        return f": the Node is under two policies, {profile_of(first)!r} and {profile_of(member)!r}"
    return ""


def _report_beside(one: Member, two: Member, count: int) -> None:
    lab, made = (one, two) if one.derived else (two, one)
    if not lab.thing.ours:
        return  # a containerlab file is never applied: beside it stands what was made of it
    message = (
        f"the input has the Topology {lab.owner!r} and {count} of the objects it makes itself, such as "
        f"{made.kind} {made.name!r}; applied together the Topology finds them taken and makes nothing"
    )
    lab.thing.warning("topology-beside-objects", ("metadata", "name"), message)


def _is_same_lab(one: Thing, two: Thing) -> bool:
    return (
        (one.kind, one.namespace, one.name) == (two.kind, two.namespace, two.name)
        and one.ours
        and two.ours
    )


def _lab(member: Member) -> str:
    return f"lab {member.owner!r}" if member.owner else "no lab"
