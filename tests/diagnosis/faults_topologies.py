"""Faults of whole Topologies: holds, names, labels, Nodes that are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import standin_names as names
from faults_play import Fault
from standin_lab_tools import LINUX

if TYPE_CHECKING:
    from faults_lab import Lab
    from faults_site import Site


def foreign_hold(site: Site) -> Fault:
    """Let a Node be made with the hold of another Topology; then delete it, so that it is made anew."""
    lab = site.lab("hold")
    site.faults(foreign_hold=[f"{lab.namespace}/b"])
    lab.start("abc")

    def reemit() -> None:
        site.faults(foreign_hold=None)
        lab.drop(names.VERSION, "nodes", "b")

    return Fault(
        "hold-foreign-topology",
        lambda: [lab.node_ref("b")],
        "reemit-node",
        lambda: "b" in lab.nodes() and lab.ready() == {"a"},
        reemit,
        says="is not the UID of its own",
    )


def orphaned(site: Site) -> Fault:
    """Delete a Topology and leave its Nodes; then make it again, and the held Nodes with it."""
    lab = site.lab("orphan")
    lab.fails("a", "sandbox")
    lab.start("abc")
    lab.wait("a is admitted", lambda: lab.pod("a"))
    lab.drop(names.VERSION, "topologies", "t", propagationPolicy="Orphan")
    lab.heal("a")

    def restore() -> None:
        for name in "abc":
            lab.drop(names.VERSION, "nodes", name)
        lab.start("abc")

    return Fault(
        "hold-foreign-topology",
        lambda: [lab.node_ref("b"), lab.node_ref("c")],
        "reemit-node",
        lambda: not any(node.owners for node in lab.nodes().values()),
        restore,
        says="no Topology",
    )


def name_conflict(site: Site) -> Fault:
    """Let a Node of somebody else have a name of the lab; then take it away."""
    lab = site.lab("conflict")
    lab.node("b")
    lab.start()
    return Fault(
        "inventory-incomplete",
        lambda: [lab.ref("Topology", "t")],
        "fix-spec",
        lambda: lab.status("topologies", "t").get("error"),
        lambda: lab.drop(names.VERSION, "nodes", "b"),
        says="node/b",
    )


def node_missing(site: Site) -> Fault:
    """Delete a Node that a policy keeps from being made again; then lift the policy."""
    lab = site.lab("missing")
    lab.start("ap")
    lab.wait("it is complete", lambda: lab.ready() == set("ap"))
    lab.wait("it says so", lambda: lab.status("topologies", "t").get("nodeCount") == 2)
    lab.label(refuse="node-p")
    lab.drop(names.VERSION, "nodes", "p")
    return Fault(
        "inventory-incomplete",
        lambda: [lab.ref("Topology", "t")],
        "fix-spec",
        lambda: "p" not in lab.nodes(),
        lambda: lab.label(refuse=None),
        says="1 of 2 Nodes are there",
    )


def primary_missing(site: Site) -> Fault:
    """Let a policy refuse the Node in whose Pod another runs; then lift it."""
    lab = site.lab("primary", refuse="node-p")
    lab.start({"p": LINUX, "s": {"kind": "linux", "network-mode": "container:p"}})
    return Fault(
        "network-mode-missing-primary",
        lambda: [lab.node_ref("s")],
        "fix-spec",
        lambda: "s" in lab.nodes(),
        lambda: lab.label(refuse=None),
        says="is no Node of",
    )


def ignored(site: Site) -> Fault:
    """Label a Topology so that nobody looks after it; then remove the label."""
    lab = site.lab("ignored")
    lab.fails("a", "sandbox")
    lab.start()
    path = lab.path("topologies", "t")
    lab.wait("a is released", lab.pods)
    lab.say(path, labels={names.IGNORE: "true"})
    lab.heal("a")
    return Fault(
        "topology-ignored",
        lambda: [lab.ref("Topology", "t")],
        "remove-label",
        lambda: _sandbox(lab) and lab.nodes()["b"].hold,
        lambda: lab.say(path, labels={names.IGNORE: None}),
        says=names.IGNORE,
    )


def _sandbox(lab: Lab) -> bool:
    return lab.pods()["a"].sandbox
