"""What a command line names: the Config, or a Topology by its name."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from kubectl_c9s.resources.errors import UsageError
from kubectl_c9s.resources.objects import CONFIG_NAME

_TOPOLOGY: Final = ("topology", "topologies", "topology.c9s.run", "topologies.c9s.run")
_CONFIG: Final = ("config", "configs", "config.c9s.run", "configs.c9s.run")


class Target(NamedTuple):
    """Kind and name of an object with limits."""

    kind: Literal["Config", "Topology"]
    name: str


def parse_target(text: str) -> Target:
    """Read ``config`` or ``topology/NAME``; raises UsageError."""
    kind, slash, name = text.partition("/")
    if kind.lower() in _CONFIG and (not slash or name == CONFIG_NAME):
        return Target("Config", CONFIG_NAME)
    if kind.lower() in _TOPOLOGY and name:
        return Target("Topology", name)
    raise UsageError(f"{text!r} is no target", hint="name config, or topology/NAME")
