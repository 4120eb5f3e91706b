"""``gitops argocd``: settings by which Argo CD knows the health of labs, and an Application for a directory."""

from __future__ import annotations

import sys
from typing import Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.names import is_dns1123_label, is_dns1123_subdomain

_RENDERED: Final = "rendered"  # as in labs/metro/rendered (docs/fleet.md)
_APPLICATION: Final[tuple[str, ...]] = (
    "path",
    "name",
    "revision",
    "project",
    "destination",
    "prune",
)


@click.command()
@click.option("--repo", metavar="URL", help="Print an Application for this Git repository.")
@click.option("--path", metavar="DIR", help="Directory of rendered objects in it.")
@click.option("--revision", metavar="REVISION", help="Branch, tag or commit.  [default: HEAD]")
@click.option(
    "--name", metavar="NAME", help="Name of the Application.  [default: that of the directory]"
)
@click.option("--project", metavar="NAME", help="Its project.  [default: default]")
@click.option(
    "--destination",
    metavar="URL",
    help="Cluster it goes to.  [default: https://kubernetes.default.svc]",
)
@click.option("--prune/--no-prune", default=None, help="Delete what Git has no more (the default).")
@click.option(
    "--argocd-namespace",
    default="argocd",
    show_default=True,
    metavar="NS",
    help="Where Argo CD lives.",
)
@click.option("-o", "--output", type=click.Choice(["yaml"]), default="yaml", help="Output format.")
@global_options
def argocd(
    flags: dict[str, Any],
    repo: str | None,
    argocd_namespace: str,
    output: str,  # noqa: ARG001 - there is one format
    **chosen: Any,
) -> None:
    """Print settings for argocd-cm, or with --repo an Application.

    The settings say when a lab is healthy; they are what 'manifests/argocd-health' adds. Add them by a patch, since an
    apply could take away the settings that are there: 'kubectl c9s gitops argocd | kubectl patch configmap argocd-cm
    -n argocd --type merge --patch-file /dev/stdin'.

    With --repo, -n is the namespace the objects go to if they name none; it has the name of the Application by default.
    That has the name of the directory, or for a directory called 'rendered' of the one above.
    """
    given = {key: value for key, value in chosen.items() if value is not None}
    _check("argocd-namespace", argocd_namespace)
    if repo is None:
        misplaced = [flag for flag in _APPLICATION if flag in given]
        misplaced += ["namespace"] if flags.get("namespace") else []
        if misplaced:
            raise UsageError(f"--{misplaced[0]} is about an Application: it goes with --repo")
        text = _settings(argocd_namespace)
    else:
        text = _application(repo, argocd_namespace, flags.get("namespace"), given)
    sys.stdout.write(text)


def _settings(argocd_namespace: str) -> str:
    from kubectl_c9s.output.argocd import settings  # noqa: PLC0415 - loads the template engine

    return settings(argocd_namespace)


def _application(
    repo: str, argocd_namespace: str, namespace: str | None, given: dict[str, Any]
) -> str:
    path = given.get("path")
    if not path:
        raise UsageError("--repo needs --path, the directory of rendered objects")
    if path.startswith("/") or ".." in path.split("/"):
        raise UsageError(f"--path: {path!r} is not within the repository")
    name = given.setdefault("name", _named_like(path))
    if not is_dns1123_subdomain(name):
        raise UsageError(f"{name!r} is no name of an Application", hint="choose one with --name")
    target = namespace or name
    _check("namespace", target)

    from kubectl_c9s.output.argocd import Application, application  # noqa: PLC0415 - loads the template engine

    wanted = Application(repo=repo, namespace=target, argocd_namespace=argocd_namespace, **given)
    return application(wanted)


def _named_like(path: str) -> str:
    """Give the last part of a path, or the one before where a lab's own folder has its rendering beside it."""
    parts = path.strip("/").split("/")
    return parts[-2] if parts[-1] == _RENDERED and len(parts) > 1 else parts[-1]


def _check(flag: str, namespace: str) -> None:
    if not is_dns1123_label(namespace):
        raise UsageError(f"--{flag}: {namespace!r} is no name of a namespace")
