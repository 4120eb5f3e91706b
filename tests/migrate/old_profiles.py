"""Draws LauncherProfiles as 0.8 takes them, and writes them as people do: in several styles, with comments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from kubectl_c9s.yamlio.writer import dump

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

WORDS = st.sampled_from(["a", "b1", "true", "no", "1.5", "x: y", "# c", "", "it's", 'a "b"', "ä"])
NAMES = st.sampled_from(["a", "b1", "long-name", "x.y"])
FLAGS = st.booleans()
AMOUNTS = st.dictionaries(st.sampled_from(["cpu", "memory"]), st.sampled_from([1, "4Gi", "500m"]))
PORT = st.integers(1, 65535)
PULL_POLICY = st.sampled_from(["IfNotPresent", "Always", "Never"])


def fields(**strategies: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    """Draw a mapping that has any of the fields; ``_`` in a name stands for ``-``."""
    named = {name.replace("_", "-"): strategy for name, strategy in strategies.items()}
    return st.fixed_dictionaries({}, optional=named)


PROBE = fields(
    startupSeconds=st.integers(0, 900),
    tcpProbeConfiguration=st.fixed_dictionaries({"port": PORT}),
    sshProbeConfiguration=st.fixed_dictionaries({"username": WORDS, "password": WORDS}),
)
KEPT = {
    "resources": fields(limits=AMOUNTS, requests=AMOUNTS),
    "scheduling": fields(
        nodeSelector=st.dictionaries(NAMES, WORDS, max_size=2),
        tolerations=st.lists(fields(key=NAMES, operator=st.just("Exists")), max_size=2),
    ),
    "statusProbes": fields(
        enabled=FLAGS,
        excludedNodes=st.lists(NAMES, max_size=2),
        nodeProbeConfigurations=st.dictionaries(NAMES, PROBE, max_size=2),
        probeConfiguration=PROBE,
    ),
}
PERSISTENCE = st.fixed_dictionaries(
    {"enabled": FLAGS}, optional={"claimSize": st.just("5Gi"), "storageClassName": WORDS}
)
SPEC = fields(
    **KEPT,
    expose=fields(
        disableExpose=FLAGS,
        disableAutoExpose=FLAGS,
        exposeType=st.sampled_from(["None", "ClusterIP", "Headless", "LoadBalancer"]),
        useNodeMgmtIpv4Address=FLAGS,
    ),
    imagePull=fields(
        insecureRegistries=st.lists(WORDS, max_size=2),
        pullThroughOverride=st.sampled_from(["auto", "always", "never"]),
        pullSecrets=st.lists(NAMES, max_size=2, unique=True),
        dockerDaemonConfig=WORDS,
        dockerConfig=WORDS,
    ),
    deployment=fields(
        containerlabDebug=FLAGS,
        containerlabTimeout=WORDS,
        containerlabVersion=WORDS,
        launcherImage=WORDS,
        launcherImagePullPolicy=PULL_POLICY,
        launcherLogLevel=st.sampled_from(["disabled", "info", "debug"]),
        privilegedLauncher=FLAGS,
        persistence=PERSISTENCE,
        extraEnv=st.lists(st.fixed_dictionaries({"name": NAMES}, optional={"value": WORDS}), max_size=2),
    ),
    mgmt=fields(
        network=WORDS,
        mtu=st.integers(0, 9000),
        external_access=FLAGS,
        ipv4_subnet=st.just("172.20.0.0/24"),
        ipv6_gw=st.just("fd00::1"),
    ),
)  # fmt: skip


class Profile(NamedTuple):
    """A LauncherProfile: its data, its text, and the comments that stand on lines of their own in it."""

    obj: dict[str, Any]
    text: str
    comments: list[str]


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """Draw a profile and how it is written."""
    group = draw(st.sampled_from(["c9s.run", "clabernetes.containerlab.dev"]))
    obj: dict[str, Any] = {
        "apiVersion": f"{group}/v1alpha1",
        "kind": "LauncherProfile",
        "metadata": draw(
            st.fixed_dictionaries(
                {"name": NAMES},
                optional={"labels": st.dictionaries(NAMES, st.just("x"), max_size=2)},
            )
        ),
        "spec": draw(SPEC),
    }
    style = draw(st.sampled_from(["block", "mixed", "json", "pretty"]))
    if style in {"json", "pretty"}:
        return Profile(obj, json.dumps(obj, indent=2 if style == "pretty" else None), [])
    text = dump(obj) if style == "block" else mixed(draw, obj)
    return commented(draw, obj, text)


def mixed(draw: st.DrawFn, obj: dict[str, Any]) -> str:
    """Write some sections of ``spec`` on a line of their own, as JSON is written."""
    head = dump({key: value for key, value in obj.items() if key != "spec"})
    if not obj["spec"]:
        return f"{head}spec: {{}}\n"
    lines = [f"{head}spec:\n"]
    for name, section in obj["spec"].items():
        if draw(st.booleans()):
            lines.append(f"  {name}: {json.dumps(section)}\n")
        else:
            inner = dump({name: section}).splitlines(keepends=True)
            lines += [f"  {line}" for line in inner]
    return "".join(lines)


def commented(draw: st.DrawFn, obj: dict[str, Any], text: str) -> Profile:
    """Put comments before lines, where they are no part of the value of a field that goes."""
    lines, comments = [], []
    for number, line in enumerate(text.splitlines(keepends=True)):
        depth = len(line) - len(line.lstrip(" "))
        if depth <= 4 and not line.lstrip().startswith("-") and draw(st.booleans()):
            comments.append(f"# {number}")
            lines.append(f"{' ' * depth}# {number}\n")
        lines.append(line)
    return Profile(obj, "".join(lines), comments)
