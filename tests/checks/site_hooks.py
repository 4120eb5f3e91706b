"""What mkdocs does besides: pages from outside ``docs/``, long lists in the navigation, no markers of tests.

Links that lead out of ``docs/`` hold on a Git host. On the site those to CONTRIBUTING.md and README.md lead to the
pages made of them, and of others the text is left.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parents[2]
# Pages of the site that are made of files elsewhere, and where links to other files elsewhere lead.
BROUGHT: Final = {"contributing.md": "CONTRIBUTING.md"}
ELSEWHERE: Final = {"README.md": "README.md"}
# The page that lists others, and where these are.
LISTED: Final = {
    "reference/README.md": "reference/*.md",
    "reference/codes.md": "codes/*.md",
    "reference/causes.md": "causes/*.md",
}
_MARKER: Final = re.compile(
    r"^ *<!-- *(?:checked|run|not run|prepare)\b.*?-->\n", re.MULTILINE | re.DOTALL
)
_LINK: Final = re.compile(r"\[(?P<text>[^\]\[]*)\]\((?P<target>[^)\s]+)\)")
_FENCE: Final = re.compile(r"(^ *```.*?^ *```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_OTHER_SITE: Final = re.compile(r"[a-z][a-z0-9+.-]*:|#", re.IGNORECASE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages that a page lists behind it in the navigation."""
    docs = Path(config.docs_dir)
    in_nav = set(_named(config.nav))
    for section in _sections(config.nav):
        pattern = LISTED.get(str(section[0]))
        if pattern:
            names = sorted(path.relative_to(docs).as_posix() for path in docs.glob(pattern))
            section.extend({Path(name).stem: name} for name in names if name not in in_nav)
    return config


def _named(nav: Any) -> list[str]:
    """Give the pages that a part of the navigation names."""
    if isinstance(nav, str):
        return [nav]
    return [
        name for one in (nav.values() if isinstance(nav, dict) else nav) for name in _named(one)
    ]


def _sections(nav: Any) -> list[list[Any]]:
    """Give all lists of a part of the navigation."""
    inner = nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ()
    own = [nav] if isinstance(nav, list) else []
    return own + [found for one in inner for found in _sections(one)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand outside ``docs/``."""
    for name, source in BROUGHT.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - by name
    """Take the markers of tests out, and turn links that lead out of ``docs/``."""
    name = page.file.src_uri
    source = BROUGHT.get(name, f"docs/{name}")
    parts = _FENCE.split(_MARKER.sub("", markdown))
    parts[::2] = [_LINK.sub(lambda link: turned(link, name, source), part) for part in parts[::2]]
    return "".join(parts)


def turned(link: re.Match[str], name: str, source: str) -> str:
    """Give a link of the page ``name``, which is made of ``source``, as the site needs it."""
    target, hash_sign, anchor = link["target"].partition("#")
    if _OTHER_SITE.match(link["target"]):
        return link[0]
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    goal = next((page for page, of in BROUGHT.items() if of == file), ELSEWHERE.get(file))
    if goal in ELSEWHERE.values():
        anchor = hash_sign = ""  # another page stands there on the site
    if goal is None and file.startswith("docs/"):
        goal = file.removeprefix("docs/")
    if goal is None:
        return link["text"]
    return f"[{link['text']}]({posixpath.relpath(goal, posixpath.dirname(name) or '.')}{hash_sign}{anchor})"
