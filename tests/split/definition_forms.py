"""One definition in the forms in which a Topology can hold it; a mark in it stands for a place."""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, TypeAlias

import yaml
from split_lab import HEAD

if TYPE_CHECKING:
    from collections.abc import Callable

Form: TypeAlias = "Callable[[str], str]"
TOP = f"{HEAD}metadata: {{name: lab}}\nspec:\n  definition:\n"


def literal(text: str) -> str:
    return f"{TOP}    containerlab: |\n{textwrap.indent(text, '      ')}"


def deep_literal(text: str) -> str:
    """Write a block that begins with empty lines, has an indicator, a comment and a tail."""
    block = textwrap.indent(text, " " * 9)
    return f"# first\n\n{TOP}    containerlab: |5- # the lab\n\n\n{block}\n\n  expose: {{}}\n"


def anchored_literal(text: str) -> str:
    return f"{TOP}    containerlab: !!str &lab # here\n      |+\n{textwrap.indent(text, '     ')}"


def windows_literal(text: str) -> str:
    return literal(text).replace("\n", "\r\n")


def folded(text: str) -> str:
    """Write a block in which only the lines of the top level need an empty line to stay apart."""
    apart = re.sub(r"\n(?=[^ \n])", "\n\n", text)
    return f"{TOP}    containerlab: >-\n{textwrap.indent(apart, '        ')}"


def double_quoted(text: str) -> str:
    return f"{TOP}    containerlab: {json.dumps(text, ensure_ascii=False)}\n"


def double_quoted_lines(text: str) -> str:
    """Write a quoted scalar over many lines, with escaped line breaks, and escapes for what looks plain."""
    lines = [json.dumps(line)[1:-1].replace("  ", r"\x20\u0020") for line in text.splitlines()]
    broken = "\\n\\\n        ".join(lines)
    return f'{TOP}    containerlab:\n      "{broken}\\\n\n        # end"\n'


def json_file(text: str) -> str:
    """Write the whole Topology as JSON."""
    whole = {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "lab"},
        "spec": {"definition": {"containerlab": text}},
    }
    return json.dumps(whole, indent=2)


def single_quoted_json(text: str) -> str:
    """Write the definition as JSON inside a quoted scalar that is folded at its blanks."""
    flow = json.dumps(yaml.safe_load(text)).replace("'", "''")
    return f"{TOP}    containerlab: '{flow.replace(', ', chr(10) * 2 + ' ' * 6 + ', ')}'\n"


BLOCKS: dict[str, Form] = {
    "literal": literal,
    "deep literal": deep_literal,
    "anchored literal": anchored_literal,
    "windows literal": windows_literal,
    "folded": folded,
    "double quoted": double_quoted,
    "double quoted over lines": double_quoted_lines,
    "json file": json_file,
}
FLOWS: dict[str, Form] = {"single quoted json": single_quoted_json}
