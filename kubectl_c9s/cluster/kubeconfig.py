"""From kubectl's connection flags to a client configuration (conventions.md §2).

Loading, merging, exec plugins and in-cluster tokens are the official client's. It takes the last file's current context
where kubectl takes the first, and knows no override of cluster and user: that is done here.
"""

from __future__ import annotations

import contextlib
import logging
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.cluster.errors import BadConnection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The client's names of the setting, of newer and older versions.
_TOKEN_KEYS: Final = ("BearerToken", "authorization")
IN_CLUSTER: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
_OWN: Final = "kubectl-c9s"


class Settings(NamedTuple):
    """A client configuration (of the official client), the namespace of the context, headers to send.

    A header may stand there more than once, as the groups of an impersonation do.
    """

    configuration: Any
    namespace: str
    headers: list[tuple[str, str]]


def load_settings(flags: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """Load the configuration that the flags and the environment name.

    Raises BadConnection with the reason: no configuration, unknown context, unreadable certificate.
    """
    from kubernetes.client import Configuration  # noqa: PLC0415 - slow to import

    configuration = Configuration()
    user: Mapping[str, Any] = {}
    with _overhearing() as said:
        try:
            namespace, user = _load(configuration, flags, environment)
        except BadConnection:
            raise
        except Exception as error:  # noqa: BLE001 - the client raises anything on a broken kubeconfig
            raise BadConnection(f"the kubeconfig cannot be used: {_first_line(error)}") from None
    _override(configuration, flags)
    if "exec" in user and not configuration.api_key and not configuration.cert_file:
        reason = said[0] if said else "no token and no certificate"
        raise BadConnection(
            f"the credential plugin {user['exec'].get('command')!r} gave nothing: {reason}"
        )
    return Settings(configuration, namespace, _impersonation(flags, user))


@contextlib.contextmanager
def _overhearing() -> Iterator[list[str]]:
    """Collect what the official client logs: it logs a failed credential plugin and goes on without."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    root = logging.getLogger()
    # A handler that stays, too: without any the client's later words would go to stderr.
    root.addHandler(logging.NullHandler())
    root.addHandler(handler)
    try:
        yield said
    finally:
        root.removeHandler(handler)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _load(
    configuration: Any, flags: Mapping[str, Any], environment: Mapping[str, str]
) -> tuple[str, Mapping[str, Any]]:
    """Give the namespace of the context and its user's entry."""
    existing = _existing(flags, environment)
    if existing:
        return _load_files(configuration, existing, flags)
    if flags.get("kubeconfig"):
        raise BadConnection(f"no kubeconfig at {flags['kubeconfig']}")
    if "KUBERNETES_SERVICE_HOST" in environment:
        return _load_in_cluster(configuration), {}
    if flags.get("server"):
        return "default", {}
    raise BadConnection(
        "no cluster is configured", hint="set KUBECONFIG, or give --kubeconfig or --server"
    )


def _existing(flags: Mapping[str, Any], environment: Mapping[str, str]) -> list[str]:
    """Give the kubeconfig files that are meant and are there."""
    home = os.path.join(os.path.expanduser("~"), ".kube", "config")  # noqa: PTH111, PTH118 - one of a list of paths
    paths = flags.get("kubeconfig") or environment.get("KUBECONFIG") or home
    return [path for path in paths.split(os.pathsep) if path and os.path.exists(path)]  # noqa: PTH110 - see above


def names(part: str, flags: Mapping[str, Any], environment: Mapping[str, str]) -> list[str]:
    """Give the names in a part of the kubeconfig: ``contexts``, ``clusters`` or ``users``; no plugin is run."""
    from kubernetes.config.kube_config import KubeConfigMerger  # noqa: PLC0415 - slow to import

    merger = KubeConfigMerger(os.pathsep.join(_existing(flags, environment)))
    entries = merger.config.value.get(part) if merger.config else None
    return [str(entry.value["name"]) for entry in entries or ()]


def _load_files(
    configuration: Any, paths: list[str], flags: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]]:
    from kubernetes.config.kube_config import KubeConfigLoader, KubeConfigMerger  # noqa: PLC0415 - slow to import

    merger = KubeConfigMerger(os.pathsep.join(paths))
    if merger.config is None:
        raise BadConnection("the kubeconfig is empty")
    name = flags.get("context") or _first_context(merger, paths)
    contexts = {context["name"]: context.value["context"] for context in merger.config["contexts"]}
    if name not in contexts and not (flags.get("cluster") and flags.get("user")):
        if not name and flags.get("server"):
            return "default", {}
        known = ", ".join(sorted(contexts)) or "none"
        raise BadConnection(f"context {name!r} is not in the kubeconfig", hint=f"it has: {known}")
    context = contexts.get(name) or {}
    if flags.get("cluster") or flags.get("user"):
        name = _add_context(merger, context, flags)
    loader = KubeConfigLoader(config_dict=merger.config, active_context=name, config_base_path=None)
    loader.load_and_set(configuration)
    return str(context.get("namespace") or "default"), _user(merger, loader.current_context)


