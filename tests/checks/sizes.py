"""Check what ruff cannot: the length of files and functions, in lines.

    python tests/checks/sizes.py PATH...

Exit 0 when every Python file below the paths keeps the limits, 1 with a line for each offender.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_LIMIT = 250  # the aim is 150; past the limit a file has two subjects
FUNCTION_LIMIT = 80  # the aim is 10


def findings(source: str, name: str) -> Iterator[str]:
    """Give a line for the file and for each function in it that is too long."""
    lines = len(source.splitlines())
    if lines > FILE_LIMIT:
        yield f"{name}:1: {lines} lines, the limit for a file is {FILE_LIMIT}"
    for node in ast.walk(ast.parse(source, name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LIMIT:
                yield (
                    f"{name}:{node.lineno}: {node.name} has {length} lines, "
                    f"the limit for a function is {FUNCTION_LIMIT}"
                )


def main(paths: list[str]) -> int:
    """Check all Python files below the paths."""
    files = [file for path in paths for file in sorted(Path(path).rglob("*.py"))]
    if not files:
        print(f"error: no Python file below {' '.join(paths) or 'no path at all'}")
        return 2
    found = [
        line
        for file in files
        for line in findings(file.read_text(encoding="utf-8"), file.as_posix())
    ]
    print("\n".join(found) if found else f"sizes: {len(files)} files within limits")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
