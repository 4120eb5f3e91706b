"""The proxy as a process: how it starts, what it leaves behind, and what it says when it cannot work."""

from __future__ import annotations

import contextlib
import http.client
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from bed_certs import Authority
from bed_client import Access, path_of
from fault_handle import MAIN, FaultProxy, fault_proxy

if TYPE_CHECKING:
    from pathlib import Path

    from bed_own import OwnBed

RBAC = "rbac.authorization.k8s.io/v1"


def test_a_process_with_rules_from_a_file_leaves_nothing_behind(
    own_bed: OwnBed, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("seed: 3\nrules:\n- {do: error, match: {path: /version}}\n", encoding="utf-8")
    command = [sys.executable, str(MAIN), f"--kubeconfig={own_bed.kubeconfig}"]
    command += [f"--folder={tmp_path / 'p'}", f"--rules={rules}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("KUBECONFIG=")
        proxy = FaultProxy(tmp_path / "p")
        with proxy.client() as client:
            assert client.get("/version").status == 500
            me = path_of("authentication.k8s.io/v1", "selfsubjectreviews")
            review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
            user = client.create(me, review).ok()["status"]["userInfo"]["username"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    account = user.split(":")[2]
    assert account.startswith("c9s-faults-")
    with own_bed.client() as client:
        assert client.get(path_of(RBAC, "clusterrolebindings", name=account)).status == 404


def nowhere(tmp_path: Path, token: str | None = None) -> Path:
    """Write a kubeconfig for a server that is not there."""
    authority = Authority(tmp_path / "nowhere")
    pair = authority.client("it", "it")
    ca, cert, key = (one.read_text(encoding="ascii") for one in (authority.ca, pair.cert, pair.key))
    access = Access("https://127.0.0.1:1", ca, cert, key, token)
    path = tmp_path / "nowhere/kubeconfig"
    path.write_text(access.kubeconfig(), encoding="utf-8")
    return path


def test_a_proxy_ends_with_the_test_run_that_started_it(tmp_path: Path) -> None:
    with fault_proxy(nowhere(tmp_path, "token"), tmp_path / "p") as proxy:
        host = proxy.access.server.removeprefix("https://")
        assert proxy.state()["requests"] == 0
    with (
        contextlib.closing(http.client.HTTPConnection(host, timeout=30)) as connection,
        pytest.raises(ConnectionRefusedError),
    ):
        connection.request("GET", "/version")


def test_without_a_server_behind_it_a_request_gets_no_answer(tmp_path: Path) -> None:
    with fault_proxy(nowhere(tmp_path, "token"), tmp_path / "p") as proxy:
        with proxy.client() as client:
            for _ in range(2):
                with pytest.raises((OSError, http.client.HTTPException)):
                    client.get("/version")
        found = proxy.settled()
    assert [one.end["why"] for one in found if one.end] == ["server-gone"] * 2
    assert not any(one.forwarded for one in found)


@pytest.mark.parametrize(
    ("rules", "code", "words"),
    [
        ('{"rules": [{"do": "explode"}]}', 2, "explode"),
        ("{", 2, "no JSON"),
        ("", 2, "no JSON"),
        ("{}", 3, "no server"),
    ],
)
def test_a_proxy_that_cannot_work_says_why(
    tmp_path: Path, rules: str, code: int, words: str
) -> None:
    (tmp_path / "rules.json").write_text(rules, encoding="utf-8")
    assert refused(nowhere(tmp_path), tmp_path / "rules.json", code, words)


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    assert refused(nowhere(tmp_path), tmp_path / "none.json", 2, "none.json")
    (tmp_path / "rules.json").write_text("{}", encoding="utf-8")
    assert refused(tmp_path / "none.kubeconfig", tmp_path / "rules.json", 2, "none.kubeconfig")


def refused(kubeconfig: Path, rules: Path, code: int, words: str) -> bool:
    """Start a proxy that cannot work, and tell whether it says so as it should."""
    where = [f"--kubeconfig={kubeconfig}", f"--folder={rules.parent / 'p'}", f"--rules={rules}"]
    command = [sys.executable, str(MAIN), *where]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    lines = done.stderr.splitlines()
    return (done.returncode, done.stdout, len(lines)) == (code, "", 1) and words in lines[0]
