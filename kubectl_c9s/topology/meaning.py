"""What a definition and its policy say of each object, in one form that two labs can be compared by.

Used to prove that a split lost nothing: the form of the original and of the composed Topology must be equal. Read
anew from flattened nodes, without the code that renders objects. What is normalised here is changed or lost on
purpose: each such place is listed by ``losses``, or is another way to write the same (split.md §§6-11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_c9s.resources import labels as keys
from kubectl_c9s.resources import names, quantity
from kubectl_c9s.topology import fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kubectl_c9s.topology.definition import Definition
    from kubectl_c9s.topology.flatten import Flat
    from kubectl_c9s.topology.manifest import Manifest
    from kubectl_c9s.topology.render import Lab

_FILES: Final = ("filesFromConfigMap", "filesFromSecret", "filesFromURL")
_STRUCTURES: Final = ("certificate", "config", "dns", "healthcheck")
_DIRECTIVES: Final = frozenset({keys.EXPOSE_PORTS, keys.APP_PROTOCOLS})
_CONTAINER: Final = "container:"


class Source(NamedTuple):
    """A lab before it is rendered: what ``compile.finish`` gets.

    ``flats`` maps written node names to flattened nodes (of a bare lab: with the values that staging changed);
    ``lab.spec`` has its API-server defaults. ``manifest`` is None for a bare lab.
    """

    definition: Definition
    flats: Mapping[str, Flat]
    lab: Lab
    manifest: Manifest | None = None


def meaning(source: Source) -> dict[str, dict[str, Any]]:
    """Give what is said of each object, by ``Kind/name``: Nodes, Links, and the policy as ``NodeProfile/<lab>``."""
    renames = {written: names.sanitize_name(written) for written in source.flats}
    found: dict[str, dict[str, Any]] = {
        f"Node/{renames[written]}": {
            **_node(flat, renames),
            **_policy_of_node(source.lab.spec, written),
        }
        for written, flat in source.flats.items()
    }
    found.update(_links(source.definition, renames))
    if source.flats:  # without nodes there is no profile, so nothing that could hold policy
        found[f"NodeProfile/{source.lab.name}"] = _policy(source, renames)
    return found


def _node(flat: Flat, renames: Mapping[str, str]) -> dict[str, Any]:
    found = dict(flat.values)
    for key in _STRUCTURES:
        if key in found:
            parts = {part: value for part, value in found[key].items() if value or value is False}
            found[key] = parts
    mode = found.get("network-mode", "")
    if mode.startswith(_CONTAINER):
        primary = mode.removeprefix(_CONTAINER)
        found["network-mode"] = _CONTAINER + renames.get(primary, primary)
    labels = found.pop("labels", {})
    found["ports"] = list(_ports(found.get("ports", []), labels.get(keys.EXPOSE_PORTS)))
    found["appProtocols"] = _protocols(labels.get(keys.APP_PROTOCOLS))
    found["labels"] = {key: value for key, value in labels.items() if key not in _DIRECTIVES}
    found[fields.COMPONENTS] = flat.owned.get(fields.COMPONENTS, [])
    owned = {key: value for key, value in flat.owned.items() if key != fields.COMPONENTS}
    found[fields.WRAPPER] = owned
    # Not said and said to be nothing are one; a false that is said counts, and so does text in a mapping.
    return {key: value for key, value in found.items() if value or value is False}


def _ports(ports: list[str], exposed: str | None) -> Iterator[str]:
    """Give destination ports, then those of the directive that are not among them (split.md §6)."""
    kept = [port.rpartition(":")[2] for port in ports]
    yield from kept
    seen = {_port(port) for port in kept}
    for entry in exposed.split(",") if exposed is not None else ():
        port = _port(entry)
        if port not in seen:
            seen.add(port)
            yield port


def _port(text: str) -> str:
    number, _, protocol = text.strip().partition("/")
    digits = number.removeprefix("+").lstrip("0") or number
    return f"{digits}/{protocol.lower() or 'tcp'}"


def _protocols(directive: str | None) -> list[list[str]]:
    """Give (port, name) of each protocol hint; a name may be empty, which means that there is no hint."""
    pairs = (
        (entry.partition("=") for entry in directive.split(",")) if directive is not None else ()
    )
    return [[_port(port), name.strip()] for port, _, name in pairs]


def _links(definition: Definition, renames: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for link in definition.links:
        (node_a, if_a), (node_b, if_b) = (
            (renames.get(end.node, end.node), end.interface) for end in link.endpoints
        )
        name = names.link_name(node_a, if_a, node_b, if_b)
        said = {"endpoints": [[node_a, if_a], [node_b, if_b]], "mtu": link.mtu}
        found[f"Link/{name}"] = said
    return found


def _policy_of_node(spec: Mapping[str, Any], written: str) -> dict[str, Any]:
    deployment = spec.get("deployment", {})
    found = {kind: deployment.get(kind, {}).get(written) for kind in _FILES}
    resources = deployment.get("resources", {})
    entry = resources.get(written, resources.get("default"))
    # By value, as the manager compares them; an empty entry is an entry.
    found["resources"] = None if entry is None else _amounts(entry)
    return {key: value for key, value in found.items() if value or value == {}}


def _amounts(resources: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {
        part: {name: quantity.parse(amount) for name, amount in resources[part].items()}
        for part in ("requests", "limits")
        if resources.get(part)
    }
    if claims := resources.get("claims"):
        found["claims"] = claims
    return found


def _policy(source: Source, renames: Mapping[str, str]) -> dict[str, Any]:
    spec = source.lab.spec
    deployment = spec.get("deployment", {})
    persistence = deployment.get("persistence", {})
    scheduling = deployment.get("scheduling")
    return {
        "expose": _stated(spec.get("expose", {})),
        "imagePull": _stated(spec.get("imagePull", {})),
        # A part that is said and empty leaves an empty block in the profile.
        "scheduling": _stated(scheduling) if scheduling else None,
        "persistence": persistence if persistence.get("enabled") else {},
        "statusProbes": _probes(spec.get("statusProbes", {}), renames),
        "mgmt": "disabled" if spec.get("disableManagement") else source.definition.mgmt,
    }


def _stated(block: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in block.items() if value}


def _probes(probes: Mapping[str, Any], renames: Mapping[str, str]) -> dict[str, Any]:
    per_node = probes.get("nodeProbeConfigurations", {})
    configuration = probes.get("probeConfiguration", {})
    # An entry for no node may have the new name of one; the node's own entry wins.
    ordered = sorted(per_node.items(), key=lambda entry: entry[0] in renames)
    return {
        "enabled": probes.get("enabled", False),
        "probeConfiguration": configuration if any(configuration.values()) else {},
        "nodeProbeConfigurations": {renames.get(node, node): value for node, value in ordered},
        "excludedNodes": [renames.get(node, node) for node in probes.get("excludedNodes", [])],
    }