def _user(merger: Any, context: Mapping[str, Any]) -> Mapping[str, Any]:
    name = context["context"].get("user")
    for entry in merger.config.value.get("users") or ():
        if entry.value["name"] == name:
            return entry.value.get("user") or {}
    if name:
        raise BadConnection(f"user {name!r} is not in the kubeconfig")
    return {}


def _first_context(merger: Any, paths: list[str]) -> str:
    for path in paths:
        current = (merger.config_files.get(path) or {}).get("current-context")
        if current:
            return str(current)
    return ""


def _add_context(merger: Any, context: Mapping[str, Any], flags: Mapping[str, Any]) -> str:
    from kubernetes.config.kube_config import ConfigNode  # noqa: PLC0415 - slow to import

    merged = dict(context)
    for key in ("cluster", "user"):
        if flags.get(key):
            merged[key] = flags[key]
    node = ConfigNode("flags", {"name": _OWN, "context": merged}, None)
    merger.config.value["contexts"].append(node)
    return _OWN


def _load_in_cluster(configuration: Any) -> str:
    from kubernetes.config.incluster_config import load_incluster_config  # noqa: PLC0415 - slow to import

    load_incluster_config(client_configuration=configuration)
    try:
        with open(f"{IN_CLUSTER}/namespace", encoding="utf-8") as stream:  # noqa: PTH123 - a fixed path
            return stream.read().strip() or "default"
    except OSError:
        return "default"


def _override(configuration: Any, flags: Mapping[str, Any]) -> None:
    for flag, field in (
        ("server", "host"),
        ("certificate_authority", "ssl_ca_cert"),
        ("client_certificate", "cert_file"),
        ("client_key", "key_file"),
        ("tls_server_name", "tls_server_name"),
    ):
        if flags.get(flag):
            setattr(configuration, field, flags[flag])
    if flags.get("insecure_skip_tls_verify"):
        configuration.verify_ssl = False
    if flags.get("token"):
        configuration.api_key |= dict.fromkeys(_TOKEN_KEYS, f"Bearer {flags['token']}")
        configuration.refresh_api_key_hook = None


def _impersonation(flags: Mapping[str, Any], user: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Give the headers of whom to act as: of the flags, else of the kubeconfig's user. A header a group."""
    if flags.get("as_user") or flags.get("as_uid") or flags.get("as_group"):
        name, uid, groups = flags.get("as_user"), flags.get("as_uid"), flags.get("as_group")
    else:
        name, uid, groups = user.get("as"), user.get("as-uid"), user.get("as-groups")
    headers = [("Impersonate-User", str(name))] if name else []
    headers += [("Impersonate-Uid", str(uid))] if uid else []
    return headers + [("Impersonate-Group", str(group)) for group in groups or ()]
