"""Fields of older releases that no longer exist, with what takes their place.

Sources: split.md §§1 and 14, the CRDs of 0.8 against today's, and upstream's release notes for 0.9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.topology.fields import REFUSED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Fields: TypeAlias = Mapping[tuple[str, ...], "Gone"]


class Gone(NamedTuple):
    """A field that is gone.

    ``harmless`` are the values with which its absence changes nothing for a lab; None where no value does. A value
    that is empty is always harmless.
    """

    instead: str
    harmless: frozenset[str] | None = None


def _but(*harmless: str) -> frozenset[str]:
    return frozenset(harmless)


_LAUNCHER: Final = Gone("there is no launcher any more")
_HOSTS_PULL: Final = "the hosts of the cluster pull all images"
_ONE_WIRE: Final = Gone("links have one connectivity now", _but("vxlan"))
_NAMING: Final = Gone("objects are always called after the nodes")

_DEPLOYMENT: Final = {
    **dict.fromkeys(
        ("containerlabDebug", "containerlabTimeout", "launcherImage", "launcherImagePullPolicy", "launcherLogLevel"),
        _LAUNCHER,
    ),
    "containerlabVersion": Gone("the manager brings its own containerlab", _but()),
    "privilegedLauncher": Gone(
        "what a device may do comes from its kind, and from privileged, cap-add and devices of its Node", _but()
    ),
    "extraEnv": Gone(
        "these were variables of the launcher; those of a device are env of its Node", _but()
    ),
}  # fmt: skip
_IMAGE_PULL: Final = {
    "insecureRegistries": Gone(
        "registries are configured on the hosts, and for the manager in registryMetadataTrust of the Config",
        _but(),
    ),
    "pullThroughOverride": Gone(_HOSTS_PULL, _but("auto", "always")),
    "dockerDaemonConfig": Gone(
        "no Docker runs in the Pods; registries and mirrors are configured on the hosts", _but()
    ),
    "dockerConfig": Gone(
        "name a Secret of the type kubernetes.io/dockerconfigjson in imagePull.pullSecrets", _but()
    ),
}  # fmt: skip


def _below(path: tuple[str, ...], fields: Mapping[str, Gone]) -> dict[tuple[str, ...], Gone]:
    return {(*path, name): gone for name, gone in fields.items()}


_SHARED: Final = {
    ("spec", "connectivity"): _ONE_WIRE,
    **_below(("spec", "deployment"), _DEPLOYMENT),
    **_below(("spec", "imagePull"), _IMAGE_PULL),
}

PROFILE: Final[Fields] = {
    **_SHARED,
    ("spec", "mgmt", "network"): Gone("no network of Docker is behind it any more"),
    ("spec", "mgmt", "mtu"): Gone("a Link has an mtu; the Pod's network has its own", _but()),
    ("spec", "mgmt", "external-access"): Gone(
        "Services decide what is reachable: expose.exposeType", _but("true")
    ),
}
"""Of a LauncherProfile, or of a NodeProfile that still has them."""

TOPOLOGY: Final[Fields] = {
    **_SHARED,
    ("spec", "naming"): _NAMING,
    ("spec", "expose", "disableNodeAliasService"): Gone(
        "every Node has a Service of its name", _but("false")
    ),
}

CONFIG: Final[Fields] = {
    ("spec", "naming"): _NAMING,
    ("spec", "inClusterDNSSuffix"): Gone(
        "the manager takes the suffix of its own Pod", _but("svc.cluster.local")
    ),
    **_below(("spec", "deployment"), _DEPLOYMENT),
    ("spec", "deployment", "resourcesByContainerlabKind"): Gone(
        "what a kind needs comes from the kind; set resources in a NodeProfile, or deployment.resourcesDefault for all",
        _but(),
    ),
    **_below(("spec", "imagePull"), _IMAGE_PULL),
    **_below(
        ("spec", "imagePull"),
        dict.fromkeys(("criSockOverride", "criKindOverride", "criHostsDir"), Gone(_HOSTS_PULL)),
    ),
}

LINK: Final[Fields] = {("spec", "connectivity"): _ONE_WIRE}

NODE: Final[Fields] = _below(
    ("spec",),
    {
        **dict.fromkeys(("publish", "sandbox", "kernel"), Gone("containerlab no longer has it")),
        "position": Gone("only drawings used it"),
        "runtime": Gone(REFUSED["runtime"], _but("docker")),
        "auto-remove": Gone(REFUSED["auto-remove"]),
        "wait-for": Gone(
            "devices start by themselves; startup-delay puts one off, limits of the rollout all", _but()
        ),
        **{
            name: Gone(REFUSED[name], _but())
            for name in ("pid-mode", "cgroupns-mode", "cpu-set", "stages", "credentials")
        },
    },
)  # fmt: skip

KINDS: Final[Mapping[str, str]] = {
    "ImageRequest": "images are no longer asked for by objects: leave it out",
    "Connectivity": "links are objects of their own now: leave it out, the manager makes what it needs",
    "Containerlab": "it became Topology: put its definition into spec.definition.containerlab of one",
    "Kne": "KNE definitions left the API: write the lab as a Topology with a containerlab definition",
}
"""Kinds that nothing of today replaces field by field."""
