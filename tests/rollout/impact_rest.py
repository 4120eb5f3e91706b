"""Lets gates come to rest: what a manager would have done before the change, done by the administrator.

He carries out passes until none of them writes anything, and makes the Deployments that are there by then. He asks the
stand-in's gates, never the product's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import standin_gates as gates
import standin_names as names
import standin_plan as plans
from bed_client import path_of
from impact_seen import read
from standin_lab import compile_lab

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bed_client import ApiClient
    from impact_plans import Situation
    from impact_seen import Seen
    from standin_views import Json

    Write = tuple[str, str, str | None]  # path, annotation, value

ROUNDS: Final = 6
"""Two or three are enough: where nothing moves, every batch is blocked by the one before."""


def let_rest(
    client: ApiClient, app: str, config: tuple[int, int], situations: Sequence[Situation]
) -> None:
    """Bring the gates that are settled in the situations to rest under the limits of ``config``."""
    rest = {node.space: one.settled for one in situations for node in one.nodes}
    taken = {lab.space for one in situations for lab in one.labs if lab.taken}
    queue = all("G" in settled for settled in rest.values())
    for _ in range(ROUNDS):
        seen = read(client, app)
        writes = [*_releases(seen, app, rest, taken), *_grants(seen, config, rest)]
        if queue:
            writes += _marks(seen, config)
        for path, key, value in writes:
            client.patch(path, {"metadata": {"annotations": {key: value}}}).ok()
        if not writes:
            for body in _deployments(seen, app, everything=queue and not config[0]):
                path = path_of("apps/v1", "deployments", body["metadata"]["namespace"])
                client.create(path, body).ok()
            return
    raise AssertionError("the gates do not come to rest")


def _releases(
    seen: Seen, app: str, rest: Mapping[str, frozenset[str]], taken: set[str]
) -> Iterator[Write]:
    for key, lab in seen.labs.items():
        if "T" not in rest[lab.namespace] or key in seen.asleep or lab.namespace in taken:
            continue
        defined = {one["metadata"]["name"] for one in compile_lab(seen.topologies[key], app).nodes}
        given = gates.topology_pass(lab, defined, seen.nodes.values(), seen.pods.values())
        for node in given.releases:
            yield path_of(names.VERSION, "nodes", node.namespace, node.name), names.HOLD, None


def _grants(
    seen: Seen, config: tuple[int, int], rest: Mapping[str, frozenset[str]]
) -> Iterator[Write]:
    for pod in gates.host_pass(seen.snapshot(config)).grants:
        if "H" in rest[pod.namespace]:
            yield path_of("v1", "pods", pod.namespace, pod.name), names.GRANT, pod.uid


def _marks(seen: Seen, config: tuple[int, int]) -> Iterator[Write]:
    for node in gates.global_pass(seen.snapshot(config)).marks:
        path = path_of(names.VERSION, "nodes", node.namespace, node.name)
        yield path, names.ADMITTED, node.uid


def _deployments(seen: Seen, app: str, *, everything: bool) -> Iterator[Json]:
    """Make the Deployments of what is admitted or has a Pod, or of all that is not held."""
    with_pod = {pod.node_uid for pod in seen.pods.values() if pod.device}
    for group in seen.groups:
        primary = group.primary
        planned = primary.mark == primary.uid or primary.uid in with_pod
        if primary.shares is None and (planned or (everything and not primary.hold)):
            bodies = [seen.bodies[one.full_name] for one in group.members]
            wanted = (bodies[0]["spec"].get("profileRef") or {}).get("name", "")
            profile = seen.profiles.get(f"{primary.namespace}/{wanted}")
            labels = bodies[0]["metadata"].get("labels") or {}
            lab = labels.get(names.OWNER, primary.namespace)
            digest = plans.digest_of(bodies, profile, lab)
            yield plans.deployment(bodies, digest, app, gated=False)
