"""Finds in the source every finding code the tool can report, with its severity.

A code is what is handed to a parameter or field called ``code`` that is a text: the definitions say at which
place, the calls say what. Tuples whose first item is a kebab-case word count too where they are given back or
collected: their code is handed on later, by a variable.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# A code put together when it is reported, as it stands in the source: the codes it can become.
COMPOSED = {
    "f'unsupported-link-{key}'": ("unsupported-link-labels", "unsupported-link-vars"),
    "f'unsupported-{field}'": (
        "unsupported-image-pull-policy",
        "unsupported-link-apply-mode",
        "unsupported-restart-policy",
    ),
}


# Modules whose tuples begin with other words than codes.
NO_CODES = {
    "kubectl_c9s/cli/doorvalues.py",  # names of settings
}


# Functions and classes whose name says of which severity their codes are.
NAMED_FOR_SEVERITY = {
    "Loss": "loss",
    "Guard": "guard",
    "guard_refusal": "guard",
    "Warned": "warning",
}


class Emission(NamedTuple):
    """A code that the source can report; ``place`` is ``file:line``."""

    code: str
    severity: str
    place: str


class Unclear(NamedTuple):
    """An expression in the place of a code of which the source does not say what it can become."""

    expression: str
    place: str


def emissions(package: Path) -> Iterator[Emission | Unclear]:
    """Give every code of every module below a folder."""
    trees = {
        path.relative_to(package.parent).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
        # The codes of the diagnosis are causes: they have a table of their own.
        if path.parent.name != "diagnosis"
    }
    known = {path: dict(takers(tree)) for path, tree in trees.items()}
    for path, tree in trees.items():
        find = Finder(path, tree, known)
        for node in ast.walk(tree):
            place = f"{path}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                yield from called(node, find, place)
            if path not in NO_CODES:
                yield from (Emission(code, "error", place) for code in collected(node))


class Finder:
    """Tells at which places a function that is called in a module may take a code."""

    def __init__(self, path: str, tree: ast.Module, known: dict[str, dict[str, int]]) -> None:
        self._own = known[path]
        self._defined = {
            node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        # What the functions of the module give back, where that is written in the module.
        self.returned = {
            node.name: [
                code
                for line in ast.walk(node)
                if isinstance(line, ast.Return) and line.value
                for code in codes(line.value)
            ]
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
        }
        self._imported: dict[str, set[int]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                home = known.get(f"{(node.module or '').replace('.', '/')}.py", {})
                for alias in node.names:
                    name = alias.asname or alias.name
                    self._imported[name] = {home[alias.name]} if alias.name in home else set()
        self._anywhere: dict[str, set[int]] = {}
        for names in known.values():
            for name, index in names.items():
                self._anywhere.setdefault(name, set()).add(index)

    def places(self, function: ast.expr) -> set[int]:
        """Give the places; a name means what the module says, an attribute may be anybody's method."""
        if isinstance(function, ast.Name):
            name = function.id
            if name in self._defined:
                return {self._own[name]} if name in self._own else set()
            return self._imported.get(name, self._anywhere.get(name, set()))
        name = function.attr if isinstance(function, ast.Attribute) else ""
        return {self._own[name]} if name in self._own else self._anywhere.get(name, set())


def takers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Give the functions and classes of a module that take a code, and at which place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name != "__init__":
            if (index := place_of_code(node)) is not None:
                yield node.name, index
        elif isinstance(node, ast.ClassDef):
            fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
            names = [line.target.id for line in fields if isinstance(line.target, ast.Name)]
            for line in node.body:
                if isinstance(line, ast.FunctionDef) and line.name == "__init__":
                    if (index := place_of_code(line)) is not None:
                        yield node.name, index
                    break
            else:
                if "code" in names and ast.unparse(fields[names.index("code")].annotation) == "str":
                    yield node.name, names.index("code")


def place_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int | None:
    taken = [arg for arg in function.args.args if arg.arg not in {"self", "cls"}]
    for index, arg in enumerate(taken):
        if arg.arg == "code" and arg.annotation and ast.unparse(arg.annotation) == "str":
            return index
    return None


def callee(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def called(call: ast.Call, find: Finder, where: str) -> Iterator[Emission | Unclear]:
    places = find.places(call.func)
    named = [keyword.value for keyword in call.keywords if places and keyword.arg == "code"]
    for argument in named or [call.args[i] for i in places if i < len(call.args)]:
        made_by = callee(argument) if isinstance(argument, ast.Call) else ""
        for code in find.returned.get(made_by) or codes(argument):
            if code is None:
                yield Unclear(ast.unparse(argument), where)
            elif KEBAB.fullmatch(code):
                yield Emission(code, severity(call, callee(call)), where)


def codes(argument: ast.expr) -> list[str | None]:
    """Give what an argument can be as a code; None for a text put together of which nobody says what it becomes.

    Variables hand on a code that was met where it was written.
    """
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return [argument.value]
    if isinstance(argument, ast.IfExp):
        return codes(argument.body) + codes(argument.orelse)
    if isinstance(argument, ast.JoinedStr):
        return list(COMPOSED.get(ast.unparse(argument), (None,)))
    return [None] if isinstance(argument, ast.BinOp) else []


def severity(call: ast.Call, name: str) -> str:
    if name in NAMED_FOR_SEVERITY:
        return NAMED_FOR_SEVERITY[name]
    said = {arg.value for arg in call.args if isinstance(arg, ast.Constant)}
    return next((one for one in ("warning", "info") if one in name or one in said), "error")


def collected(node: ast.AST) -> Iterator[str]:
    """Give the codes that begin tuples which a function yields or appends to a list."""
    value: ast.expr | None = None
    if isinstance(node, ast.Yield):
        value = node.value
    elif isinstance(node, ast.Call) and callee(node) == "append" and len(node.args) == 1:
        value = node.args[0]
    if not isinstance(value, ast.Tuple) or not value.elts:
        return
    first = value.elts[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str) and "-" in first.value:
        yield first.value
    elif isinstance(first, ast.JoinedStr):
        yield from COMPOSED.get(ast.unparse(first), ())
