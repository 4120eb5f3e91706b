"""Files of ``snapshot``: how they are written, and that ``diagnose`` reads them as it reads the cluster."""

from __future__ import annotations

import json
import os
import stat
import tarfile
from typing import TYPE_CHECKING

import pytest
from snapshot_sample import OBJECTS, diagnosed
from snapshot_server import AT, Lists
from split_lab import command

from kubectl_c9s.diagnosis.dump import WANTED

if TYPE_CHECKING:
    from pathlib import Path

    import jsonschema_rs
    from snapshot_plugin import Serve

pytest_plugins = ["snapshot_plugin"]


def test_the_diagnosis_of_a_snapshot_is_that_of_the_cluster(
    serve_lists: Serve, tmp_path: Path
) -> None:
    _, run = serve_lists(Lists(OBJECTS))
    live = run("diagnose", "-o", "json")
    for name in ("it.json", "it.tar.gz", "it.tgz"):
        assert run("snapshot", "--output-file", str(tmp_path / name)).code == 0
        assert diagnosed("-f", str(tmp_path / name)) == (live.code, json.loads(live.out))


def test_all_that_diagnose_a_snapshot_see_the_same_from_stdin(
    serve_lists: Serve, tmp_path: Path
) -> None:
    _, run = serve_lists(Lists(OBJECTS))
    path = tmp_path / "it.tar.gz"
    assert run("snapshot", "--output-file", str(path)).code == 0
    piped = command("diagnose", "-o", "json", "-f", "-", stdin=path.read_bytes())
    assert json.loads(piped.out) == diagnosed("-f", str(path))[1]
    tree = command("status", "-o", "json", "-f", str(path))
    assert tree.code == 0, tree.err


def test_an_unpacked_archive_is_read_as_a_directory(serve_lists: Serve, tmp_path: Path) -> None:
    _, run = serve_lists(Lists(OBJECTS))
    path = tmp_path / "it.tar.gz"
    assert run("snapshot", "--output-file", str(path)).code == 0
    with tarfile.open(path) as archive:
        names = archive.getnames()
        archive.extractall(tmp_path, filter="data")
    assert names[0] == "snapshot/header.json"
    assert names[1:] == [f"snapshot/{kind}.json" for kind in sorted(WANTED)]
    assert diagnosed("-f", str(tmp_path / "snapshot")) == diagnosed("-f", str(path))


def test_every_part_of_an_archive_keeps_the_schema(
    serve_lists: Serve, snapshot_schema: jsonschema_rs.Validator, tmp_path: Path
) -> None:
    _, run = serve_lists(Lists(OBJECTS))
    path = tmp_path / "it.tar.gz"
    assert run("snapshot", "--redact", "--output-file", str(path)).code == 0
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            snapshot_schema.validate(json.load(file))


def test_the_same_cluster_gives_the_same_bytes(serve_lists: Serve, tmp_path: Path) -> None:
    for name in ("a.tar.gz", "b.tar.gz"):
        _, run = serve_lists(Lists(OBJECTS))
        assert run("snapshot", "--output-file", str(tmp_path / name)).code == 0
    assert (tmp_path / "a.tar.gz").read_bytes() == (tmp_path / "b.tar.gz").read_bytes()


@pytest.mark.parametrize("name", ["it.json", "it.tar.gz"])
def test_a_file_is_replaced_whole_and_only_the_user_can_read_it(
    serve_lists: Serve, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"before")
    path.chmod(0o644)
    _, run = serve_lists(Lists(OBJECTS))
    answer = run("snapshot", "--output-file", str(path))
    assert (answer.code, answer.out) == (0, "")
    assert f"11 kinds at {AT}" in answer.err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [name]
    assert diagnosed("-f", str(path))[1]["at"] == AT


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("{0}/it.yaml", "ends neither in"), ("{0}", "ends neither in"), ("{0}/none/it.json", "there is no directory"),
        ("{0}/folder.json", "no regular file"), ("{0}/pipe.json", "no regular file"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_is_refused_before_anybody_is_asked(
    serve_lists: Serve, tmp_path: Path, target: str, words: str
) -> None:
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    server, run = serve_lists(Lists(OBJECTS))
    answer = run("snapshot", "--output-file", target.format(tmp_path))
    assert answer.code == 2
    assert words in answer.err
    assert server.requests == []


def test_two_snapshots_are_not_taken_for_one(serve_lists: Serve, tmp_path: Path) -> None:
    _, run = serve_lists(Lists(OBJECTS))
    for name in ("a.json", "b.tar.gz"):
        assert run("snapshot", "--output-file", str(tmp_path / name)).code == 0
    answer = command("diagnose", "-f", str(tmp_path))
    assert answer.code == 1
    assert (
        f"b.tar.gz: snapshot/header.json: there are two snapshots, of {AT} and {AT}" in answer.err
    )
    assert "hint: name one of them" in answer.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            b'{"kind":"List","c9sSnapshot":{"version":2,"at":"x","collected":[]},"items":[]}',
            "needs a newer",
        ),
        (b'{"kind":"List","c9sSnapshot":{"at":"x"},"items":[]}', "no list of objects"),
        (b"\x1f\x8b\x08nonsense", "no archive of a snapshot"),
    ],
)
def test_a_snapshot_that_is_not_understood_is_refused_by_name(
    tmp_path: Path, text: bytes, words: str
) -> None:
    path = tmp_path / "it.json"
    path.write_bytes(text)
    answer = command("diagnose", "-f", str(path))
    assert answer.code == 1
    assert f"error: {path}" in answer.err
    assert words in answer.err
