"""Other clients and other protocols pass through the proxy: kubectl, port-forward, exec."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import re
import secrets
import socketserver
import subprocess
import threading
import urllib.request
from typing import TYPE_CHECKING

from bed_client import path_of
from bed_door import forwarded
from bed_objects import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bed_own import OwnBed
    from fault_handle import FaultProxy


def test_kubectl_works_through_the_proxy(proxy: FaultProxy, own_bed: OwnBed) -> None:
    done = through(own_bed, proxy, "get", "nodes", "--output=name")
    assert done.returncode == 0, done.stderr
    assert "node/testbed-node-0" in done.stdout.splitlines()
    assert any("kubectl" in one.request["agent"] for one in proxy.settled())


def through(bed: OwnBed, proxy: FaultProxy, *arguments: str) -> subprocess.CompletedProcess[str]:
    return bed.kubectl(f"--kubeconfig={proxy.kubeconfig}", *arguments)


def test_port_forward_and_exec_pass_untouched(proxy: FaultProxy, own_bed: OwnBed) -> None:
    content = secrets.token_bytes(1 << 20) * 3
    with own_bed.namespace("faults") as namespace, serving(content) as local:
        run_pod(own_bed, namespace)
        done = through(own_bed, proxy, "exec", "-n", namespace, "it", "--", "echo", "hello")
        assert (done.returncode, done.stdout) == (0, "hello\n"), done.stderr
        with (
            forwarded(own_bed, namespace, {9090: local}),
            port_forward(own_bed, proxy, namespace) as port,
        ):
            got = fetched(port)
    assert hashlib.sha256(got).digest() == hashlib.sha256(content).digest()
    found = {one.request["subresource"]: one.end for one in proxy.settled() if one.end}
    assert found["exec"]["status"] == found["portforward"]["status"] == 101


def run_pod(bed: OwnBed, namespace: str) -> None:
    spec = {"nodeName": "testbed-node-0", "containers": [{"name": "c", "image": "none"}]}
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "it"}, "spec": spec}
    path = path_of("v1", "pods", namespace)
    with bed.client() as client:
        client.create(path, body).ok()
        until("it runs", lambda: client.get(f"{path}/it").ok()["status"]["phase"] == "Running")


@contextlib.contextmanager
def serving(content: bytes) -> Iterator[int]:
    """Serve bytes to every connection, as HTTP without a length."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            size = f"Content-Length: {len(content)}\r\n".encode()
            self.wfile.write(b"HTTP/1.1 200 OK\r\n" + size + b"Connection: close\r\n\r\n" + content)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@contextlib.contextmanager
def port_forward(bed: OwnBed, proxy: FaultProxy, namespace: str) -> Iterator[int]:
    way = f"--kubeconfig={proxy.kubeconfig}"
    command = bed.kubectl_command(way, "port-forward", "-n", namespace, "it", ":9090")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
            assert found, "kubectl said nothing"
            yield int(found[1])
        finally:
            process.terminate()


def fetched(port: int) -> bytes:
    got: list[bytes] = []

    def arrived() -> bool:
        with (
            contextlib.suppress(OSError, http.client.HTTPException),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer,
        ):
            got.append(answer.read())
        return bool(got)

    until("an answer comes through the door", arrived)
    return got[0]
