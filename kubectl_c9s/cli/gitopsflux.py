"""``gitops flux``: the objects by which Flux applies a lab from Git or from an artifact (conventions.md §7)."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.names import is_dns1123_label

if TYPE_CHECKING:
    from kubectl_c9s.output.fluxobjects import Reference, Source

_KINDS: Final = {kind.lower(): kind for kind in ("GitRepository", "OCIRepository", "Bucket")}
_SOURCES: Final = {
    "oci": "OCIRepository",
    "https": "GitRepository",
    "http": "GitRepository",
    "ssh": "GitRepository",
}
_DURATION: Final = re.compile(r"([0-9]+(\.[0-9]+)?(ms|s|m|h))+")  # the CRD's own pattern
_URL: Final = re.compile(r"([a-z]+)://[!-~]+")
_VERSION: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}")
_NO_NAMESPACE: Final = (
    "and Flux refuses objects without one: give --target-namespace, or render it with split -n"
)
_VERSIONS: Final = {"GitRepository": "main", "OCIRepository": "latest"}


@click.command()
@click.option(
    "--path",
    required=True,
    metavar="DIR",
    help="Rendered directory, as it is called in the source: relative to its root.",
)
@click.option(
    "--root",
    default=".",
    show_default=True,
    metavar="DIR",
    help="Where the root of the source is here.",
)
@click.option(
    "--name", metavar="NAME", help="What the Kustomizations begin with.  [default: the lab's name]"
)
@click.option(
    "--source",
    default="GitRepository/flux-system",
    show_default=True,
    metavar="KIND/NAME[.NAMESPACE]",
    help="Source that holds the directory.",
)
@click.option(
    "--source-url",
    metavar="URL",
    help="Print the source, too: of this repository, or oci:// artifact.",
)
@click.option(
    "--source-version",
    metavar="REF",
    help="With --source-url: branch, or tag.  [default: main, or latest]",
)
@click.option(
    "--interval",
    default="10m",
    show_default=True,
    metavar="TIME",
    help="How often Flux looks for drift.",
)
@click.option(
    "--retry-interval",
    default="1m",
    show_default=True,
    metavar="TIME",
    help="How soon it tries again.",
)
@click.option(
    "--timeout",
    default="15m",
    show_default=True,
    metavar="TIME",
    help="How long it waits for each kind; then what is not ready is named.",
)
@click.option(
    "--depends-on",
    multiple=True,
    metavar="NAME",
    help="Kustomization that must be ready before the first of these; repeatable.",
)
@click.option(
    "--service-account", default="", metavar="NAME", help="Apply with the rights of this account."
)
@click.option(
    "--target-namespace",
    default="",
    metavar="NS",
    help="Put everything into this namespace instead.",
)
@click.option(
    "--prune/--no-prune", default=True, help="Delete what the source has no more (the default)."
)
@click.option("--wait/--no-wait", default=True, help="Be ready when the devices are (the default).")
@click.option(
    "--fail-fast",
    is_flag=True,
    help="Fail as soon as a device is refused, naming it; else at the timeout, with the cause.",
)
@click.option("--suspend", is_flag=True, help="Let Flux do nothing yet.")
@click.option("-o", "--output", type=click.Choice(["yaml"]), default="yaml", help="Output format.")
@global_options
def flux(
    flags: dict[str, Any],
    output: str,  # noqa: ARG001 - there is one format
    **given: Any,
) -> None:
    """Print the Kustomizations by which Flux applies a lab: profiles and files, then links, then nodes.

    They are to be committed, like what 'flux create --export' prints. Each kind is applied when the one before is
    there, and the last is ready when the devices are. A directory without folders by kind gets a single Kustomization.

    -n is the namespace of these objects, flux-system by default; labs keep their own.

    \b
    $ kubectl c9s gitops flux --path labs/metro/rendered
    """  # noqa: D301 - click reads the character
    namespace = _label(flags.get("namespace") or "flux-system", "--namespace")
    _check(given)
    path = _path(given.pop("path"))

    from kubectl_c9s.cli.reporting import print_notes  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.files.rendered import read_rendered  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.output import fluxobjects  # noqa: PLC0415 - loads the template engine

    source = _source(given.pop("source_url"), given.pop("source_version"))
    reference = _reference(given.pop("source"), source)
    rendered = read_rendered(Path(given.pop("root")) / path)
    name = given.pop("name") or (rendered.lab if rendered else path.rpartition("/")[2])
    wanted = fluxobjects.Wanted(
        name=name, path=path, namespace=namespace, reference=reference, source=source, **given
    )
    folders = rendered.folders if rendered else ()
    for stage in fluxobjects.stages(wanted, folders):
        _label(stage.name, "--name")
    own = rendered.namespace_text if rendered and not wanted.target_namespace else ""
    sys.stdout.write(fluxobjects.stream(wanted, folders, own))
    if rendered and not (rendered.namespace or wanted.target_namespace):
        print_notes([f"the lab {rendered.lab} names no namespace, {_NO_NAMESPACE}"])


def _check(given: dict[str, Any]) -> None:
    for flag in ("interval", "retry_interval", "timeout"):
        if not _DURATION.fullmatch(given[flag]):
            words = f"{given[flag]!r} is no duration such as 90s or 10m"
            raise UsageError(f"--{flag.replace('_', '-')}: {words}")
    for flag in ("service_account", "target_namespace"):
        if given[flag]:
            _label(given[flag], f"--{flag.replace('_', '-')}")
    for name in given["depends_on"]:
        _label(name, "--depends-on")


def _label(name: str, flag: str) -> str:
    if not is_dns1123_label(name):
        raise UsageError(f"{flag}: {name!r} is no name that Kubernetes takes")
    return name


def _path(written: str) -> str:
    """Write a path as Flux wants it: from the root of the source, never out of it."""
    parts = [part for part in written.split("/") if part not in {"", "."}]
    if written.startswith("/") or ".." in parts or not written.isprintable():
        raise UsageError(f"--path: {written!r} is no path below the root of the source")
    return "/".join([".", *parts])


def _source(url: str | None, version: str | None) -> Source | None:
    from kubectl_c9s.output.fluxobjects import Source  # noqa: PLC0415 - loads the template engine

    if url is None:
        if version is not None:
            raise UsageError("--source-version goes with --source-url")
        return None
    scheme = _URL.fullmatch(url)
    if scheme is None or scheme[1] not in _SOURCES:
        raise UsageError(
            f"--source-url: {url!r} is no URL that begins with oci://, https://, http:// or ssh://"
        )
    kind = _SOURCES[scheme[1]]
    chosen = version or _VERSIONS[kind]
    if not _VERSION.fullmatch(chosen):
        raise UsageError(f"--source-version: {chosen!r} is no branch or tag")
    return Source(kind, url, chosen)


def _reference(written: str, source: Source | None) -> Reference:
    from kubectl_c9s.output.fluxobjects import Reference  # noqa: PLC0415 - loads the template engine

    kind, slash, place = written.partition("/")
    name, _, namespace = place.partition(".")
    known = _KINDS.get(kind.lower())
    if (
        not slash
        or known is None
        or not is_dns1123_label(name)
        or (namespace and not is_dns1123_label(namespace))
    ):
        kinds = ", ".join(_KINDS.values())
        raise UsageError(
            f"--source: {written!r} is no KIND/NAME or KIND/NAME.NAMESPACE, with a kind of {kinds}"
        )
    if source is not None and source.kind != known:
        raise UsageError(
            f"--source: a {known} is no source for {source.url}: that is of kind {source.kind}"
        )
    return Reference(known, name, namespace)
