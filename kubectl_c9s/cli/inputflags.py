"""Flags that several commands take for their input, and the checks of what they say."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.topology.admission import MAX_OBJECT_BYTES
from kubectl_c9s.topology.manifest import is_namespace_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Option = Callable[[Any], Any]

FILENAME: Final[Option] = click.option(
    "-f", "--filename", "paths", multiple=True, required=True, metavar="PATH",
    help="File, directory or - for stdin; repeatable.",
)  # fmt: skip
RECURSIVE: Final[Option] = click.option(
    "-R", "--recursive", is_flag=True, help="Look for files in directories of directories too."
)
FIELD_MANAGER: Final[Option] = click.option(
    "--field-manager", default="kubectl-c9s", show_default=True, metavar="NAME", help="Name of the owner."
)  # fmt: skip
OBJECT_BYTES: Final[Option] = click.option(
    "--max-object-bytes", type=click.IntRange(min=1), default=MAX_OBJECT_BYTES, metavar="N",
    show_default=True, help="Largest size of one object.",
)  # fmt: skip
VARIABLES: Final[Option] = click.option(
    "--set", "variables", multiple=True, metavar="NAME=VALUE",
    help="Variable for a containerlab file; wins over the environment; repeatable.",
)  # fmt: skip
NO_ENV: Final[Option] = click.option(
    "--no-env", is_flag=True, help="Take no variables from the environment."
)


def check_namespace(flags: Mapping[str, Any]) -> None:
    """Refuse a ``-n`` that no namespace can have as its name."""
    namespace = flags.get("namespace")
    if namespace and not is_namespace_name(namespace):
        raise UsageError(f"--namespace {namespace!r} is no name of a namespace")


def check_paths(paths: tuple[str, ...]) -> None:
    """Refuse to read stdin twice."""
    if paths.count("-") > 1:
        raise UsageError("stdin can be read only once")


def check_outside(directories: Iterable[str]) -> None:
    """Refuse an ``--allow-outside`` that is no directory."""
    for directory in directories:
        if not os.path.isdir(directory):  # noqa: PTH112 - as written
            raise UsageError(f"--allow-outside {directory}: no such directory")


def variables(given: Mapping[str, Any]) -> dict[str, str]:
    """Give the variables of containerlab files: those of the environment, and over them those of ``--set``."""
    known = {} if given["no_env"] else dict(os.environ)
    known.update(split_pair(text, "--set") for text in given["variables"])
    return known


def split_pair(text: str, flag: str, *, last: bool = False) -> tuple[str, str]:
    """Split NAME=VALUE at its first ``=``, or at its last where the name may have one itself."""
    name, equals, value = text.rpartition("=") if last else text.partition("=")
    if not equals or not name:
        raise UsageError(f"{flag} {text!r} has not the form NAME=VALUE")
    return name, value
