"""Every code a finding can carry: what ``explain`` lists, and a page in ``docs/codes`` for each.

Severity ``error``: nothing is written; ``warning``: never stops a run; ``info``: says what was not looked at;
``loss``: what objects do not have without their Topology, listed by ``split --verify``. A code has one meaning, but may
be met with two severities. ``guard``: a change of a cluster is not made.
``upstream`` codes are those of split.md §15 that the manager's compiler reports by the same name; the others are ours.

The causes that ``diagnose`` finds are no findings of an input: they get a table of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Code(NamedTuple):
    """One code: its severities, whether the manager's compiler has it, and one line on what it says."""

    severities: tuple[str, ...]
    upstream: bool
    summary: str


_E: Final = ("error",)
_W: Final = ("warning",)
_L: Final = ("loss",)
_I: Final = ("info",)
_G: Final = ("guard",)
_WL: Final = ("warning", "loss")
_WG: Final = ("warning", "guard")
_UPSTREAM, _OURS = True, False

# In the order of the alphabet; one line each.
# fmt: off
CODES: Final[Mapping[str, Code]] = {
    "ambiguous-scalar": Code(_W, _OURS, "two readers of YAML take a plain value differently"),
    "cap-without-probes": Code(_W, _OURS, "a limit per host without probes that tell when a device has booted"),
    "certificate-owner": Code(_L, _OURS, "certificates belong to each Node, not to the Topology"),
    "changed-since-read": Code(_G, _OURS, "somebody else has changed the rollout limits meanwhile"),
    "clashing-settings": Code(_E, _OURS, "an old field and what takes its place are both there"),
    "colliding-node-names": Code(_E, _UPSTREAM, "a node has no object name of its own"),
    "config-name": Code(_E, _OURS, "a Config that is not called clabernetes"),
    "conflicting-object": Code(_E, _OURS, "one object is given twice with other content"),
    "definition-text": Code(_L, _OURS, "comments, order and inheritance of the definition are not in the objects"),
    "disabled-management-address": Code(_W, _OURS, "a management address in a lab without management"),
    "drift-correction": Code(_L, _OURS, "nobody corrects drift, prunes, or checks across objects"),
    "dropped-field": Code(_WL, _OURS, "a containerlab field that a Node has no place for"),
    "dropped-setting": Code(_W, _OURS, "a field of an older release is taken out; the lab stays as it is"),
    "duplicate-alias": Code(_E, _UPSTREAM, "an alias is taken by a node or another alias"),
    "duplicate-key": Code(_E, _OURS, "a mapping has the same key twice"),
    "duplicate-kind-config": Code(_E, _UPSTREAM, "a key stands beside and inside kind-specific-config"),
    "duplicate-object-name": Code(_E, _OURS, "two objects would have one kind and name"),
    "empty-directory": Code(_W, _OURS, "a bind names a directory without files"),
    "endpoint-used-twice": Code(_W, _OURS, "two links use one interface of a node"),
    "env-files-refused": Code(_W, _OURS, "env-files are staged, but the planner refuses them"),
    "exported-field": Code(_W, _OURS, "a field that only a server writes is taken out"),
    "file-too-large": Code(_E, _OURS, "a file is too large for a ConfigMap"),
    "flux-substitution": Code(_W, _OURS, "text that Flux would replace holds ${"),
    "forbidden-metadata": Code(_E, _OURS, "metadata that an object in Git must not have"),
    "foreign-kind": Code(_E, _OURS, "an object that apply and diff do not take"),
    "foreign-tag": Code(_E, _OURS, "a YAML tag that no reader in the cluster knows"),
    "gitops-owner": Code(_G, _OURS, "a GitOps tool or Helm would put the rollout limits back"),
    "grouped-path-conflict": Code(_E, _OURS, "nodes of one Pod have different files at one path"),
    "host-port-pinning": Code(_WL, _UPSTREAM, "the host side of a port is dropped"),
    "ignored-endpoint-field": Code(_WL, _OURS, "a key of an endpoint that a Link has no place for"),
    "ignored-management-field": Code(_WL, _UPSTREAM, "a mgmt key that means nothing in a cluster"),
    "ignored-node-field": Code(_W, _UPSTREAM, "a node field that is carried and has no effect"),
    "inactive-persistence": Code(_L, _OURS, "settings of persistence that is not enabled"),
    "input-too-large": Code(_E, _OURS, "the input has more bytes than are read"),
    "invalid-alias": Code(_E, _UPSTREAM, "an alias cannot become the name of a Service"),
    "invalid-app-protocols-label": Code(_E, _UPSTREAM, "the label c9s.run/appProtocols cannot be understood"),
    "invalid-components": Code(_E, _OURS, "the list of components is not well formed"),
    "invalid-encoding": Code(_E, _OURS, "the input is not UTF-8"),
    "invalid-expose-ports-label": Code(_E, _UPSTREAM, "the label c9s.run/exposePorts cannot be understood"),
    "invalid-function-config": Code(_E, _OURS, "the configuration of a KRM function is not usable"),
    "invalid-host-link": Code(_E, _UPSTREAM, "a host link without a real node"),
    "invalid-kind-config": Code(_E, _OURS, "kind-specific-config is no mapping"),
    "invalid-metadata": Code(_E, _OURS, "name or namespace of a Topology is missing or unusable"),
    "invalid-resource-list": Code(_E, _OURS, "the input of a KRM function is no ResourceList"),
    "invalid-topology-field": Code(_E, _OURS, "a field of a Topology has a value its CRD refuses"),
    "invalid-type": Code(_E, _OURS, "a known key has a value of the wrong type"),
    "invalid-yaml": Code(_E, _OURS, "the text is no YAML"),
    "joint-creation": Code(_L, _OURS, "nobody creates the whole lab before planning begins"),
    "kind-case": Code(_W, _OURS, "a kind is written otherwise in the kinds section"),
    "kne-definition": Code(_E, _OURS, "a KNE definition, which the Topology API no longer has"),
    "lab-batches": Code(_L, _OURS, "batches and host limits for one lab alone"),
    "lab-name": Code(_E, _OURS, "the lab has no usable name"),
    "large-config-map": Code(_W, _OURS, "a ConfigMap that only server-side apply can take"),
    "large-object": Code(_W, _OURS, "an object that only server-side apply can take"),
    "link-to-directory": Code(_E, _OURS, "a symbolic link to a directory is not followed"),
    "lost-rollout": Code(_WL, _OURS, "a rollout limit of the Topology has no place in the objects"),
    "lost-setting": Code(_W, _OURS, "a field of an older release that did something has no successor"),
    "malformed-bind": Code(_E, _OURS, "a bind is not src:dst or src:dst:mode"),
    "malformed-endpoint": Code(_E, _OURS, "a link does not have two endpoints node:interface"),
    "missing-config-map": Code(_W, _OURS, "a file comes from a ConfigMap or key that is not in the input"),
    "missing-file": Code(_E, _OURS, "a file that the lab names is not there"),
    "missing-profile": Code(_E, _OURS, "a Node names a NodeProfile that is not in the input"),
    "misspelt-field": Code(_W, _OURS, "a key of the kind looks like a containerlab field"),
    "multiple-management-networks": Code(_E, _OURS, "more than one management network"),
    "namespace-mismatch": Code(_E, _OURS, "an object has another namespace than the flag -n says"),
    "nested-default": Code(_E, _OURS, "the default of a variable is an expression of its own"),
    "network-mode-cycle": Code(_E, _UPSTREAM, "network-modes lead in a circle"),
    "no-definition": Code(_E, _OURS, "a Topology without a containerlab definition"),
    "no-single-object": Code(_E, _OURS, "a file has no object of that name, or several"),
    "no-topology-section": Code(_E, _OURS, "a definition without a topology section"),
    "not-a-file": Code(_E, _OURS, "a device, pipe or socket where a file is needed"),
    "not-a-lab": Code(_W, _OURS, "a document that is no lab is left out"),
    "not-admissible": Code(_E, _OURS, "the API server would refuse an object"),
    "not-an-object": Code(("warning", "error"), _OURS, "a document is neither an object nor a lab"),
    "not-equivalent": Code(_E, _OURS, "the objects do not say the same as the lab"),
    "not-inherited": Code(_L, _OURS, "a field has an effect on nodes alone"),
    "not-split": Code(_E, _OURS, "a whole lab where the objects of a split one are wanted"),
    "nothing-to-check": Code(_E, _OURS, "the input holds nothing of clabernetes"),
    "object-too-large": Code(_E, _OURS, "an object is over the budget of bytes"),
    "odd-file-name": Code(_E, _OURS, "a file name that is not valid UTF-8"),
    "old-reference": Code(_W, _OURS, "a document names a kind or group of an older release"),
    "one-status": Code(_L, _OURS, "one place for readiness, counts and errors"),
    "other-namespace": Code(_L, _OURS, "the objects are in another namespace than the Topology"),
    "outside-lab-directory": Code(_E, _OURS, "a file lies outside the directories that are allowed"),
    "planner-lab-name": Code(_L, _OURS, "nothing tells the planner the name of the lab"),
    "policy-field-unused": Code(_W, _OURS, "a field of a RolloutPolicy that nothing obeys yet"),
    "probe-needs-peer": Code(_W, _OURS, "a limit per host where a startup probe asks another device"),
    "profile-conflict": Code(_W, _OURS, "Nodes of one Pod name different NodeProfiles"),
    "pseudo-node": Code(_E, _OURS, "a node of a containerlab file that is no device"),
    "redundant-entry": Code(_L, _OURS, "resources of a node that equal the default"),
    "remote-file": Code(_E, _OURS, "a file given by URL, which is not downloaded"),
    "removed-field": Code(_E, _OURS, "a Topology field of an older release"),
    "renamed-lab": Code(_WL, _OURS, "the lab gets a name that Kubernetes can carry"),
    "renamed-nodes": Code(_WL, _OURS, "a node gets a name that Kubernetes can carry"),
    "repeated-object": Code(_W, _OURS, "one object is given twice, the same"),
    "replaced-management": Code(_L, _OURS, "management settings in a lab without management"),
    "reserved-bind-path": Code(_E, _UPSTREAM, "a bind uses a path of the kubelet or the device runtime"),
    "reserved-node-name": Code(_W, _OURS, "a node is called host, which no link can reach"),
    "rollout-unsupported": Code(_G, _OURS, "the installed release knows no rollout limits"),
    "rule-not-checked": Code(_I, _OURS, "a CEL rule that comes with the input is not evaluated"),
    "second-document": Code(_W, _OURS, "a definition holds a second document, which is not read"),
    "secret-in-clear-text": Code(_W, _OURS, "a secret would stand in a ConfigMap"),
    "shared-value": Code(_E, _OURS, "a value that an alias or a merge key stands for cannot be edited"),
    "staging-conflict": Code(_E, _OURS, "one staged file stands for two contents"),
    "template": Code(_E, _OURS, "a containerlab file with Go templates"),
    "too-many-files": Code(_E, _OURS, "a directory with more files than are staged"),
    "topology-beside-objects": Code(_W, _OURS, "a Topology and the objects that it makes itself"),
    "topology-metadata": Code(_L, _OURS, "labels and annotations of the Topology are on no object"),
    "unclosed-variable": Code(_E, _OURS, "a ${ without its } on the line"),
    "uneditable-form": Code(_E, _OURS, "a way of writing that cannot be edited in place"),
    "unknown-expansion": Code(_E, _OURS, "a form of ${…} that containerlab does not know"),
    "unknown-field": Code(_E, _OURS, "a field that the kind does not have"),
    "unknown-kind": Code(_E, _OURS, "a kind that its API group does not have"),
    "unknown-link-endpoint": Code(_E, _UPSTREAM, "a link ends at a node that is not defined"),
    "unknown-network-mode-primary": Code(_E, _UPSTREAM, "network-mode names a node that is not defined"),
    "unknown-topology-field": Code(_E, _OURS, "a field that the CRD of Topologies does not know"),
    "unreachable-rule": Code(_W, _OURS, "a rule of a RolloutPolicy behind one that matches all of it"),
    "unreadable-file": Code(_E, _OURS, "a file that the lab names cannot be read"),
    "unsupported-field": Code(_E, _UPSTREAM, "a key that is unknown or refused"),
    "unsupported-image-pull-policy": Code(_E, _UPSTREAM, "an image-pull-policy that does not exist"),
    "unsupported-link-apply-mode": Code(_E, _UPSTREAM, "a link-apply-mode that does not exist"),
    "unsupported-link-labels": Code(_E, _UPSTREAM, "a link with labels"),
    "unsupported-link-type": Code(_E, _UPSTREAM, "a type of link that has no Link object"),
    "unsupported-link-vars": Code(_E, _UPSTREAM, "a link with vars"),
    "unsupported-network-mode": Code(_E, _UPSTREAM, "a network-mode other than container:NODE"),
    "unsupported-restart-policy": Code(_E, _UPSTREAM, "a restart-policy that a Pod cannot have"),
    "unsupported-settings": Code(_W, _OURS, "the settings block of containerlab"),
    "unsupported-special-endpoint": Code(_E, _UPSTREAM, "an endpoint in the network of a container host"),
    "unsupported-version": Code(_E, _OURS, "an API version that cannot be split"),
    "unusable-node-label": Code(_E, _UPSTREAM, "a label or group that Kubernetes would not take"),
    "unused-block": Code(_L, _OURS, "a kind or group that no node uses"),
    "unused-definition-key": Code(_L, _OURS, "name, prefix and debug of a definition are not used"),
    "unused-entry": Code(_WL, _OURS, "an entry for a node that does not exist"),
    "useless-topology-limit": Code(_WG, _OURS, "a limit for Topologies that never holds anything back"),
    "would-block": Code(_G, _OURS, "a batch limit would stop everybody at once"),
    "would-release": Code(_G, _OURS, "waiting workloads would start all at once"),
    "yaml-budget": Code(_E, _OURS, "the text is too deep, too large, or expands to too much"),
}
# fmt: on
