"""Labs that are split and proved, and one lab in which every kind of field stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from generated_labs import topology

from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.compile import Options, split_topology
from kubectl_c9s.topology.verifying import Proof, prove, source_of

if TYPE_CHECKING:
    from kubectl_c9s.topology.render import Rendered
    from kubectl_c9s.yamlio.reader import Document

DEFAULT = Options()


def split(document: Document, options: Options = DEFAULT) -> Rendered:
    findings = Findings()
    rendered = split_topology(document, options, findings)
    assert rendered is not None, findings.errors
    return rendered


def proof(document: Document, options: Options = DEFAULT) -> Proof:
    return prove(split(document, options), source_of(document, options))


def rich_lab() -> Document:
    """Give a lab in which every kind of field stands, none with a value that means the same as nothing."""
    return topology(
        (Path(__file__).parent / "rich.clab.yml").read_text("utf-8"), RICH_SPEC, namespace="space"
    )


RICH_SPEC: dict[str, Any] = {
    "expose": {"exposeType": "ClusterIP", "disableAutoExpose": True},
    "imagePull": {"policy": "Always", "pullSecrets": ["one"]},
    "statusProbes": {
        "enabled": True, "probeConfiguration": {"startupSeconds": 60}, "excludedNodes": ["r2"],
        "nodeProbeConfigurations": {"R1": {"tcpProbeConfiguration": {"port": 22}}},
    },
    "deployment": {
        "persistence": {"enabled": True, "claimSize": "2Gi"},
        "scheduling": {"nodeSelector": {"pool": "labs"}, "tolerations": [{"key": "k", "operator": "Exists"}]},
        "resources": {"default": {"requests": {"cpu": 1}}, "R1": {"limits": {"memory": "4Gi"}}},
        "filesFromConfigMap": {"R1": [{"filePath": "/x", "configMapName": "x", "mode": "execute"}]},
        "filesFromSecret": {"r2": [{"filePath": "/y", "secretName": "y", "secretPath": "p", "mode": "execute"}]},
        "filesFromURL": {"r2": [{"filePath": "/z", "url": "https://files.example/z", "digest": "sha256:" + "ab" * 32}]},
    },
}  # fmt: skip
