"""What Argo CD's own code takes for a change: what somebody changes, not what the manager or the server adds."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from argocd_kinds import applied
from argocd_objects import GENERATION, Json, thing

if TYPE_CHECKING:
    from argocd_harness import ArgoCd

LAST = "kubectl.kubernetes.io/last-applied-configuration"


def wanted(sort: str, /, **spec: Any) -> Json:
    found = thing(sort, None)
    del found["metadata"]["generation"], found["metadata"]["uid"], found["metadata"]["annotations"]
    return found | {"spec": spec}


def live(
    git: Json, *, metadata: Json | None = None, status: Json | None = None, **spec: Any
) -> Json:
    """Give what Git has as the server has it, with what others have added to metadata and spec."""
    found = copy.deepcopy(git)
    found["metadata"] |= {"uid": "5f1c", "resourceVersion": "7", "generation": GENERATION}
    found["metadata"] |= metadata or {}
    found["spec"] |= spec
    return found | ({"status": status} if status else {})


def remembered(git: Json, seen: Json) -> Json:
    """Give it as a client-side apply has left it."""
    found = copy.deepcopy(seen)
    notes = found["metadata"].setdefault("annotations", {})
    found["metadata"]["annotations"] = {**notes, LAST: json.dumps(git)}
    return found


OWNER = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "clabernetes-manager", "uid": "1"}
CONFIG = wanted("Config", rollout={"batchSize": 5}, imagePull={"pullSecrets": ["x"]})
NODE = wanted("Node", kind="linux", image="x:1", profileRef={"name": "lab"})
FILE = {"filePath": "/a", "configMapName": "a", "configMapPath": "a"}
FILED = wanted("Node", kind="linux", image="x:1", filesFromConfigMap=[FILE])
SECRET = {"filePath": "/a", "secretName": "a", "secretPath": "a"}
SEALED = wanted("Node", kind="linux", image="x:1", filesFromSecret=[SECRET])
LAB = wanted("Topology", deployment={"filesFromConfigMap": {"a": [FILE]}})
SEALED_LAB = wanted("Topology", deployment={"filesFromSecret": {"a": [SECRET]}})
LINK = wanted("Link", endpointA={"nodeName": "a", "interfaceName": "eth1"})
POLICY = wanted("RolloutPolicy", config={"batchSize": 5})
MARKS = {"c9s.run/startup-admitted": "5f1c", "c9s.run/startup-hold": ""}

ADDED = {
    "owner of Config, and a default": (
        CONFIG,
        live(
            CONFIG,
            metadata={"ownerReferences": [OWNER]},
            imagePull={"pullSecrets": ["x"], "policy": "IfNotPresent"},
        ),
    ),
    "marks of a start, and a status": (
        NODE,
        live(NODE, metadata={"annotations": MARKS}, status={"readiness": "ready"}),
    ),
    "finalizer and label of a Link": (
        LINK,
        live(
            LINK,
            metadata={"finalizers": ["x/y"], "labels": {"c9s.run/app": "x"}},
            status={"tunnelID": 1},
        ),
    ),
    "defaults of a policy": (
        POLICY,
        live(POLICY, mode="Report", suspend=False, stall={"slowAfter": "60s"}),
    ),
}

IN_LISTS = {
    "ConfigMap of a Node": (FILED, live(FILED, filesFromConfigMap=[FILE | {"mode": "read"}])),
    "Secret of a Node": (SEALED, live(SEALED, filesFromSecret=[SECRET | {"mode": "read"}])),
    "ConfigMap of a Topology": (
        LAB,
        live(LAB, deployment={"filesFromConfigMap": {"a": [FILE | {"mode": "read"}]}}),
    ),
    "Secret of a Topology": (
        SEALED_LAB,
        live(SEALED_LAB, deployment={"filesFromSecret": {"a": [SECRET | {"mode": "read"}]}}),
    ),
}

CHANGED = {
    "limit": (CONFIG, live(CONFIG, rollout={"batchSize": 500})),
    "explicit zero that the manager has dropped": (
        wanted("Config", rollout={"batchSize": 0, "maxConcurrentPerHost": 2}),
        live(CONFIG, rollout={"maxConcurrentPerHost": 2}),
    ),
    "image": (NODE, live(NODE, image="x:2")),
    "place of a file": (
        FILED,
        live(FILED, filesFromConfigMap=[FILE | {"filePath": "/b", "mode": "read"}]),
    ),
    "mode that Git has": (
        wanted("Node", filesFromConfigMap=[FILE | {"mode": "execute"}]),
        live(FILED, filesFromConfigMap=[FILE | {"mode": "read"}]),
    ),
    "end of a Link": (LINK, live(LINK, endpointA={"nodeName": "b", "interfaceName": "eth1"})),
}


Asked = Any
APPLY = {  # how Argo CD has applied an object, and how it compares then
    "server-side": ("structured", applied),
    "client-side": ("", remembered),
}


@pytest.fixture(params=APPLY)
def asked(request: pytest.FixtureRequest, argocd: ArgoCd) -> Asked:
    """Give what tells by which settings a pair is out of sync, once for each way to apply."""
    way, left = APPLY[request.param]

    def ask(pair: tuple[Json, Json], rules: dict[str, str]) -> bool:
        (found,) = argocd.differing([(pair[0], left(*pair))], rules, way=way)
        return found

    return ask


@pytest.mark.parametrize("pair", [pytest.param(pair, id=name) for name, pair in ADDED.items()])
def test_what_others_add_is_no_change_even_without_settings(asked: Asked, pair: Any) -> None:
    assert not asked(pair, {})


@pytest.mark.parametrize("pair", [pytest.param(pair, id=name) for name, pair in IN_LISTS.items()])
def test_a_default_inside_a_list_is_no_change(
    asked: Asked, rules: dict[str, str], pair: Any
) -> None:
    assert not asked(pair, rules)


@pytest.mark.parametrize("pair", [pytest.param(pair, id=name) for name, pair in IN_LISTS.items()])
def test_it_would_be_one_without_settings_where_the_server_applies(
    argocd: ArgoCd, pair: Any
) -> None:
    git, seen = pair
    assert argocd.differing([(git, applied(git, seen))], {}, way="structured") == [True]


@pytest.mark.parametrize("pair", [pytest.param(pair, id=name) for name, pair in CHANGED.items()])
def test_what_somebody_changes_is_seen(asked: Asked, rules: dict[str, str], pair: Any) -> None:
    assert asked(pair, rules)


def test_a_mode_that_git_leaves_out_is_seen_to_change_where_the_server_applies(
    argocd: ArgoCd, rules: dict[str, str]
) -> None:
    changed = live(FILED, filesFromConfigMap=[FILE | {"mode": "execute"}])
    assert argocd.differing([(FILED, applied(FILED, changed))], rules, way="structured") == [True]
