"""Check that relative links and anchors in Markdown pages lead somewhere.

    python tests/checks/doc_links.py FILE_OR_DIRECTORY...

Links to other sites are left alone: a check that needs a network fails for reasons not ours.
Exit 0 when all resolve, 1 with a line for each that does not.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def anchors(text: str) -> set[str]:
    """Give the anchors that a page's headings get from the usual Markdown renderers."""
    without_fences = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in HEADING.findall(without_fences)
    }


def broken(page: Path) -> Iterator[str]:
    """Give a line for every link of the page that leads nowhere."""
    text = page.read_text(encoding="utf-8")
    for target in LINK.findall(CODE.sub("", text)):
        if ELSEWHERE.match(target):
            continue
        file, _, anchor = target.partition("#")
        goal = (page.parent / file) if file else page
        if not goal.exists():
            yield f"{page}: {target}: no such file"
        elif anchor and anchor not in anchors(goal.read_text(encoding="utf-8")):
            yield f"{page}: {target}: no such heading"


def main(paths: list[str]) -> int:
    """Check the named pages and all below the named directories."""
    pages = [
        page
        for path in map(Path, paths)
        for page in (sorted(path.rglob("*.md")) if path.is_dir() else [path])
    ]
    found = [line for page in pages for line in broken(page)]
    print("\n".join(found) if found else f"docs: links of {len(pages)} pages resolve")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
