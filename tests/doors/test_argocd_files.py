"""What is shipped for Argo CD: the plugin's file, the sidecar as a component, the image."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
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


def instructions() -> list[tuple[str, str]]:
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    return re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE)


def test_the_image_runs_as_the_plugins_user_with_the_tool_on_its_path() -> None:
    found = instructions()
    assert found[-1] == ("USER", "999")
    assert ("COPY", "--from=build /opt/c9s /opt/c9s") in found
    assert any(word == "ENV" and "PATH=/opt/c9s/bin:" in rest for word, rest in found)
    assert not {"ENTRYPOINT", "CMD"} & {word for word, _ in found}


def test_what_the_image_copies_is_enough_to_install_the_tool(tmp_path: Path) -> None:
    for word, rest in instructions():
        if word == "COPY" and not rest.startswith("--"):
            *sources, target = rest.split()
            for source in sources:
                place = tmp_path / target / (source if target.endswith("/") else "")
                if (ROOT / source).is_dir():
                    shutil.copytree(
                        ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__")
                    )
                else:
                    shutil.copy2(ROOT / source, place)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    flags = [
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
        "--target",
        str(tmp_path / "site"),
        ".",
    ]
    subprocess.run([*pip, *flags], cwd=tmp_path, check=True)
    shown = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "cmp", "parameters"], cwd=tmp_path / "site",
        env={"PATH": ""}, capture_output=True, check=True,
    )  # fmt: skip
    assert yaml.safe_load(shown.stdout)[0]["name"] == "paths"
