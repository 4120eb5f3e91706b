"""What is shipped for Argo CD: the plugin's file, the sidecar as a component, the image."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from door_tools import LAB, ROOT, call

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "manifests/argocd-cmp"
REPO_SERVER = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: argocd-repo-server}
spec:
  selector: {matchLabels: {app: repo-server}}
  template:
    metadata: {labels: {app: repo-server}}
    spec:
      containers:
        - name: argocd-repo-server
          image: argocd:v3
          volumeMounts:
            - {name: tmp, mountPath: /tmp}
            - {name: var-files, mountPath: /var/run/argocd}
            - {name: plugins, mountPath: /home/argocd/cmp-server/plugins}
      volumes:
        - {name: tmp, emptyDir: {}}
        - {name: var-files, emptyDir: {}}
        - {name: plugins, emptyDir: {}}
"""


def plugin() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / "plugin.yaml").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def patched(kubectl: Path, tmp_path: Path) -> dict[str, dict[str, Any]]:
    """Give what an installation of Argo CD becomes with the component, by kind."""
    shutil.copytree(FOLDER, tmp_path / "argocd-cmp")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/deployment.yaml").write_text(REPO_SERVER, encoding="utf-8")
    page = (
        "resources: [deployment.yaml]\ncomponents: [../argocd-cmp]\n"
        "images: [{name: kubectl-c9s-cmp, newName: mine/cmp, digest: 'sha256:0'}]\n"
    )
    (tmp_path / "own/kustomization.yaml").write_text(page, encoding="utf-8")
    built = subprocess.run(
        [kubectl, "kustomize", str(tmp_path / "own")], capture_output=True, check=True
    )
    return {one["kind"]: one for one in yaml.safe_load_all(built.stdout)}


def sidecar(patched: dict[str, dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    pod = patched["Deployment"]["spec"]["template"]["spec"]
    (found,) = (one for one in pod["containers"] if one["name"] == "c9s-cmp")
    return found, pod


def test_the_plugin_calls_commands_that_work(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(LAB, encoding="utf-8")
    spec = plugin()["spec"]
    for command in (spec["generate"]["command"], spec["parameters"]["dynamic"]["command"]):
        assert command[0] == "kubectl-c9s"
        assert call(*command[1:], cwd=tmp_path).code == 0


def test_the_plugin_is_called_by_its_name_and_keeps_execute_bits() -> None:
    found = plugin()
    assert found["metadata"]["name"] == "c9s"
    assert "version" not in found["spec"]
    assert "discover" not in found["spec"]
    assert found["spec"]["preserveFileMode"] is True
    assert found["spec"]["provideGitCreds"] is False


def test_the_component_adds_a_sidecar_as_argocd_wants_it(
    patched: dict[str, dict[str, Any]],
) -> None:
    container, pod = sidecar(patched)
    assert container["command"] == ["/var/run/argocd/argocd-cmp-server"]
    assert container["image"] == "mine/cmp@sha256:0"
    volumes = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    assert volumes["/var/run/argocd"] == "var-files"
    assert volumes["/home/argocd/cmp-server/plugins"] == "plugins"
    server = next(one for one in pod["containers"] if one["name"] == "argocd-repo-server")
    shared = {mount["mountPath"]: mount["name"] for mount in server["volumeMounts"]}
    assert volumes["/tmp"] != shared["/tmp"]  # noqa: S108 - a place in the containers
    known = {one["name"] for one in pod["volumes"]}
    assert set(volumes.values()) <= known


def test_the_sidecar_reads_the_plugin_that_is_shipped(patched: dict[str, dict[str, Any]]) -> None:
    container, pod = sidecar(patched)
    path = "/home/argocd/cmp-server/config/plugin.yaml"
    mount = next(one for one in container["volumeMounts"] if one["mountPath"] == path)
    volume = next(one for one in pod["volumes"] if one["name"] == mount["name"])
    assert volume["configMap"]["name"] == patched["ConfigMap"]["metadata"]["name"]
    assert yaml.safe_load(patched["ConfigMap"]["data"][mount["subPath"]]) == plugin()


def test_the_sidecar_is_restricted_and_bounded(patched: dict[str, dict[str, Any]]) -> None:
    container, _ = sidecar(patched)
    context = container["securityContext"]
    assert (context["runAsNonRoot"], context["runAsUser"]) == (True, 999)
    assert context["readOnlyRootFilesystem"] is True
    assert context["allowPrivilegeEscalation"] is False
    assert context["capabilities"] == {"drop": ["ALL"]}
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["resources"]["limits"]["memory"]
    assert container["resources"]["requests"]["cpu"]


def test_the_image_runs_as_the_plugins_user() -> None:
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    assert re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE)[-1] == ("USER", "999")
