"""What the planner says of a group: applied, refused with a reason of diagnosis.md §3, or not yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import standin_names as names
import standin_plan as plans
from standin_links import is_usable
from standin_status import LEFT, Verdict

if TYPE_CHECKING:
    from standin_session import Session
    from standin_views import Json


class Waits(Exception):
    """There is no plan now. Without a verdict nothing is to be seen of it; ``patient`` hides it for some tries."""

    def __init__(self, verdict: Verdict | None = None, *, patient: bool = False) -> None:
        super().__init__(verdict.message if verdict else "no planner")
        self.verdict, self.patient = verdict, patient


def judge(session: Session, members: list[Json]) -> Verdict:
    """Plan a group; the first member is its primary. :class:`Waits` while a Link or a planner is missing."""
    profiles = {(one["spec"].get("profileRef") or {}).get("name", "") for one in members}
    namespace = members[0]["metadata"]["namespace"]
    if len(profiles) > 1:
        words = f"members name different profiles: {', '.join(sorted(profiles))}"
        raise Waits(Verdict("NodeProfileConflict", words))
    wanted = profiles.pop()
    profile = session.profile_store.body(namespace, wanted)
    if wanted and profile is None:
        words = f"NodeProfile {namespace}/{wanted} is not there"
        raise Waits(Verdict("NodeProfileNotFound", words))
    if refused := _refusal(session, members):
        raise Waits(refused)
    for member in members:
        _check_links(session, namespace, member["metadata"]["name"])
    labels = members[0]["metadata"].get("labels") or {}
    digest = plans.digest_of(members, profile, labels.get(names.OWNER, namespace))
    if session.faults.now.planner_starved and not _is_planned(members[0], digest):
        raise Waits
    return Verdict(digest=digest)


def _refusal(session: Session, members: list[Json]) -> Verdict | None:
    for member in members:
        name = "{namespace}/{name}".format_map(member["metadata"])
        image = member["spec"].get("image")
        if reason := session.faults.now.refusal(name):
            return Verdict(reason, f"{_words(reason, str(image))}; {LEFT}")
        if not image:
            return Verdict("PlanInvalidInput", f"Node {name}: spec.image is empty; {LEFT}")
    return None


def _words(reason: str, image: str) -> str:
    if reason == "OCIMetadataResolveManifest":
        return f'resolving manifest for "{image}": manifest unknown'
    return f"planner refused the Node: {reason}"


def _check_links(session: Session, namespace: str, node: str) -> None:
    for name in session.wires.of_node(namespace, node):
        link = session.link_store.body(namespace, name)
        if link is not None and not is_usable(session, link):
            words = f"Link {namespace}/{name} is not accepted yet"
            raise Waits(Verdict("PlanMissingInput", words), patient=True)


def _is_planned(node: Json, digest: str) -> bool:
    return bool((node.get("status") or {}).get("planDigest") == digest)
