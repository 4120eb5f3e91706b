"""How a history in memory has to end once the faults are over: all is as the policy wants it, told, and quiet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from reconcile_sim_judge import POLICIES, WRITTEN
from reconcile_sim_rules import GITOPS, drift, gitops, oldest, releases
from reconcile_sim_server import block

if TYPE_CHECKING:
    from reconcile_sim_replica import Replica
    from reconcile_sim_server import Json, Key
    from reconcile_sim_world import World

_ROUNDS = 30
_LONG = 650.0
_REST = 120.0


def assert_end(world: World) -> None:
    """Let the faults stop, and judge what comes of it."""
    mend(world)
    settle(world, 30.0)
    # What was a fight is none any more, and what was refused is tried again.
    world.pass_time(_LONG)
    settle(world, 30.0)
    assert_told(world)
    assert_quick(world)
    assert_refused(world)
    world.judge.events()
    assert_rest(world)


def mend(world: World) -> None:
    """Let everything work again."""
    world.faults.rate, world.faults.refusing, world.faults.frozen = 0.0, 0, "nothing"
    world.faults.ghosts.clear()
    world.is_racing = False
    world.server.gone.clear()
    for replica in world.replicas:
        replica.paused_until = 0.0
        for watch in replica.watches.values():
            watch.forbidden, watch.silent_until = False, 0.0


def settle(world: World, seconds: float) -> None:
    """Let time pass in steps that no Lease outlives, and everybody do what there is to do."""
    while seconds > 0:
        step = min(seconds, 3.0)
        seconds -= step
        world.pass_time(step)
        for replica in world.replicas:
            replica.look()
            world.judge.look(replica)
        for replica in world.replicas:
            calm(world, replica)


def calm(world: World, replica: Replica) -> None:
    """Let a process go on until nothing moves any more: that comes soon, or it runs in circles."""
    for _ in range(_ROUNDS):
        moved = False
        for watch in replica.watches.values():
            moved |= watch.move(1000, world.chance)
        world.judge.look(replica)
        replica.loop.step()
        if not moved and not replica.writer.waiting:
            return
        while replica.writer.waiting:
            replica.writer.run(0)
    raise AssertionError("it goes on and on without time passing")


def assert_told(world: World) -> None:
    """Compare objects and statuses with what the policies say."""
    policies = list(world.server.objects[POLICIES].values())
    ruler = oldest(policies)
    for policy in policies:
        status = policy.get("status") or {}
        assert status.get("active") is (policy is ruler), f"active: {status}"
        assert status["observedGeneration"] == policy["metadata"]["generation"]
        if policy is not ruler:
            assert _condition(policy)["reason"] == "Superseded"
    if ruler is None:
        return
    told = _condition(ruler)
    # Whether there is a field to write is only known once it was tried: what is held back anyway is named else.
    ways = [expected(world, ruler["spec"], tried=tried) for tried in (False, True)]
    firsts = {min(reasons, key=_ORDER.index, default="Enforced") for reasons in ways}
    assert told["reason"] in firsts, f"{told} is told, {ways} is so"
    assert told["status"] == ("True" if told["reason"] == "Enforced" else "False")
    managed = ruler["status"]["enforced"]
    assert managed["drifted"] == sum(
        bool(drift(ruler["spec"], *one)) for one in _written(world)
    ) + _missing(world, ruler["spec"])


def assert_quick(world: World) -> None:
    """Let somebody break a limit, and write again while it is put right: that is mended at once, too."""
    found = writable(world)
    if found is None:
        return
    name, key, field, good = found
    leader = next(one for one in world.replicas if one.election.leads())
    spoil(world, name, key, field, good + 3)
    for watch in leader.watches.values():
        watch.move(1000, world.chance)
    leader.loop.step()
    world.server.edit(
        name, key, lambda obj: obj["metadata"].setdefault("labels", {}).update(late="yes")
    )
    for _ in range(3):
        settle(world, 1.0)
    assert block(world.server.objects[name][key])[field] == good, "it takes long after a conflict"


def assert_refused(world: World) -> None:
    """Take the right to write away: that is told, and not tried again and again."""
    found = writable(world)
    if found is None:
        return
    name, key, field, good = found
    world.faults.frozen = name.partition(".")[0]
    spoil(world, name, key, field, good + 4)
    for _ in range(3):
        settle(world, 1.0)
    policy = oldest(list(world.server.objects[POLICIES].values()))
    assert policy is not None
    assert _condition(policy)["reason"] == "Forbidden", _condition(policy)
    before = world.judge.requests
    settle(world, 25.0)
    assert world.judge.requests - before <= 3, "a refused write is sent again and again"
    world.faults.frozen = "nothing"
    settle(world, 40.0)
    assert block(world.server.objects[name][key])[field] == good, (
        "what was refused is not tried again"
    )


def writable(world: World) -> tuple[str, Key, str, int] | None:
    """Give a limit that a policy keeps, if there is one: object, field, value."""
    ruler = oldest(list(world.server.objects[POLICIES].values()))
    if ruler is None or _condition(ruler)["reason"] != "Enforced" or world.server.without_rollout:
        return None
    config = world.server.objects["configs.c9s.run"].get(("c9s", "clabernetes"))
    wanted = {field: value for field, value in (ruler["spec"].get("config") or {}).items() if value}
    yields = (ruler["spec"].get("guards") or {}).get("yieldTo", GITOPS)
    if config is None or not wanted or "prober" in yields or gitops(ruler["spec"], config, wanted):
        return None
    field, value = next(iter(wanted.items()))
    return "configs.c9s.run", ("c9s", "clabernetes"), field, value


def spoil(world: World, name: str, key: Key, field: str, value: int) -> None:
    """Let somebody write another value."""
    world.server.edit(
        name,
        key,
        lambda obj: obj["spec"].setdefault("rollout", {}).update({field: value}),
        "prober",
    )


_ORDER = (
    "Suspended", "ReportMode", "ConfigMissing", "Unsupported", "GitOpsOwner", "Guard", "NoLeader",
)  # fmt: skip


def expected(world: World, spec: Json, *, tried: bool) -> list[str]:
    """Give the reasons to leave differences alone; a difference without one is an error."""
    found = ["Suspended"] if spec.get("suspend") else []
    found += ["ReportMode"] if spec.get("mode") != "Enforce" else []
    if found:
        return found
    if _missing(world, spec):
        found.append("ConfigMissing")
    for kind, obj in _written(world):
        if wanted := drift(spec, kind, obj):
            lacks = "Unsupported" if WRITTEN[kind] in world.server.without_rollout else ""
            held = _held(world, spec, kind, obj, wanted)
            reason = lacks or held if tried else held or lacks
            assert reason, f"{kind} {obj['metadata']} differs for no reason: {obj['spec']} {wanted}"
            found.append(reason)
    return found


def _held(world: World, spec: Json, kind: str, obj: Json, wanted: Json) -> str:
    if gitops(spec, obj, wanted):
        return "GitOpsOwner"
    if releases(world.replicas[0].watches["nodes.c9s.run"], kind, obj, wanted):
        if not (spec.get("guards") or {}).get("allowRelease"):
            return "Guard"
        return "" if world.manager_is_up else "NoLeader"
    return ""


def _missing(world: World, spec: Json) -> bool:
    there = ("c9s", "clabernetes") in world.server.objects["configs.c9s.run"]
    return not there and any((spec.get("config") or {}).values())


def _written(world: World) -> list[tuple[str, Json]]:
    return [
        (kind, obj)
        for kind, name in WRITTEN.items()
        for (namespace, _), obj in world.server.objects[name].items()
        if namespace != "away"
    ]


def _condition(policy: Json) -> Json:
    found: Json = next(one for one in policy["status"]["conditions"] if one["type"] == "Enforced")
    return found


def assert_rest(world: World) -> None:
    """Let two minutes pass: nothing is written but Leases."""
    before = world.judge.requests
    shown = json.dumps(world.server.objects[POLICIES].__repr__())
    settle(world, _REST)
    if "Unsupported" in {
        _condition(one)["reason"] for one in world.server.objects[POLICIES].values()
    }:
        return  # it is tried again once in a while
    assert world.judge.requests == before, "requests at rest"
    assert shown == json.dumps(world.server.objects[POLICIES].__repr__())
