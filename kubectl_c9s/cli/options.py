"""Flags that every command takes, before or after its name, with kubectl's meaning (conventions.md §2)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

_GLOBAL: Final = (
    (("--kubeconfig",), {"metavar": "FILE", "help": "Kubeconfig file to use."}),
    (("--context",), {"metavar": "CONTEXT", "help": "Context of the kubeconfig to use."}),
    (("--cluster",), {"metavar": "CLUSTER", "help": "Cluster of the kubeconfig to use."}),
    (("--user",), {"metavar": "USER", "help": "User of the kubeconfig to use."}),
    (("-s", "--server"), {"metavar": "URL", "help": "Address of the API server."}),
    (("--token",), {"metavar": "TOKEN", "help": "Bearer token for the API server."}),
    (("--as", "as_user"), {"metavar": "NAME", "help": "User to impersonate."}),
    (("--as-group",), {"metavar": "NAME", "multiple": True, "help": "Group to impersonate; repeatable."}),
    (("--as-uid",), {"metavar": "UID", "help": "UID to impersonate."}),
    (("--certificate-authority",), {"metavar": "FILE", "help": "Certificate of the authority to trust."}),
    (("--client-certificate",), {"metavar": "FILE", "help": "Client certificate."}),
    (("--client-key",), {"metavar": "FILE", "help": "Key of the client certificate."}),
    (("--tls-server-name",), {"metavar": "NAME", "help": "Name to check the server's certificate for."}),
    (("--insecure-skip-tls-verify",), {"is_flag": True, "help": "Do not check the server's certificate."}),
    (("--request-timeout",), {"metavar": "DURATION", "help": "Time limit of one request, such as 30s; 0 is none."}),
    (("--manager-namespace",), {"metavar": "NS", "help": "Namespace of the manager and its Config."}),
    (("-n", "--namespace"), {"metavar": "NS", "help": "Namespace."}),
    (("-A", "--all-namespaces"), {"is_flag": True, "help": "All namespaces."}),
    (("--color",), {"type": click.Choice(["auto", "always", "never"]), "help": "When to use colour."}),
    (("-v", "--v", "verbosity"), {"type": int, "metavar": "LEVEL", "help": "How much to log."}),
)  # fmt: skip


def global_options(function: F) -> F:
    """Give a command the global flags; a flag after the command wins over one before it.

    A command that takes ``flags`` gets them all as one mapping under that name.
    """

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        context = click.get_current_context()
        own = {name: kwargs.pop(name) for name in _names() if name in kwargs}
        before = context.find_object(dict) or {}
        context.obj = {**before, **{name: value for name, value in own.items() if value}}
        return function(*args, flags=context.obj, **kwargs)

    decorated: Any = wrapper
    for names, attributes in reversed(_GLOBAL):
        decorated = click.option(*names, hidden=True, **attributes)(decorated)
    return decorated  # type: ignore[no-any-return]


@functools.cache
def _names() -> tuple[str, ...]:
    found = []
    for names, _ in _GLOBAL:
        plain = [name for name in names if not name.startswith("-")]
        longest = max((name for name in names if name.startswith("--")), key=len, default="")
        found.append(plain[0] if plain else longest.lstrip("-").replace("-", "_"))
    return tuple(found)


@click.command()
@global_options
def options(flags: dict[str, Any]) -> None:  # noqa: ARG001 - every command takes them
    """List the flags that every command takes."""
    formatter = click.HelpFormatter()
    with formatter.section("These flags go with every command, before or after its name"):
        formatter.write_dl([(", ".join(name for name in names if name.startswith("-")), str(attributes["help"]))
                            for names, attributes in _GLOBAL])  # fmt: skip
    click.echo(formatter.getvalue(), nl=False)
