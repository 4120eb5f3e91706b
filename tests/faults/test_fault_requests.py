"""Requests are read as the API server's audit log names them."""

from __future__ import annotations

import base64
import json

import pytest
from fault_request import describe


@pytest.mark.parametrize(
    ("method", "target", "what"),
    [
        ("GET", "/api/v1/pods?limit=500", ("list", "pods", "", "", "")),
        ("GET", "/api/v1/namespaces/n/pods", ("list", "pods", "", "n", "")),
        ("GET", "/api/v1/namespaces/n/pods?watch=1", ("watch", "pods", "", "n", "")),
        ("GET", "/api/v1/namespaces/n/pods?watch=false", ("list", "pods", "", "n", "")),
        ("GET", "/api/v1/namespaces/n/pods/p", ("get", "pods", "", "n", "p")),
        ("GET", "/api/v1/namespaces/n/pods/p/log", ("get", "pods", "log", "n", "p")),
        ("POST", "/api/v1/namespaces/n/pods/p/exec?x=y", ("create", "pods", "exec", "n", "p")),
        ("DELETE", "/api/v1/namespaces/n/pods", ("deletecollection", "pods", "", "n", "")),
        ("GET", "/api/v1/nodes/h/proxy/a/b", ("get", "nodes", "proxy", "", "h")),
        ("GET", "/api/v1/namespaces", ("list", "namespaces", "", "", "")),
        ("DELETE", "/api/v1/namespaces/n", ("delete", "namespaces", "", "n", "n")),
        ("PUT", "/api/v1/namespaces/n/finalize", ("update", "namespaces", "finalize", "n", "n")),
        (
            "PATCH",
            "/apis/c9s.run/v1alpha1/namespaces/n/nodes/leaf%2D1?fieldManager=m",
            ("patch", "nodes.c9s.run", "", "n", "leaf-1"),
        ),
        ("PATCH", "/apis/apps/v1/namespaces/n/deployments/d/scale",
         ("patch", "deployments.apps", "scale", "n", "d")),
        ("GET", "/api/v1/pods?watch=true&fieldSelector=spec.x%3D1,metadata.name%3D%3Dp",
         ("watch", "pods", "", "", "p")),
        ("GET", "/apis/c9s.run/v1alpha1", ("get", "", "", "", "")),
        ("GET", "/version", ("get", "", "", "", "")),
        ("GET", "/", ("get", "", "", "", "")),
    ],
)  # fmt: skip
def test_a_request_is_named_as_the_audit_log_names_it(
    method: str, target: str, what: tuple[str, ...]
) -> None:
    asked = describe(method, target, {})
    found = (asked.verb, asked.resource, asked.subresource, asked.namespace, asked.name)
    assert found == what


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b'{"metadata": {"name": "made"}}', "made"),
        (b'{"metadata": {"generateName": "made-"}}', ""),
        (b"k8s\x00\x01", ""),
        (b"[]", ""),
        (b"", ""),
    ],
)
def test_a_create_is_named_by_its_body_if_that_says_so(body: bytes, name: str) -> None:
    assert describe("POST", "/api/v1/namespaces/n/configmaps", {}, body).name == name


def test_a_service_account_is_known_by_its_token_and_nobody_by_anything_else() -> None:
    claims = base64.urlsafe_b64encode(json.dumps({"sub": "system:serviceaccount:n:a"}).encode())
    token = f"e30.{claims.decode().rstrip('=')}.c2ln"
    fields = {"authorization": f"Bearer {token}", "user-agent": "tool/1.2 (x)"}
    asked = describe("GET", "/version", fields)
    assert (asked.user, asked.agent) == ("system:serviceaccount:n:a", "tool/1.2 (x)")
    for other in ("Bearer opaque", "Bearer a.!.c", "Bearer a.e30.c", "Basic eDp5", ""):
        assert describe("GET", "/version", {"authorization": other}).user == ""


def test_the_key_is_the_same_whatever_the_namespace_and_the_version_of_the_program() -> None:
    one = describe("GET", "/api/v1/namespaces/n-1/pods/p", {"user-agent": "tool/1"})
    two = describe("GET", "/api/v1/namespaces/n-2/pods/p", {"user-agent": "tool/2 more"})
    other = describe("GET", "/api/v1/namespaces/n-2/pods/q", {"user-agent": "tool/2"})
    assert one.key == two.key == "tool get pods p"
    assert other.key != one.key


def test_the_path_of_the_object_is_found_below_its_subresource() -> None:
    path = "/api/v1/namespaces/n/pods/status"
    assert describe("PUT", f"{path}/status", {}).main_path == path
    assert describe("PUT", path, {}).main_path == path
