"""KRM ResourceLists in and out (conventions.md §5): what is not changed keeps its bytes, comments included.

A list in block style, which is what orchestrators write, is cut into lines: an item goes from its dash to the
next one. An item that is replaced leaves the comments that follow it. Other lists (JSON, flow style, aliases
across items) are written anew from their data, as JSON, which is YAML too; those have no comments to lose.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Finding, Position
from kubectl_c9s.yamlio import plain
from kubectl_c9s.yamlio.members import Member, named, text_at
from kubectl_c9s.yamlio.nodes import Mapping, Sequence
from kubectl_c9s.yamlio.positions import line_starts
from kubectl_c9s.yamlio.reader import has_aliases, read_text
from kubectl_c9s.yamlio.writer import Writer
