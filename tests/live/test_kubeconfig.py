"""How flags, environment and kubeconfig files become a connection; no server is asked (conventions.md §2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubectl_c9s.cluster.errors import BadConnection
from kubectl_c9s.cluster.kubeconfig import load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from kubectl_c9s.cluster.kubeconfig import Settings


def config(folder: Path, name: str, current: str = "", **more: Any) -> str:
    """Write a kubeconfig with one cluster, user and context, all called like the file."""
    user = {"token": f"token-of-{name}"} | more.get("user", {})
    body = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": current or name,
        "clusters": [{"name": name, "cluster": {"server": f"http://{name}.example"}}],
        "users": [{"name": name, "user": {key: user[key] for key in user if user[key]}}],
        "contexts": [
            {"name": name, "context": {"cluster": name, "user": name} | more.get("context", {})}
        ],
    }
    path = folder / name
    path.write_text(json.dumps(body), encoding="utf-8")
    return str(path)


def settings(environment: dict[str, str] | None = None, **flags: Any) -> Settings:
    return load_settings(flags, environment or {})


def seen(found: Settings) -> tuple[str, str | None]:
    """Give server and credentials."""
    bearer = found.configuration.auth_settings().get("BearerToken")
    return found.configuration.host, bearer and bearer["value"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_the_flag_beats_the_environment_and_that_beats_the_home(home: Path) -> None:
    kube = home / ".kube"
    kube.mkdir()
    config(home, "h")
    (home / "h").rename(kube / "config")
    environment = {"KUBECONFIG": config(home, "e")}
    flag = config(home, "f")
    assert seen(settings()) == ("http://h.example", "Bearer token-of-h")
    assert seen(settings(environment)) == ("http://e.example", "Bearer token-of-e")
    assert seen(settings(environment, kubeconfig=flag)) == ("http://f.example", "Bearer token-of-f")


def test_of_a_list_of_files_the_first_wins_and_missing_ones_are_passed_over(home: Path) -> None:
    one = config(home, "one", context={"namespace": "first"})
    other = home / "other"
    other.mkdir()
    again = config(other, "one", context={"namespace": "second"})
    two = config(home, "two")
    environment = {"KUBECONFIG": f"{home / 'none'}:{one}:{again}:{two}"}
    assert seen(settings(environment))[0] == "http://one.example"
    assert settings(environment).namespace == "first"
    assert seen(settings(environment, context="two"))[0] == "http://two.example"
    assert settings(environment, context="two").namespace == "default"


def test_cluster_and_user_can_be_mixed(home: Path) -> None:
    environment = {"KUBECONFIG": f"{config(home, 'one')}:{config(home, 'two')}"}
    assert seen(settings(environment, cluster="two")) == (
        "http://two.example",
        "Bearer token-of-one",
    )
    assert seen(settings(environment, user="two")) == ("http://one.example", "Bearer token-of-two")


@pytest.mark.parametrize("flag", ["context", "cluster", "user"])
def test_an_unknown_name_is_refused(home: Path, flag: str) -> None:
    environment = {"KUBECONFIG": config(home, "one")}
    with pytest.raises(BadConnection, match="nope"):
        settings(environment, **{flag: "nope"})


def test_server_and_token_beat_the_file_and_stay(home: Path) -> None:
    environment = {"KUBECONFIG": config(home, "one")}
    found = settings(environment, server="http://flag.example", token="given")  # noqa: S106 - no secret
    assert seen(found) == ("http://flag.example", "Bearer given")
    assert seen(found) == ("http://flag.example", "Bearer given")


def test_a_server_without_any_file() -> None:
    assert seen(settings(server="http://flag.example")) == ("http://flag.example", None)


def test_nothing_at_all_says_what_to_set() -> None:
    with pytest.raises(BadConnection) as refused:
        settings()
    assert "KUBECONFIG" in str(refused.value.hint)


def test_tls_flags_are_taken(home: Path) -> None:
    found = settings(
        {"KUBECONFIG": config(home, "one")},
        certificate_authority="/ca",
        client_certificate="/cert",
        client_key="/key",
        tls_server_name="name",
        insecure_skip_tls_verify=True,
    ).configuration
    assert (found.ssl_ca_cert, found.cert_file, found.key_file) == ("/ca", "/cert", "/key")
    assert (found.tls_server_name, found.verify_ssl) == ("name", False)


def test_whom_to_act_as_comes_from_flags_or_the_file(home: Path) -> None:
    plain = {"KUBECONFIG": config(home, "one")}
    acting = {"as": "somebody", "as-groups": ["a", "b"], "as-uid": "7"}
    with_as = {"KUBECONFIG": config(home, "two", user=acting)}
    assert settings(plain).headers == []
    assert settings(plain, as_user="x", as_group=("a", "b,c")).headers == [
        ("Impersonate-User", "x"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b,c"),
    ]
    assert settings(with_as).headers == [
        ("Impersonate-User", "somebody"),
        ("Impersonate-Uid", "7"),
        ("Impersonate-Group", "a"),
        ("Impersonate-Group", "b"),
    ]
    assert settings(with_as, as_user="x").headers == [("Impersonate-User", "x")]


def test_relative_paths_are_relative_to_their_file(home: Path) -> None:
    (home / "token").write_text("from-a-file", encoding="utf-8")
    path = config(home, "one", user={"token": "", "tokenFile": "token"})
    assert seen(settings({"KUBECONFIG": path}))[1] == "Bearer from-a-file"


def plugin(home: Path, script: str) -> str:
    path = home / "plugin"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    how = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(path)}
    return config(home, "one", user={"token": "", "exec": how})


def test_an_exec_plugin_gives_the_token(home: Path) -> None:
    answer = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": "plugged"},
    }
    path = plugin(home, f"echo '{json.dumps(answer)}'")
    assert seen(settings({"KUBECONFIG": path})) == ("http://one.example", "Bearer plugged")


@pytest.mark.parametrize("script", ["exit 1", "echo nonsense", "echo 'please log in' >&2; exit 3"])
def test_an_exec_plugin_that_gives_nothing_is_an_error(
    home: Path, script: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = plugin(home, script)
    with pytest.raises(BadConnection, match="credential plugin"):
        settings({"KUBECONFIG": path})
    assert capfd.readouterr().err == ""


def test_inside_a_cluster_the_mounted_files_are_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mount = home / "serviceaccount"
    mount.mkdir()
    for name, text in (("token", "mounted"), ("ca.crt", "pem"), ("namespace", "inside\n")):
        (mount / name).write_text(text, encoding="utf-8")
    where = "kubernetes.config.incluster_config"
    monkeypatch.setattr(f"{where}.SERVICE_TOKEN_FILENAME", str(mount / "token"))
    monkeypatch.setattr(f"{where}.SERVICE_CERT_FILENAME", str(mount / "ca.crt"))
    monkeypatch.setattr("kubectl_c9s.cluster.kubeconfig.IN_CLUSTER", str(mount))
    environment = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = settings(environment)
    assert seen(found) == ("https://10.0.0.1:443", "bearer mounted")
    assert found.namespace == "inside"
    assert found.configuration.ssl_ca_cert == str(mount / "ca.crt")
    outside = settings({**environment, "KUBECONFIG": config(home, "one")})
    assert seen(outside)[0] == "http://one.example"


@pytest.mark.parametrize("text", ["", "[]", "a: [", "clusters: 7", "contexts: [{}]"])
def test_a_broken_file_is_one_error(home: Path, text: str) -> None:
    path = home / "broken"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadConnection):
        settings(kubeconfig=str(path))
