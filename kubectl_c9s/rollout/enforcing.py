"""What the reconciler does about objects whose limits are not what the policy wants (policy.md "Enforcing").

Pure: objects as the watches have them, the memory of own writes and circumstances come in, decisions come out. An
object is written whole or not at all: when one of its fields is held back, so is the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from kubectl_c9s.resources.objects import CONFIG_NAME, name_of, namespace_of
from kubectl_c9s.rollout.drifting import drift_of, drift_without_config
from kubectl_c9s.rollout.holding import Case, hold_of, hold_without_config
from kubectl_c9s.rollout.limits import FIELDS, Limits, edit_to, limits_of
from kubectl_c9s.rollout.ownwrites import History
from kubectl_c9s.rollout.patches import block_of, merge_patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.drifting import Drift
    from kubectl_c9s.rollout.holding import Circumstances, Hold
    from kubectl_c9s.rollout.policyfile import RolloutPolicy
    from kubectl_c9s.rollout.proposal import Surroundings

_NEW: Final = History()


class Decision(NamedTuple):
    """What is to be done about one object; ``uid`` and ``version`` are those of the object that was looked at.

    Not ``managed``: nothing, the policy does not speak of it. No ``drift``: it is as wanted, or, when ``awaiting``, not
    to be judged until it is known what became of a write, to this object or another. With drift there is a ``hold``,
    or a merge ``patch`` to send and the ``limits`` it writes (None: not written).
    """

    kind: str
    namespace: str
    name: str
    uid: str
    version: str
    managed: bool = False
    drift: tuple[Drift, ...] = ()
    awaiting: bool = False
    hold: Hold | None = None
    patch: dict[str, Any] | None = None
    limits: Limits = Limits()


def decide_all(
    policy: RolloutPolicy,
    config: KubeObject | None,
    topologies: Iterable[KubeObject],
    around: Surroundings,
    how: Circumstances,
    histories: Mapping[str, History],
) -> tuple[Decision, ...]:
    """Decide about everything at once: the Config, then the Topologies by name.

    The Config is judged with own writes to Topologies that the watch has not shown yet, and its limits are taken away
    only when the outcome of all of them is known; rules for Topologies take no limit away. ``histories`` is by UID;
    ``around`` has the snapshot that the same watches gave. Objects carry ``kind`` and ``apiVersion``.
    """
    found = [] if config is not None else _without_config(policy, how)
    objects = sorted(topologies, key=lambda one: (namespace_of(one), name_of(one)))
    objects = [config, *objects] if config is not None else objects
    known = [(obj, histories.get(_uid(obj), _NEW)) for obj in objects]
    for obj, history in known:
        if history.pending:
            around = _with(around, obj, history.writes[-1].limits)
    busy = any(_is_open(obj, history) for obj, history in known)
    for obj, history in known:
        found.append(decide(policy, obj, around, how, history, busy=busy))
    return tuple(found)


def decide(
    policy: RolloutPolicy,
    obj: KubeObject,
    around: Surroundings,
    how: Circumstances,
    history: History,
    *,
    busy: bool = False,
) -> Decision:
    """Decide about one Config or Topology; one that is being deleted is left alone.

    ``busy``: of another object it is not known yet whether it was written. Meanwhile no limit is taken away.
    """
    decision, drift = _undecided(obj), drift_of(policy, obj)
    if drift is None or obj["metadata"].get("deletionTimestamp") is not None:
        return decision
    decision = decision._replace(managed=True)
    if not history.may_write(decision.version):
        return decision._replace(awaiting=True)
    if not drift:
        return decision
    limits, block = _written(drift), block_of(obj)
    after = edit_to(block, limits).on(block)
    case = Case(obj, limits_of(after), around, history)
    hold = hold_of(policy, case, how)
    if hold is not None:
        return decision._replace(drift=drift, hold=hold)
    if busy and case.lifted:
        return decision._replace(awaiting=True)
    return decision._replace(drift=drift, patch=merge_patch(obj, after), limits=limits)


def _undecided(obj: KubeObject) -> Decision:
    version = obj["metadata"]["resourceVersion"]
    return Decision(obj["kind"], namespace_of(obj), name_of(obj), _uid(obj), version)


def _without_config(policy: RolloutPolicy, how: Circumstances) -> list[Decision]:
    """Say that there is no Config to hold the limits: it is not the reconciler's to make."""
    drift = drift_without_config(policy)
    if not drift:
        return []
    missing = Decision("Config", policy.namespace, CONFIG_NAME, "", "")
    hold = hold_without_config(policy, how, drift[0].object)
    return [missing._replace(managed=True, drift=drift, hold=hold)]


def _written(drift: Iterable[Drift]) -> Limits:
    values = {one.field: one.new for one in drift}
    return Limits(*(values.get(field) for field in FIELDS))


def _is_open(obj: KubeObject, history: History) -> bool:
    """Tell whether it is not known which limits an object has by now."""
    return history.pending != "written" and not history.may_write(
        obj["metadata"]["resourceVersion"]
    )


def _with(around: Surroundings, obj: KubeObject, limits: Limits) -> Surroundings:
    """Give what would be seen when an object had these limits; None leaves one as it is."""
    names = zip(("batch", "per_host"), limits, strict=True)
    given = {name: number for name, number in names if number is not None}
    snapshot = around.snapshot
    if obj["kind"] == "Config":
        return around._replace(snapshot=msgspec.structs.replace(snapshot, **given))
    views = tuple(
        msgspec.structs.replace(one, **given) if one.uid == _uid(obj) else one
        for one in snapshot.topologies
    )
    return around._replace(snapshot=msgspec.structs.replace(snapshot, topologies=views))


def _uid(obj: KubeObject) -> str:
    return str(obj["metadata"].get("uid") or "")
