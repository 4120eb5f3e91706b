"""Reading what ``ip`` and ``ping`` printed: texts of iproute2, iputils and busybox, all of them untrusted."""

from __future__ import annotations

import ipaddress
import re
from typing import Final, Literal, NamedTuple

Result = Literal["passed", "failed", "unavailable", "undecided", "error"]
PASSED: Final[Result] = "passed"
FAILED: Final[Result] = "failed"
UNAVAILABLE: Final[Result] = "unavailable"
UNDECIDED: Final[Result] = "undecided"
ERROR: Final[Result] = "error"
RESULTS: Final[tuple[Result, ...]] = (PASSED, FAILED, UNAVAILABLE, UNDECIDED, ERROR)
"""``unavailable``: the image lacks a tool or the right to use it; ``undecided``: not done in time; ``error``: the
device could not be asked."""

_ADDRESS: Final = re.compile(
    r"\binet6? (?P<address>[0-9A-Fa-f.:]+)(?: peer [0-9A-Fa-f.:]+)?(?:/(?P<prefix>\d{1,3}))?(?P<rest>[^\\\n]*)"
)
_VIA: Final = re.compile(r"\bvia (?:inet6? )?([0-9A-Fa-f.:]+)")
_DEVICE: Final = re.compile(r"\bdev (\S+)")
_PINGED: Final = re.compile(r"^PING [^\n]*?\(([0-9A-Fa-f.:]+)\)", re.MULTILINE)
_CANNOT_RUN: Final = frozenset({126, 127})
_NO_RIGHT: Final = re.compile(
    r"are you root|lacking privilege|socket: (operation not permitted|permission denied)"
    r"|ping6?: permission denied",
    re.IGNORECASE,
)
_LONGEST: Final = 200


class Found(NamedTuple):
    """An address inside: its prefix length (None when not told), and whether it is of use."""

    prefix: int | None
    usable: bool


class Judged(NamedTuple):
    """What came of a check, and a few words on it."""

    result: Result
    detail: str


def addresses(text: str) -> dict[str, Found]:
    """Read ``ip addr``, with or without ``-o``: each address in its one spelling."""
    found = {}
    for match in _ADDRESS.finditer(text):
        try:
            address = ipaddress.ip_address(match["address"])
        except ValueError:
            continue
        prefix = int(match["prefix"]) if match["prefix"] else None
        if prefix is None and " peer " not in match[0]:
            prefix = address.max_prefixlen  # a plain address stands for itself alone
        if prefix is not None and prefix > address.max_prefixlen:
            continue
        usable = not re.search(r"\b(dadfailed|tentative)\b", match["rest"])
        found[str(address)] = Found(prefix, usable)
    return found


def judge_address(wanted: tuple[str, ...], found: dict[str, Found]) -> Judged:
    """Say whether all addresses that the API server knows of are inside."""
    if not wanted:
        return Judged(FAILED, "the status of the Pod has no address")
    missing = [one for one in wanted if one not in found]
    if missing:
        there = ", ".join(sorted(found)) or "none"
        return Judged(FAILED, _short(f"{', '.join(missing)} not inside; inside: {there}"))
    if unusable := [one for one in wanted if not found[one].usable]:
        return Judged(
            FAILED, f"{', '.join(unusable)} failed or has not ended duplicate address detection"
        )
    return Judged(PASSED, ", ".join(wanted))


def judge_prefix(
    wanted: tuple[str, ...], allocated: tuple[str, ...], found: dict[str, Found]
) -> Judged:
    """Say whether allocated addresses have their prefix inside, and the others any.

    ``allocated`` has addresses with prefix; what is right for an address of the CNI, only the CNI knows.
    """
    right = {}
    for text in allocated:
        interface = ipaddress.ip_interface(text)
        right[str(interface.ip)] = interface.network.prefixlen
    there = [one for one in dict.fromkeys((*wanted, *right)) if one in found]
    if not there:
        return Judged(FAILED, "none of its addresses is inside")
    wrong = [
        f"{one} has {_prefix(found[one])} and was given /{right[one]}"
        for one in there
        if one in right and found[one].prefix != right[one]
    ]
    wrong += [f"{one} has no prefix" for one in there if found[one].prefix is None]
    if wrong:
        return Judged(FAILED, _short("; ".join(dict.fromkeys(wrong))))
    return Judged(PASSED, ", ".join(f"{one}{_prefix(found[one])}" for one in there))


def _prefix(found: Found) -> str:
    return "no prefix" if found.prefix is None else f"/{found.prefix}"


def judge_route(family: str, text: str) -> Judged:
    """Say whether ``ip route show table all`` has a default route, in whatever table."""
    for line in text.splitlines():
        if not line.startswith("default"):
            continue
        via, device = _VIA.search(line), _DEVICE.search(line)
        words = [f"via {via[1]}"] if via else []
        words += [f"dev {device[1]}"] if device else []
        return Judged(PASSED, _short(f"{family} {' '.join(words) or 'default'}"))
    return Judged(FAILED, f"no default route for {family}")


def judge_ping(subject: str, code: int, text: str, accepted: tuple[str, ...]) -> Judged:
    """Say what came of one packet to an address or a name.

    A name has to lead to one of the ``accepted`` addresses: a Service of another kind answers for somebody else, or
    not at all.
    """
    if _NO_RIGHT.search(text):
        return Judged(UNAVAILABLE, _short(f"ping has no right to send: {last_words(text)}"))
    pinged = _PINGED.search(text)
    address = _spelled(pinged[1]) if pinged else ""
    if address and address not in accepted:
        return Judged(FAILED, f"{subject} leads to {address}, which is no address of the neighbour")
    if code == 0:
        shown = f"{subject} ({address})" if address and address != subject else subject
        return Judged(PASSED, shown)
    return Judged(FAILED, _short(f"{subject}: {last_words(text) or 'no answer'}"))


def judge_tool(tool: str, code: int, text: str) -> Judged | None:
    """Say that a tool could not be used at all; None when it could.

    An ``ip`` that fails has not said what is there, so nothing is known; a ``ping`` that fails has said something.
    """
    if code in _CANNOT_RUN:
        return Judged(UNAVAILABLE, f"{tool} cannot be run in the container")
    if code and tool == "ip":
        return Judged(UNAVAILABLE, _short(f"ip failed: {last_words(text) or code}"))
    return None


def last_words(text: str) -> str:
    """Give the last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # The last line of a ping is a sum of times, or of what was lost.
    return _short(lines[-1]) if lines else ""


def _spelled(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
