"""What an archive holds: licences, nothing of the machine it was made on, the same bytes each time."""

from __future__ import annotations

import marshal
import re
import subprocess
import tarfile
from email.parser import Parser
from typing import TYPE_CHECKING

import pytest
from release_tools import HERE, PYTHON, ROOT, make
from release_wheels import LEFT_OUT, LOCK, PLATFORMS, PYTHONS, bundled

if TYPE_CHECKING:
    from pathlib import Path

# The machine of a compiled file: (magic number, offset of the machine, machine) as ELF and Mach-O have it.
MACHINES = {
    "linux/amd64": (b"\x7fELF", 18, b"\x3e\x00"),
    "linux/arm64": (b"\x7fELF", 18, b"\xb7\x00"),
    "darwin/amd64": (b"\xcf\xfa\xed\xfe", 4, b"\x07\x00\x00\x01"),
    "darwin/arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
}
FOR_BOTH = b"\xca\xfe\xba\xbe"  # a file for both machines of macOS


def test_entries_are_sorted_of_nobody_and_of_one_time(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        entries = tar.getmembers()
    names = [one.name for one in entries]
    assert len(names) > 500
    assert {(one.uid, one.gid, one.uname, one.gname) for one in entries} == {(0, 0, "", "")}
    assert {one.mtime for one in entries} == {315532800}
    assert {oct(one.mode) for one in entries} == {"0o644", "0o755"}
    assert all(one.isfile() or one.isdir() for one in entries), "krew unpacks nothing else"
    assert [one for one in names if one.startswith("/") or ".." in one.split("/")] == []
    assert names == sorted(names, key=lambda one: one.split("/"))


def test_the_licence_and_those_of_what_is_bundled_are_there(program: Path) -> None:
    folder = program.parent
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (folder / "README.md").is_file()
    texts = (folder / "THIRD-PARTY-LICENSES.txt").read_text(encoding="utf-8")
    found = set()
    for metadata in folder.glob("lib/*/*.dist-info/METADATA"):
        head = Parser().parsestr(metadata.read_text(encoding="utf-8"), headersonly=True)
        found.add((re.sub(r"[-_.]+", "-", str(head["Name"])).lower(), str(head["Version"])))
    pinned = set(
        re.findall(r"^([\w.-]+)==(\S+)", bundled(LOCK.read_text(encoding="utf-8")), re.MULTILINE)
    )
    own = {one for one in found if one[0] == "kubectl-c9s"}
    assert found - own == pinned, "what the lock has, in its versions"
    assert len(own) == 1
    headings = {tuple(one) for one in re.findall(r"^([\w.-]+) (\S+) \(", texts, re.MULTILINE)}
    assert pinned <= headings


def test_what_is_left_out_is_in_the_lock() -> None:
    pinned = set(re.findall(r"^([\w.-]+)==", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    assert pinned >= LEFT_OUT, "take out of LEFT_OUT what the lock no longer has"
    kept = set(re.findall(r"^([\w.-]+)==", bundled(LOCK.read_text(encoding="utf-8")), re.MULTILINE))
    assert kept == pinned - LEFT_OUT


def test_nothing_names_the_machine_it_was_made_on(program: Path) -> None:
    compiled = list(program.parent.rglob("*.pyc"))
    assert compiled
    for path in compiled:
        source = (
            path.relative_to(program.parent).parent.parent / f"{path.stem.partition('.')[0]}.py"
        )
        code = marshal.loads(path.read_bytes()[16:])  # noqa: S302 - made by the test itself
        assert code.co_filename == str(source)
    assert list(program.parent.rglob("direct_url.json")) == []
    assert list(program.parent.rglob("RECORD")) == []


def test_bytecode_is_never_checked_against_its_source(program: Path) -> None:
    compiled = list(program.parent.rglob(f"*.cpython-{PYTHON.replace('.', '')}.pyc"))
    sources = list((program.parent / "lib/common").rglob("*.py"))
    assert len(compiled) >= len(sources)
    # PEP 552: bit 0 says that there is a hash, bit 1 that it is checked.
    assert {one.read_bytes()[4:8] for one in compiled} == {b"\x01\0\0\0"}


def test_the_sums_are_those_of_the_archives(archive: Path) -> None:
    command = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(command, check=True, cwd=archive.parent, capture_output=True, text=True)
    assert done.stdout == f"{archive.name}: OK\n"


@pytest.mark.full
def test_two_builds_give_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    arguments = [f"--platform={HERE}", f"--python={PYTHON}"]
    (again,) = make(tmp_path / "again", *arguments, PYTHONHASHSEED="7", TZ="Asia/Tokyo")
    assert again.read_bytes() == archive.read_bytes()
    (later,) = make(tmp_path / "later", *arguments, SOURCE_DATE_EPOCH="1700000000")
    assert later.read_bytes() != archive.read_bytes()


@pytest.mark.full
def test_every_platform_has_an_archive_with_what_is_compiled_for_it(tmp_path: Path) -> None:
    archives = {one.name: one for one in make(tmp_path)}
    assert len(archives) == len(PLATFORMS)
    for platform in PLATFORMS:
        (name,) = [
            one for one in archives if one.endswith(f"_{platform.os}_{platform.arch}.tar.gz")
        ]
        magic, offset, machine = MACHINES[platform.name]
        places = set()
        with tarfile.open(archives[name]) as tar:
            for entry in tar:
                if entry.name.endswith(".so"):
                    content = tar.extractfile(entry)
                    assert content is not None
                    head = content.read(32)
                    found = head[: len(magic)], head[offset : offset + len(machine)]
                    assert found == (magic, machine) or head.startswith(FOR_BOTH), entry.name
                    places.add(entry.name.split("/")[1])
        assert places == {"abi3", *(platform.folder(python) for python in PYTHONS)}
