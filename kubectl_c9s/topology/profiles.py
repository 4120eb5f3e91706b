"""NodeProfiles: the policy part of a Topology, shared or with resources of one node (split.md §10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources import names, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEFAULT: Final = "default"
_EXPOSE_FLAGS: Final = ("disableAutoExpose", "useNodeMgmtIpv4Address", "useNodeMgmtIpv6Address")
_SCHEDULING: Final = ("nodeSelector", "tolerations", "affinity")


def has_own_profile(spec: Mapping[str, Any], written_name: str) -> bool:
    """Tell whether a node needs a profile of its own: resources of its own, unlike the default entry."""
    resources = spec.get("deployment", {}).get("resources", {})
    if written_name not in resources:
        return False
    if _DEFAULT not in resources:
        return True
    return not quantity.resources_equal(resources[written_name], resources[_DEFAULT])


def own_profile_name(topology: str, node: str) -> str:
    """Name of a dedicated profile."""
    return names.safe_concat(topology, node)


def shared_spec(
    spec: Mapping[str, Any], mgmt: Mapping[str, str] | None, renames: Mapping[str, str]
) -> dict[str, Any]:
    """Build the spec of the shared profile from a Topology spec that has its API-server defaults."""
    deployment = spec.get("deployment", {})
    built: dict[str, Any] = {"expose": _expose(spec.get("expose", {}))}
    if image_pull := {
        k: v for k, v in spec.get("imagePull", {}).items() if k in {"policy", "pullSecrets"} and v
    }:
        built["imagePull"] = image_pull
    if _DEFAULT in deployment.get("resources", {}):
        built["resources"] = _as_text(deployment["resources"][_DEFAULT])
    scheduling = deployment.get("scheduling", {})
    if any(key in scheduling for key in _SCHEDULING):
        built["scheduling"] = {
            key: scheduling[key]
            for key in _SCHEDULING
            if scheduling.get(key) or (key == "affinity" and key in scheduling)
        }
    if deployment.get("persistence", {}).get("enabled"):
        built["deployment"] = {"persistence": deployment["persistence"]}
    built["statusProbes"] = _probes(spec.get("statusProbes", {}), renames)
    if mgmt is not None:
        built["mgmt"] = dict(mgmt)
    if spec.get("disableManagement"):
        built["mgmt"] = {"disabled": True}
    return built


def own_spec(shared: dict[str, Any], spec: Mapping[str, Any], written_name: str) -> dict[str, Any]:
    """Build the spec of a dedicated profile: the whole shared one with the node's resources."""
    return {**shared, "resources": _as_text(spec["deployment"]["resources"][written_name])}


def _expose(expose: Mapping[str, Any]) -> dict[str, Any]:
    built: dict[str, Any] = {flag: expose.get(flag, False) for flag in _EXPOSE_FLAGS}
    if expose.get("exposeType"):
        built["exposeType"] = expose["exposeType"]
    return built


def _probes(probes: Mapping[str, Any], renames: Mapping[str, str]) -> dict[str, Any]:
    built: dict[str, Any] = {"enabled": probes.get("enabled", False)}
    if any((configuration := probes.get("probeConfiguration", {})).values()):
        built["probeConfiguration"] = configuration
    if per_node := probes.get("nodeProbeConfigurations"):
        # An entry for no node may have the new name of one; the node's own entry wins, in whatever order they stand.
        ordered = sorted(per_node.items(), key=lambda entry: entry[0] in renames)
        built["nodeProbeConfigurations"] = {renames.get(node, node): one for node, one in ordered}
    if excluded := probes.get("excludedNodes"):
        built["excludedNodes"] = [renames.get(node, node) for node in excluded]
    return built


def _as_text(resources: Mapping[str, Any]) -> dict[str, Any]:
    """Write quantities that were given as numbers as texts, which is what the API server stores."""
    return {
        key: {
            name: str(amount) if isinstance(amount, int) else amount
            for name, amount in value.items()
        }
        if isinstance(value, dict)
        else value
        for key, value in resources.items()
    }
