"""A small lab to render into directories, and a way to look at directories."""

from __future__ import annotations

import os
import stat
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from kubectl_c9s.files.compare import Rendering
from kubectl_c9s.yamlio.layout import Layout, arrange
from kubectl_c9s.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kubectl_c9s.resources.objects import KubeObject

C9S = "c9s.run/v1alpha1"
Tree: TypeAlias = dict[str, tuple[object, ...]]
PAGES = 5
"""How many kustomizations ``demo`` by kind has: of the directory and of its four folders."""


def head(kind: str, name: str, api: str = C9S) -> KubeObject:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "c9s-demo"}}


def profile(name: str) -> KubeObject:
    return {**head("NodeProfile", name), "spec": {"statusProbes": {"enabled": True}}}


def node(name: str, *maps: str, profile: str = "demo", image: str = "alpine:3") -> KubeObject:
    spec: dict[str, Any] = {"kind": "linux", "image": image, "profileRef": {"name": profile}}
    if maps:
        spec["filesFromConfigMap"] = [
            {"filePath": name, "configMapName": name, "configMapPath": "file"} for name in maps
        ]
    return {**head("Node", name), "spec": spec}


def link(node_a: str, node_b: str) -> KubeObject:
    ends = {
        "endpointA": {"nodeName": node_a, "interfaceName": "eth1"},
        "endpointB": {"nodeName": node_b, "interfaceName": "eth2"},
    }
    return {**head("Link", f"{node_a}-eth1-{node_b}-eth2"), "spec": ends}


def config_map(name: str, text: str = "hostname x\n") -> KubeObject:
    return {**head("ConfigMap", name, "v1"), "data": {"file": text}}


def demo(image: str = "alpine:3", *, third: bool = False) -> list[KubeObject]:
    """Give a lab of two nodes, or three, of which r2 has a profile and a file of its own."""
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "c9s-demo"}}
    objects = [namespace, config_map("demo-file-0"), config_map("demo-file-1")]
    objects += [profile("demo"), profile("demo-r2"), link("r1", "r2")]
    objects += [link("r2", "r3")] if third else []
    objects += [
        node("r1", "demo-file-0", image=image),
        node("r2", "demo-file-0", "demo-file-1", profile="demo-r2"),
    ]
    return [*objects, node("r3")] if third else objects


def rendering(
    objects: Sequence[KubeObject], layout: Layout = "by-kind", lab: str = "demo"
) -> Rendering:
    pairs = [(obj, partial(dump, obj)) for obj in objects]
    return Rendering(lab, "c9s-demo", layout, arrange(pairs, lab, layout))


def tree(directory: Path) -> Tree:
    """Give everything in a directory: path → kind, mode, and bytes or target."""
    return {path: entry[:-1] for path, entry in identities(directory).items()}


def identities(directory: Path) -> Tree:
    """Give everything in a directory: path → kind, mode, bytes or target, and inode number."""
    found: Tree = {}
    for path in sorted(directory.rglob("*")):
        info = path.lstat()
        mode = stat.S_IMODE(info.st_mode)
        name = path.relative_to(directory).as_posix()
        if path.is_symlink():
            found[name] = ("link", 0, str(path.readlink()), info.st_ino)
        elif path.is_dir():
            found[name] = ("folder", mode, b"", info.st_ino)
        elif path.is_file():
            found[name] = ("file", mode, path.read_bytes(), info.st_ino)
        else:
            found[name] = ("special", mode, b"", info.st_ino)
    return found


def listing(directory: Path) -> list[str]:
    """Give the names in a directory, sorted, hidden ones too."""
    return sorted(path.name for path in directory.iterdir())


def add_foreign_files(directory: Path) -> None:
    """Put into a directory what a user may keep there: files, links, folders, empty ones too."""
    (directory / "notes").mkdir()
    (directory / "notes/empty").mkdir(mode=0o750)
    (directory / "notes/plan.md").write_text("the plan\n", encoding="utf-8")
    (directory / "notes/run.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (directory / "notes/run.sh").chmod(0o754)
    (directory / "nodes").mkdir(exist_ok=True)
    (directory / "nodes/README").write_bytes(b"\xff\x00 not text")
    (directory / "latest").symlink_to("notes/plan.md")
    (directory / "dangling").symlink_to("../nowhere")
    os.mkfifo(directory / "pipe")


FOREIGN = ("notes/plan.md", "notes/run.sh", "nodes/README", "latest", "dangling", "pipe")
