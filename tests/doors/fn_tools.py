"""Calls ``fn`` and has objects for its lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from door_tools import LAB, Answer, call, config

if TYPE_CHECKING:
    from pathlib import Path

# Texts that a reader and writer of YAML would not give back as they were.
KEPT = (
    """\
# ahead
apiVersion: v1 # behind
kind: ConfigMap
metadata: {name: 'a',   labels: {x: 'y'}}
# below
""",
    """\
apiVersion: v1
kind: Secret
metadata:
    name: "b"
stringData:
    t: |+
        # no comment


""",
    """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  a: 'it''s
    folded'
  b: >-
    folded
    too
""",
    """\
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "d"}, "data": {"n": "017"}}
""",
    """\
kind: Service
apiVersion: v1
metadata:
  annotations:
    internal.config.kubernetes.io/path: 'x/y.yaml'
    internal.config.kubernetes.io/index: '3'
    config.k8s.io/id: '1'
  name: e
""",
)
RENAMED = LAB.replace(" a:", " A:").replace('"a:', '"A:')
SPLIT = config()
VALIDATE = config(kind="C9sValidate")


def fn(cwd: Path, stdin: str) -> Answer:
    """Call the function in a directory."""
    return call("fn", cwd=cwd, stdin=stdin)
