"""A stand-in for the clabernetes manager: makes workloads of labs, admits them in batches, and fails on purpose.

    python tests/standin/manager.py --kubeconfig FILE --namespace c9s [faults]

Makes what a chart would make in its namespace, leads when one of its manager Pods is Ready, and works until SIGTERM
or SIGINT. The first line on stdout is ``CONTROL=http://127.0.0.1:<port>`` (standin_control.py); the log is on stderr.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "testbed"))

from bed_client import ApiClient, read_kubeconfig
from standin_control import Control
from standin_faults import FAILURES, STEPS, Chance, FaultBoard, Faults
from standin_install import Installation
from standin_leader import Leader
from standin_lease import Timers
from standin_session import Settings


def main(arguments: list[str]) -> int:
    """Work until a signal comes; give the exit code."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO,
        format="%(asctime)s.%(msecs)03d %(threadName)s %(message)s",
        datefmt="%H:%M:%S",
    )
    access = read_kubeconfig(options.kubeconfig)
    client = ApiClient(access, agent="clabernetes-manager-standin")
    installation = Installation(client, options.namespace, options.app_name)
    installation.make(options.replicas, diagnostics=options.diagnostics)
    board = FaultBoard(_faults(options))
    chance = Chance(options.seed, dict(options.step or ()))
    settings = Settings(options.namespace, options.app_name, chance, options.scope, options.workers)
    leader = Leader(access, client, installation, settings, board, Timers(*options.lease))
    control = Control(options.control_port, board, lambda: leader.state)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: leader.stop())
    control.start()
    sys.stdout.write(f"CONTROL=http://127.0.0.1:{control.port}\n")
    sys.stdout.flush()
    leader.run()
    control.stop()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="manager.py", description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--kubeconfig", type=Path, required=True, help="whose current context is used")
    add("--namespace", default="c9s", help="the manager's own namespace")
    add("--app-name", default="clabernetes", help="prefix of names, value of c9s.run/app")
    add("--replicas", type=int, default=3, help="manager Pods; one leads")
    add(
        "--diagnostics",
        action="store_true",
        help="its Pods say that they serve metrics and profiles",
    )
    add("--scope", default="*", metavar="PATTERN", help="namespaces whose labs are looked at")
    add("--workers", type=int, default=16, help="groups that are planned at once")
    add(
        "--lease",
        type=_lease,
        default=(60, 40.0, 8.0),
        metavar="D,R,S",
        help="seconds of its timers",
    )
    add("--seed", type=int, default=0, help="of all delays")
    add(
        "--step",
        type=_step,
        action="append",
        metavar="NAME=LOW-HIGH",
        help=f"seconds: {', '.join(STEPS)}",
    )
    add("--control-port", type=int, default=0, help="by default a free one")
    faults = parser.add_argument_group("faults from the start; all can be changed later")
    add = faults.add_argument
    add("--no-leader", action="store_true", help="nobody holds the Lease")
    add("--stale-lease", action="store_true", help="the holder hangs; the Lease grows old")
    add("--planner-starved", action="store_true", help="the planner pool has no Pod")
    add("--config-deaf", action="store_true", help="edits of Config are not seen")
    add(
        "--slow-planning", type=float, default=0.0, metavar="SECONDS", help="for a plan, on average"
    )
    add(
        "--foreign-hold",
        action="append",
        default=[],
        metavar="NODE",
        help="pattern of namespace/name",
    )
    add("--plan-refused", type=_pair, action="append", default=[], metavar="NODE=REASON")
    add(
        "--device-fails",
        type=_pair,
        action="append",
        default=[],
        metavar="NODE=HOW",
        help=", ".join(FAILURES),
    )
    return parser


def _faults(options: argparse.Namespace) -> Faults:
    values: dict[str, Any] = {
        name: getattr(options, name)
        for name in ("no_leader", "stale_lease", "planner_starved", "config_deaf", "slow_planning")
    }
    values["foreign_hold"] = options.foreign_hold
    values["plan_refused"] = dict(options.plan_refused)
    values["device_fails"] = dict(options.device_fails)
    return Faults.read(values)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise argparse.ArgumentTypeError("want PATTERN=VALUE")
    return key, value


def _step(text: str) -> tuple[str, tuple[float, float]]:
    name, _, bounds = text.partition("=")
    low, _, high = bounds.partition("-")
    if name not in STEPS or not low:
        raise argparse.ArgumentTypeError(f"want NAME=LOW-HIGH with one of {', '.join(STEPS)}")
    return name, (float(low), float(high or low))


def _lease(text: str) -> tuple[int, float, float]:
    duration, deadline, retry = text.split(",")
    return int(duration), float(deadline), float(retry)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
