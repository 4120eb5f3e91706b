"""Commands through the real API server and the kubelet's door of the test bed, which runs them on this machine."""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_objects import until
from netcheck_tools import make_pod, wait_ready
from rights_tools import Person

from kubectl_c9s.cluster.connection import Connection
from kubectl_c9s.cluster.errors import ApiError, Forbidden, NotFound
from kubectl_c9s.cluster.inparallel import Call, in_parallel
from kubectl_c9s.cluster.kubeconfig import load_settings
from kubectl_c9s.cluster.podexec import CommandFailed, Target, run, stream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bed_client import ApiClient
    from bed_own import OwnBed

SIZE = 5_000_000


@pytest.fixture(scope="module")
def client(own_bed: OwnBed) -> Iterator[ApiClient]:
    with own_bed.client() as client:
        yield client


@pytest.fixture(scope="module")
def namespace(own_bed: OwnBed, client: ApiClient) -> Iterator[str]:
    with own_bed.namespace("exec") as namespace:
        make_pod(client, namespace, "r1", "testbed-node-0")
        wait_ready(client, namespace, "r1")
        yield namespace


def connect(kubeconfig: Path) -> Connection:
    return Connection(load_settings({"kubeconfig": str(kubeconfig)}, {}))


@pytest.fixture(scope="module")
def connection(own_bed: OwnBed) -> Iterator[Connection]:
    made = connect(own_bed.kubeconfig)
    yield made
    made.close()


@pytest.fixture(scope="module")
def target(namespace: str) -> Target:
    return Target(namespace, "r1", "primary")


def test_a_command_says_what_it_printed(connection: Connection, target: Target) -> None:
    ran = run(
        connection,
        target,
        ["sh", "-c", "echo out; echo err >&2; printf '%s|' \"$@\"", "sh", "a b", "ü&c=d"],
    )
    assert ran == (0, "out\na b|ü&c=d|".encode(), b"err\n", "", False, False)


def test_a_command_that_fails_is_told_from_one_that_does_not(
    connection: Connection, target: Target
) -> None:
    ran = run(connection, target, ["sh", "-c", "echo some; exit 3"])
    assert (ran.code, ran.stdout) == (None, b"some\n")  # this kubelet's door does not tell the code
    assert "exit status 3" in ran.message
    missing = run(connection, target, ["c9s-no-such-program"])
    assert missing.code is None
    assert "executable file not found" in missing.message


def test_much_output_is_streamed_intact(connection: Connection, target: Target) -> None:
    script = f"seq -f %.0f 0 999999 | head -c {SIZE}"
    digest, size, pieces = hashlib.sha256(), 0, 0
    for piece in stream(connection, target, ["sh", "-c", script], limit=120):
        digest.update(piece)
        size, pieces = size + len(piece), pieces + 1
    right = b"".join(b"%d\n" % number for number in range(1_000_000))[:SIZE]
    assert (size, digest.hexdigest()) == (SIZE, hashlib.sha256(right).hexdigest())
    assert pieces > 10
    cut = run(connection, target, ["sh", "-c", script], limit=120, most=1000)
    assert (cut.code, cut.stdout, cut.cut) == (0, right[:1000], True)


def test_a_stream_of_a_command_that_fails_ends_with_its_words(
    connection: Connection, target: Target
) -> None:
    pieces = stream(connection, target, ["sh", "-c", "echo some; echo 'no such log' >&2; exit 1"])
    assert next(pieces) == b"some\n"
    with pytest.raises(CommandFailed, match="no such log"):
        list(pieces)


def test_a_command_that_does_not_end_is_left_in_time(
    connection: Connection, target: Target
) -> None:
    ran = run(connection, target, ["sh", "-c", "echo begun; exec sleep 20"], limit=1)
    assert (ran.code, ran.stdout, ran.timed_out) == (None, b"begun\n", True)


def test_what_is_not_there_is_told(connection: Connection, target: Target) -> None:
    with pytest.raises(NotFound, match=r'create pods/exec in .*: pods "r9" not found'):
        run(connection, target._replace(pod="r9"), ["true"])
    with pytest.raises(ApiError, match="container wrong is not valid"):
        run(connection, target._replace(container="wrong"), ["true"])


def test_sixteen_are_asked_at_once(connection: Connection, target: Target) -> None:
    running = threading.Semaphore(16)
    together = threading.Barrier(16)

    def ask(number: int, call: Call) -> bytes:
        assert running.acquire(blocking=False)
        if number < 16:
            together.wait(60)
        ran = run(connection, target, ["echo", str(number)], limit=call.left(60))
        running.release()
        return ran.stdout

    found = in_parallel(range(48), ask, limit=120)
    assert found == [b"%d\n" % number for number in range(48)]


def test_running_commands_are_left_at_an_error_that_ends_all(
    connection: Connection, target: Target
) -> None:
    begun = threading.Barrier(3)

    def ask(number: int, call: Call) -> None:
        begun.wait(60)
        if number == 2:
            raise NotFound(404, b"", "get")
        run(connection, target, ["sleep", "20"], limit=600, cancel=call.cancel)

    with pytest.raises(NotFound):
        in_parallel(range(3), ask, workers=3, fatal=(NotFound,))


@pytest.mark.parametrize("verbs", [(), ("create",), ("get",), ("get", "create")])
def test_rights_that_are_missing_are_named(
    own_bed: OwnBed, tmp_path: Path, verbs: tuple[str, ...]
) -> None:
    with own_bed.namespace("exec-rights") as namespace, own_bed.client() as client:
        make_pod(client, namespace, "r1", "testbed-node-1")
        wait_ready(client, namespace, "r1")
        person = Person(own_bed, namespace, tmp_path)
        person.may([role(namespace, verbs)] if verbs else [])
        asked = connect(person.kubeconfig)
        if verbs == ("get", "create"):
            until("both are enough", lambda: refused(asked, namespace) == "")
        elif verbs == ("get",):
            create = 'cannot create resource "pods/exec"'
            until("get is not enough", lambda: create in refused(asked, namespace))
            assert refused(asked, namespace).startswith(f"create pods/exec in {namespace}/r1: ")
        else:
            assert 'cannot get resource "pods/exec"' in refused(asked, namespace)


def refused(connection: Connection, namespace: str) -> str:
    """Give the words of the refusal, empty when there is none."""
    try:
        run(connection, Target(namespace, "r1", "primary"), ["true"])
    except Forbidden as error:
        return error.message
    return ""


def role(namespace: str, verbs: tuple[str, ...]) -> dict[str, object]:
    rule = {"apiGroups": [""], "resources": ["pods/exec"], "verbs": list(verbs)}
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "exec", "namespace": namespace},
        "rules": [rule],
    }


def test_a_pod_that_goes_in_between_is_told(own_bed: OwnBed, connection: Connection) -> None:
    with own_bed.namespace("exec-gone") as namespace, own_bed.client() as client:
        make_pod(client, namespace, "r1", "testbed-node-1")
        wait_ready(client, namespace, "r1")
        path = path_of("v1", "pods", namespace, "r1")
        client.delete(path, gracePeriodSeconds="0")
        gone = Target(namespace, "r1", "primary")
        until("the Pod is gone", lambda: client.get(path).status == 404)
        with pytest.raises(NotFound):
            run(connection, gone, ["true"])
