from __future__ import annotations

import errno
import itertools
import os
import stat
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from rendered_lab import (
    FOREIGN,
    PAGES,
    add_foreign_files,
    config_map,
    demo,
    identities,
    link,
    listing,
    node,
    profile,
    rendering,
    tree,
)

from kubectl_c9s.files.compare import Rendering
from kubectl_c9s.files.directory import Outcome, replace
from kubectl_c9s.yamlio.layout import arrange

if TYPE_CHECKING:
    from pathlib import Path

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.layout import Layout

R1, R2 = "nodes/r1.yaml", "nodes/r2.yaml"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "labs/demo"


def write(
    directory: Path, objects: list[KubeObject], layout: Layout = "by-kind", *, prune: bool = False
) -> Outcome:
    (outcome,) = replace([(directory, rendering(objects, layout))], prune=prune)
    return outcome


def test_a_directory_that_is_not_there_is_made_with_its_parents(directory: Path) -> None:
    outcome = write(directory, demo())
    assert sorted(outcome.new) == sorted(files(directory))
    assert len(outcome.new) == len(demo()) + PAGES + 1
    assert listing(directory.parent) == ["demo"]


def files(directory: Path) -> list[str]:
    return [path for path, entry in tree(directory).items() if entry[0] != "folder"]


def test_new_files_and_folders_have_the_modes_the_user_wants_for_new_ones(directory: Path) -> None:
    before = os.umask(0o027)
    try:
        write(directory, demo())
    finally:
        os.umask(before)
    modes = {entry[:2] for entry in tree(directory).values()}
    assert modes == {("file", 0o640), ("folder", 0o750)}
    assert stat.S_IMODE(directory.stat().st_mode) == 0o750


def test_a_second_run_touches_nothing(directory: Path) -> None:
    write(directory, demo())
    before = (directory.stat().st_ino, directory.stat().st_mtime_ns, identities(directory))
    outcome = write(directory, demo())
    assert outcome.is_up_to_date
    assert outcome.unchanged == len(demo()) + PAGES + 1
    after = (directory.stat().st_ino, directory.stat().st_mtime_ns, identities(directory))
    assert after == before


def test_unchanged_files_stay_the_same_files(directory: Path) -> None:
    write(directory, demo())
    before = {path: (directory / path).stat() for path in files(directory)}
    outcome = write(directory, demo("alpine:4"))
    after = {path: (directory / path).stat() for path in files(directory)}
    changed = {path for path, info in after.items() if info.st_ino != before[path].st_ino}
    assert changed == set(outcome.changed) == {R1, ".c9s-inventory"}
    assert all(
        after[path].st_mtime_ns == info.st_mtime_ns
        for path, info in before.items()
        if path not in changed
    )


def test_a_changed_file_and_all_folders_keep_their_modes(directory: Path) -> None:
    write(directory, demo())
    (directory / R1).chmod(0o604)
    (directory / "nodes").chmod(0o711)
    directory.chmod(0o755)
    write(directory, demo("alpine:4"))
    assert stat.S_IMODE((directory / R1).stat().st_mode) == 0o604
    assert stat.S_IMODE((directory / "nodes").stat().st_mode) == 0o711
    assert stat.S_IMODE(directory.stat().st_mode) == 0o755


def test_what_is_not_ours_stays_as_it_is(directory: Path) -> None:
    directory.mkdir(parents=True)
    add_foreign_files(directory)
    os.utime(directory / "notes", (1, 1))
    before, was = identities(directory), {name: (directory / name).lstat() for name in FOREIGN}
    outcome = write(directory, demo())
    assert outcome.foreign == len(FOREIGN)
    for image in ("a", "b"):
        write(directory, demo(image), prune=True)
    after = identities(directory)
    for name in FOREIGN:
        assert after[name][:3] == before[name][:3]
        assert (directory / name).lstat().st_mtime_ns == was[name].st_mtime_ns
        assert after[name][3] == before[name][3] or after[name][0] == "link"
    assert after["notes/empty"][:2] == ("folder", 0o750)
    assert (directory / "notes").stat().st_mtime == 1


def test_where_files_cannot_be_linked_they_are_copied_faithfully(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(directory, demo())
    (directory / "plan").write_bytes(b"x" * 3_000_000)
    (directory / "plan").chmod(0o751)
    os.utime(directory / "plan", ns=(10**18 + 7, 10**18 + 7))
    before = {path: (directory / path).stat() for path in (R2, "plan")}
    content = tree(directory)
    monkeypatch.setattr(os, "link", cannot_link)
    write(directory, demo("alpine:4"))
    for path, info in before.items():
        after = (directory / path).stat()
        assert after.st_ino != info.st_ino
        assert (after.st_mtime_ns, after.st_mode) == (info.st_mtime_ns, info.st_mode)
        assert tree(directory)[path] == content[path]
    assert listing(directory.parent) == ["demo"]


def cannot_link(*_: object, **__: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def test_labs_in_one_parent_leave_each_other_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "demo", tmp_path / "demo.c9s-0123456789abcdef"
    jobs = [(first, rendering(demo())), (second, rendering(demo(), lab="other"))]
    replace(jobs)
    before = identities(second)
    write(first, demo("alpine:4"))
    assert identities(second) == before
    replace(jobs)
    assert listing(tmp_path) == sorted([first.name, second.name])


def test_two_places_give_the_same_bytes(tmp_path: Path) -> None:
    for place in ("a", "b/c"):
        write(tmp_path / place, demo(), "by-node")
    assert tree(tmp_path / "a") == tree(tmp_path / "b/c")


def test_a_run_in_steps_ends_where_a_run_at_once_does(tmp_path: Path) -> None:
    write(tmp_path / "once", demo(third=True), "by-node")
    for objects, layout in ((demo(), "by-kind"), (demo("x"), "by-node"), (demo(), "by-kind")):
        write(tmp_path / "steps", objects, layout)  # type: ignore[arg-type]
    write(tmp_path / "steps", demo(third=True), "by-node", prune=True)
    assert tree(tmp_path / "once") == tree(tmp_path / "steps")


def test_one_text_at_a_time_is_held_in_memory(directory: Path) -> None:
    heads = [config_map(f"file-{number:02}", "") for number in range(40)]
    texts = [(head, lambda: "x" * 1_000_000) for head in heads]
    lab = Rendering("demo", "", "by-kind", arrange(texts, "demo", "by-kind"))
    tracemalloc.start()
    try:
        for _ in range(2):
            replace([(directory, lab)])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8_000_000


def test_a_large_lab_is_written_and_changed_as_a_small_one(directory: Path) -> None:
    names = [f"r{number}" for number in range(90)]
    links = [link(a, b) for a, b in itertools.pairwise(names)]
    objects = [profile("demo"), *links, *map(node, names)]
    write(directory, objects, "by-node")
    outcome = write(
        directory, [profile("demo"), *links, *(node(n, image="b") for n in names)], "by-node"
    )
    assert len(outcome.changed) == len(names) + 1
    assert listing(directory.parent) == ["demo"]
