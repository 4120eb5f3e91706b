"""Objects with most fields set, one of each kind, and the folder of shared cases where there is one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from kubectl_c9s.resources.schema_source import api_version

SHARED = Path(os.environ.get("C9S_SHARED") or Path(__file__).parents[3] / "shared")
CASES = SHARED / "cases" / "split"
CRDS = SHARED / "crds"

KIND_OF_LIST = {"nodeProfiles": "NodeProfile", "links": "Link", "nodes": "Node"}


def obj(kind: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": api_version(kind),
        "kind": kind,
        "metadata": {"name": "sample", **metadata},
        "spec": spec,
    }


def samples() -> dict[str, dict[str, Any]]:
    """Give fresh objects by kind; tests may change them."""
    made = {
        "Config": CONFIG,
        "Topology": TOPOLOGY,
        "Node": NODE,
        "Link": LINK,
        "NodeProfile": PROFILE,
        "RolloutPolicy": POLICY,
    }
    copied: dict[str, dict[str, Any]] = json.loads(json.dumps(made))
    return copied


def expected_objects() -> list[tuple[str, dict[str, Any]]]:
    """Give the objects of all shared split cases with their kinds; empty where the folder is absent."""
    found = []
    for file in sorted(CASES.glob("*/expected.json")):
        lists = json.loads(file.read_text(encoding="utf-8"))
        found += [(kind, item) for key, kind in KIND_OF_LIST.items() for item in lists[key]]
    return found


_RESOURCES = {
    "requests": {"cpu": "500m", "memory": "1Gi"},
    "limits": {"cpu": 2},
    "claims": [{"name": "gpu", "request": "one"}],
}
_EXPRESSION = {"key": "k", "operator": "In", "values": ["v"]}
_TERM = {
    "labelSelector": {"matchLabels": {"a": "b"}, "matchExpressions": [_EXPRESSION]},
    "topologyKey": "host",
    "namespaces": ["n"],
}
_SCHEDULING = {
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "k", "operator": "Exists", "tolerationSeconds": 60}],
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [_EXPRESSION]}]
            }
        },
        "podAntiAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "podAffinityTerm": _TERM}
            ]
        },
    },
}
_PROBES = {
    "enabled": True,
    "excludedNodes": ["b"],
    "probeConfiguration": {"startupSeconds": 30, "tcpProbeConfiguration": {"port": 22}},
    "nodeProbeConfigurations": {
        "a": {"sshProbeConfiguration": {"username": "u", "password": "p", "port": 22}}
    },
}
_EXPOSE = {"disableAutoExpose": False, "exposeType": "Headless", "useNodeMgmtIpv4Address": True}
_PERSISTENCE = {"enabled": True, "claimSize": "5Gi", "reclaim": "Retain", "storageClassName": "s"}
_PULL = {"policy": "Always", "pullSecrets": ["a", "b"]}
_ROLLOUT = {"batchSize": 10, "maxConcurrentPerHost": 0}
_FROM_MAP = {"configMapName": "m", "configMapPath": "k", "filePath": "/f", "mode": "execute"}
_FROM_URL = {"url": "https://example.com/f", "filePath": "/f", "digest": "sha256:" + "0a" * 32}
_CONDITION = {
    "type": "Accepted",
    "status": "True",
    "reason": "Planned",
    "message": "",
    "lastTransitionTime": "2026-01-31T12:00:00Z",
    "observedGeneration": 1,
}

CONFIG = obj(
    "Config",
    {
        "metadata": {"labels": {"a": "b"}, "annotations": {"c": "d"}},
        "imagePull": _PULL
        | {
            "registryMetadataTrust": [{"registry": "r", "plainHTTP": True}],
            "registryMetadataMirrors": [{"registry": "r", "endpoint": "e", "overridePath": False}],
        },
        "deployment": {
            "containerStopSignals": True,
            "nodeSelectorsByImage": {"img": {"disk": "ssd"}},
            "resourcesDefault": _RESOURCES,
        },
        "rollout": _ROLLOUT,
    },
    name="clabernetes",
)
TOPOLOGY = obj(
    "Topology",
    {
        "definition": {"containerlab": "topology: {}"},
        "deployment": {
            "filesFromConfigMap": {"a": [_FROM_MAP]},
            "filesFromURL": {"a": [_FROM_URL]},
            "persistence": _PERSISTENCE,
            "resources": {"default": _RESOURCES, "a": {}},
            "scheduling": _SCHEDULING,
        },
        "disableManagement": False,
        "expose": _EXPOSE,
        "imagePull": _PULL,
        "rollout": _ROLLOUT,
        "statusProbes": _PROBES,
    },
    namespace="lab",
) | {
    "status": {
        "kind": "containerlab",
        "topologyReady": True,
        "topologyState": "running",
        "conditions": [_CONDITION],
        "nodeCount": 2,
    }
}
NODE = obj(
    "Node",
    {
        "kind": "nokia_srlinux",
        "image": "img:1",
        "aliases": ["one", "two"],
        "appProtocols": [
            {"port": "443/tcp", "appProtocol": "https"},
            {"port": "53/udp", "appProtocol": "example.com/dns"},
            {"port": "80/tcp", "appProtocol": ""},
        ],
        "certificate": {"issue": True, "key-size": 2048, "validity-duration": "24h0m0s"},
        "components": [
            {"slot": "A", "type": "cpm", "env": {"A": "1"}, "mda": [{"slot": 1, "type": "m"}]},
            {"slot": "1", "xiom": [{"slot": 1, "type": "x", "mda": [{"slot": 1, "type": "m"}]}]},
        ],
        "config": {"vars": {"deep": {"er": [1, None, {"x": 1.5}]}}},
        "cpu": 1.5,
        "dns": {"servers": ["192.0.2.1"], "search": ["example.com"]},
        "env": {"EMPTY": "", "A": "1"},
        "exec": ["a", "a"],
        "filesFromConfigMap": [_FROM_MAP],
        "filesFromSecret": [{"secretName": "s", "filePath": "/s"}],
        "filesFromURL": [_FROM_URL],
        "healthcheck": {"test": ["CMD", "true"], "interval": 10, "start-period": 0},
        "image-pull-policy": "IfNotPresent",
        "kind-specific-config": {"extras": {"srl-agents": ["a"]}, "flag": True},
        "link-apply-mode": "live",
        "network-mode": "container:other",
        "ports": ["22", "161/UDP", "65535/tcp"],
        "privileged": False,
        "profileRef": {"name": "demo"},
        "restart-policy": "unless-stopped",
        "startup-delay": -1,
    },
    namespace="lab",
    labels={"role": "edge", "c9s.run/topologyOwner": "demo"},
    annotations={"example.com/note": "any text"},
) | {
    "status": {
        "conditions": [_CONDITION],
        "readiness": "ready",
        "directContainers": [
            {"id": "c", "name": "n", "ready": True, "restartCount": 0, "state": "running"}
        ],
        "exposedPorts": {"ports": [{"destinationPort": 1, "exposePort": 2, "protocol": "TCP"}]},
    }
}
LINK = obj(
    "Link",
    {
        "endpointA": {"nodeName": "a", "interfaceName": "eth1"},
        "endpointB": {"nodeName": "host", "interfaceName": "Eth 1/1"},
        "mtu": 9000,
    },
    ownerReferences=[{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}],
) | {"status": {"tunnelID": 16000000, "conditions": [_CONDITION]}}
PROFILE = obj(
    "NodeProfile",
    {
        "expose": _EXPOSE,
        "imagePull": _PULL,
        "deployment": {"persistence": _PERSISTENCE},
        "mgmt": {"disabled": True, "ipv4-subnet": "192.0.2.0/24"},
        "resources": _RESOURCES,
        "scheduling": _SCHEDULING,
        "statusProbes": _PROBES,
    },
)
_TIME = "2026-01-31T12:00:00Z"
_WRITE = {
    "object": "Config c9s/clabernetes", "field": "batchSize", "old": 0, "new": 10,
    "why": "spec.config.batchSize", "previousWriter": "kubectl-patch", "time": _TIME,
}  # fmt: skip
_BLOCKER = {
    "workload": "lab/r1", "cause": "sandbox-failed", "scope": "global", "since": _TIME, "waiting": 7,
}  # fmt: skip
POLICY = obj(
    "RolloutPolicy",
    {
        "config": _ROLLOUT,
        "topologies": [
            {
                "match": {"namespaces": ["ci-*", "lab"], "labels": {"tier": "ci"}},
                "batchSize": {"default": 25, "max": 50, "min": 5},
                "maxConcurrentPerHost": {"max": 20},
            },
            {"match": {}},
        ],
        "guards": {"allowRelease": False, "yieldTo": ["argocd-controller", "some-pipeline"]},
        "mode": "Enforce",
        "stall": {"slowAfter": "1m", "stalledAfter": "5m0s"},
        "suspend": False,
    },
    namespace="c9s",
) | {
    "status": {
        "observedGeneration": 2, "active": True, "conditions": [_CONDITION],
        "enforced": {"managed": 3, "drifted": 1, "writes": [_WRITE]},
        "blockers": [_BLOCKER],
        "hosts": [
            {"host": "h1", "booting": 1, "queued": 2, "started": 3, "cap": 1, "verdict": "slow"},
        ],
    }
}  # fmt: skip
