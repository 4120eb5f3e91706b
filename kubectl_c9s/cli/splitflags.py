"""The flags of ``split``, and what they mean for a lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.inputflags import (
    NO_ENV,
    OBJECT_BYTES,
    RECURSIVE,
    VARIABLES,
    check_namespace,
    check_outside,
    check_paths,
    split_pair,
    variables,
)
from kubectl_c9s.cli.splitting import LabOptions
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.yamlio.layout import LAYOUTS

if TYPE_CHECKING:
    from collections.abc import Callable

# In the order of the help text.
_OPTIONS: Final = (
    click.option("-f", "--filename", "paths", multiple=True, metavar="PATH",
                 help="File, directory or - for stdin; repeatable."),
    click.option("--from-cluster", metavar="TOPOLOGY", help="Split this living Topology instead of files."),
    RECURSIVE,
    click.option("--name", metavar="NAME", help="Name of the lab, instead of the one in the input."),
    click.option("-o", "--output", type=click.Choice(["yaml", "json", "name"]), default="yaml",
                 help="Output format."),
    click.option("--output-dir", metavar="DIR", help="Keep a directory of one file an object instead."),
    click.option("--layout", type=click.Choice(LAYOUTS), default="by-kind", show_default=True,
                 help="How the directory is laid out."),
    click.option("--check", is_flag=True, help="Write nothing; exit 1 with a diff when the directory is out of date."),
    click.option("--prune", is_flag=True, help="Remove files of ours that the directory no longer needs."),
    click.option("--verify", is_flag=True, help="Prove that the objects say all that the lab says."),
    click.option("--report", metavar="FILE", help="Write all findings as JSON to FILE (- for stderr)."),
    click.option("--fail-on-warning", is_flag=True, help="Exit 1 and write nothing when there is a warning."),
    click.option("--pass-through", is_flag=True,
                 help="Keep the other documents of the input, unchanged, in front."),
    click.option("--argo-sync-waves", is_flag=True, help="Annotate objects with Argo CD sync waves."),
    click.option("--flux-no-substitute", is_flag=True,
                 help="Keep objects that hold ${ or $$ from Flux's post-build substitution, by an annotation."),
    click.option("--no-owner-label", is_flag=True, help="Leave out the label c9s.run/topologyOwner."),
    OBJECT_BYTES,
    VARIABLES,
    NO_ENV,
    click.option("--stage-files/--no-stage-files", default=True,
                 help="Turn the local files a containerlab file names into ConfigMaps (the default)."),
    click.option("--allow-outside", multiple=True, metavar="DIR",
                 help="Take files from this directory too; repeatable."),
    click.option("--files-from-secret", multiple=True, metavar="PATTERN=SECRET",
                 help="Take files whose path matches from a Secret, and write no ConfigMap; repeatable."),
    click.option("--url-digest", multiple=True, metavar="URL=sha256:HEX",
                 help="Digest of a file given by URL, which the device fetches itself; repeatable."),
    click.option("--no-persistence", is_flag=True, help="Containerlab file: no persistent volumes."),
    click.option("--expose-type", metavar="TYPE",
                 type=click.Choice(["ClusterIP", "Headless", "LoadBalancer", "None"], case_sensitive=False),
                 help="Containerlab file: type of the Services."),
    click.option("--image-pull-secret", multiple=True, metavar="NAME",
                 help="Containerlab file: Secret for pulling images; repeatable."),
    click.option("--create-namespace", is_flag=True, help="Containerlab file: write its Namespace too."),
)  # fmt: skip


def split_options(function: Callable[..., Any]) -> Any:
    """Give a command the flags of ``split``."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def lab_options(given: dict[str, Any], flags: dict[str, Any]) -> LabOptions:
    """Check the flags and say how labs are split; raises UsageError."""
    _check(given, flags)
    return LabOptions(
        name=given["name"] or "",
        namespace=flags.get("namespace") or "",
        owner_label=not given["no_owner_label"],
        max_object_bytes=given["max_object_bytes"],
        variables=variables(given),
        persistence=not given["no_persistence"],
        expose_type=given["expose_type"] or "",
        pull_secrets=given["image_pull_secret"],
        stage=given["stage_files"],
        allowed=given["allow_outside"],
        secrets=tuple(
            _full_pair(text, "--files-from-secret") for text in given["files_from_secret"]
        ),
        digests=tuple(_full_pair(text, "--url-digest") for text in given["url_digest"]),
    )


def _check(given: dict[str, Any], flags: dict[str, Any]) -> None:
    check_namespace(flags)
    if bool(given["paths"]) == bool(given["from_cluster"]):
        raise UsageError("give files with -f, or a living Topology with --from-cluster")
    check_paths(given["paths"])
    check_outside(given["allow_outside"])
    if not given["output_dir"]:
        for flag in ("check", "prune"):
            if given[flag]:
                raise UsageError(f"--{flag} goes with --output-dir")
    elif given["output"] != "yaml":
        raise UsageError(f"--output-dir holds YAML; it does not go with -o {given['output']}")


def _full_pair(text: str, flag: str) -> tuple[str, str]:
    name, value = split_pair(text, flag, last=True)
    if not value:
        raise UsageError(f"{flag} {text!r} has no value")
    return name, value
