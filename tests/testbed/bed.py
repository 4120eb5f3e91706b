"""Starts, shows and stops test beds: a real API server with our kinds, on this machine.

    python tests/testbed/bed.py up [--name NAME] [--nodes N] [--flag COMPONENT:FLAG …]
    python tests/testbed/bed.py status [--name NAME]
    python tests/testbed/bed.py down [--name NAME]

``up`` returns when the bed is ready; the last line on stdout is ``KUBECONFIG=<path>`` of an administrator.
Exit 0 when done, 1 when there is no such bed or it is not well, 2 for wrong arguments, 3 when none can be had.
"""

from __future__ import annotations

import argparse
import re
import sys

import bed_own
import bed_sources
from bed_components import COMPONENTS
from bed_own import Wish
from bed_state import BedBroken, BedState, BedUnavailable

EXIT_NO = 1
EXIT_UNAVAILABLE = 3


def main(arguments: list[str]) -> int:
    """Do what the command line says; give the exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except BedUnavailable as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_UNAVAILABLE
    except BedBroken as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_NO
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bed.py", description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(required=True)
    for name, run, what in (
        ("up", _up, "start the bed, or find it running"),
        ("status", _status, "show its processes"),
        ("down", _down, "stop it and remove all it has made"),
    ):
        command = commands.add_parser(name, help=what)
        command.set_defaults(run=run)
        command.add_argument("--name", type=_name, default="default", help="which bed")
    up = commands.choices["up"]
    up.add_argument("--nodes", type=int, help="how many fake hosts, by default 3")
    up.add_argument("--flag", action="append", type=_flag, metavar="COMPONENT:FLAG")
    up.add_argument("--own", action="store_true", help="processes of our own, all of them")
    up.add_argument("--no-build", action="store_true", help="only with binaries that are there")
    return parser


def _name(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", text):
        raise argparse.ArgumentTypeError("a name is up to 40 of a-z, 0-9 and -")
    return text


def _flag(text: str) -> tuple[str, str]:
    component, _, flag = text.partition(":")
    if component not in COMPONENTS or not flag.startswith("--"):
        known = ", ".join(COMPONENTS)
        raise argparse.ArgumentTypeError(f"want COMPONENT:--flag=value with one of {known}")
    return component, flag


def _up(options: argparse.Namespace) -> int:
    flags: dict[str, list[str]] | None = None
    for component, flag in options.flag or []:
        flags = flags or {}
        flags.setdefault(component, []).append(flag)
    wish = Wish(options.nodes, flags, keep=True)
    obtain = bed_sources.obtain_own if options.own else bed_sources.obtain
    bed = obtain(options.name, wish, may_build=not options.no_build)
    print(f"bed {bed.name} ({bed.source}) is ready", file=sys.stderr)
    print(f"KUBECONFIG={bed.kubeconfig}", flush=True)
    return 0


def _status(options: argparse.Namespace) -> int:
    bed = bed_own.bed_of(options.name)
    if BedState.load(bed.folder) is None:
        print(f"no bed {options.name} of our own", file=sys.stderr)
        return EXIT_NO
    well = True
    for name in bed.components:
        healthy = bed.healthy(name)
        well = well and healthy
        pid, port = bed.daemon(name).pid() or "-", bed.state.ports[name]
        word = "ready" if healthy else "NOT READY"
        print(f"{name:24} {word:10} pid {pid:<8} port {port:<6} {bed.daemon(name).log}")
    print(f"KUBECONFIG={bed.kubeconfig}", flush=True)
    return 0 if well else EXIT_NO


def _down(options: argparse.Namespace) -> int:
    found = bed_sources.down(options.name)
    print(f"bed {options.name} {'stopped' if found else 'was not there'}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
