"""The containerlab node vocabulary as data: each field's type and how layers merge (split.md §4).

The names are containerlab's. A key that is not here is owned by the node's kind (split.md §5).
"""

from __future__ import annotations

from typing import Final

# Type of the value a field decodes into; the words are those of ``convert.CONVERTERS``.
FIELD_TYPES: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            "kind", "group", "type", "image", "license", "startup-config", "entrypoint", "cmd", "user", "shm-size",
            "memory", "network-mode", "restart-policy", "link-apply-mode", "image-pull-policy", "mgmt-net",
            "mgmt-ipv4", "mgmt-ipv6",
        ),
        "text",
    ),
    "startup-delay": "unsigned",
    "cpu": "float",
    **dict.fromkeys(("enforce-startup-config", "suppress-startup-config", "privileged"), "boolean"),
    **dict.fromkeys(("env", "labels", "sysctls", "tmpfs"), "text-map"),
    **dict.fromkeys(("exec", "env-files", "devices", "cap-add", "security-opts"), "unique-texts"),
    **dict.fromkeys(("binds", "ports", "aliases"), "text-list"),
    "dns": "dns",
    "healthcheck": "healthcheck",
    "config": "config",
    "certificate": "certificate",
}  # fmt: skip

# Merged per key, the most specific layer wins.
MERGED_MAPS: Final = frozenset({"env", "labels", "sysctls", "tmpfs"})
# Concatenated from the least specific layer on; a repeat is dropped, its first place kept.
CONCATENATED: Final = frozenset({"exec", "env-files", "devices", "cap-add", "security-opts"})
# Objects that hide inherited ones, or say something, also when they are empty.
OBJECTS: Final = frozenset({"dns", "healthcheck", "config", "certificate"})
# Stated on the node itself or not at all.
NEVER_INHERITED: Final = frozenset({"aliases", "mgmt-ipv4", "mgmt-ipv6"})

# Known to containerlab and refused in any block, used or not (split.md §4).
REFUSED: Final[dict[str, str]] = {
    "runtime": "device Pods always use the container runtime of the cluster",
    "auto-remove": "Kubernetes owns the life of containers",
    "pid-mode": "a device Pod cannot share the PID namespace of another",
    "cgroupns-mode": "a Pod cannot choose its cgroup namespace",
    "cpu-set": "Pods have no portable way to pin CPUs",
    "stages": "the order of boots is decided by the rollout policy, not by stages",
    "credentials": "a Node has no place for credentials; the defaults of the kind apply",
}
# Known to containerlab, neither carried nor refused by the engine: left out, with a warning of ours. The type
# of the value counts all the same; volumes have several forms.
DROPPED: Final[dict[str, str | None]] = {
    "position": "text",
    "hostname": "text",
    "volumes": None,
    "cgroup-parent": "text",
}

WRAPPER: Final = "kind-specific-config"
COMPONENTS: Final = "components"
VOCABULARY: Final = frozenset(FIELD_TYPES) | frozenset(REFUSED) | frozenset(DROPPED)

TOP_LEVEL: Final = frozenset({"name", "prefix", "mgmt", "topology", "debug"})
TOPOLOGY_SECTIONS: Final = frozenset({"defaults", "kinds", "groups", "nodes", "links"})
LINK_KEYS: Final = frozenset({"type", "endpoints", "labels", "vars", "mtu"})

MGMT_CARRIED: Final = (
    "ipv4-subnet",
    "ipv4-gw",
    "ipv4-range",
    "ipv6-subnet",
    "ipv6-gw",
    "ipv6-range",
)
MGMT_IGNORED: Final[dict[str, str]] = {
    "network": "the name of the management network",
    "bridge": "the bridge of the management network",
    "mtu": "the MTU of the management network",
    "external-access": "external access; Services decide what is reachable",
    "skip-when-unused": "creating the management network only when used",
    "driver-opts": "driver options of the management network",
    "driver": "the driver of the management network",
    "ipam": "the address management of a container runtime; the manager gives addresses itself",
    "macvlan-parent": "macvlan management networks",
    "macvlan-mode": "macvlan management networks",
    "macvlan-aux": "macvlan management networks",
    "tailscale": "the tailscale integration of the management network",
}
# Types that count although the value is not used; ipam and tailscale are structures of other programs.
MGMT_IGNORED_TYPES: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("network", "bridge", "driver", "macvlan-parent", "macvlan-mode", "macvlan-aux"), "text"
    ),
    "mtu": "integer",
    "external-access": "boolean",
    "skip-when-unused": "boolean",
    "driver-opts": "text-map",
}
