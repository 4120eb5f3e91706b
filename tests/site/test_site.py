"""The site is built without a warning, asks nobody else for anything, and all its links lead somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from browser_page import browser, new_page
from site_pages import dead_links, from_elsewhere, site_pages

ROOT = Path(__file__).parents[2]
SOURCES = ("docs", "mkdocs.yml", "CONTRIBUTING.md", "tests/checks/site_hooks.py")


def build(checkout: Path, site: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(site), *flags]
    return subprocess.run(
        command, cwd=checkout, env={"NO_MKDOCS_2_WARNING": "1", "LANG": "C.UTF-8"},
        check=False, capture_output=True, text=True,
    )  # fmt: skip


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site").resolve()
    done = build(ROOT, place, "--strict")
    assert done.returncode == 0, done.stderr
    return place


def test_every_page_becomes_a_page(site: Path) -> None:
    wanted = {
        path.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
    }
    wanted = {name.replace("README.html", "index.html") for name in wanted}
    found = {path.relative_to(site).as_posix() for path in site_pages(site)}
    assert found - {"404.html"} == wanted | {"contributing.html"}


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    assert list(from_elsewhere(site)) == []


@pytest.mark.parametrize("name", ["index.html", "tutorial.html", "reference/causes.html"])
def test_a_browser_asks_for_nothing_but_files_of_the_site(site: Path, name: str) -> None:
    with browser() as port, new_page(port) as page:
        page.open(site / name)
        assert page.run("document.querySelector('h1').innerText")
        asked = set(page.asked)
    assert [one for one in asked if not one.startswith((site.as_uri(), "data:", "blob:"))] == []
    assert any(one.endswith(".css") for one in asked)


def test_links_and_their_places_are_there(site: Path) -> None:
    assert list(dead_links(site)) == []


def test_readers_do_not_see_how_pages_are_tested(site: Path) -> None:
    marker = re.compile(r"<!-- *(checked|run|not run|prepare)\b")
    seen = [
        path.name for path in site_pages(site) if marker.search(path.read_text(encoding="utf-8"))
    ]
    assert seen == []


def test_schemas_are_part_of_the_site(site: Path) -> None:
    names = {path.name for path in (ROOT / "docs/schemas").iterdir()}
    assert {path.name for path in (site / "schemas").glob("*.json")} == names


def test_a_page_that_nobody_finds_and_links_that_lead_nowhere_are_errors(tmp_path: Path) -> None:
    for name in SOURCES:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    text = "# Lost\n\n[gone](gone.md) [no place](cli.md#nowhere) [outside](../setup.cfg)\n"
    (tmp_path / "docs/lost.md").write_text(text, encoding="utf-8")
    done = build(tmp_path, tmp_path / "site", "--strict")
    assert done.returncode != 0
    assert re.search(r"not included in the .nav.*\n.*lost\.md", done.stderr)
    assert "contains a link 'gone.md'" in done.stderr
    assert "nowhere" in done.stderr
    assert "setup.cfg" not in done.stderr


def test_what_is_fetched_and_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("@import 'https://fonts.example/x.css';", encoding="utf-8")
    page = (
        '<link rel="stylesheet" href="//cdn.example/a.css"><script src="https://cdn.example/a.js"></script>'
        '<style>b { background: url("https://cdn.example/b.png") }</style><link rel="canonical" href="https://own.example">'
        '<a href="https://other.example">fine</a><a href="gone.html">x</a><a href="#gone">x</a>'
        '<a id="here" href="#here">x</a>'
    )
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    assert len(list(from_elsewhere(tmp_path))) == 4
    assert list(dead_links(tmp_path)) == [
        "page.html: gone.html: no such file",
        "page.html: #gone: no such place",
    ]
