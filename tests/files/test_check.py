from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rendered_lab import PAGES, add_foreign_files, demo, identities, listing, rendering, tree

from kubectl_c9s.files.directory import check, replace
from kubectl_c9s.files.unified import file_diff
from kubectl_c9s.resources.errors import C9sError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kubectl_c9s.yamlio.layout import Layout

R1 = "nodes/r1.yaml"
AS_GIT_SHOWS_IT = """\
diff --git a/nodes/r1.yaml b/nodes/r1.yaml
--- a/nodes/r1.yaml
+++ b/nodes/r1.yaml
@@ -8,7 +8,7 @@
   - configMapName: demo-file-0
     configMapPath: file
     filePath: demo-file-0
-  image: alpine:3
+  image: alpine:4
   kind: linux
   profileRef:
     name: demo
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    found = tmp_path / "labs/demo"
    replace([(found, rendering(demo()))])
    return found


def diff(
    directory: Path, *, prune: bool = False, layout: Layout = "by-kind", image: str = "x"
) -> str:
    return "".join(check(directory, rendering(demo(image), layout), prune=prune))


def test_nothing_is_said_of_a_directory_that_is_up_to_date(directory: Path) -> None:
    add_foreign_files(directory)
    assert diff(directory, image="alpine:3") == ""


def test_a_change_is_shown_as_git_shows_it(directory: Path) -> None:
    shown = diff(directory, image="alpine:4")
    before, after, _ = shown.partition("diff --git a/.c9s-inventory b/.c9s-inventory\n")
    assert before == AS_GIT_SHOWS_IT
    assert after != ""


def test_a_directory_that_is_not_there_is_shown_as_new(tmp_path: Path) -> None:
    for place in ("missing", "missing/too"):
        shown = diff(tmp_path / place)
        assert shown.count("new file mode 100644\n--- /dev/null\n") == len(demo()) + PAGES + 1
    assert listing(tmp_path) == []


def test_a_check_writes_nothing(directory: Path) -> None:
    (directory / "mine").touch()
    before = (directory.parent.stat().st_mtime_ns, identities(directory.parent))
    assert diff(directory, prune=True, layout="by-node") != ""
    assert (directory.parent.stat().st_mtime_ns, identities(directory.parent)) == before


def test_stale_files_are_shown_as_deleted_only_when_they_are_to_be_pruned(directory: Path) -> None:
    replace([(directory, rendering(demo(third=True)))])
    replace([(directory, rendering(demo()))])
    assert diff(directory, image="alpine:3") == ""
    shown = diff(directory, image="alpine:3", prune=True)
    assert shown.count("deleted file mode 100644\n") == 2
    assert "+++ /dev/null\n" in shown


def test_an_inventory_that_lies_is_out_of_date(directory: Path) -> None:
    inventory = directory / ".c9s-inventory"
    text = inventory.read_text(encoding="utf-8")
    inventory.write_text(text.replace("c9s-demo", "c9s-other"), encoding="utf-8")
    assert '-  "namespace": "c9s-other",\n+  "namespace": "c9s-demo",\n' in diff(
        directory, image="alpine:3"
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("layout", ["by-kind", "by-node"])
@pytest.mark.parametrize("prune", [False, True])
def test_git_apply_makes_of_the_diff_what_a_run_makes(
    directory: Path, *, layout: Layout, prune: bool
) -> None:
    replace([(directory, rendering(demo(third=True)))])
    (directory / R1).write_bytes(b"by hand\r\nwithout an end")
    shown = diff(directory, layout=layout, prune=prune)
    patched = directory.parent / "patched"
    subprocess.run(["cp", "-R", str(directory), str(patched)], check=True)  # noqa: S607
    subprocess.run(["git", "init", "-q", str(patched)], check=True)  # noqa: S607
    subprocess.run(["git", "apply"], cwd=patched, input=shown.encode(), check=True)  # noqa: S607
    replace([(directory, rendering(demo("x"), layout))], prune=prune)
    assert contents(patched) == contents(directory)


def contents(directory: Path) -> dict[str, object]:
    return {
        path: entry[2]
        for path, entry in tree(directory).items()
        if entry[0] == "file" and not path.startswith(".git/")
    }


def test_a_prefix_stands_before_every_path(directory: Path) -> None:
    shown = "".join(check(directory, rendering(demo("x")), prefix="demo/"))
    assert shown.startswith("diff --git a/demo/nodes/r1.yaml b/demo/nodes/r1.yaml\n")


def test_a_directory_that_is_replaced_under_the_reader_is_an_error(directory: Path) -> None:
    lines = check(directory, rendering(demo("x")))
    next(lines)
    replace([(directory, rendering(demo("y")))])
    with pytest.raises(C9sError):
        list(lines)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a\0b", b"x" * 5_000_000])
def test_what_cannot_be_shown_is_said_to_differ(directory: Path, data: bytes) -> None:
    (directory / R1).write_bytes(data)
    assert f"Binary files a/{R1} and b/{R1} differ\n" in diff(directory)


LINES = st.lists(st.sampled_from(["a", "b", "c", " d", "-", "\\", "\u2028", "\x0b"]), max_size=30)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_one_text_to_the_other(old: str, new: str) -> None:
    assert patched(old, file_diff("x", old.encode(), new.encode())) == new


def test_large_texts_without_likeness_are_shown_as_replaced() -> None:
    old, new = ("".join(f"{letter}{n % 7}\n" for n in range(9_000)) for letter in "ab")
    shown = list(file_diff("x", f"head\n{old}".encode(), f"head\n{new}".encode()))
    assert shown[3:6] == ["@@ -1,9001 +1,9001 @@\n", " head\n", "-a0\n"]
    assert patched(f"head\n{old}", iter(shown)) == f"head\n{new}"


def patched(text: str, diff: Iterator[str]) -> str:
    """Apply a diff the simple way, with no trust in it: what it keeps or removes must be there."""
    old = lines(text)
    new: list[str] = []
    at = 0
    hunks = lines("".join(diff))
    while hunks and not hunks[0].startswith("@@"):
        del hunks[0]
    for line, after in zip(hunks, [*hunks[1:], ""], strict=False):
        if line.startswith("\\"):
            continue
        if line.startswith("@@"):
            start, _, length = line.split()[1][1:].partition(",")
            until = int(start) - (length != "0")
            new += old[at:until]
            at = until
            continue
        content = line[1:-1] if after.startswith("\\") else line[1:]
        if line[0] in " -":
            assert old[at] == content
            at += 1
        if line[0] in " +":
            new.append(content)
    return "".join(new + old[at:])


def lines(text: str) -> list[str]:
    *whole, last = text.split("\n")
    return [*(line + "\n" for line in whole), *([last] if last else [])]
