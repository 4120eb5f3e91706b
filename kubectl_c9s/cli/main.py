"""The entry point: finds the command, runs it, turns errors into messages and exit codes.

Nothing heavy is imported here; a command's module is loaded when the command is called.
"""

from __future__ import annotations

import io
import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from kubectl_c9s.cli.lazy import LazyGroup
from kubectl_c9s.cli.options import global_options
from kubectl_c9s.resources.errors import C9sError, RefusedInput

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: Final = {
    "split": (
        "kubectl_c9s.cli.split:split",
        "Split Topologies into Node, Link and NodeProfile objects.",
    ),
    "fn": ("kubectl_c9s.cli.fn:fn", "Split as a KRM function, for kustomize."),
    "cmp": ("kubectl_c9s.cli.cmp:cmp", "Split as a config management plugin of Argo CD."),
    "validate": (
        "kubectl_c9s.cli.validate:validate",
        "Check objects, Topologies and containerlab files without a cluster.",
    ),
    "migrate": (
        "kubectl_c9s.cli.migrate:migrate",
        "Bring manifests of clabernetes 0.8 up to date.",
    ),
    "apply": ("kubectl_c9s.cli.apply:apply", "Apply the objects of split labs to a cluster."),
    "diff": ("kubectl_c9s.cli.diff:diff", "Show what apply would change."),
    "check": ("kubectl_c9s.cli.check:check", "Check that a cluster is ready for labs."),
    "status": ("kubectl_c9s.cli.status:status", "Show how far starts are."),
    "diagnose": ("kubectl_c9s.cli.diagnose:diagnose", "Find out why a start is stuck."),
    "snapshot": ("kubectl_c9s.cli.snapshot:snapshot", "Save what diagnose looks at."),
    "rollout": ("kubectl_c9s.cli.rollout:rollout", "Read and change the limits of starts."),
    "diagnostics": (
        "kubectl_c9s.cli.diagnostics:diagnostics",
        "Reach the metrics and profiles of the active manager.",
    ),
    "measure": ("kubectl_c9s.cli.measure:measure", "Record, compare and replay starts."),
    "reconciler": (
        "kubectl_c9s.cli.reconciler:reconciler",
        "Keep a RolloutPolicy true in the cluster.",
    ),
    "gitops": ("kubectl_c9s.cli.gitops:gitops", "Print what Argo CD and Flux need beside objects."),
    "rights": ("kubectl_c9s.cli.rights:rights", "Print the least Role a command needs."),
    "explain": ("kubectl_c9s.cli.explain:explain", "Explain the code of a finding or a cause."),
    "completion": ("kubectl_c9s.cli.completion:completion", "Print a completion script."),
    "options": ("kubectl_c9s.cli.options:options", "List the flags that every command takes."),
    "version": ("kubectl_c9s.cli.version:version", "Print the version."),
    # Called by completion scripts; not listed.
    "__complete": ("kubectl_c9s.cli.completion:hidden", "Complete a command line."),
}
# Newer versions of click raise the help text where kubectl just prints it.
_NO_ARGUMENTS: Final = getattr(click.exceptions, "NoArgsIsHelpError", ())
_SHORT_VALUE: Final = re.compile(r"-[A-Za-z]=")
_INTERRUPTED: Final = 130
_CLOSED_PIPE: Final = 141


@click.group(
    cls=LazyGroup, commands_table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@global_options
def cli(**_flags: object) -> None:
    """Tools for network labs on Kubernetes with clabernetes."""


def program_name(argv0: str) -> str:
    """Say how the user calls us: as a kubectl plugin or by the plain name."""
    name = os.path.basename(argv0)  # noqa: PTH119 - cheaper than pathlib at start-up
    if name.startswith(("kubectl-", "kubectl_complete-")):
        return "kubectl c9s"
    return "c9s" if name == "__main__.py" else name


def console() -> NoReturn:
    """Run as a program of its own: the entry point of the installed commands."""
    code = _run_and_flush(sys.argv[1:])
    sys.stderr.flush()
    # All output is out. Taking a large lab's objects apart again would only cost the user time.
    os._exit(code)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line inside a Python program; ends with SystemExit."""
    sys.exit(_run_and_flush(sys.argv[1:] if args is None else args))


def _run_and_flush(args: Sequence[str]) -> int:
    _speak_utf8()
    code = run(_with_short_values(args))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = _close_quietly()
    except OSError as error:
        code = _fail(f"cannot write the result: {error.strerror}", None, C9sError.exit_code)
        _close_quietly()
    return code


def _speak_utf8() -> None:
    """Write UTF-8 whatever the environment says: YAML and JSON are, and the same input gives the same bytes.

    A stream that was closed before we began is replaced: printing to None would print to the other one.
    """
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _nowhere() -> io.TextIOWrapper:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - stays open as long as the program runs


def _with_short_values(args: Sequence[str]) -> list[str]:
    """Take ``-o=json`` as kubectl does: click would make ``=json`` of it."""
    return [arg[:2] + arg[3:] if _SHORT_VALUE.match(arg) else arg for arg in args]


def run(args: list[str]) -> int:  # noqa: PLR0911 - one place where each way to end gets its code
    """Run the command line and give the exit code."""
    try:
        outcome: Any = cli.main(args, prog_name=program_name(sys.argv[0]), standalone_mode=False)
    except _NO_ARGUMENTS as error:
        click.echo(error.format_message())
        return 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else program_name(sys.argv[0])
        return _fail(error.format_message(), f"see '{where} --help'", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), None, 2)
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except (BrokenPipeError, SystemExit):  # click turns a closed pipe into an exit of its own
        return _close_quietly()
    except C9sError as error:
        return _report(error)
    except OSError as error:
        return _fail(
            f"{error.strerror or error}: {error.filename or 'result'}", None, C9sError.exit_code
        )
    except Exception as error:
        if os.environ.get("C9S_DEBUG"):
            raise
        hint = "run again with C9S_DEBUG=1 in the environment and report what it prints"
        return _fail(f"internal fault: {type(error).__name__}: {error}", hint, C9sError.exit_code)
    return outcome if isinstance(outcome, int) else 0


def _report(error: C9sError) -> int:
    if isinstance(error, RefusedInput) and error.findings:
        from kubectl_c9s.cli.reporting import print_findings  # noqa: PLC0415 - only needed for refused input

        print_findings([f for f in error.findings if f.severity == "error"], [])
    return _fail(error.message, error.hint, error.exit_code)


def _fail(message: str, hint: str | None, code: int) -> int:
    from kubectl_c9s.output.safe_text import safe_text  # noqa: PLC0415 - only needed on failure

    print(f"error: {safe_text(message)}", file=sys.stderr)
    if hint:
        print(f"hint: {safe_text(hint)}", file=sys.stderr)
    return code


def _close_quietly() -> int:
    """Point stdout at nothing, so that the interpreter's own flush at exit stays silent."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _CLOSED_PIPE
