"""What a device is asked: one shell script that makes all its checks and marks where each begins and how it ended.

One command a device keeps the cost at one connection each, and the marks tell which checks were done when the time
is over. The script needs ``sh`` and, by check, ``ip`` or ``ping``; what the image lacks cannot be checked.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.measurement.netmembers import is_ipv6
from kubectl_c9s.resources.names import is_dns1123_subdomain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kubectl_c9s.measurement.netmembers import Pair

ADDRESS: Final = "address"
PREFIX: Final = "prefix"
ROUTE: Final = "route"
NEIGHBOUR_ADDRESS: Final = "neighbour-address"
NEIGHBOUR_NAME: Final = "neighbour-name"
CHECKS: Final = (ADDRESS, PREFIX, ROUTE, NEIGHBOUR_ADDRESS, NEIGHBOUR_NAME)
NAME_FORMAT: Final = "{name}"
PRELUDE: Final = ""
"""Words before the script; tests put tools of their own in front of PATH."""
_WAIT: Final = 3
_PING: Final = f"ping -c 1 -W {_WAIT}"
_MARK: Final = "=c9s="
_END: Final = re.compile(rf"{_MARK} end (\S+) (\d+)")
_BEGIN: Final = re.compile(rf"{_MARK} begin (\S+)")


class Step(NamedTuple):
    """One command of a script: its key, its check, what it is about (an address, a name) and its words."""

    key: str
    check: str
    subject: str
    words: str


class Output(NamedTuple):
    """What a step printed, standard error among it, and the exit code; None when it did not come to its end."""

    code: int | None
    text: str


def steps(
    pair: Pair, checks: Collection[str] = CHECKS, name_format: str = NAME_FORMAT
) -> tuple[Step, ...]:
    """Give the commands that the checks of a device want, those that wait longest last."""
    return tuple(_steps(pair, checks, name_format))


def _steps(pair: Pair, checks: Collection[str], name_format: str) -> Iterator[Step]:
    own = pair.member.all_addresses
    if {ADDRESS, PREFIX} & set(checks):
        yield Step("addresses", ADDRESS, "", "ip -o addr show")
    if ROUTE in checks:
        for version in sorted({"6" if is_ipv6(one) else "4" for one in own} or {"4"}):
            words = f"ip -{version} route show table all"
            yield Step(f"routes{version}", ROUTE, f"IPv{version}", words)
    if pair.neighbour is None:
        return
    if NEIGHBOUR_ADDRESS in checks:
        for number, address in enumerate(pair.neighbour.addresses):
            yield Step(f"ping{number}", NEIGHBOUR_ADDRESS, address, _ping(address))
    name = neighbour_name(pair, name_format)
    if NEIGHBOUR_NAME in checks and is_dns1123_subdomain(name):
        yield Step("name", NEIGHBOUR_NAME, name, f"{_PING} {shlex.quote(name)}")


def neighbour_name(pair: Pair, name_format: str) -> str:
    """Give the name by which the neighbour is asked for; empty without one."""
    if pair.neighbour is None:
        return ""
    return name_format.replace("{name}", pair.neighbour.name).replace(
        "{namespace}", pair.neighbour.namespace
    )


def _ping(address: str) -> str:
    quoted = shlex.quote(address)
    if not is_ipv6(address):
        return f"{_PING} {quoted}"
    # Small and old images take IPv6 by a program of its own, new ones by the same.
    six = _PING.replace("ping", "ping6", 1)
    return f"if command -v ping6 >/dev/null; then {six} {quoted}; else {_PING} {quoted}; fi"


def command(asked: Collection[Step]) -> list[str]:
    """Give the words of the command that runs the steps, each whatever came of the one before."""
    lines = [PRELUDE] if PRELUDE else []
    for step in asked:
        lines.append(f"echo '{_MARK} begin {step.key}'")
        # A group and not a subshell would do, but for a tool that cannot be run at all.
        lines.append(f"({step.words}) 2>&1 </dev/null; code=$?")
        lines.append(f'echo; echo "{_MARK} end {step.key} $code"')
    lines.append("exit 0")
    return ["sh", "-c", "\n".join(lines)]


def outputs(printed: str) -> dict[str, Output]:
    """Take apart what a script printed; a step that is missing did not begin."""
    found: dict[str, Output] = {}
    key, lines = "", list[str]()
    for line in printed.replace("\r\n", "\n").split("\n"):
        if begun := _BEGIN.fullmatch(line):
            key, lines = begun[1], []
        elif (ended := _END.fullmatch(line)) and ended[1] == key:
            found.setdefault(key, Output(int(ended[2]), "\n".join(lines)))
            key = ""
        elif key:
            lines.append(line)
    if key:
        found.setdefault(key, Output(None, "\n".join(lines)))
    return found
