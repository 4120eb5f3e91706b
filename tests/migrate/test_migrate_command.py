"""``migrate`` as a command: where the result goes, what is written and when, exit codes."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pytest
from migrate_tools import OLD_GROUP, manifest
from split_lab import command

if TYPE_CHECKING:
    from pathlib import Path

OLD = f"# ours\n{manifest('LauncherProfile', 'resources: {}  # none')}".encode()
NEW = OLD.replace(b"LauncherProfile", b"NodeProfile")
LOSING = manifest("LauncherProfile", "imagePull: {dockerConfig: x}\nresources: {}\n").encode()
REFUSED = manifest("ImageRequest", "{}", OLD_GROUP).encode()
OTHER = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
LAB = b"name: lab\ntopology: {nodes: {r1: {kind: linux}}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.yaml").write_bytes(OLD)
    (tmp_path / "other.yaml").write_bytes(OTHER)
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "lab.clab.yml").write_bytes(LAB)
    (tmp_path / "deeper" / "old.yaml").write_bytes(OLD)
    return tmp_path


def test_one_file_is_printed_and_stays(folder: Path) -> None:
    answer = command("migrate", "-f", str(folder / "old.yaml"))
    assert (answer.code, answer.out.encode(), answer.err) == (0, NEW, "")
    assert (folder / "old.yaml").read_bytes() == OLD


def test_files_are_printed_as_one_stream(folder: Path) -> None:
    answer = command("migrate", "-f", str(folder), "-R")
    assert answer.code == 0
    assert answer.out.encode() == b"---\n".join([LAB, NEW, NEW, OTHER])


def test_in_place_writes_what_changes_and_nothing_else(folder: Path) -> None:
    (folder / "old.yaml").chmod(0o640)
    before = (folder / "other.yaml").stat()
    answer = command("migrate", "-f", str(folder), "-R", "--in-place")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == (
        f"{folder}/deeper/old.yaml changed\n{folder}/old.yaml changed\nnote: 4 file(s) read, 2 changed\n"
    )
    assert [path.read_bytes() for path in sorted(folder.rglob("old.yaml"))] == [NEW, NEW]
    assert stat.S_IMODE((folder / "old.yaml").stat().st_mode) == 0o640
    after = (folder / "other.yaml").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_second_run_changes_nothing(folder: Path) -> None:
    arguments = ["migrate", "-f", str(folder), "-R", "--in-place"]
    command(*arguments)
    answer = command(*arguments)
    assert (answer.code, answer.err) == (0, "note: 4 file(s) read, 0 changed\n")
    assert command("migrate", "-f", str(folder), "-R", "--check").code == 0


def test_check_shows_the_difference_and_writes_nothing(folder: Path) -> None:
    answer = command("migrate", "-f", str(folder), "--check")
    assert answer.code == 1
    assert "-kind: LauncherProfile\n+kind: NodeProfile\n" in answer.out
    assert answer.out.count("diff --git") == 1
    assert (folder / "old.yaml").read_bytes() == OLD


def test_the_result_goes_to_a_file(folder: Path) -> None:
    result = folder / "result.yaml"
    answer = command("migrate", "-f", str(folder / "old.yaml"), "--output-file", str(result))
    assert (answer.code, answer.out) == (0, "")
    assert result.read_bytes() == NEW


def test_one_file_that_is_refused_keeps_all_from_being_written(folder: Path) -> None:
    (folder / "refused.yaml").write_bytes(REFUSED)
    for flags in (["--in-place"], ["--output-file", str(folder / "result.yaml")], [], ["--check"]):
        answer = command("migrate", "-f", str(folder), *flags)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.endswith("error: nothing written, 1 error(s) found\n")
    assert (folder / "old.yaml").read_bytes() == OLD
    assert not (folder / "result.yaml").exists()


def test_a_warning_refuses_only_on_request(tmp_path: Path) -> None:
    file, report = tmp_path / "a.yaml", tmp_path / "report.json"
    file.write_bytes(LOSING)
    refused = command("migrate", "-f", str(file), "--in-place", "--fail-on-warning")
    assert (refused.code, file.read_bytes()) == (1, LOSING)
    taken = command("migrate", "-f", str(file), "--in-place", "--report", str(report))
    assert taken.code == 0
    assert file.read_bytes() == manifest("NodeProfile", "resources: {}").encode()
    (found,) = json.loads(report.read_text(encoding="utf-8"))["warnings"]
    assert (found["code"], found["file"], found["line"]) == ("lost-setting", str(file), 6)


@pytest.mark.parametrize(
    "flags",
    [
        ["-f", "nowhere.yaml"],
        ["-f", "-", "--in-place"],
        ["-f", "-", "-f", "-"],
        ["-f", "-", "--check", "--output-file", "x"],
        [],
    ],
)
def test_a_wrong_command_line_ends_with_2(flags: list[str]) -> None:
    answer = command("migrate", *flags, stdin=OLD)
    assert (answer.code, answer.out) == (2, "")


def test_what_cannot_be_written_is_an_error_of_its_own(folder: Path) -> None:
    answer = command(
        "migrate", "-f", str(folder / "old.yaml"), "--output-file", f"{folder}/no/x.yaml"
    )
    assert answer.code == 3
    assert "cannot write" in answer.err


def test_broken_yaml_is_refused_with_its_place(folder: Path) -> None:
    (folder / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    answer = command("migrate", "-f", str(folder), "--in-place")
    assert answer.code == 1
    assert f"{folder}/broken.yaml:2:1: error: not valid YAML" in answer.err
    assert (folder / "old.yaml").read_bytes() == OLD


@pytest.mark.parametrize(
    "text",
    [
        NEW,
        OTHER,
        LAB,
        b"",
        b"# only a comment",
        b"\xef\xbb\xbf" + NEW.replace(b"\n", b"\r\n"),
        b"a: &a {b: c}\nd: *a\n",
    ],
)
def test_what_is_not_old_comes_out_byte_for_byte(text: bytes) -> None:
    answer = command("migrate", "-f", "-", stdin=text)
    assert (answer.code, answer.out.encode(), answer.err) == (0, text, "")


def test_line_ends_and_the_byte_order_mark_stay() -> None:
    old = b"\xef\xbb\xbf" + OLD.replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    answer = command("migrate", "-f", "-", stdin=old)
    assert answer.out.encode() == old.replace(b"LauncherProfile", b"NodeProfile")


def test_items_of_a_list_and_all_documents_are_migrated() -> None:
    item = "\n".join(
        f"{'- ' if not number else '  '}{line}"
        for number, line in enumerate(manifest("LauncherProfile", "resources: {}").splitlines())
    )
    listed = f"apiVersion: v1\nkind: List\nitems:\n{item}\n"
    typed = f"apiVersion: {OLD_GROUP}\nkind: LauncherProfileList\nitems: []\n"
    answer = command("migrate", "-f", "-", stdin=f"{listed}---\n{typed}".encode())
    today = typed.replace(OLD_GROUP, "c9s.run/v1alpha1")
    assert answer.out == f"{listed}---\n{today}".replace("LauncherProfile", "NodeProfile")


def test_json_stays_json() -> None:
    old = json.loads(
        '{"apiVersion": "c9s.run/v1alpha1", "kind": "LauncherProfile", "metadata": {"name": "a"},'
        '"spec": {"expose": {"disableExpose": true}, "deployment": {"launcherImage": "x"}}}'
    )
    for indent in (None, 2):
        answer = command("migrate", "-f", "-", stdin=json.dumps(old, indent=indent).encode())
        assert json.loads(answer.out) == {
            **old,
            "kind": "NodeProfile",
            "spec": {"expose": {"exposeType": "None"}},
        }


@pytest.mark.parametrize(
    "spec",
    [
        "spec: &s {deployment: {launcherImage: x}}\nx: *s\n",
        "base: &b {deployment: {launcherImage: x}}\nspec: {<<: *b}\n",
        "spec:\n  deployment: {launcherImage: &i x}\n  scheduling: {nodeSelector: {a: *i}}\n",
    ],
)
def test_what_another_place_shares_is_refused_rather_than_changed_there(spec: str) -> None:
    text = manifest("LauncherProfile", "").replace("spec:\n", spec)
    answer = command("migrate", "-f", "-", stdin=text.encode())
    assert (answer.code, answer.out) == (1, "")
    assert "[shared-value]" in answer.err
