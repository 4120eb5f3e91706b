"""Strategies for labs: whole ones of every kind, and orders of writing the same lab."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml
from hypothesis import strategies as st
from split_lab import HEAD

if TYPE_CHECKING:
    import random

NAMES = ["a", "b", "leaf-1", "R1", "PE_1", "default", "host", "7", "x" * 70]
words = st.sampled_from(
    ["", "x", "on", "010", "two words", "é", "${A}", "a:b", "-", "\u202e", "\U0001f600"]
)
plain = st.one_of(st.none(), st.booleans(), st.integers(-5, 2**40), st.floats(-5, 5), words)
values = st.recursive(
    plain,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=5,
)
text_maps = st.dictionaries(st.sampled_from(["A", "b.c", "1", "on"]), words, max_size=3)
text_lists = st.lists(words, max_size=3)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(
        ["image", "cmd", "startup-config", "type", "mgmt-ipv4", "mgmt-net", "hostname"], words
    ),
    **dict.fromkeys(["env", "sysctls", "tmpfs"], text_maps),
    **dict.fromkeys(["exec", "devices", "cap-add"], text_lists),
    "kind": st.sampled_from(["k", "K", "linux", "bridge"]),
    "group": st.sampled_from(["g", "none"]),
    "labels": st.dictionaries(
        st.sampled_from(["role", "example.org/x"]), st.sampled_from(["", "edge", "1"]), max_size=2
    )
    | st.just({"c9s.run/exposePorts": "80, 53/UDP", "c9s.run/appProtocols": "80=http"}),
    "ports": st.lists(st.sampled_from(["22", "8022:22/tcp", "161/UDP"]), max_size=3),
    "binds": st.lists(st.sampled_from(["a:/b", "c:/b:ro", "d:/e"]), max_size=3),
    "cpu": st.sampled_from([0, 1, 2.5]),
    "startup-delay": st.integers(0, 3),
    "privileged": st.booleans(),
    "restart-policy": st.sampled_from(["", "always"]),
    "dns": st.dictionaries(
        st.sampled_from(["servers", "search", "options"]), text_lists, max_size=2
    ),
    "healthcheck": st.fixed_dictionaries(
        {}, optional={"test": text_lists, "retries": st.integers(0, 3)}
    ),
    "config": st.fixed_dictionaries(
        {}, optional={"vars": st.dictionaries(words, values, max_size=3)}
    ),
    "certificate": st.fixed_dictionaries(
        {},
        optional={"issue": st.booleans(), "sans": text_lists, "validity-duration": st.just("36h")},
    ),
    "components": st.lists(st.just({"slot": "A", "type": "iom"}), max_size=1),
    "own-key": values,
    "extras": values,
}
blocks = st.fixed_dictionaries({}, optional=FIELDS)
bodies = st.one_of(blocks, st.none())
endpoints = st.builds(
    "{}:{}".format, st.sampled_from([*NAMES[:6], "host"]), st.sampled_from(["eth1", "Gi0/1", "x-1"])
)
links = st.lists(
    st.fixed_dictionaries(
        {"endpoints": st.lists(endpoints, min_size=2, max_size=2)},
        optional={"mtu": st.integers(0, 9000), "type": st.sampled_from(["veth", "brief"])},
    ),
    max_size=5,
)
definitions = st.fixed_dictionaries(
    {"topology": st.fixed_dictionaries(
        {"nodes": st.dictionaries(st.sampled_from(NAMES), bodies, max_size=6)},
        optional={
            "defaults": blocks,
            "kinds": st.dictionaries(st.sampled_from(["k", "linux"]), bodies, max_size=2),
            "groups": st.dictionaries(st.just("g"), bodies, max_size=1),
            "links": links,
        },
    )},
    optional={"mgmt": st.just({"ipv4-gw": "192.0.2.1", "bridge": "b"}), "name": words},
)  # fmt: skip
resources = st.sampled_from(
    [{}, {"limits": {"cpu": "1"}}, {"limits": {"cpu": "1000m"}}, {"requests": {"cpu": 2}}]
)
file_lists = st.lists(st.just({"filePath": "/f", "configMapName": "m"}), max_size=2)
specs = st.fixed_dictionaries(
    {},
    optional={
        "deployment": st.fixed_dictionaries(
            {},
            optional={
                "resources": st.dictionaries(st.sampled_from(NAMES), resources, max_size=3),
                "filesFromConfigMap": st.dictionaries(
                    st.sampled_from(NAMES), file_lists, max_size=3
                ),
            },
        ),
        "expose": st.just({}),
        "statusProbes": st.just(
            {"excludedNodes": ["R1", "a"], "nodeProbeConfigurations": {"R1": {"startupSeconds": 1}}}
        ),
        "disableManagement": st.booleans(),
        "rollout": st.just({"batchSize": 1}),
    },
)


def in_yaml(value: Any) -> str:
    """Write any JSON value as YAML in ASCII, with every text in quotes."""
    return str(
        yaml.dump(
            value,
            Dumper=yaml.CSafeDumper,
            default_style='"',
            allow_unicode=False,
            sort_keys=False,
            width=10**6,
        )
    )


def topology(definition: dict[str, Any], spec: dict[str, Any] | None = None) -> str:
    """Write a Topology; numbers and truth values keep their types."""
    whole = {**(spec or {}), "definition": {"containerlab": typed(definition)}}
    return f"{HEAD}metadata: {{name: lab}}\nspec: {typed(whole)}\n"


def typed(value: Any) -> str:
    """Write a flow value: texts in quotes, the rest plain."""
    if isinstance(value, str):
        return in_yaml(value).strip()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{typed(key)}: {typed(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(typed, value)) + "]"
    return json.dumps(value)


def reordered(value: Any, chance: random.Random) -> Any:
    """Give the same value with the keys of every mapping in another order."""
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: reordered(value[key], chance) for key in keys}
    return [reordered(one, chance) for one in value] if isinstance(value, list) else value
