"""Who watches the reconciler in memory: judges each write by what its watches had shown (bench.md §6).

A second reading of policy.md: it shares no code with the product. Every broken rule is an AssertionError.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from reconcile_sim_rules import drift, gitops, releases, ruling
from reconcile_sim_server import FIELDS, Json, block

if TYPE_CHECKING:
    from collections.abc import Callable

    from reconcile_sim_replica import Replica
    from reconcile_sim_world import World

    from kubectl_c9s.cluster.connection import Request
    from kubectl_c9s.reconciler.writer import Task

WRITTEN = {"Config": "configs.c9s.run", "Topology": "topologies.c9s.run"}
POLICIES = "rolloutpolicies.toolkit.c9s.run"
NODES = "nodes.c9s.run"
LEASES = "leases.coordination.k8s.io"
PATIENCE, SETTLE, MOST_AT_ONCE = 100.0, 5.0, 3


class Took(NamedTuple):
    """A write that the server took: when, by whom in which of its terms, to which object, what."""

    at: float
    who: str
    term: int
    uid: str
    before: Json
    fields: Json


def kept(judges: Callable[..., None]) -> Callable[..., None]:
    """Keep what a judge says, too: it is asked inside of the product, which catches what goes wrong there."""

    @functools.wraps(judges)
    def keeping(judge: Judge, *given: Any) -> None:
        try:
            judges(judge, *given)
        except AssertionError as error:
            judge.violation = judge.violation or error
            raise

    return keeping


class Judge:
    """Notes what is sent and what is taken, and objects; ``violation`` is the first rule that was broken unseen."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.took: list[Took] = []
        self.violation: AssertionError | None = None
        self.statuses = self.requests = 0
        self.transitions: Counter[tuple[str, str]] = Counter()
        self._since: dict[str, float] = {}
        self._burst_at, self._burst = -1.0, Counter[tuple[str, str, str]]()
        self._newest_term = 0
        self._terms: dict[str, tuple[int, int]] = {}
        self._open: set[tuple[str, str, str]] = set()
        self._accepted: dict[tuple[str, str], int] = {}
        self._doubts: dict[tuple[str, str], str] = {}
        world.server.on_patch = self.patched

    def look(self, replica: Replica) -> None:
        """Note since when a process has seen everything and leads; of all only one may lead."""
        leaders = [one.name for one in self.world.replicas if one.election.leads()]
        assert len(leaders) <= 1, f"several lead: {leaders}"
        whole = all(one.is_listed for one in replica.needed)
        if not (whole and replica.election.leads()):
            self._since.pop(replica.name, None)
        else:
            self._since.setdefault(replica.name, self.world.clock())

    def sent(self, replica: Replica, task: Task) -> None:
        """Judge what a process decides to write."""
        name = task.resource.full_name
        if task.body is None:
            assert (replica.name, task.uid, "read") not in self._open, "a second read at once"
            self._open.add((replica.name, task.uid, "read"))
        if task.body is None or task.collection:
            return
        self._once(replica, task)
        if name not in WRITTEN.values():
            return
        self._leads(replica)
        self._sees(replica)
        known = replica.watches[name].known.get((task.namespace, task.name))
        assert known is not None, "a write to what the watch does not show"
        assert known["metadata"]["uid"] == task.uid, "a write to another object of that name"
        assert set(task.body) == {"metadata", "spec"}, (
            f"more than the block is written: {task.body}"
        )
        seen = {"resourceVersion": known["metadata"]["resourceVersion"]}
        assert task.body["metadata"] == seen, "a write on another version than was seen"
        assert set(task.body["spec"]) == {"rollout"}, f"more than the block is written: {task.body}"
        kind = next(kind for kind, plural in WRITTEN.items() if plural == name)
        self._allowed(replica, kind, known, task.body["spec"]["rollout"])

    def _once(self, replica: Replica, task: Task) -> None:
        """Nothing is sent again before it is known what became of the last one."""
        what = replica.name, task.uid
        base = str((task.body or {})["metadata"]["resourceVersion"])
        assert (*what, "write") not in self._open, "a second write before the first has an answer"
        assert int(base) >= self._accepted.get(what, 0), (
            "a write on what was there before the last one"
        )
        assert self._doubts.get(what) != base or task.subresource, (
            "an ambiguous write is not read back"
        )
        self._open.add((*what, "write"))

    def ended(self, replica: Replica, task: Task, outcome: str, version: str) -> None:
        """Note how a task has ended; ``outcome`` is that of the wire, and not what the product makes of it."""
        if self.violation is not None:
            raise self.violation
        what = replica.name, task.uid
        self._open.discard((*what, "read" if task.body is None else "write"))
        if task.body is None:
            if outcome == "done":
                self._doubts.pop(what, None)
            return
        if outcome == "done":
            self._accepted[what] = int(version)
        elif outcome == "doubt":
            self._doubts[what] = str(task.body["metadata"].get("resourceVersion"))

    def _leads(self, replica: Replica) -> None:
        assert replica.election.leads(), "a write is decided without the Lease"
        seen_for = self.world.clock() - self._since.get(replica.name, float("inf"))
        assert seen_for >= SETTLE, "a write before the view has settled"

    def _sees(self, replica: Replica) -> None:
        now = self.world.clock()
        for watch in replica.needed:
            assert watch.is_listed, f"a write without having seen {watch.feed.name}"
            assert now - watch.alive_at <= PATIENCE, f"a write while {watch.feed.name} is silent"

    def _allowed(self, replica: Replica, kind: str, known: Json, written: Json) -> None:
        policy = ruling(replica.watches[POLICIES])
        assert policy is not None, "a write without a policy"
        spec = policy["spec"]
        assert spec.get("mode") == "Enforce", "a write of a policy that reports"
        assert not spec.get("suspend"), "a write of a suspended policy"
        assert not known["metadata"].get("deletionTimestamp"), "a write to what is being deleted"
        wanted = drift(spec, kind, known)
        assert written == wanted, f"{written} is written where the policy wants {wanted}"
        assert not (owner := gitops(spec, known, wanted)), f"a write against {owner}"
        if releases(replica.watches[NODES], kind, known, wanted):
            assert (spec.get("guards") or {}).get("allowRelease"), "a release against the guard"
            assert self._manager_leads(replica), "a release although no manager leads"
        self._peaceful(replica, known)

    def _manager_leads(self, replica: Replica) -> bool:
        moved = replica.watches[LEASES].changed_at.get(("c9s", "clabernetes-manager"), -1e9)
        return self.world.clock() - moved < self.world.manager_duration

    def _peaceful(self, replica: Replica, known: Json) -> None:
        """Look for three writes of this term that others have undone within five minutes."""
        uid, now = known["metadata"]["uid"], self.world.clock()
        who = replica.name, replica.election.transitions, uid
        own = [one for one in self.took if one[1:4] == who]
        later = [*(one.before for one in own[1:]), block(known)]
        pairs = zip(own, later[-len(own) :] if own else [], strict=True)
        undone = [one.at for one, found in pairs if _is_undone(one, found)][-3:]
        fight = len(undone) == 3 and undone[-1] - undone[0] <= 300 and now - undone[-1] <= 300
        assert not fight, "a fourth write against somebody who undoes them"

    @kept
    def asked(self, replica: Replica, request: Request) -> None:
        """Judge a request as it leaves: only who leads writes, and nobody asks without end."""
        self.requests += 1
        now = self.world.clock()
        if now != self._burst_at:
            self._burst_at, self._burst = now, Counter()
        what = replica.name, request.method, request.path
        self._burst[what] += 1
        events = 40 if request.method == "POST" else 0
        assert self._burst[what] <= MOST_AT_ONCE + events, f"again and again at once: {what}"
        if request.method == "GET":
            return
        lease = self.world.lease()
        assert lease.get("holderIdentity") == replica.name, "a write without the Lease"
        self._terms[replica.name] = lease["leaseTransitions"], replica.election.transitions

    @kept
    def patched(self, name: str, before: Json, after: Json, manager: str) -> None:
        """Judge a write that the server has taken."""
        if manager != "c9s-reconciler":
            return
        who, (term, own) = self.world.writing, self._terms[self.world.writing]
        assert term >= self._newest_term, "a write of an earlier term came after one of a later"
        self._newest_term = term
        if name == POLICIES:
            self._told(before, after)
            return
        assert before != after, "a write that changes nothing"
        fields = {
            key: value for key, value in block(after).items() if block(before).get(key) != value
        }
        uid, was = after["metadata"]["uid"], dict(block(before))
        if self.world.is_haunted:
            who += ", who cannot know"  # it was read back before it was carried out
        self.took.append(Took(self.world.clock(), who, own, uid, was, fields))
        assert _rest(before) == _rest(after), "more was changed than the block"
        assert set(block(before)) <= set(block(after)), "fields were taken away"

    def _told(self, before: Json, after: Json) -> None:
        self.statuses += 1
        assert before.get("spec") == after.get("spec"), "a status changes a policy"
        old = {one["type"]: one for one in (before.get("status") or {}).get("conditions") or ()}
        for one in after["status"]["conditions"]:
            was = old.get(one["type"]) or {}
            if (was.get("status"), was.get("reason")) != (one["status"], one["reason"]):
                self.transitions[one["type"], one["reason"]] += 1

    def events(self) -> None:
        """Compare the Events with what has happened: at most one for each."""
        events = self.world.server.events
        rest = [one for one in events if "→" not in one["note"]]
        told = Counter((_KINDS[one["action"]], one["reason"]) for one in rest)
        fields = sum(len(one.fields) for one in self.took)
        assert len(events) - len(rest) <= fields, "more Events than writes"
        more = {what: number for what, number in told.items() if number > self.transitions[what]}
        assert not more, f"more Events than transitions: {more}"


_KINDS = {"Enforce": "Enforced", "Report": "Stalled"}


def _is_undone(one: Took, later: Json) -> bool:
    return any((later.get(field) or 0) != value for field, value in one.fields.items())


def _rest(obj: Json) -> str:
    always = {"resourceVersion", "generation", "managedFields"}
    meta = {key: obj["metadata"][key] for key in obj["metadata"].keys() - always}
    spec = {key: value for key, value in (obj.get("spec") or {}).items() if key != "rollout"}
    other = {key: value for key, value in block(obj).items() if key not in FIELDS}
    return json.dumps([meta, spec, obj.get("status"), other], sort_keys=True)
