"""Licences: what is allowed, what is found out, and the page and the file of texts."""

from __future__ import annotations

import json
import re
from email.message import Message
from importlib import import_module
from typing import TYPE_CHECKING

import inventory
import licences
import lock
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from inventory import Package, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = inventory.load()
ALLOWED = set(licences.rules()["allowed"])
SOME = st.sampled_from(
    ["MIT", "ISC", "GPL-3.0-only", "AGPL-3.0-only", "Apache-2.0 WITH LLVM-exception"]
)
OSI = "License :: OSI Approved ::"
FINE = {"MIT", "ISC", "Apache-2.0 WITH LLVM-exception"}


def test_every_licence_is_allowed_and_none_is_allowed_for_nothing() -> None:
    assert list(licences.refused(PACKAGES, ALLOWED)) == []
    named = [package.licence for package in PACKAGES]
    named += [part.licence for package in PACKAGES for part in package.parts]
    assert [one for one in sorted(ALLOWED) if not any(one in licence for licence in named)] == []


@pytest.mark.parametrize(
    "licence", ["GPL-3.0-only", "AGPL-3.0-or-later", "SSPL-1.0", "", "my own", "MIT AND"]
)
def test_a_licence_that_is_strong_or_unknown_is_refused(licence: str) -> None:
    inner = Part("inner", "2", licence, "pkg:cargo/inner@2")
    outer = Package("outer", "1", licence, [], [])
    holder = Package("holder", "1", "MIT", [], [inner])
    assert list(licences.refused([outer, holder], ALLOWED)) == [
        f"outer 1: licence {licence or 'unknown'}",
        f"holder 1: licence {licence or 'unknown'} of inner in it",
    ]


@given(SOME, SOME, SOME)
def test_of_a_choice_one_has_to_be_allowed_and_of_a_sum_all(one: str, two: str, three: str) -> None:
    a, b, c = (name in FINE for name in (one, two, three))
    assert licences.permitted(f"{one} OR {two}", FINE) == (a or b)
    assert licences.permitted(f"{one} AND {two}", FINE) == (a and b)
    assert licences.permitted(f"({one} OR {two}) AND {three}", FINE) == ((a or b) and c)
    assert licences.permitted(f"{one} OR {two} AND {three}", FINE) == (a or (b and c))


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ([("License-Expression", "mit")], "MIT"),
        ([("License-Expression", "MIT"), ("License", "GPL-3.0-only")], "MIT"),
        ([("License", "Apache-2.0")], "Apache-2.0"),
        ([("License", "MIT/Apache-2.0")], "MIT OR Apache-2.0"),
        ([("License", "Apache 2.0"), ("Classifier", f"{OSI} Apache Software License")], "Apache-2.0"),
        ([("Classifier", f"{OSI} BSD License")], ""),
        ([("License", "see the file")], ""),
        ([], ""),
    ],
)  # fmt: skip
def test_metadata_gives_a_licence_only_where_it_names_one(
    fields: list[tuple[str, str]], found: str
) -> None:
    metadata = Message()
    for name, value in fields:
        metadata[name] = value
    assert lock.licence(metadata) == found


def test_what_a_wheel_says_is_inside_it_is_taken_without_the_place_of_its_build() -> None:
    place = "?download_url=file://."
    parts: list[dict[str, object]] = [
        {
            "name": "ahash",
            "licenses": [{"expression": "MIT/Apache-2.0"}],
            "purl": f"pkg:cargo/ahash@1{place}",
        },
        {"name": "x", "purl": "pkg:cargo/x@1"},
        {"name": "y", "licenses": [{"license": {"id": "ISC"}}], "purl": "pkg:cargo/y@1"},
    ]
    bom = json.dumps({"components": [{"version": "1", **one} for one in parts]})
    assert lock.components(bom) == [
        Part("ahash", "1", "MIT OR Apache-2.0", "pkg:cargo/ahash@1"),
        Part("x", "1", "", "pkg:cargo/x@1"),
        Part("y", "1", "ISC", "pkg:cargo/y@1"),
    ]


def test_the_page_is_fresh_and_names_every_package_and_part() -> None:
    page = licences.PAGE.read_text(encoding="utf-8")
    assert page == licences.page(PACKAGES)
    for package in PACKAGES:
        assert f"| {package.name} | {package.version} | {package.licence} |\n" in page
        assert all(f" {part.name} {part.version}" in page for part in package.parts)


def test_the_file_has_a_text_for_every_package() -> None:
    texts = licences.TEXTS.read_text(encoding="utf-8")
    assert list(licences.without_text(PACKAGES, texts)) == []
    assert all(len(body) > 300 for body in bodies(texts)), "a name is no text"
    newer = Package(PACKAGES[0].name, "999", "MIT", [], [])
    (found,) = licences.without_text([newer], texts)
    assert f"no text of {newer.name} 999 (MIT)" in found


def bodies(texts: str) -> Iterator[str]:
    yield from re.split(rf"^{licences.HEADER}\n.*\n{licences.HEADER}$", texts, flags=re.MULTILINE)[
        1:
    ]


def test_libyaml_is_listed_in_the_version_that_is_in_pyyaml() -> None:
    (package,) = (one for one in PACKAGES if one.name == "pyyaml")
    if yaml.__version__ != package.version:
        pytest.skip(f"PyYAML {package.version} is not what is installed here")
    (part,) = package.parts
    assert (part.name, part.version) == (
        "libyaml",
        import_module("yaml._yaml").get_version_string(),
    )
