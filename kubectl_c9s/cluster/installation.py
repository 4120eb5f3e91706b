"""The installation of a cluster: the manager's namespace and the Config it reads (config-and-chart.md §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import Forbidden, NotFound
from kubectl_c9s.cluster.facts import read_all
from kubectl_c9s.cluster.managers import app_of, manager_pods
from kubectl_c9s.cluster.reading import read_object
from kubectl_c9s.resources import labels
from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.objects import CONFIG_NAME

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject

_HINT: Final = "name the manager's namespace with --manager-namespace"


class Installation(NamedTuple):
    """Where a manager lives, the value of ``c9s.run/app``, and its Config, None when there is none.

    ``note`` says what could not be made sure of, empty when there is nothing to say.
    """

    namespace: str
    app: str
    config: KubeObject | None
    note: str = ""


def find_installation(connection: Connection, wanted: str | None) -> Installation:
    """Find the Config next to a manager; a namespace that is ``wanted`` is taken even if no manager runs there.

    Raises UsageError when there are several to choose from, or none, and Forbidden when it may not be looked for.
    """
    if wanted:
        return _installation_in(connection, wanted)
    try:
        configs = {
            one["metadata"]["namespace"]: one
            for one in read_all(connection, kinds.CONFIGS)
            if one["metadata"]["name"] == CONFIG_NAME
        }
        apps = _apps(connection, None)
    except Forbidden as error:
        error.message = f"the manager cannot be looked for: {error.message}"
        error.hint = _HINT
        raise
    return _choose(configs, apps)


def _installation_in(connection: Connection, namespace: str) -> Installation:
    note = ""
    try:
        apps = _apps(connection, namespace)
    except Forbidden as error:
        apps, note = {}, f"the manager was not looked for: {error.message}"
    try:
        config = read_object(connection, kinds.CONFIGS, namespace, CONFIG_NAME)
    except NotFound:
        config = None
    return Installation(namespace, apps.get(namespace, labels.APP_VALUE), config, note)


def _apps(connection: Connection, namespace: str | None) -> dict[str, str]:
    """Give ``c9s.run/app`` of the managers by namespace."""
    return {
        pod["metadata"]["namespace"]: app_of(pod) for pod in manager_pods(connection, namespace)
    }


def _choose(configs: dict[str, KubeObject], apps: dict[str, str]) -> Installation:
    beside = sorted(configs.keys() & apps.keys())
    candidates = beside or sorted(apps) or sorted(configs)
    if not candidates:
        raise UsageError("there is neither a manager nor a Config in this cluster", hint=_HINT)
    if len(candidates) > 1:
        what = "a manager" if apps else "a Config, but no manager runs"
        raise UsageError(f"several namespaces have {what}: {', '.join(candidates)}", hint=_HINT)
    (namespace,) = candidates
    note = "" if apps else f"no manager is running; the only Config is in {namespace}"
    return Installation(
        namespace, apps.get(namespace, labels.APP_VALUE), configs.get(namespace), note
    )
