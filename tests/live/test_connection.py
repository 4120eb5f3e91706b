"""What keeps a command from asking a real API server, or the server from answering: one clear error, exit 3."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

import pytest
from bed_certs import Authority
from bed_client import Json, path_of
from live_tools import c9s, config_map, contents, node, small_lab, versions, written
from silent_server import silent
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

    from bed_base import Bed
    from split_lab import Answer


def assert_one_error(answer: Answer, *texts: str) -> None:
    assert answer.code == 3, answer.err
    assert answer.out == ""
    assert answer.err.count("error:") == 1, answer.err
    for text in texts:
        assert text in answer.err
    assert "Traceback" not in answer.err


@pytest.fixture
def lab(tmp_path: Path) -> str:
    return written(tmp_path, small_lab())


@pytest.fixture
def nowhere(tmp_path: Path) -> tuple[str, str]:
    """Give flags that lead to no kubeconfig of this machine."""
    path = tmp_path / "empty"
    path.write_text("apiVersion: v1\nkind: Config\n", encoding="utf-8")
    return "--kubeconfig", str(path)


COMMANDS = (("apply", "-f"), ("diff", "-f"))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_closed_port_cannot_be_reached(
    lab: str, nowhere: tuple[str, str], words: tuple[str, str]
) -> None:
    answer = command(*words, lab, *nowhere, "--server", "https://127.0.0.1:1")
    assert_one_error(answer, "https://127.0.0.1:1 cannot be reached", "refused")


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("words", [("apply", "-f"), ("check",)])
def test_a_server_that_says_nothing_is_left_within_the_request_timeout(
    lab: str, nowhere: tuple[str, str], scheme: str, words: tuple[str, ...]
) -> None:
    files = (lab,) if len(words) > 1 else ()
    with silent() as place:
        server = f"{scheme}://{place}"
        answer = command(*words, *files, *nowhere, "--server", server, "--request-timeout=500ms")
    assert_one_error(answer, server)


def test_a_server_of_another_authority_is_not_trusted(bed: Bed, lab: str, tmp_path: Path) -> None:
    Authority(tmp_path / "stranger")
    other = (tmp_path / "stranger/ca.crt").read_text(encoding="utf-8")
    access = bed.access
    place = tmp_path / "kubeconfig"
    text = type(access)(access.server, other, access.cert, access.key).kubeconfig()
    place.write_text(text, encoding="utf-8")
    answer = c9s(bed, "apply", "-f", lab, kubeconfig=place)
    assert_one_error(answer, "no trusted connection to", "hint: check --certificate-authority")


def test_a_wrong_authority_can_be_waved_through(bed: Bed, lab: str, tmp_path: Path) -> None:
    access = bed.access
    place = tmp_path / "kubeconfig"
    text = type(access)(access.server, None, access.cert, access.key).kubeconfig()
    place.write_text(text, encoding="utf-8")
    assert_one_error(c9s(bed, "apply", "-f", lab, kubeconfig=place), "no trusted connection to")
    answer = c9s(bed, "check", "--pre", "--insecure-skip-tls-verify", kubeconfig=place)
    assert answer.code == 0, answer.err


def test_an_unknown_context_is_named_with_those_there_are(bed: Bed, lab: str) -> None:
    answer = c9s(bed, "apply", "-f", lab, "--context", "nope")
    assert_one_error(answer, "context 'nope' is not in the kubeconfig", "hint: it has: ")


def test_a_kubeconfig_that_is_missing_or_broken(lab: str, tmp_path: Path) -> None:
    missing = command("apply", "-f", lab, "--kubeconfig", str(tmp_path / "none"))
    assert_one_error(missing, "no kubeconfig at ")
    broken = tmp_path / "broken"
    broken.write_text("{", encoding="utf-8")
    assert_one_error(
        command("apply", "-f", lab, "--kubeconfig", str(broken)), "the kubeconfig cannot be used"
    )


def test_a_token_the_server_does_not_take(bed: Bed, lab: str, tmp_path: Path) -> None:
    place = tmp_path / "kubeconfig"
    place.write_text(bed.access.as_token("e30.e30.e30").kubeconfig(), encoding="utf-8")
    answer = c9s(bed, "apply", "-f", lab, kubeconfig=place)
    assert_one_error(answer, "Unauthorized", "hint: log in again")
    assert "e30" not in answer.err


def test_a_namespace_that_is_missing(bed: Bed, lab: str) -> None:
    answer = c9s(bed, "apply", "-f", lab, "-n", "there-is-none")
    assert_one_error(answer, 'namespaces "there-is-none" not found', "hint: create the namespace")


def test_a_namespace_that_is_being_deleted(bed: Bed, lab: str) -> None:
    with bed.client() as client:
        with bed.namespace("going") as namespace:
            held = config_map("held")
            held["metadata"] |= {"finalizers": ["c9s.run/test"], "namespace": namespace}
            path = path_of("v1", "configmaps", namespace)
            client.create(path, held).ok()
        answer = c9s(bed, "apply", "-f", lab, "-n", namespace)
        client.patch(f"{path}/held", {"metadata": {"finalizers": None}}).ok()
    assert_one_error(answer, "is being terminated", "hint: the namespace is being deleted")


def _large_config_map() -> Json:
    return config_map("large", text="x" * (1024 * 1024 + 1))


def _large_node() -> Json:
    return node("large", env={f"E{index}": "x" * 1000 for index in range(1700)})


def _huge_config_map() -> Json:
    return config_map("large", text="x" * (4 * 1024 * 1024))


@pytest.mark.parametrize("make", [_large_config_map, _large_node, _huge_config_map])
def test_an_object_over_the_size_limit(bed: Bed, tmp_path: Path, make: object) -> None:
    assert callable(make)
    with bed.namespace() as namespace, bed.client() as client:
        answer = c9s(bed, "apply", "-f", written(tmp_path, [make()]), "-n", namespace)
        assert versions(client, namespace) == {}
    assert_one_error(answer, "large: ", "oo l", "hint: split with a smaller --max-object-bytes")


def test_files_of_a_key_do_not_stay(
    bed: Bed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert c9s(bed, "check", "--pre").code == 0
    assert list(temporary.iterdir()) == []


def test_one_can_act_as_somebody_in_several_groups(bed: Bed, tmp_path: Path) -> None:
    group = f"g-{secrets.token_hex(4)}"
    rbac = "rbac.authorization.k8s.io"
    with bed.namespace() as namespace, bed.client() as client:
        rules = [{"apiGroups": ["c9s.run"], "resources": ["*"], "verbs": ["*"]}]
        meta = {"name": "group", "namespace": namespace}
        role: Json = {"apiVersion": f"{rbac}/v1", "kind": "Role", "metadata": meta, "rules": rules}
        client.create(path_of(f"{rbac}/v1", "roles", namespace), role).ok()
        binding = {
            "apiVersion": f"{rbac}/v1",
            "kind": "RoleBinding",
            "metadata": meta,
            "roleRef": {"apiGroup": rbac, "kind": "Role", "name": "group"},
            "subjects": [{"kind": "Group", "apiGroup": rbac, "name": group}],
        }
        client.create(path_of(f"{rbac}/v1", "rolebindings", namespace), binding).ok()
        lab = written(tmp_path, [node("r1")])
        flags = ("apply", "-f", lab, "-n", namespace, "--as", "somebody")
        assert_one_error(c9s(bed, *flags), 'User "somebody" cannot list')
        answer = c9s(bed, *flags, "--as-group", "other", "--as-group", group)
        assert answer.code == 0, answer.err
        assert set(contents(client, namespace)) == {("Node", "r1")}


def test_an_exec_plugin_gives_the_token(bed: Bed, tmp_path: Path) -> None:
    with bed.namespace() as namespace:
        token = bed.service_account(namespace, "plugged")
        place = kubeconfig_with_plugin(
            bed,
            tmp_path,
            f"""
            echo '{{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
                    "status": {{"token": "{token}"}}}}'
        """,
        )
        answer = c9s(bed, "rights", "check", "--check", kubeconfig=place)
    assert answer.code == 1
    assert "missing: list pods" in answer.out


def test_an_exec_plugin_that_fails_says_why(bed: Bed, lab: str, tmp_path: Path) -> None:
    place = kubeconfig_with_plugin(bed, tmp_path, "echo 'log in first' >&2; exit 1")
    answer = c9s(bed, "apply", "-f", lab, kubeconfig=place)
    assert_one_error(answer, "the credential plugin", "log in first")


def kubeconfig_with_plugin(bed: Bed, folder: Path, script: str) -> Path:
    plugin = folder / "plugin"
    plugin.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    plugin.chmod(0o755)
    config = json.loads(bed.access.kubeconfig())
    how = {"apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never"}
    config["users"][0]["user"] = {"exec": how | {"command": "./plugin"}}
    place = folder / "kubeconfig"
    place.write_text(json.dumps(config), encoding="utf-8")
    return place
