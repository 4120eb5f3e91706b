"""What a policy wants of objects, and what keeps it from them: a second reading of policy.md, for the judge.

It shares no code with the product.
"""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, Any

from reconcile_sim_server import FIELDS, Json, block

if TYPE_CHECKING:
    from reconcile_sim_replica import SimWatch

GITOPS = ("argocd-controller", "kustomize-controller", "helm-controller")


def ruling(watch: SimWatch) -> Json | None:
    """Give the policy that rules by what a watch has shown."""
    return oldest(list(watch.known.values()))


def oldest(policies: list[Json]) -> Json | None:
    """Give the oldest policy that is not being deleted."""
    alive = [one for one in policies if not one["metadata"].get("deletionTimestamp")]
    alive.sort(key=lambda one: (one["metadata"]["creationTimestamp"], one["metadata"]["name"]))
    return alive[0] if alive else None


def drift(spec: Json, kind: str, obj: Json) -> Json:
    """Give the fields that are not as a policy wants them, with what it wants; absent and 0 are alike."""
    present = block(obj)
    found = {}
    for field in FIELDS:
        wanted = _wanted(spec, kind, obj, field, present.get(field))
        if wanted is not None and wanted != (present.get(field) or 0):
            found[field] = wanted
    return found


def _wanted(spec: Json, kind: str, obj: Json, field: str, present: int | None) -> int | None:
    if kind == "Config":
        number: int | None = (spec.get("config") or {}).get(field)
        return number
    rules: list[Json] = [one for one in spec.get("topologies") or () if _fits(one["match"], obj)]
    bounds = rules[0].get(field) if rules else None
    if bounds is None:
        return None
    number = bounds.get("default", 0) if present is None else present
    top, bottom = bounds.get("max") or 0, bounds.get("min") or 0
    if top and (not number or number > top):
        return int(top)
    return bottom if number and bottom > number else number


def _fits(match: Json, obj: Json) -> bool:
    names, labels = match.get("namespaces"), match.get("labels") or {}
    namespace = obj["metadata"]["namespace"]
    own: Any = obj["metadata"].get("labels") or {}
    fits = names is None or any(fnmatch.fnmatchcase(namespace, one) for one in names)
    return fits and all(own.get(key) == value for key, value in labels.items())


def gitops(spec: Json, obj: Json, wanted: Json) -> str:
    """Name the tool that would put the fields back."""
    yields = (spec.get("guards") or {}).get("yieldTo", GITOPS)
    tracked = "kustomize.toolkit.fluxcd.io/name" in (obj["metadata"].get("labels") or {})
    if tracked and "kustomize-controller" in yields:
        return "a Flux label"
    for entry in obj["metadata"].get("managedFields") or ():
        owned = {one[2:] for one in entry["fieldsV1"]["f:spec"]["f:rollout"]}
        if entry["manager"] in yields and owned & set(wanted):
            return str(entry["manager"])
    return ""


def releases(nodes: SimWatch, kind: str, obj: Json, wanted: Json) -> bool:
    """Tell whether a batch that holds somebody back goes off; the worlds here have no Pods."""
    if kind != "Config" or wanted.get("batchSize") != 0 or not block(obj).get("batchSize"):
        return False
    return any(is_waiting(one) for one in nodes.known.values())


def is_waiting(node: Json) -> bool:
    """Tell whether a Node has no mark."""
    marks = node["metadata"].get("annotations") or {}
    return bool(marks.get("c9s.run/startup-admitted") != node["metadata"]["uid"])
