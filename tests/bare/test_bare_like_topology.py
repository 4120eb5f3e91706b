"""The objects of a containerlab file are those of the Topology that containerlab would make of it: A3, A4, F."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from bare_lab import Directory, split
from hypothesis import given, settings
from hypothesis import strategies as st

INLINE = "/clabernetes/startup-config.partial.cfg"
NODES = ["a", "R1", "n_2", "0x"]
CONFIGS = [
    None,
    "cfg/one",
    "./cfg/one",
    "cfg/__clabNodeName__",
    "one line\n",
    "two\nlines",
    "__clabDir__/__clabNodeName__",
]
LICENSES = [None, "cfg/one", "x\ny\n", "__clabNodeDir__"]
BINDS = ["cfg:/cfg", "cfg/one:/one:ro", "__clabNodeName__/f:/f", "./cfg/__clabNodeName__:/x"]
ENVS = ["cfg/one", "__clabNodeName__/f", "cfg"]


def some(values: list[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


nodes = st.fixed_dictionaries(
    {"kind": some(["linux", "nokia_srlinux"])},
    optional={
        "startup-config": some(CONFIGS),
        "license": some(LICENSES),
        "binds": st.lists(some(BINDS), unique=True, max_size=4),
        "env-files": st.lists(some(ENVS), unique=True, max_size=3),
        "copy-to-flash": st.lists(some(ENVS), max_size=2),
        "image": some(["alpine:3", "x"]),
        "group": some(["g", "h"]),
    },
)
mtus = some([None, 0, 1400, 9500])
ends = st.tuples(some(NODES[:2]), st.integers(0, 10**9).map(lambda n: f"e{n}"))
wires = st.tuples(some(["brief", "typed brief", "veth", "host", "host first"]), ends, ends, mtus)


def bare_link(form: str, a: tuple[str, str], b: tuple[str, str], mtu: int | None) -> dict[str, Any]:
    """Write a link in one of its forms."""
    end_a, end_b = {"node": a[0], "interface": a[1]}, {"node": b[0], "interface": b[1]}
    forms: dict[str, dict[str, Any]] = {
        "brief": {"endpoints": [":".join(a), ":".join(b)]},
        "typed brief": {"type": "brief", "endpoints": [":".join(a), ":".join(b)]},
        "veth": {"type": "veth", "endpoints": [end_a, end_b]},
        "host": {"type": "host", "endpoint": end_a, "host-interface": b[1]},
        "host first": {"endpoints": [f"HOST:{b[1]}", ":".join(a)]},
    }
    return forms[form] if mtu is None else {**forms[form], "mtu": mtu}


def topology_link(
    form: str, a: tuple[str, str], b: tuple[str, str], mtu: int | None
) -> dict[str, Any]:
    """Write the same link as containerlab prepares it (A4)."""
    second = f"host:{b[1]}" if form.startswith("host") else ":".join(b)
    default = 0 if form in {"veth", "host"} else 9500
    return {"endpoints": [":".join(a), second], "mtu": mtu or default}


def shown(path: str, node: str) -> str:
    """Replace path variables by section D: the lab's directory is relative."""
    for variable, value in (
        ("NodeDir", f"clab-lab/{node}"),
        ("Dir", "clab-lab"),
        ("NodeName", node),
    ):
        path = path.replace(f"__clab{variable}__", value)
    return path


def below(base: Path, path: str) -> list[str]:
    """Give the paths of the files at a path: itself, or all in a directory, as B2 shows them."""
    if (base / path).is_file():
        return [path]
    return [
        os.path.normpath(f"{path}/{one.relative_to(base / path)}")
        for one in (base / path).rglob("*")
        if one.is_file()
    ]


def by_containerlab(
    base: Path, name: str, node: dict[str, Any]
) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Give a node as the Topology has it, and its list of files."""
    found: dict[tuple[bytes, bytes], str] = {}
    node = {key: value for key, value in node.items() if value is not None}

    def take(path: str, identity: str) -> None:
        found[os.path.normpath(identity).encode(), path.encode()] = path

    for field in ("startup-config", "license"):
        value = node.get(field)
        if value is None:
            continue
        if "\n" in value:
            path = (
                INLINE if field == "startup-config" else f"/clabernetes/{name}/license/embedded.lic"
            )
            take(path, f"inline-startup-config/{name}" if field == "startup-config" else path)
            node[field] = path
        else:
            node[field] = shown(value, name)
            take(node[field], node[field])
    sources = [one.split(":") for one in node.get("binds", [])]
    named = (
        [source for source, *_ in sources]
        + node.get("env-files", [])
        + node.get("copy-to-flash", [])
    )
    for value in named:
        for path in below(base, shown(value, name)):
            take(path, path)
    if sources:
        node["binds"] = [":".join((shown(source, name), *rest)) for source, *rest in sources]
    entries = []
    for (identity, _), path in sorted(found.items()):
        config_map = "lab-file-" + hashlib.sha256(identity).hexdigest()[:16]
        config_map = config_map if config_map[-1].isalpha() else config_map[:-1] + "z"
        entries.append(
            {"filePath": path, "configMapName": config_map, "configMapPath": "file", "mode": "read"}
        )
    return node, entries


def lay_out(base: Path, text: str) -> Directory:
    files: dict[str, str | bytes] = {"cfg/one": "1"}
    for node in NODES:
        files |= {f"cfg/{node}": node, f"{node}/f": node, f"clab-lab/{node}": node}
    return Directory(base, text, files)


@settings(max_examples=60)
@given(
    st.dictionaries(some(NODES), nodes, min_size=4, max_size=4),
    st.lists(wires, max_size=5),
    some([{}, {"mgmt": {"ipv4-subnet": "10.0.0.0/24"}}]),
)
def test_objects_equal_those_of_the_topology_containerlab_would_make(
    written: dict[str, dict[str, Any]], links: list[Any], head: dict[str, Any]
) -> None:
    bare = {
        "name": "lab",
        **head,
        "topology": {"nodes": written, "links": [bare_link(*one) for one in links]},
    }
    with tempfile.TemporaryDirectory() as name:
        lab = lay_out(Path(name), json.dumps(bare, ensure_ascii=False, indent=1))
        prepared = {node: by_containerlab(lab.top, node, body) for node, body in written.items()}
        answer = lab.split()
    definition = {
        **head,
        "topology": {
            "nodes": {node: body for node, (body, _) in prepared.items()},
            "links": [topology_link(*one) for one in links],
        },
    }
    topology = {
        "apiVersion": "c9s.run/v1alpha1",
        "kind": "Topology",
        "metadata": {"name": "lab", "namespace": "c9s-lab"},
        "spec": {
            "statusProbes": {"enabled": True},
            "deployment": {
                "persistence": {"enabled": True},
                "filesFromConfigMap": {
                    node: entries for node, (_, entries) in prepared.items() if entries
                },
            },
            "definition": {"containerlab": json.dumps(definition)},
        },
    }
    other = split("-", stdin=json.dumps(topology).encode())
    assert (answer.code, other.code) == ((0, 0) if not answer.errors else (1, 1)), (
        answer.err + other.err
    )
    assert [one for one in answer.objects if one["kind"] != "ConfigMap"] == other.objects
    assert answer.codes() == other.codes()  # the same link twice, say
