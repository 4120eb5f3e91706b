"""The pages of ``measure report`` and ``measure compare`` in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browser_page import Page, browser, find_browser, new_page
from run_samples import Wish, cancelled_run, changed, lab_run, plain_run
from split_lab import command

from kubectl_c9s.measurement.run import Device, Run
from kubectl_c9s.measurement.runfile import write_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVIL = "<script>document.title='evil'</script><img src=http://127.0.0.1:9/x>\u202e"
BIG = Wish(devices=1000, hosts=100, batch=100)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with browser() as found:
        yield found


@pytest.fixture
def page(port: int) -> Iterator[Page]:
    with new_page(port) as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory with pages of all sorts."""
    folder = tmp_path_factory.mktemp("pages")
    small = Wish(devices=60, hosts=6, batch=20)
    evil = Device("ns", EVIL, host=EVIL, stamps={"pod": 5.0, "scheduled": 5.0, "ready": 9.0})
    wicked = changed(lab_run(small), notes=(EVIL,))
    wicked = changed(wicked, devices=(*wicked.devices, evil), expected=61)
    runs = {
        "lab": [lab_run(small)],
        "big": [lab_run(BIG)],
        "several": [lab_run(small), plain_run(small), cancelled_run(small)],
        "nothing": [Run(verdict="deadline", expected=0, elapsed=0.0)],
        "evil": [wicked],
    }
    for name, some in runs.items():
        files = [folder / f"{name}-{number}.json" for number in range(len(some))]
        for file, run in zip(files, some, strict=True):
            file.write_bytes(write_run(run))
        _write(folder / f"{name}.html", "report", *map(str, files))
    for number, boot in enumerate((19.0, 20.0, 40.0, 41.0)):
        file = folder / f"side{number // 2}" / f"{number}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(
            write_run(lab_run(Wish(devices=60, hosts=6, batch=20, seed=number, boot=boot)))
        )
    _write(folder / "compare.html", "compare", str(folder / "side0"), str(folder / "side1"))
    return folder


def _write(target: Path, *arguments: str) -> None:
    answer = command("measure", *arguments, "-o", "html", "--output-file", str(target))
    assert (answer.code, answer.err) == (0, "")


PAGES = ("lab", "big", "several", "nothing", "evil", "compare")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_for_nothing_and_says_nothing(page: Page, folder: Path, name: str) -> None:
    file = folder / f"{name}.html"
    for scheme in ("light", "dark"):
        page.open(file, scheme=scheme)
    assert page.asked == [file.as_uri()] * 2
    assert page.said == []


def test_a_page_that_does_ask_and_complain_would_be_noticed(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "loud.html"
    file.write_text("<img src=other.png><script>console.error('no'); nothing()</script>")
    page.open(file)
    assert len(page.asked) == 2
    assert len(page.said) >= 2


@pytest.mark.parametrize("name", ["lab", "compare"])
def test_light_dark_and_paper_each_have_their_looks(page: Page, folder: Path, name: str) -> None:
    looks = {}
    for scheme, media in (("light", "screen"), ("dark", "screen"), ("dark", "print")):
        page.open(folder / f"{name}.html", scheme=scheme, media=media)
        looks[scheme, media] = page.shot()
        page.run("document.body.style.visibility = 'hidden'")
        assert page.shot() != looks[scheme, media], "nothing was to be seen"
    assert len(set(looks.values())) == 3
    colours = []
    for scheme, media in looks:
        page.open(folder / f"{name}.html", scheme=scheme, media=media)
        colours.append(page.run("getComputedStyle(document.body).backgroundColor"))
    assert colours == ["rgb(255, 255, 255)", "rgb(13, 17, 23)", "rgb(255, 255, 255)"]
    paper = page.paper()
    assert paper.startswith(b"%PDF")
    assert len(paper) > 10_000


def test_plots_have_words_and_tables_stand_beside_them(page: Page, folder: Path) -> None:
    page.open(folder / "lab.html")
    plots = page.run(
        "[...document.querySelectorAll('svg')].map(svg => [svg.getAttribute('role'), "
        "...svg.getAttribute('aria-labelledby').split(' ').map(id => document.getElementById(id).textContent)])"
    )
    assert len(plots) == 11
    assert all(role == "img" and title and told for role, title, told in plots)
    ids = page.run("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    captions = page.run("[...document.querySelectorAll('caption')].map(one => one.textContent)")
    for title in ("All stages", "Hosts", "Progress by stamped times", "Conditions"):
        assert any(caption.startswith(title) for caption in captions)
    rows = page.run(
        "document.querySelectorAll('table').length && document.querySelectorAll('tbody tr').length"
    )
    assert rows > 100


def test_a_plot_draws_what_the_run_has(page: Page, folder: Path) -> None:
    page.open(folder / "lab.html")
    bands = page.run("document.querySelectorAll('#r1-progress-stamped-t ~ g .band').length")
    assert bands == 3
    high = page.run(
        "Math.abs(document.querySelector('#r1-progress-stamped-t ~ g path.ready[d*=L]').getBBox().height - 230)"
    )
    assert high < 1, "all are ready in the end"


def test_columns_can_be_sorted(page: Page, folder: Path) -> None:
    page.open(folder / "big.html")
    click = (
        "(() => {{ const table = [...document.querySelectorAll('table')].find(one => "
        "one.caption.textContent.startsWith('Hosts')); "
        "table.tHead.rows[0].cells[6].firstElementChild.click(); "
        "return [...table.tBodies[0].rows].map(row => parseFloat(row.cells[6].textContent)); }})()"
    )
    up, down = page.run(click.format()), page.run(click.format())
    assert len(up) == 100
    assert up == sorted(up)
    assert down == sorted(up, reverse=True)


def test_a_page_says_all_without_scripts(page: Page, folder: Path) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.open(folder / "lab.html")
    text = page.markup()
    assert text.count("<svg") == 11
    assert "<button" not in text
    assert "pod-&gt;ready" in text


def test_names_of_a_recording_stay_text(page: Page, folder: Path) -> None:
    page.open(folder / "evil.html")
    assert page.run("document.title").startswith("Recorded start")
    assert page.run("document.querySelectorAll('img').length") == 0
    assert page.run("document.scripts.length") == 1
    text = page.run("document.body.innerText")
    assert text.count("<script>document.title='evil'</script>") == 2, (
        "the note, and the row of the host"
    )
    assert "\u202e" not in text


@pytest.mark.parametrize(("ci", "outcome"), [("", "Skipped"), ("1", "Failed")])
def test_without_a_browser_tests_are_skipped_but_not_in_ci(
    ci: str, outcome: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(BaseException, match="no browser") as raised:
        find_browser()
    assert type(raised.value).__name__ == outcome


def test_a_thousand_devices_on_a_hundred_hosts_are_a_small_page(folder: Path) -> None:
    assert (folder / "big.html").stat().st_size < 2_000_000


def test_several_starts_are_reached_from_the_top(page: Page, folder: Path) -> None:
    page.open(folder / "several.html")
    links = page.run("[...document.querySelectorAll('nav a')].map(one => one.getAttribute('href'))")
    assert {"#r1", "#r2", "#r3"} <= set(links)
    assert all(page.run(f"!!document.querySelector('{link}')") for link in links)
