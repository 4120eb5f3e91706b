"""Reads pages of the built site: what a browser would fetch, where links lead, what they can lead to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Attributes for which a browser asks by itself, by element. A link of ``rel`` canonical or the like fetches nothing.
FETCHED: Final = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
}
FETCHING: Final = {
    "stylesheet",
    "preconnect",
    "dns-prefetch",
    "preload",
    "modulepreload",
    "icon",
    "manifest",
}
STYLE_URL: Final = re.compile(r"""(?:@import\s*|url\()\s*["']?([^"')\s;]+)""")


@dataclass
class SitePage(HTMLParser):
    """A page: ``fetched`` are addresses, ``links`` those of anchors, ``names`` the targets inside it."""

    path: Path
    fetched: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        text = self.path.read_text(encoding="utf-8")
        self.fetched += STYLE_URL.findall(
            "".join(re.findall(r"<style.*?</style>", text, re.DOTALL))
        )
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element fetches, where it leads, and what it is called."""
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and not FETCHING & set(given.get("rel", "").split()):
            return
        self.fetched += [given[key] for key in FETCHED.get(tag, ()) if key in given]


def site_pages(site: Path) -> dict[Path, SitePage]:
    """Read all pages of a site."""
    return {path: SitePage(path) for path in sorted(site.rglob("*.html"))}


def from_elsewhere(site: Path) -> Iterator[str]:
    """Name what pages and styles fetch from other sites."""
    for path, page in site_pages(site).items():
        yield from (f"{path.name}: {one}" for one in page.fetched if is_elsewhere(one))
    for path in sorted(site.rglob("*.css")):
        found = STYLE_URL.findall(path.read_text(encoding="utf-8"))
        yield from (f"{path.name}: {one}" for one in found if is_elsewhere(one))


def is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in {"http", "https"} or bool(parts.netloc)


def dead_links(site: Path) -> Iterator[str]:
    """Name the links that lead to no file of the site, or to no place on its page."""
    pages = site_pages(site)
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are for any depth
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            goal = goal / "index.html" if goal.is_dir() else goal
            if not goal.exists():
                yield f"{path.relative_to(site)}: {link}: no such file"
            elif (
                parts.fragment
                and goal in pages
                and unquote(parts.fragment) not in pages[goal].names
            ):
                yield f"{path.relative_to(site)}: {link}: no such place"
