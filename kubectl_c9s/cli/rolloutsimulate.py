"""``rollout simulate``: how long a start would take, and how crowded it would be, under several limits."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import RefusedInput, UsageError
from kubectl_c9s.rollout.limits import LARGEST, Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kubectl_c9s.cli.rolloutsource import Source
    from kubectl_c9s.resources.simulated import Simulation
    from kubectl_c9s.simulation.scenario import Scenario

_MOST_DEVICES: Final = 100_000
_MOST_RUNS: Final = 1000
_MOST_COMBINATIONS: Final = 100
_COUNT: Final = click.IntRange(1, _MOST_DEVICES)
_SIZE: Final = click.IntRange(0, LARGEST)

# In the order of the help text.
_OPTIONS: Final[tuple[Callable[[Any], Any], ...]] = (
    click.option("--from", "sources", multiple=True, metavar="PATH",
                 help="A saved List of objects, a directory of such, a record of stage times, or 'live'; repeatable."),
    click.option("--devices", type=_COUNT, metavar="N", help="Simulate so many new devices."),
    click.option("--hosts", type=_COUNT, metavar="H", help="On so many hosts."),
    click.option("--batch-size", "batches", metavar="N[,N...]", help="Batch sizes to try; 0 is off."),
    click.option("--max-concurrent-per-host", "caps", metavar="M[,M...]", help="Limits per host to try; 0 is off."),
    click.option("--create-rate", type=click.FloatRange(0), default=0.0, metavar="PER_SECOND",
                 help="Nodes that are created a second; by default all at once, or as they were."),
    click.option("--labs", type=click.IntRange(0, _MOST_DEVICES), default=0, metavar="N",
                 help="Divide new devices into so many Topologies; without, Nodes stand alone."),
    click.option("--lab-batch-size", type=_SIZE, default=0, metavar="N", help="Batch size of each Topology."),
    click.option("--lab-max-concurrent-per-host", type=_SIZE, default=0, metavar="M",
                 help="Limit per host of each Topology."),
    click.option("--members", type=click.IntRange(1, 100), default=1, show_default=True, metavar="N",
                 help="Nodes that share the Pod of each new device."),
    click.option("--anew", is_flag=True, help="Start all devices of the snapshot anew, not only the rest."),
    click.option("--runs", type=click.IntRange(1, _MOST_RUNS), default=5, show_default=True, metavar="N",
                 help="Runs of each combination, each with chance of its own."),
    click.option("--seed", type=int, default=0, show_default=True, help="Of chance: the same seed, the same result."),
    click.option("-o", "--output", type=click.Choice(["table", "wide", "json", "yaml", "plot", "svg"]), default="table",
                 show_default=True, help="Output format; wide has timelines."),
)  # fmt: skip


def _simulate_options(function: Callable[..., Any]) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command()
@_simulate_options
@global_options
def simulate(flags: dict[str, Any], **given: Any) -> int:
    """Forecast how long a start takes and how many sandboxes and boots run at once, for each combination of limits.

    From a snapshot of a start that goes on it forecasts the rest; from one that is over, or a record, the same start
    anew; with --devices a new one. Without --from, stage times are published figures of one installation.
    """
    batches, caps = (
        _numbers(given[name], flag)
        for name, flag in (("batches", "--batch-size"), ("caps", "--max-concurrent-per-host"))
    )
    if not math.isfinite(given["create_rate"]):
        raise UsageError("--create-rate wants a number of Nodes a second")
    from kubectl_c9s.cli.rolloutsource import read_source  # noqa: PLC0415 - after the flags are known

    source = read_source(given["sources"], flags)
    scenario, words = _scenario(source, given)
    now = source.objects.config if source.objects else Limits()
    combinations = [
        Limits(batch, cap) for batch in batches or [now.batch] for cap in caps or [now.per_host]
    ]
    if len(combinations) > _MOST_COMBINATIONS:
        raise UsageError(
            f"{len(combinations)} combinations; at most {_MOST_COMBINATIONS} are simulated"
        )
    found = _run(source, scenario, words, combinations, given)
    sys.stdout.writelines(_printed(found, given["output"]))
    return 0


def _numbers(text: str | None, flag: str) -> list[int]:
    """Read a list of limits; empty when the flag was not given."""
    if text is None:
        return []
    found = []
    for part in text.split(","):
        if not (part.strip().isascii() and part.strip().isdigit()) or int(part) > LARGEST:
            raise UsageError(
                f"{flag} {text!r} is no list of numbers from 0 to {LARGEST}", hint="write 0,25,100"
            )
        found.append(int(part))
    return list(dict.fromkeys(found))


def _scenario(source: Source, given: Mapping[str, Any]) -> tuple[Scenario, str]:
    """Decide what is simulated; give it, and what it is in words."""
    from kubectl_c9s.simulation import scenario as scenarios  # noqa: PLC0415 - after the flags are known

    if not given["devices"] and not given["sources"]:
        raise UsageError("nothing to simulate", hint="give --from, or --devices and --hosts")
    hosts: Sequence[str] = source.hosts
    if given["hosts"]:
        if hosts and not given["devices"]:
            raise UsageError("--hosts goes with --devices: the snapshot has hosts of its own")
        hosts = scenarios.host_names(given["hosts"])
    if not hosts:
        raise UsageError("there are no hosts", hint="give --hosts")
    rate = given["create_rate"]
    if given["devices"]:
        lab = Limits(given["lab_batch_size"], given["lab_max_concurrent_per_host"])
        wish = scenarios.Wish(
            given["devices"], tuple(hosts), rate, given["labs"], lab, given["members"]
        )
        return scenarios.made_up(wish), _labs_in_words(given, lab)
    found, objects = source.found, source.objects
    if found and objects and found.begun:
        if found.unready and not given["anew"]:
            return scenarios.from_present(
                objects.snapshot, found, hosts
            ), "the rest of a start that goes on"
        return scenarios.again(
            objects.snapshot, found, hosts, rate
        ), "the devices of the snapshot, started anew"
    if source.records:
        return scenarios.again_from_record(
            source.records[0], hosts, rate
        ), "the recorded devices, started anew"
    raise RefusedInput(
        "there are no Nodes of c9s.run in it", hint="give --devices to simulate new ones"
    )


def _labs_in_words(given: Mapping[str, Any], lab: Limits) -> str:
    if not given["labs"]:
        return "new devices"
    limits = f"batch size {lab.batch or 'off'}, per host {lab.per_host or 'off'}"
    return f"new devices in {given['labs']} Topologies with {limits}"


def _run(
    source: Source,
    scenario: Scenario,
    words: str,
    combinations: Iterable[Limits],
    given: Mapping[str, Any],
) -> Simulation:
    from random import Random  # noqa: PLC0415 - after the flags are known

    from kubectl_c9s.resources.simulated import Simulation  # noqa: PLC0415 - likewise
    from kubectl_c9s.simulation.certainty import figures, notes, overdue  # noqa: PLC0415 - likewise
    from kubectl_c9s.simulation.sweep import sweep  # noqa: PLC0415 - likewise

    stages, seed, runs = source.stages, given["seed"], given["runs"]
    found = tuple(
        sweep(scenario, stages, combinations, lambda run: Random(f"{seed} {run}").random, runs)  # noqa: S311 - no secret
    )
    devices, hosts = scenario.workloads, len(scenario.hosts)
    said = (*overdue(scenario, stages), *notes(stages, devices, hosts, found), *source.notes)
    text = f"{words}; {source.text}"
    return Simulation(text, devices, hosts, runs, tuple(figures(stages)), found, said)


def _printed(found: Simulation, output: str) -> Iterable[str]:
    if output == "svg":
        from kubectl_c9s.output.simulationsvg import svg_text  # noqa: PLC0415 - one printer a run

        return [svg_text(found)]
    if output == "plot":
        from kubectl_c9s.output.simulationplot import plot_lines  # noqa: PLC0415 - one printer a run

        return plot_lines(found)
    from kubectl_c9s.output import simulation  # noqa: PLC0415 - one printer a run

    if output in {"table", "wide"}:
        return simulation.table_lines(found, wide=output == "wide")
    from kubectl_c9s.output.structured import structured  # noqa: PLC0415 - one printer a run

    return [structured(simulation.simulation_json(found), output)]
