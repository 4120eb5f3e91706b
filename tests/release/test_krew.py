"""krew itself takes the manifest and installs the archive, and kubectl then has the plugin."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from release_archive import sha256
from release_manifest import REPOSITORY, TEMPLATE, render
from release_tools import ROOT, make, run, said
from release_wheels import PLATFORMS

if TYPE_CHECKING:
    from collections.abc import Iterator

LAB = str(ROOT / "examples/small/topology.yaml")
TAG = "v1.2.3"


def test_krew_installs_the_archive_and_kubectl_has_the_plugin(
    archive: Path, environment: dict[str, str]
) -> None:
    root = Path(environment["KREW_ROOT"])
    manifest = archive.with_name("c9s.yaml")
    install = ["krew", "install", f"--manifest={manifest}", f"--archive={archive}"]
    printed = said("kubectl", *install, env=environment)
    assert "needs CPython 3.11 to 3.14" in printed
    assert "kubectl c9s completion kubectl" in printed
    link = root / "bin/kubectl-c9s"
    assert link.is_symlink()
    assert [one.name for one in (root / "bin").iterdir()] == ["kubectl-c9s"]
    assert str(link) in said("kubectl", "plugin", "list", env=environment).splitlines()
    assert (link.resolve().parent / "LICENSE").is_file()
    split = run("kubectl", "c9s", "split", "-f", LAB, env=environment, cwd=Path("/"))
    assert split == run(sys.executable, "-m", "kubectl_c9s", "split", "-f", LAB)
    said("kubectl", "krew", "uninstall", "c9s", env=environment)
    assert not os.path.lexists(link)
    assert not (root / "store/c9s").exists()


def test_the_shim_of_the_caveats_completes_an_installed_plugin(
    archive: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    manifest = archive.with_name("c9s.yaml")
    said(
        "kubectl",
        "krew",
        "install",
        f"--manifest={manifest}",
        f"--archive={archive}",
        env=environment,
    )
    shim = tmp_path / "bin/kubectl_complete-c9s"
    shim.parent.mkdir()
    shim.write_text(
        run("kubectl", "c9s", "completion", "kubectl", env=environment), encoding="utf-8"
    )
    shim.chmod(0o755)
    variables = environment | {"PATH": f"{shim.parent}:{environment['PATH']}"}
    assert run("kubectl", "__complete", "c9s", "vers", env=variables).splitlines() == [
        "version\tPrint the version.",
        ":4",
    ]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Give a folder for archives and the repository that a manifest may name to have them fetched from there."""
    folder = tmp_path / "repository/releases/download"
    folder.mkdir(parents=True)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    handler = functools.partial(Quiet, directory=str(tmp_path / "repository"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


def validated(
    archives: list[Path], served: tuple[Path, str], environment: dict[str, str], folder: Path
) -> str:
    """Have krew's validator check a manifest and install each of its archives; give what it says."""
    tag = archives[0].name.split("_")[1]
    shutil.copytree(archives[0].parent, served[0] / tag)
    manifest = folder / "c9s.yaml"
    manifest.write_text(render(tag, archives, served[1]), encoding="utf-8")
    return said("validate", "-manifest", str(manifest), env=environment)


def test_the_manifest_passes_krews_own_validation(
    archive: Path, served: tuple[Path, str], environment: dict[str, str], tmp_path: Path
) -> None:
    printed = validated([archive], served, environment, tmp_path)
    assert "structural validation OK" in printed
    assert "all 1 spec.platforms installed fine" in printed


@pytest.mark.full
def test_the_manifest_of_all_platforms_passes_krews_own_validation(
    served: tuple[Path, str], environment: dict[str, str], tmp_path: Path
) -> None:
    archives = make(tmp_path / "dist")
    printed = validated(archives, served, environment, tmp_path)
    assert f"all {len(PLATFORMS)} spec.platforms installed fine" in printed


def test_a_manifest_has_each_platform_that_has_an_archive(tmp_path: Path) -> None:
    archives = []
    for platform in PLATFORMS[:3]:
        archives.append(tmp_path / f"kubectl-c9s_{TAG}_{platform.os}_{platform.arch}.tar.gz")
        archives[-1].write_text(platform.name, encoding="utf-8")
    manifest = yaml.safe_load(render(TAG, archives, "https://example.org/labs"))
    assert (manifest["metadata"]["name"], manifest["spec"]["version"]) == ("c9s", TAG)
    found = manifest["spec"]["platforms"]
    assert [one["selector"]["matchLabels"] for one in found] == [
        {"os": one.os, "arch": one.arch} for one in PLATFORMS[:3]
    ]
    base = f"https://example.org/labs/releases/download/{TAG}"
    assert [(one["uri"], one["sha256"], one["bin"]) for one in found] == [
        (f"{base}/{one.name}", sha256(one), "kubectl-c9s") for one in archives
    ]


def test_the_template_has_every_platform_and_the_form_of_krew_release_bot() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    for platform in PLATFORMS:
        name = f"kubectl-c9s_{{{{ .TagName }}}}_{platform.os}_{platform.arch}.tar.gz"
        uri = f"{REPOSITORY}/releases/download/{{{{ .TagName }}}}/{name}"
        # The bot puts the sum on a line of its own, four blanks in.
        assert f'\n    {{{{addURIAndSha "{uri}" .TagName }}}}\n    bin: kubectl-c9s\n' in text
    assert text.count("addURIAndSha") == len(PLATFORMS)
    assert yaml.safe_load(render(TAG, []))["spec"]["platforms"] is None
