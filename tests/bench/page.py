"""Puts a table of figures into docs/performance.md, between the two comments that bear its name."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
WRITE = f"update docs/{PAGE.name}"  # what the flag --write says of itself


def put(name: str, table: str) -> None:
    """Replace the table of that name; raises ValueError where the page has no place for it."""
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->\n"
    before, rest = PAGE.read_text(encoding="utf-8").split(begin)
    _, after = rest.split(end)
    PAGE.write_text(f"{before}{begin}{table}{end}{after}", encoding="utf-8")
