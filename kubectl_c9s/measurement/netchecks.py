"""Network checks of devices that are ready, apart from startup time (measurement.md §§2, 4): reading the answers.

Each Ready device is asked for its own addresses, prefixes and default routes, and sends one packet to the next device
of its namespace, by address and by name. It is not all-pairs: the cost grows with the number of devices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kubectl_c9s.measurement import netanswers as answers
from kubectl_c9s.measurement import netscript as script
from kubectl_c9s.measurement.netanswers import ERROR, UNAVAILABLE, UNDECIDED, Result
from kubectl_c9s.measurement.netreport import Check, Checked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from kubectl_c9s.measurement.netanswers import Judged
    from kubectl_c9s.measurement.netmembers import Pair
    from kubectl_c9s.measurement.netscript import Output, Step

_NO_SHELL: Final = ("executable file not found", "no such file or directory")
_LONGEST: Final = 200


def checked(
    pair: Pair, wanted: Collection[str], asked: Sequence[Step], printed: str, trouble: str = ""
) -> Checked:
    """Read the answer of a device; ``trouble`` says why what did not come to its end did not."""
    found = script.outputs(printed)
    checks: list[Check] = []
    for step in asked:
        output = found.get(step.key)
        if output is None or output.code is None:
            checks += _open(step, wanted, UNDECIDED, trouble or "not done in time")
        else:
            checks += _closed(step, wanted, pair, output)
    return _device(pair, [*checks, *_alone(pair, wanted, asked)])


def not_asked(
    pair: Pair, wanted: Collection[str], asked: Sequence[Step], result: Result, why: str
) -> Checked:
    """Make the entry of a device that could not be asked, or not in time."""
    checks = [one for step in asked for one in _open(step, wanted, result, why)]
    return _device(pair, [*checks, *_alone(pair, wanted, asked)])


def not_entered(pair: Pair, wanted: Collection[str], asked: Sequence[Step], why: str) -> Checked:
    """Make the entry of a device in which no command ran: an image without a shell cannot be checked."""
    lacks = any(words in why for words in _NO_SHELL)
    result = UNAVAILABLE if lacks else ERROR
    return not_asked(pair, wanted, asked, result, why[:_LONGEST])


def _device(pair: Pair, checks: Iterable[Check]) -> Checked:
    member, neighbour = pair
    order = {name: place for place, name in enumerate(script.CHECKS)}
    return Checked(
        member.namespace,
        member.name,
        member.pod,
        member.host,
        neighbour.pod if neighbour else "",
        pair.cross_host,
        tuple(sorted(checks, key=lambda one: order[one.name])),
    )


def _open(step: Step, wanted: Collection[str], result: Result, why: str) -> list[Check]:
    return [Check(name, result, step.subject, why) for name in _names(step, wanted)]


def _names(step: Step, wanted: Collection[str]) -> list[str]:
    """Give the checks that the answer of a step decides: the addresses decide two."""
    both = (script.ADDRESS, script.PREFIX) if step.check == script.ADDRESS else (step.check,)
    return [name for name in both if name in wanted]


def _closed(step: Step, wanted: Collection[str], pair: Pair, output: Output) -> list[Check]:
    code, text = output.code or 0, output.text
    pinged = step.check in {script.NEIGHBOUR_ADDRESS, script.NEIGHBOUR_NAME}
    unusable = answers.judge_tool("ping" if pinged else "ip", code, text)
    if unusable:
        return _open(step, wanted, unusable.result, unusable.detail)
    return [
        Check(name, judged.result, step.subject, judged.detail)
        for name in _names(step, wanted)
        for judged in [_judged(name, step, pair, code, text)]
    ]


def _judged(name: str, step: Step, pair: Pair, code: int, text: str) -> Judged:
    member, neighbour = pair
    if name == script.ROUTE:
        return answers.judge_route(step.subject, text)
    if name == script.NEIGHBOUR_ADDRESS:
        return answers.judge_ping(step.subject, code, text, (step.subject,))
    if name == script.NEIGHBOUR_NAME:
        accepted = neighbour.all_addresses if neighbour else ()
        return answers.judge_ping(step.subject, code, text, accepted)
    inside = answers.addresses(text)
    if name == script.PREFIX:
        return answers.judge_prefix(member.addresses, member.management, inside)
    return answers.judge_address(member.all_addresses, inside)


def _alone(pair: Pair, wanted: Collection[str], asked: Sequence[Step]) -> list[Check]:
    """Say why checks with a neighbour were not made."""
    made = {step.check for step in asked}
    why = (
        "no neighbour" if pair.neighbour is None else "the neighbour has none that can be asked for"
    )
    return [
        Check(name, UNAVAILABLE, "", why)
        for name in (script.NEIGHBOUR_ADDRESS, script.NEIGHBOUR_NAME)
        if name in wanted and name not in made
    ]
