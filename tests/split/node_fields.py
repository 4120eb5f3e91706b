"""Blocks of a containerlab definition: strategies for every field, with the scalars that readers stumble over."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st


class Raw(str):
    """A scalar to be written without quotes."""

    __slots__ = ()


KINDS = ["linux", "nokia_srlinux", "nokia_srsim"]
GROUPS = ["core", "edge", "group-without-a-block"]
ODD_SCALARS = [
    *map(Raw, ("yes", "0x1F", "1.50", "010", "~", "null", "True", "2001-01-01", "1_000", "-", "a b", "é", ".5", "1e3")),
    "", " ", "a: b", "# no comment", "line\n", "two\n\nlines\n", "tab\tand \\ and \" and '", "\u0085\u2028\x07", "<<",
]  # fmt: skip

texts = st.sampled_from(ODD_SCALARS)
keys = st.sampled_from(["A", "B", "KEY", Raw("yes"), Raw("010"), "two words", "<<", "é", "~"])
text_maps = st.dictionaries(keys, texts, max_size=3)
text_lists = st.lists(st.one_of(texts, st.sampled_from(["a", "b"])), max_size=3)
booleans = st.sampled_from([True, False, Raw("yes"), Raw("off"), Raw("~")])
anything = st.recursive(
    st.one_of(texts, st.booleans(), st.integers(-(2**62), 2**62), st.floats(-1e30, 1e30)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(st.sampled_from(["k", "l", "1", "true", "<<"]), inner, max_size=2),
    ),
    max_leaves=4,
)
binds = st.builds(
    "{}:{}{}".format,
    st.sampled_from(["x", "__clabNodeDir__/y", "./z"]),
    st.sampled_from(["/etc/app", "/a", "/b"]),
    st.sampled_from(["", ":ro", ":rw"]),
)
ports = st.sampled_from(
    ["22", "8022:22", "127.0.0.1:8443:443/tcp", "[::1]:5353:53/udp", "161/UDP", Raw("80")]
)
labels = st.fixed_dictionaries({}, optional={
    "role": st.sampled_from(["edge", "", Raw("yes"), Raw("1.50")]),
    "example.org/site": st.just("a.b_c"),
    "c9s.run/exposePorts": st.sampled_from(["443,22/tcp", " 0080 ,161/udp", Raw("9090")]),
    "c9s.run/appProtocols": st.sampled_from(["443/tcp=https", "161/udp=, 5201=example.org/iperf", "22=ssh,23="]),
})  # fmt: skip
cards = st.lists(
    st.fixed_dictionaries({"slot": st.integers(1, 4), "type": st.just("me12")}),
    max_size=2,
    unique_by=lambda card: card["slot"],
)
components = st.lists(
    st.fixed_dictionaries({"slot": st.sampled_from([Raw("1"), Raw("010"), "A", "B"])}, optional={
        "type": st.just("iom5-e"),
        "env": text_maps,
        "cpu": st.integers(0, 3),
        "mda": cards,
        "xiom": st.lists(st.fixed_dictionaries({"slot": st.just(1), "type": st.just("x"), "mda": cards}), max_size=1),
    }),
    max_size=3,
    unique_by=lambda one: str(one["slot"]),
)  # fmt: skip
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "kind": st.sampled_from(KINDS),
    "group": st.sampled_from(GROUPS),
    "type": st.sampled_from([" ixr-d2l ", "sr-7", Raw("7")]),
    **dict.fromkeys(
        ("image", "license", "startup-config", "entrypoint", "cmd", "user", "shm-size", "memory", "mgmt-net",
         "mgmt-ipv4", "mgmt-ipv6"),
        texts,
    ),
    "restart-policy": st.sampled_from(["always", "Unless-stopped"]),
    "image-pull-policy": st.sampled_from(["IfNotPresent", "never"]),
    "link-apply-mode": st.sampled_from(["live", "recreate"]),
    "startup-delay": st.sampled_from([0, 5, Raw("0x10"), Raw("~")]),
    "cpu": st.sampled_from([0, 2, 0.5, Raw("1e-3"), Raw(".25")]),
    **dict.fromkeys(("enforce-startup-config", "suppress-startup-config", "privileged"), booleans),
    **dict.fromkeys(("env", "sysctls", "tmpfs"), text_maps),
    **dict.fromkeys(("exec", "env-files", "devices", "cap-add", "security-opts"), text_lists),
    "labels": labels,
    "binds": st.lists(binds, max_size=3),
    "ports": st.lists(ports, max_size=3),
    "dns": st.fixed_dictionaries({}, optional=dict.fromkeys(("servers", "search", "options"), text_lists)),
    "healthcheck": st.fixed_dictionaries(
        {}, optional={"test": text_lists, "interval": st.integers(0, 9), "retries": st.integers(0, 3)}
    ),
    "config": st.fixed_dictionaries({}, optional={"vars": st.dictionaries(keys, anything, max_size=3)}),
    "certificate": st.fixed_dictionaries({}, optional={
        "issue": booleans, "key-size": st.sampled_from([0, 4096]), "sans": text_lists,
        "validity-duration": st.sampled_from(["24h", "90m", "1h1m1s", "0s"]),
    }),
    "components": components,
    "kind-specific-config": st.dictionaries(st.sampled_from(["port-count", "yes", "1"]), anything, max_size=2),
    "extras": anything,
    "breakouts": anything,
    "position": texts,
    "hostname": texts,
}  # fmt: skip


@st.composite
def blocks(draw: st.DrawFn, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Draw a defaults, kind, group or node block with a few fields."""
    chosen = draw(
        st.lists(st.sampled_from(sorted(FIELDS.keys() - set(without))), max_size=7, unique=True)
    )
    return {key: draw(FIELDS[key]) for key in chosen}
