"""Fake hosts and their Pods: the way of a workload, and the kubelet's door."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import re
import secrets
import subprocess
import threading
import urllib.request
from typing import TYPE_CHECKING

import pytest
from bed_client import path_of
from bed_door import forwarded
from bed_objects import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_client import ApiClient, Json
    from bed_own import OwnBed


def deployment(namespace: str, annotations: dict[str, str] | None = None) -> Json:
    labels = {"app": "device"}
    spec = {
        "initContainers": [
            {"name": "once", "image": "none"},
            {"name": "beside", "image": "none", "restartPolicy": "Always"},
        ],
        "containers": [{"name": "device", "image": "none"}],
    }
    template = {"metadata": {"labels": labels, "annotations": annotations or {}}, "spec": spec}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "device", "namespace": namespace},
        "spec": {"replicas": 1, "selector": {"matchLabels": labels}, "template": template},
    }


def state_of(pod: Json) -> tuple[bool, bool, bool]:
    """Say of a Pod: sandbox, started, ready."""
    status = pod["status"]
    true = {one["type"] for one in status.get("conditions", []) if one["status"] == "True"}
    (device,) = status.get("containerStatuses") or [{}]
    return "PodReadyToStartContainers" in true, bool(device.get("started")), "Ready" in true


def started_pod(client: ApiClient, namespace: str, **annotations: str) -> Json:
    body = deployment(
        namespace, {f"testbed.c9s.run/{key}": one for key, one in annotations.items()}
    )
    client.create(path_of("apps/v1", "deployments", namespace), body).ok()
    pods = path_of("v1", "pods", namespace)

    def ready() -> list[Json]:
        found: list[Json] = client.get(pods).ok()["items"]
        return [pod for pod in found if state_of(pod)[2]]

    until("the Pod is ready", lambda: bool(ready()))
    (pod,) = ready()
    return pod


def history(client: ApiClient, path: str, since: str) -> list[Json]:
    """Give what happened to a collection since then: the server tells it again to a late watch."""
    answer = client.get(path, watch="1", resourceVersion=since, timeoutSeconds="1")
    return [json.loads(line)["object"] for line in answer.body.splitlines()]


def test_a_deployment_becomes_a_pod_that_gets_sandbox_then_starts_then_is_ready(
    own_bed: OwnBed,
) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        pods = path_of("v1", "pods", namespace)
        since = client.get(pods).ok()["metadata"]["resourceVersion"]
        pod = started_pod(client, namespace)
        seen = [state_of(one) for one in history(client, pods, since)]
    steps = list(dict.fromkeys(seen))
    assert steps == [
        (False, False, False),
        (True, False, False),
        (True, True, False),
        (True, True, True),
    ]
    assert pod["spec"]["nodeName"].startswith("testbed-node-")
    assert pod["status"]["phase"] == "Running"
    once, beside = pod["status"]["initContainerStatuses"]
    assert once["state"]["terminated"]["exitCode"] == 0
    assert beside["started"]


def test_a_pod_says_itself_how_long_a_step_takes(own_bed: OwnBed) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        long = {"started-delay": "1h"}
        body = deployment(namespace, {f"testbed.c9s.run/{key}": one for key, one in long.items()})
        client.create(path_of("apps/v1", "deployments", namespace), body).ok()
        pods = path_of("v1", "pods", namespace)
        until("the sandbox is there", lambda: (True, False, False) in states(client, pods))
        # Another one, later, overtakes it.
        body["metadata"]["name"] = body["spec"]["selector"]["matchLabels"]["app"] = "second"
        body["spec"]["template"]["metadata"] = {"labels": {"app": "second"}}
        client.create(path_of("apps/v1", "deployments", namespace), body).ok()
        until("the second is ready", lambda: (True, True, True) in states(client, pods))
        assert sorted(states(client, pods)) == [(True, False, False), (True, True, True)]


def states(client: ApiClient, pods: str) -> list[tuple[bool, bool, bool]]:
    return [state_of(pod) for pod in client.get(pods).ok()["items"]]


def test_a_deleted_pod_goes_and_its_replacement_comes(own_bed: OwnBed) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        first = started_pod(client, namespace)
        pods = path_of("v1", "pods", namespace)
        client.delete(f"{pods}/{first['metadata']['name']}").ok()

        def replaced() -> bool:
            found = [pod for pod in client.get(pods).ok()["items"] if state_of(pod)[2]]
            return [pod["metadata"]["uid"] for pod in found] != [first["metadata"]["uid"]] != []

        until("another Pod is ready", replaced)


def test_a_host_that_is_told_so_is_not_ready_until_it_may(own_bed: OwnBed) -> None:
    name = f"host-{secrets.token_hex(3)}"
    key = "testbed.c9s.run/not-ready"
    path = path_of("v1", "nodes", name=name)
    body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}
    with own_bed.client() as client:
        client.create(path_of("v1", "nodes"), body).ok()
        try:
            until("the host is ready", lambda: taints(client, path) == set())
            client.patch(path, {"metadata": {"annotations": {key: "yes"}}}).ok()
            until("it is not", lambda: {"NoExecute", "NoSchedule"} == taints(client, path))
            client.patch(path, {"metadata": {"annotations": {key: None}}}).ok()
            until("it is again", lambda: taints(client, path) == set())
        finally:
            client.delete(path)


def taints(client: ApiClient, path: str) -> set[str]:
    return {one["effect"] for one in client.get(path).ok()["spec"].get("taints", [])}


def test_exec_runs_a_command_through_the_api_server(own_bed: OwnBed) -> None:
    with own_bed.namespace() as namespace, own_bed.client() as client:
        pod = started_pod(client, namespace)["metadata"]["name"]
        done = own_bed.kubectl("exec", "-n", namespace, pod, "-c", "device", "--", "pwd")
        assert (done.returncode, done.stdout.strip()) == (0, str(own_bed.folder)), done.stderr
        failed = own_bed.kubectl("exec", "-n", namespace, pod, "-c", "device", "--", "false")
        assert failed.returncode != 0


def test_port_forward_carries_a_large_answer_whole(own_bed: OwnBed) -> None:
    content = secrets.token_bytes(1 << 20) * 20
    with own_bed.namespace() as namespace, own_bed.client() as client, serving(content) as local:
        pod = started_pod(client, namespace)["metadata"]["name"]
        with (
            forwarded(own_bed, namespace, {9090: local}),
            port_forward(own_bed, namespace, pod, 9090) as port,
        ):
            got = fetched(port)
    assert hashlib.sha256(got).digest() == hashlib.sha256(content).digest()


@contextlib.contextmanager
def serving(content: bytes) -> Iterator[int]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@contextlib.contextmanager
def port_forward(bed: OwnBed, namespace: str, pod: str, port: int) -> Iterator[int]:
    command = bed.kubectl_command("port-forward", "-n", namespace, pod, f":{port}")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
            assert found, "kubectl said nothing"
            yield int(found[1])
        finally:
            process.terminate()


def fetched(port: int) -> bytes:
    """Fetch through the door; it opens a moment after the test has asked for it."""
    got: list[bytes] = []

    def arrived() -> bool:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer,
        ):
            got.append(answer.read())
        return bool(got)

    until("an answer comes through the door", arrived)
    return got[0]


@pytest.fixture(autouse=True)
def _needs_kubectl(own_bed: OwnBed) -> None:
    assert own_bed.kubectl("version").returncode == 0
