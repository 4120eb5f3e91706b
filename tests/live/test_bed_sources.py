"""Where a bed comes from, and what a test run says when there is none. None of these tests starts one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import bed_sources
import pytest
from bed_base import Bed
from bed_client import Access, read_kubeconfig
from bed_own import Wish
from bed_state import BedUnavailable, state_root

if TYPE_CHECKING:
    from bed_own import OwnBed

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give an empty folder as PATH on a machine without binaries, clusters or wishes."""
    for name in ("CI", "C9S_REQUIRE_BED", "C9S_TESTBED_BUILD"):
        monkeypatch.delenv(name, raising=False)
    for name in ("TESTBED_KUBECONFIG", "KUBEBUILDER_ASSETS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("C9S_TESTBED_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("C9S_TESTBED_STATE", str(tmp_path / "state"))
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "bin"


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def pytest_run(**environment: str) -> subprocess.CompletedProcess[str]:
    """Run tests that need a bed, of either kind, in a process of their own."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/live/test_bed.py"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
        capture_output=True,
        text=True,
    )


def test_without_a_bed_its_tests_are_skipped_in_one_line_that_says_how_to_get_one() -> None:
    done = pytest_run()
    assert done.returncode == 0, done.stdout
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert (
        "no test bed: the binaries of the bed are not built yet; `make testbed-up` builds" in line
    )
    assert re.fullmatch(r"\d+ skipped in .*", done.stdout.splitlines()[-1])


@pytest.mark.parametrize("variable", ["CI", "C9S_REQUIRE_BED"])
def test_where_a_bed_is_required_a_skip_is_a_failure(variable: str) -> None:
    done = pytest_run(**{variable: "true"})
    assert done.returncode == 1, done.stdout
    assert "a test bed is required here: no Go tool chain is on PATH" in done.stdout
    assert re.fullmatch(r"\d+ errors in .*", done.stdout.splitlines()[-1])


def test_an_existing_cluster_comes_first(
    own_kubeconfig: Path, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(bare / "docker", "exit 0")
    script(bare / "kind", "exit 1")
    monkeypatch.setenv("TESTBED_KUBECONFIG", str(own_kubeconfig))
    bed = bed_sources.obtain("some", Wish(), may_build=False)
    assert bed == Bed("existing", "kubeconfig", own_kubeconfig)
    assert not bed_sources.down("some")
    with bed.client() as client:
        assert client.get("/apis/c9s.run/v1alpha1").status == 200


def test_an_existing_cluster_that_does_not_answer_is_no_bed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kubeconfig"
    nobody = Access("https://127.0.0.1:1").as_token("x")
    path.write_text(nobody.kubeconfig(), encoding="utf-8")
    monkeypatch.setenv("TESTBED_KUBECONFIG", str(path))
    with pytest.raises(BedUnavailable, match=r"TESTBED_KUBECONFIG=.*refused"):
        bed_sources.obtain("some", Wish(), may_build=False)


def test_kind_is_used_where_docker_answers_and_its_cluster_is_removed(
    own_kubeconfig: Path, bare: Path
) -> None:
    # No Docker here: a stand-in for kind writes down what it is asked, and gives the cluster of another bed.
    asked = bare / "asked"
    script(bare / "docker", "exit 0")
    script(
        bare / "kind",
        f'echo "$@" >> {asked}\n'
        f"case $1 in create) while [ $# -gt 1 ]; do shift; done; /bin/cp {own_kubeconfig} $1;; esac",
    )
    bed = bed_sources.obtain("some", Wish(), may_build=False)
    assert bed == Bed("some", "kind", state_root() / "_kind/some/kubeconfig")
    assert bed_sources.down("some")
    assert not (state_root() / "_kind/some").exists()
    at = f"--name c9s-testbed-some --kubeconfig {bed.kubeconfig}"
    assert asked.read_text(encoding="utf-8").splitlines() == [
        "get clusters",
        f"create cluster --wait=180s {at}",
        f"delete cluster {at}",
    ]


@pytest.mark.parametrize("without", ["docker", "kind"])
def test_without_docker_or_kind_it_goes_on_to_binaries(bare: Path, without: str) -> None:
    for name in {"docker", "kind"} - {without}:
        script(bare / name, "exit 0")
    with pytest.raises(BedUnavailable, match="the binaries of the bed are not built yet"):
        bed_sources.obtain("some", Wish(), may_build=False)


def test_given_binaries_come_before_built_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = tmp_path / "assets"
    assets.mkdir()
    for name in ("etcd", "kube-apiserver", "kubectl"):
        script(assets / name, "exit 0")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))
    needed = ("etcd", "kube-apiserver")
    found = bed_sources.find_tools(needed, may_build=True)  # there is no Go for the others
    assert found == {name: str(assets / name) for name in needed}
    with pytest.raises(BedUnavailable, match=r"no Go tool chain is on PATH to build .*kwok"):
        bed_sources.find_tools((*needed, "kwok"), may_build=True)


def test_a_kubeconfig_may_name_files_beside_it(own_kubeconfig: Path, tmp_path: Path) -> None:
    whole = read_kubeconfig(own_kubeconfig)
    config = json.loads(own_kubeconfig.read_text(encoding="utf-8"))
    (cluster, user) = config["clusters"][0]["cluster"], config["users"][0]["user"]
    for entry, key, text in (
        (cluster, "certificate-authority", whole.ca),
        (user, "client-certificate", whole.cert),
        (user, "client-key", whole.key),
    ):
        del entry[f"{key}-data"]
        entry[key] = key
        (tmp_path / key).write_text(text or "", encoding="ascii")
    path = tmp_path / "kubeconfig"
    path.write_text(json.dumps(config), encoding="utf-8")
    assert read_kubeconfig(path) == whole


@pytest.fixture(scope="module")
def own_kubeconfig(own_bed: OwnBed) -> Path:
    return own_bed.kubeconfig
