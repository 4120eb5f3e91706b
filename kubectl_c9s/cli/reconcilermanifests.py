"""``reconciler manifests``: the objects that run the reconciler, to apply or to commit."""

from __future__ import annotations

import re
import sys
from typing import Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.names import is_dns1123_label

# Registry, port, path, tag and digest; the server looks closer.
_IMAGE: Final = re.compile(r"[A-Za-z0-9\[][A-Za-z0-9._:/@\[\]-]{0,510}")
_NOT_PUBLISHED: Final = (
    "no image of this name is published: build one from the Containerfile and give it with --image"
)


@click.command()
@click.option(
    "--mode", type=click.Choice(["report", "enforce"]), default="report", show_default=True,
    help="What it does about limits that differ from the policy: name them, or put them right.",
)  # fmt: skip
@click.option(
    "--profile", type=click.Choice(["steady", "burst"]), default="steady", show_default=True,
    help="How it goes about writing: burst has more writers and gathers reports for longer.",
)  # fmt: skip
@click.option(
    "--image", metavar="IMAGE", help="Image to run, best by its digest; there is no published one."
)
@click.option(
    "--replicas", type=click.IntRange(0), default=2, show_default=True, metavar="N",
    help="Number of Pods; one works, the others are ready to take over.",
)  # fmt: skip
@click.option("--pod-monitor", is_flag=True, help="Add a PodMonitor for the Prometheus operator.")
@click.option("--priority", is_flag=True, help="Add API priority and fairness for its requests.")
@click.option(
    "--guardrails", type=click.Choice(["warn", "deny"]),
    help="Add the guardrails, which warn or which refuse.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Choice(["yaml"]), default="yaml", help="Output format.")
@global_options
def manifests(
    flags: dict[str, Any],
    image: str | None,
    output: str,  # noqa: ARG001 - there is one format
    **chosen: Any,
) -> None:
    """Print the objects that run the reconciler, as 'kubectl apply -k manifests/overlays/MODE' applies them.

    Everything goes to the namespace c9s, or to that of -n; it has to exist. --manager-namespace is needed where the
    manager lives in another one.
    """
    namespace = _namespace(flags, "namespace", "c9s")
    manager_namespace = _namespace(flags, "manager_namespace", namespace)
    if image is not None and not _IMAGE.fullmatch(image):
        raise UsageError(f"--image: {image!r} is no name of an image")

    from kubectl_c9s.cli.reporting import print_notes  # noqa: PLC0415 - after the flags are known
    from kubectl_c9s.output.manifests import IMAGE, Settings, stream  # noqa: PLC0415 - loads the template engine

    settings = Settings(
        namespace=namespace, manager_namespace=manager_namespace, image=image or IMAGE, **chosen
    )
    sys.stdout.write(stream(settings))
    print_notes([] if image else [f"{IMAGE}: {_NOT_PUBLISHED}"])


def _namespace(flags: dict[str, Any], flag: str, default: str) -> str:
    given: str = flags.get(flag) or default
    if not is_dns1123_label(given):
        raise UsageError(f"--{flag.replace('_', '-')}: {given!r} is no name of a namespace")
    return given
