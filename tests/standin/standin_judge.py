"""What the planner says of a group: applied, refused with a reason of diagnosis.md §3, or not yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import standin_names as names
import standin_plan as plans
from standin_links import is_usable
from standin_status import LEFT, Verdict

if TYPE_CHECKING:
    from standin_session import Session
    from standin_views import Json

DEPENDENCY_AGAIN: Final = 60.0
STARVED_AGAIN: Final = 2.0


class Waits(Exception):
    """There is no plan now; look again in so many seconds. Without a verdict nothing is to be seen of it."""

    def __init__(self, again: float, verdict: Verdict | None = None) -> None:
        super().__init__(verdict.message if verdict else "no planner")
        self.again, self.verdict = again, verdict


def judge(session: Session, members: list[Json]) -> Verdict:
    """Plan a group; the first member is its primary. :class:`Waits` while a Link or a planner is missing."""
    profiles = {(one["spec"].get("profileRef") or {}).get("name", "") for one in members}
    namespace = members[0]["metadata"]["namespace"]
    if len(profiles) > 1:
        words = f"members name different profiles: {', '.join(sorted(profiles))}"
        raise Waits(DEPENDENCY_AGAIN, Verdict("NodeProfileConflict", words))
    wanted = profiles.pop()
    profile = session.profile_store.body(namespace, wanted)
    if wanted and profile is None:
        words = f"NodeProfile {namespace}/{wanted} is not there"
        raise Waits(DEPENDENCY_AGAIN, Verdict("NodeProfileNotFound", words))
    if refused := _refusal(session, members):
        raise Waits(DEPENDENCY_AGAIN, refused)
    for member in members:
        _check_links(session, namespace, member["metadata"]["name"])
    labels = members[0]["metadata"].get("labels") or {}
    digest = plans.digest_of(members, profile, labels.get(names.OWNER, namespace))
    if session.faults.now.planner_starved and not _is_planned(members[0], digest):
        raise Waits(STARVED_AGAIN)
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
            raise Waits(DEPENDENCY_AGAIN, Verdict("PlanMissingInput", words))


def _is_planned(node: Json, digest: str) -> bool:
    return bool((node.get("status") or {}).get("planDigest") == digest)
