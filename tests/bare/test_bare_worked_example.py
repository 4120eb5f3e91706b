"""The worked example of staging.md E, object by object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from bare_lab import OWNER, Directory, command

if TYPE_CHECKING:
    from pathlib import Path

WORKED = """\
name: Demo_1
topology:
  defaults: {kind: linux, image: "alpine:3"}
  nodes:
    R1:
      startup-config: configs/__clabNodeName__.cfg
      binds: ["tools:/opt/tools:ro"]
    r2:
      startup-config: |
        hostname r2
  links:
    - endpoints: ["host:up0", "R1:eth1"]
"""
EXPECTED = """\
- {kind: ConfigMap, name: demo-1-file-62e89ae63d0b2cbz, data: {file: "hostname R1\\n"}}
- {kind: ConfigMap, name: demo-1-file-c45ae26c8a666abz, data: {file: "hostname r2\\n"}}
- {kind: ConfigMap, name: demo-1-file-08d6377d378f47ez, data: {file: "#!/bin/sh\\n"}}
- kind: NodeProfile
  name: demo-1
  spec:
    deployment: {persistence: {enabled: true}}
    expose: {disableAutoExpose: false, useNodeMgmtIpv4Address: false, useNodeMgmtIpv6Address: false}
    statusProbes: {enabled: true}
- kind: Link
  name: r1-eth1-host-up0
  spec:
    endpointA: {nodeName: r1, interfaceName: eth1}
    endpointB: {nodeName: host, interfaceName: up0}
    mtu: 9500
- kind: Node
  name: r1
  spec:
    kind: linux
    image: alpine:3
    startup-config: configs/R1.cfg
    binds: ["tools:/opt/tools:ro"]
    filesFromConfigMap:
      - {filePath: configs/R1.cfg, configMapName: demo-1-file-62e89ae63d0b2cbz, configMapPath: file, mode: read}
      - {filePath: tools/ping.sh, configMapName: demo-1-file-08d6377d378f47ez, configMapPath: file, mode: execute}
    profileRef: {name: demo-1}
- kind: Node
  name: r2
  spec:
    kind: linux
    image: alpine:3
    startup-config: /clabernetes/startup-config.partial.cfg
    filesFromConfigMap:
      - filePath: /clabernetes/startup-config.partial.cfg
        configMapName: demo-1-file-c45ae26c8a666abz
        configMapPath: file
        mode: read
    profileRef: {name: demo-1}
"""


def test_the_worked_example(tmp_path: Path) -> None:
    files = {"configs/R1.cfg": "hostname R1\n", "tools/ping.sh*": "#!/bin/sh\n"}
    lab = Directory(tmp_path, WORKED, files)
    answer = command("split", "-f", str(lab.top / "lab.clab.yml"))
    wanted: list[dict[str, Any]] = []
    for one in yaml.safe_load(EXPECTED):
        metadata = {"name": one.pop("name"), "namespace": "c9s-demo-1", "labels": {OWNER: "demo-1"}}
        version = "v1" if one["kind"] == "ConfigMap" else "c9s.run/v1alpha1"
        wanted.append({"apiVersion": version, "metadata": metadata, **one})
    assert list(yaml.safe_load_all(answer.out)) == wanted
