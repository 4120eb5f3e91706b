"""Secrets: what would stand in clear text, and what comes from a Secret instead; staging.md D."""

from __future__ import annotations

import hashlib
import shlex
from typing import TYPE_CHECKING

import pytest
from bare_lab import Answer, Directory

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "name: lab\ntopology:\n  defaults: {kind: linux}\n  nodes: "
PEM = "-----BEGIN RSA PRIVATE KEY-----\nabc\n"


def lab(top: Path, nodes: str, files: dict[str, str | bytes] | None = None) -> Directory:
    return Directory(top, f"{HEAD}{nodes}\n", files)


def warned(answer: Answer) -> list[str]:
    return [path for code, path in answer.warned() if code == "secret-in-clear-text"]


@pytest.mark.parametrize(
    ("node", "files", "path"),
    [
        ("license: f", {"f": "x"}, "license"),
        ('license: "a\\nb"', {}, "license"),
        ('binds: ["a.key:/k"]', {"a.key": "x"}, "binds[0]"),
        ('binds: ["d:/k"]', {"d/x.pem": "x"}, "binds[0]"),
        ('binds: ["d:/k"]', {"d/.ssh/id_ed25519": "x"}, "binds[0]"),
        ('binds: ["d:/k"]', {"d/plain.txt": PEM}, "binds[0]"),
        ('binds: ["d:/k"]', {"d/x": "-----BEGIN OPENSSH PRIVATE KEY-----\n"}, "binds[0]"),
        ("startup-config: f", {"f": f"system\n{PEM}"}, "startup-config"),
        ("env-files: [f]", {"f": "A=1"}, "env-files[0]"),
    ],
)
def test_secrets_in_clear_text_are_warned_of(
    node: str, files: dict[str, str | bytes], path: str, tmp_path: Path
) -> None:
    answer = lab(tmp_path, f"{{n: {{{node}}}}}", files).accepted()
    assert warned(answer) == [f"topology.nodes.n.{path}"]
    assert len(answer.of("ConfigMap")) == 1
    (message,) = [
        one["message"] for one in answer.warnings if one["code"] == "secret-in-clear-text"
    ]
    assert "--files-from-secret" in message


@pytest.mark.parametrize("name", ["public.crt", "a.cfg", "keys", "x.key.txt", "id_rsa.pub"])
def test_other_files_are_not(name: str, tmp_path: Path) -> None:
    data = "-----BEGIN CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\n"
    assert warned(lab(tmp_path, f'{{n: {{binds: ["{name}:/x"]}}}}', {name: data}).accepted()) == []


def test_a_shared_secret_is_warned_of_once_also_when_a_bind_comes_first(tmp_path: Path) -> None:
    answer = lab(
        tmp_path, "{a: {binds: ['f:/f']}, b: {license: f}, c: {license: ./f}}", {"f": ""}
    ).accepted()
    assert warned(answer) == ["topology.nodes.b.license"]


def test_env_files_are_said_to_be_refused_later(tmp_path: Path) -> None:
    answer = lab(tmp_path, "{n: {env-files: [f, d]}}", {"f": "", "d/a": "", "d/b": ""}).accepted()
    assert [path for code, path in answer.warned() if code == "env-files-refused"] == [
        "topology.nodes.n.env-files[0]",
        "topology.nodes.n.env-files[1]",
    ]


SECRETS = {"keys/a.key": "1", "keys/b.key*": "2", "more/a.key": "3", "plain": "4", "lic": "5"}


def test_matching_files_come_from_a_secret_and_make_no_config_map(tmp_path: Path) -> None:
    nodes = "{n: {license: ./lic, binds: ['keys:/k', 'plain:/p']}, m: {binds: ['keys/a.key:/a', 'more:/m']}}"
    flags = ["--files-from-secret", "*.key=keys", "--files-from-secret", "lic=licences"]
    answer = lab(tmp_path, nodes, {**SECRETS}).accepted(*flags)
    assert list(answer.staged("n")) == ["plain"]
    assert answer.entries("n", "filesFromSecret") == [
        {"filePath": "keys/a.key", "secretName": "keys", "secretPath": "a.key", "mode": "read"},
        {"filePath": "keys/b.key", "secretName": "keys", "secretPath": "b.key", "mode": "execute"},
        {"filePath": "./lic", "secretName": "licences", "secretPath": "lic", "mode": "read"},
    ]
    other = f"a.key-{hashlib.sha256(b'more/a.key').hexdigest()[:8]}"
    # Nodes in name order: the first to name a file decides on its key.
    assert [one["secretPath"] for one in answer.entries("m", "filesFromSecret")] == ["a.key", other]
    assert len(answer.of("ConfigMap")) == 1
    assert warned(answer) == []


def test_the_way_to_create_the_secret_is_said(tmp_path: Path) -> None:
    answer = lab(tmp_path, "{n: {license: ./a/lic}}", {"a/lic": "1"}).accepted(
        "--files-from-secret", "a/*=one"
    )
    (note,) = [note for note in answer.notes() if "Secret" in note]
    command = shlex.split(note[note.index("kubectl create") :])
    wanted = "kubectl create secret generic one -n c9s-lab --from-file=lic=a/lic"
    assert shlex.join(command) == wanted


def test_the_way_to_create_the_secret_is_safe_to_copy(tmp_path: Path) -> None:
    answer = lab(tmp_path, '{n: {binds: ["d:/d"]}}', {"d/a b; $(id)": "1"}).accepted(
        "--files-from-secret", "d/*=one"
    )
    (note,) = [note for note in answer.notes() if "Secret" in note]
    (last,) = shlex.split(note[note.index("kubectl create") :])[7:]
    assert last == "--from-file=a-b-id-=d/a b; $(id)"


def test_a_pattern_may_match_the_path_as_shown_or_cleaned(tmp_path: Path) -> None:
    for pattern in ("./a/*", "a/*"):
        answer = lab(tmp_path, "{n: {license: ./a/lic}}", {"a/lic": "1"}).accepted(
            "--files-from-secret", f"{pattern}=s"
        )
        assert (answer.of("ConfigMap"), warned(answer)) == ({}, [])


def test_an_inline_text_stays_in_its_config_map(tmp_path: Path) -> None:
    """There is no file to make a Secret of."""
    answer = lab(tmp_path, '{n: {license: "a\\nb", startup-config: "c\\nd"}}').accepted(
        "--files-from-secret", "*=s"
    )
    assert len(answer.staged("n")) == 2
    assert "filesFromSecret" not in answer.node("n")


def test_files_of_a_secret_are_looked_at_all_the_same(tmp_path: Path) -> None:
    answer = lab(tmp_path, "{n: {license: gone.key}}").refused("--files-from-secret", "*.key=s")
    assert answer.codes() == [("missing-file", "topology.nodes.n.license")]


def test_odd_names_become_keys_that_a_secret_can_have(tmp_path: Path) -> None:
    names = ["a b.key", "ä.key", "..c.key", "x" * 250 + ".key", "a-b.key"]
    answer = lab(
        tmp_path, "{n: {binds: ['d:/d']}}", {f"d/{name}": name for name in names}
    ).accepted("--files-from-secret", "*.key=s")
    keys = [one["secretPath"] for one in answer.entries("n", "filesFromSecret")]
    assert len(set(keys)) == 5
    for key in keys:
        assert 0 < len(key) <= 253
        assert not key.startswith("..")
        assert set(key) <= set("-._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
