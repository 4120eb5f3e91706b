"""Files given by URL: refused, or fetched by the device when their digest is known; staging.md B1, D."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bare_lab import Directory, placed

if TYPE_CHECKING:
    from pathlib import Path


def lab(top: Path, nodes: str) -> Directory:
    head = "name: lab\ntopology:\n  defaults: {kind: linux}\n  nodes: "
    return Directory(top, f"{head}{nodes}\n")


URL = "https://files.example.org/lab/r1.partial.cfg?raw=1#top"
DIGEST = "sha256:" + "0123456789abcdef" * 4


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/x",
        URL,
        "ftp://a.example/x",
        "sftp://h/x",
        "scp://h/x",
        "s3://b/x",
        "HTTPS://a/x",
    ],
)
@pytest.mark.parametrize("field", ["startup-config", "license"])
def test_a_url_is_refused_with_two_remedies(url: str, field: str, tmp_path: Path) -> None:
    found = lab(tmp_path, f'{{n: {{{field}: "{url}"}}}}')
    answer = found.refused()
    assert answer.codes() == [("remote-file", f"topology.nodes.n.{field}")]
    assert placed(answer.errors[0]) == found.place(f'"{url}')
    assert "commit the file" in answer.errors[0]["message"]
    assert "--url-digest" in answer.errors[0]["message"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (URL, "r1.partial.cfg"),
        ("http://files.example.org/x", "x"),
        ("https://files.example.org:8443/a/b/c.lic", "c.lic"),
        ("https://files.example.org/a%20b/c%2Dd.cfg", "c-d.cfg"),
        ("https://files.example.org/dir/", "dir"),
        ("https://8.8.8.8/x", "x"),
        ("https://[2606:4700::1111]/x", "x"),
    ],
)
@pytest.mark.parametrize("field", ["startup-config", "license"])
def test_a_url_with_a_digest_is_fetched_by_the_device(
    url: str, name: str, field: str, tmp_path: Path
) -> None:
    answer = lab(tmp_path, f'{{N_1: {{{field}: "{url}"}}}}').accepted(
        "--url-digest", f"{url}={DIGEST}"
    )
    path = f"/clabernetes/N_1/{field}/{name}"
    assert answer.entries("n-1", "filesFromURL") == [
        {"filePath": path, "url": url, "digest": DIGEST}
    ]
    assert answer.node("n-1")[field] == path
    assert answer.of("ConfigMap") == {}


def test_variables_in_a_url_are_replaced_first(tmp_path: Path) -> None:
    url = "https://files.example.org/r1.cfg"
    found = lab(tmp_path, "{r1: {startup-config: https://files.example.org/__clabNodeName__.cfg}}")
    answer = found.accepted("--url-digest", f"{url}={DIGEST}")
    assert [one["url"] for one in answer.entries("r1", "filesFromURL")] == [url]


@pytest.mark.parametrize(
    ("url", "digest", "word"),
    [
        ("ftp://files.example.org/x", DIGEST, "http"),
        ("s3://bucket.example.org/x", DIGEST, "http"),
        ("https://user:pw@files.example.org/x", DIGEST, "credentials"),
        ("https://user@files.example.org/x", DIGEST, "credentials"),
        ("https://a@b@files.example.org/x", DIGEST, "credentials"),
        ("https://localhost/x", DIGEST, "public"),
        ("https://server/x", DIGEST, "public"),
        ("https://server./x", DIGEST, "public"),
        ("https://a.local/x", DIGEST, "public"),
        ("https://a.svc.cluster.local/x", DIGEST, "public"),
        ("https://127.0.0.1/x", DIGEST, "public"),
        ("https://10.1.2.3:8080/x", DIGEST, "public"),
        ("https://172.31.0.1/x", DIGEST, "public"),
        ("https://192.168.1.1/x", DIGEST, "public"),
        ("https://169.254.169.254/x", DIGEST, "public"),
        ("https://100.64.0.1/x", DIGEST, "public"),
        ("https://0.0.0.0/x", DIGEST, "public"),
        ("https://2130706433/x", DIGEST, "public"),
        ("https://0x7f000001/x", DIGEST, "public"),
        ("https://0x7f.1/x", DIGEST, "public"),
        ("https://[::1]/x", DIGEST, "public"),
        ("https://[fe80::1]/x", DIGEST, "public"),
        ("https:///x", DIGEST, "public"),
        (URL, "sha256:abc", "digest"),
        (URL, DIGEST.upper(), "digest"),
        (URL, "md5:" + "0" * 64, "digest"),
        ("https://files.example.org", DIGEST, "file name"),
        ("https://files.example.org/", DIGEST, "file name"),
        ("https://files.example.org/a/..", DIGEST, "file name"),
    ],
)
def test_a_url_the_manager_would_not_fetch_is_refused(
    url: str, digest: str, word: str, tmp_path: Path
) -> None:
    answer = lab(tmp_path, f'{{n: {{startup-config: "{url}"}}}}').refused(
        "--url-digest", f"{url}={digest}"
    )
    assert answer.codes() == [("remote-file", "topology.nodes.n.startup-config")]
    assert word in answer.errors[0]["message"]


def test_a_url_elsewhere_is_a_path_that_does_not_exist(tmp_path: Path) -> None:
    answer = lab(tmp_path, '{n: {env-files: ["https://a.example/x"]}}').refused()
    assert answer.codes() == [("missing-file", "topology.nodes.n.env-files[0]")]
