"""Archives of texts: the same bytes for the same texts, and nothing but texts comes out of a file of somebody else."""

from __future__ import annotations

import gzip
import io
import tarfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_c9s.files import archive
from kubectl_c9s.files.archive import packed, unpacked
from kubectl_c9s.files.dumpfiles import texts_at, texts_in
from kubectl_c9s.resources.errors import RefusedInput, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXTS = [("header", b"{}"), ("nodes.c9s.run", b'{"items":[]}' * 999), ("pods", b"")]
MOMENT = 1_790_000_000.0
SMALL = packed(TEXTS, MOMENT)


def read(data: bytes) -> dict[str, bytes]:
    return dict(unpacked(data, "it.tar.gz"))


def tar_of(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """Make an archive of members as they are."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as made:
        for member, text in members:
            member.size = member.size or len(text)
            made.addfile(member, io.BytesIO(text.ljust(member.size, b"\0")))
    return gzip.compress(buffer.getvalue())


def info(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def test_texts_come_out_as_they_went_in() -> None:
    assert read(SMALL) == {f"it.tar.gz: snapshot/{name}.json": text for name, text in TEXTS}


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z.]{0,20}", fullmatch=True), st.binary(max_size=3000), max_size=6
    )
)
def test_any_texts_come_out_as_they_went_in(texts: dict[str, bytes]) -> None:
    found = read(packed(texts.items(), MOMENT))
    assert list(found.items()) == [
        (f"it.tar.gz: snapshot/{name}.json", text) for name, text in texts.items()
    ]


def test_the_same_texts_give_the_same_bytes() -> None:
    assert packed(TEXTS, MOMENT) == SMALL
    with tarfile.open(fileobj=io.BytesIO(SMALL)) as found:
        facts = {(one.uid, one.gid, one.uname, one.gname, one.mtime, one.mode) for one in found}
    assert facts == {(0, 0, "", "", int(MOMENT), 0o600)}


def test_what_tar_has_made_by_hand_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pods.json").write_bytes(b"{}")
    (folder / "notes.txt").write_bytes(b"not this")
    with tarfile.open(tmp_path / "mine.tar.gz", "w:gz") as made:
        made.add(folder, "./mine")
    data = (tmp_path / "mine.tar.gz").read_bytes()
    assert [name.rpartition("/")[2] for name in read(data)] == ["pods.json"]
    assert list(read(data).values()) == [b"{}"]


@pytest.mark.parametrize(
    ("member", "words"),
    [
        (info("../../etc/cron.d/x.json"), "leads out"),
        (info("/etc/passwd.json"), "leads out"),
        (info("a/../../b.json"), "leads out"),
        (info("a.json", tarfile.SYMTYPE, "/etc/shadow"), "no regular file"),
        (info("a.json", tarfile.LNKTYPE, "b.json"), "no regular file"),
        (info("a.json", tarfile.CHRTYPE), "no regular file"),
        (info("a.json", tarfile.BLKTYPE), "no regular file"),
        (info("a.json", tarfile.FIFOTYPE), "no regular file"),
    ],
)
def test_only_plain_files_inside_it_are_taken(member: tarfile.TarInfo, words: str) -> None:
    with pytest.raises(RefusedInput, match=words) as caught:
        read(tar_of((info("first.json"), b"{}"), (member, b"")))
    assert caught.value.message.startswith("it.tar.gz: ")


def test_a_sparse_file_is_none() -> None:
    member = info("a.json", tarfile.GNUTYPE_SPARSE)
    with pytest.raises(RefusedInput, match=r"no regular file|no archive"):
        read(tar_of((member, b"{}"), form=tarfile.GNU_FORMAT))


def test_a_file_that_says_it_is_huge_is_not_read() -> None:
    member = info("a.json")
    header = member.tobuf(tarfile.GNU_FORMAT)
    member.size = 1 << 40
    data = gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + header)
    with pytest.raises(RefusedInput, match="holds more than"):
        read(data)


def test_a_header_without_end_is_not_read() -> None:
    member = info("a.json", tarfile.XHDTYPE)
    member.size = 300 << 20
    data = gzip.compress(member.tobuf(tarfile.USTAR_FORMAT) + bytes(64 << 20))
    assert len(data) < 1 << 20
    with pytest.raises(RefusedInput, match="holds more than its files"):
        read(data)


def test_filling_without_end_is_not_read() -> None:
    plain = gzip.decompress(SMALL)
    with pytest.raises(RefusedInput, match="holds more than its files"):
        read(gzip.compress(plain + bytes(64 << 20)))


def test_all_files_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 5 << 20)
    texts = [(f"a{number}", bytes(1 << 20)) for number in range(7)]
    with pytest.raises(RefusedInput, match="holds more than"):
        read(packed(texts, MOMENT))


def test_there_may_not_be_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 3)
    assert len(read(SMALL)) == 3
    with pytest.raises(RefusedInput, match="more than 3 files"):
        read(packed([*TEXTS, ("more", b"")], MOMENT))


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b""), gzip.compress(b"{}"), archive.MAGIC, archive.MAGIC + b"\x08\x00 rubbish",
        gzip.compress(b'{"apiVersion":"v1","kind":"List","items":[]}' * 99),
    ],
)  # fmt: skip
def test_what_is_no_archive_is_refused_with_its_name(data: bytes) -> None:
    with pytest.raises(RefusedInput, match=r"^it\.tar\.gz"):
        read(data)


@pytest.mark.parametrize("cut", [1, 8, 9, 40, len(SMALL) // 2, len(SMALL) - 12])
def test_a_part_of_an_archive_is_refused(cut: int) -> None:
    with pytest.raises(RefusedInput):
        read(SMALL[:-cut])


@given(st.integers(10, len(SMALL) - 1), st.integers(1, 255))
def test_a_damaged_archive_is_refused(place: int, change: int) -> None:
    data = bytearray(SMALL)
    data[place] ^= change
    with pytest.raises(RefusedInput):
        read(bytes(data))


def test_a_text_is_known_by_its_first_bytes_not_its_name() -> None:
    assert list(texts_in(b"{}", "x.tar.gz")) == [("x.tar.gz", b"{}")]
    assert len(list(texts_in(SMALL, "<stdin>"))) == 3


def test_a_directory_may_hold_texts_and_archives(tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_bytes(SMALL)
    (tmp_path / "a.json").write_bytes(b"{}")
    (tmp_path / "c.tgz").write_bytes(SMALL)
    (tmp_path / "d.yaml").write_bytes(b"x")
    names = [name.removeprefix(str(tmp_path)) for name, _ in texts_at(str(tmp_path))]
    parts = [f"snapshot/{name}.json" for name, _ in TEXTS]
    assert names == [
        "/a.json",
        *[f"/b.tar.gz: {one}" for one in parts],
        *[f"/c.tgz: {one}" for one in parts],
    ]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.mkdir(), "has no .json or .tar.gz"),
        (lambda path: None, "cannot read"),  # noqa: ARG005 - one that is not there
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, make: Callable[[Path], None], words: str
) -> None:
    path = tmp_path / "it"
    make(path)
    with pytest.raises(UsageError, match=words) as caught:
        list(texts_at(str(path)))
    assert str(path) in caught.value.message
