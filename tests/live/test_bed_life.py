"""How a bed comes, is found again, is revived and goes; always one that only these tests use."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_objects import until
from bed_own import NO_ANSWER, OwnBed, Wish, bed_of
from bed_sources import PRIVATE, forget_locks
from bed_state import locked, users_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
BED = ROOT / "tests/testbed/bed.py"


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(BED), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(*arguments: str) -> tuple[int, str, str]:
    """Run bed.py until nobody holds its output any more; give exit code, stdout and stderr."""
    with start(*arguments) as process:
        out, err = process.communicate()
    return process.returncode, out, err


def up(name: str, *arguments: str) -> list[str]:
    code, out, err = run("up", "--own", "--no-build", "--name", name, *arguments)
    assert code == 0, err
    return out.splitlines()


@pytest.fixture
def name(own_bed: OwnBed) -> Iterator[str]:
    """Give a name for a bed on a machine that can have one; afterwards the bed is gone."""
    assert own_bed.source == "own"
    name = f"{PRIVATE}cli-{secrets.token_hex(3)}"
    with locked(users_lock(name), shared=True):  # not to be swept away by another run
        yield name
    run("down", "--name", name)
    forget_locks(name)


def pids(bed: OwnBed) -> dict[str, int | None]:
    return {one: bed.daemon(one).pid() for one in bed.components}


def processes_with(text: str) -> list[str]:
    """Name the processes of this machine with a text in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended since
        if text in line and "bed.py" not in line:
            found.append(line)
    return found


def test_up_twice_gives_the_same_bed_and_down_leaves_nothing(name: str) -> None:
    first = up(name, "--nodes", "1")
    bed = bed_of(name)
    before = pids(bed)
    assert first[-1] == f"KUBECONFIG={bed.kubeconfig}"
    assert all(before.values())
    assert up(name) == first
    assert pids(bed) == before
    code, shown, _ = run("status", "--name", name)
    assert code == 0
    assert all(f"pid {pid}" in shown for pid in before.values())
    assert run("down", "--name", name)[0] == 0
    assert not bed.folder.exists()
    assert processes_with(str(bed.folder)) == []
    assert run("status", "--name", name)[0] == 1


def test_two_that_start_a_bed_at_once_get_the_same(name: str) -> None:
    arguments = ("up", "--own", "--no-build", "--nodes", "1", "--name", name)
    with start(*arguments) as one, start(*arguments) as other:
        answers = {one.communicate()[0], other.communicate()[0]}
    assert answers == {f"KUBECONFIG={bed_of(name).kubeconfig}\n"}
    assert len(processes_with(f"--data-dir={bed_of(name).folder}/etcd")) == 1


def test_a_component_that_is_gone_comes_back_and_the_data_is_kept(
    private_bed: Callable[[Wish], OwnBed],
) -> None:
    bed = private_bed(Wish(nodes=1))
    before = pids(bed)
    with bed.namespace() as namespace:
        bed.kill("kwok")
        bed.daemon("kube-scheduler").send(signal.SIGTERM)
        bed.daemon("kube-scheduler").wait_gone()
        up(bed.name)
        after = pids(bed)
        kept = {"etcd", "kube-apiserver", "kube-controller-manager"}
        assert {one for one in after if after[one] == before[one]} == kept
        assert all(after.values())
        with bed.client() as client:
            assert client.get(path_of("v1", "namespaces", name=namespace)).status == 200


def test_a_killed_api_server_starts_again_at_the_same_place(
    private_bed: Callable[[Wish], OwnBed],
) -> None:
    bed = private_bed(Wish(nodes=1))
    with bed.namespace() as namespace, bed.client() as client:
        bed.kill("kube-apiserver")
        with pytest.raises(NO_ANSWER):
            client.get("/readyz")
        bed.start("kube-apiserver")
        bed.wait_healthy("kube-apiserver")
        path = path_of("v1", "namespaces", name=namespace)
        assert client.get(path).ok()["metadata"]["name"] == namespace
        # Those who watch it find it again.
        until("the controllers work", lambda: made_anew(bed))


def made_anew(bed: OwnBed) -> bool:
    with bed.namespace():
        return True


def test_what_a_crash_has_left_is_made_anew(private_bed: Callable[[Wish], OwnBed]) -> None:
    bed = private_bed(Wish(nodes=1))
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "before"}}
    with bed.client() as client:
        client.create(path_of("v1", "namespaces"), body).ok()
    bed.stop_all()
    up(bed.name)
    assert all(bed.healthy(one) for one in bed.components)
    with bed.client() as client:
        assert client.get(path_of("v1", "namespaces", name="before")).status == 404


def test_a_flag_restarts_its_component_alone(private_bed: Callable[[Wish], OwnBed]) -> None:
    bed = private_bed(Wish(nodes=1))
    before = pids(bed)
    up(bed.name, "--flag", "kube-controller-manager:--kube-api-qps=200")
    after = pids(bed)
    assert {one for one in after if after[one] != before[one]} == {"kube-controller-manager"}
    assert bed.daemon("kube-controller-manager").argv()[-1] == "--kube-api-qps=200"


def test_a_bed_that_cannot_start_says_why_keeps_its_logs_and_leaves_no_process(name: str) -> None:
    arguments = ("--own", "--no-build", "--name", name, "--flag", "kube-scheduler:--no-such-flag")
    code, out, err = run("up", *arguments)
    assert (code, out) == (1, "")
    assert "kube-scheduler has ended" in err
    assert "unknown flag: --no-such-flag" in err
    bed = bed_of(name)
    assert str(bed.daemon("kube-scheduler").log) in err
    assert bed.daemon("kube-scheduler").log.is_file()
    assert processes_with(str(bed.folder)) == []


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads /proc")
def test_no_process_of_a_bed_is_in_the_checkout_or_holds_a_file_of_it(own_bed: OwnBed) -> None:
    for one in own_bed.components:
        process = Path(f"/proc/{own_bed.daemon(one).pid()}")
        opened = [*(process / "fd").iterdir(), process / "cwd", process / "exe"]
        places = {str(path.readlink()) for path in opened if path.is_symlink()}
        assert [place for place in places if Path(place).is_relative_to(ROOT)] == []
        assert str(ROOT) not in (process / "cmdline").read_text(encoding="utf-8")
        assert os.getsid(int(process.name)) == int(process.name)


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads /proc")
def test_components_listen_on_loopback_only(own_bed: OwnBed) -> None:
    found: dict[int, set[str]] = {}
    for file in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{file}").read_text(encoding="ascii").splitlines()[1:]:
            address, state = line.split()[1], line.split()[3]
            if state == "0A":  # listening
                host, _, port = address.partition(":")
                found.setdefault(int(port, 16), set()).add(host)
    ports = own_bed.state.ports.values()
    assert {port: found[port] for port in ports} == {port: {"0100007F"} for port in ports}
