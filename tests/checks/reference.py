"""Makes the reference pages from the definitions of the commands and the tables of codes and of causes.

The text of a flag is put together here and not by click, so that it does not change with click's version.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import click

from kubectl_c9s.cli.exits import exits_of
from kubectl_c9s.cli.main import COMMANDS
from kubectl_c9s.cli.pages import scopes
from kubectl_c9s.resources.causes import CAUSES, NUMBERS
from kubectl_c9s.resources.codes import CODES
from kubectl_c9s.resources.remedies import REMEDIES

if TYPE_CHECKING:
    from collections.abc import Iterator

MADE = "<!-- Made by `make generate`: change the definition of the command instead. -->\n"
PROGRAM = "kubectl c9s"


def commands(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """Give the commands of a group that its help lists."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        if not command.hidden:
            yield name, command


def pages(cli: click.Group) -> dict[str, str]:
    """Give every page by its file name."""
    listed = list(commands(cli))
    found = {
        f"{name}.md": command_page(cli, f"{PROGRAM} {name}", command) for name, command in listed
    }
    tables = {"codes.md": codes_page(), "causes.md": causes_page()}
    return {"README.md": index(cli, listed), **tables, **found}


def index(cli: click.Group, listed: list[tuple[str, click.Command]]) -> str:
    lines = [
        f"- [{PROGRAM} {name}]({name}.md): {summary(name, command)}" for name, command in listed
    ]
    text = (
        "Made from the definitions of the commands. What holds for all of them (exit codes, streams, reports) is on "
        "the page [command line](../cli.md), the codes of findings are on [codes](codes.md), what `diagnose` names on "
        "[causes](causes.md), what is written for programs on [schemas](schemas.md)."
    )
    return (
        f"# Commands\n\n{MADE}\n{text}\n\n" + "\n".join(lines) + "\n\n## Flags of every command\n\n"
        "These go before or after the name of the command; a flag behind it wins.\n\n"
        + "".join(flag_line(one) for one in options(cli))
    )


def codes_page() -> str:
    head = (
        f"# Codes of findings\n\n{MADE.replace('the definition of the command', 'kubectl_c9s/resources/codes.py')}\n"
        f"`{PROGRAM} explain CODE` shows the page of a code. Upstream codes are those that the manager's compiler "
        "reports by the same name.\n\n| code | severity | upstream | what it says |\n| --- | --- | --- | --- |\n"
    )
    rows = (
        f"| [{code}](../codes/{code}.md) | {', '.join(row.severities)} | {'yes' if row.upstream else ''} "
        f"| {row.summary.replace('|', chr(92) + '|')} |\n"
        for code, row in CODES.items()
    )
    return head + "".join(rows)


def causes_page() -> str:
    made = MADE.replace(
        "the definition of the command",
        "kubectl_c9s/resources/causes.py and remedies.py",
    )
    head = (
        f"# Causes that diagnose names\n\n{made}\n`{PROGRAM} explain CODE` shows the page of a cause. The number is "
        "its precedence: of several that fit one object the lowest is named. The scopes are those it can have; which "
        "barriers it really holds, a report says. In the commands of the pages `lab` is a namespace with the Topology "
        "`metro` and the Node `r1`, `worker-1` is a host, and the manager `clabernetes` runs in namespace `c9s`.\n\n"
        "| # | cause | class | scopes | objects | remedies | what it says |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
    )
    rows = (
        f"| {NUMBERS[code]} | [{code}](../causes/{code}.md) | {row.kind} | {', '.join(scopes(row))} "
        f"| {', '.join(row.objects.split())} | {', '.join(row.remedies)} | {row.summary} |\n"
        for code, row in CAUSES.items()
    )
    remedies = (f"| {code} | {one.risk} | {one.text} |\n" for code, one in REMEDIES.items())
    return (
        head
        + "".join(rows)
        + "\nIn the column of objects `Node` is the Node of clabernetes, and `Host` a Node of Kubernetes.\n\n"
        "## Remedies\n\nThe first remedy of a cause is its main one.\n\n"
        "| remedy | risk | what to do |\n| --- | --- | --- |\n" + "".join(remedies)
    )


def command_page(cli: click.Group, path: str, command: click.Command) -> str:
    """Give the page of a command, with its subcommands below it."""
    return f"# {path}\n\n{MADE}\n" + "\n".join(sections(cli, path, command, "##"))


def sections(cli: click.Group, path: str, command: click.Command, level: str) -> Iterator[str]:
    yield f"```text\n{usage(path, command)}\n```\n"  # no command to be run: the words stand for others
    yield f"{help_text(command)}\n"
    everywhere = {tuple(option.opts) for option in options(cli)}
    own = [option for option in options(command) if tuple(option.opts) not in everywhere]
    if own:
        yield f"{level} Flags{'' if level == '##' else ' of ' + path}\n"
        yield "".join(map(flag_line, own))
    if codes := exits_of(path.removeprefix(f"{PROGRAM} ")):
        yield f"{level} Exit codes{'' if level == '##' else ' of ' + path}\n"
        yield "".join(f"- {code}: {words}\n" for code, words in codes.items())
    if level == "##":
        yield "The [flags of every command](README.md#flags-of-every-command) go with it, too.\n"
    if isinstance(command, click.Group):
        for name, inner in commands(command):
            yield f"{level} {path} {name}\n"
            yield from sections(cli, f"{path} {name}", inner, f"{level}#")


def options(command: click.Command) -> list[click.Option]:
    return [one for one in command.params if isinstance(one, click.Option)]


def usage(path: str, command: click.Command) -> str:
    words = [path]
    required = [option for option in options(command) if option.required]
    words += [f"{one.opts[0]} {value_name(one)}{'…' * one.multiple}" for one in required]
    words += [f"[flags]{' COMMAND …' if isinstance(command, click.Group) else ''}"]
    for one in command.params:
        if isinstance(one, click.Argument):
            name = value_name(one).strip("[]")
            words.append((name if one.required else f"[{name}]") + ("…" if one.nargs == -1 else ""))
    return " ".join(words)


def help_text(command: click.Command) -> str:
    """Give the help; what click is told not to wrap stays as it is."""
    text = inspect.cleandoc(command.help or "").partition("\f")[0]
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        f"```text\n{one.removeprefix(chr(8)).strip(chr(10))}\n```" if one.startswith("\b") else one
        for one in paragraphs
    )


def flag_line(option: click.Option) -> str:
    names = ", ".join(option.opts)
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    if not option.is_flag:
        names += f" {value_name(option)}"
    said = option.help or ""
    if option.metavar and isinstance(option.type, click.Choice):
        said += f" One of {', '.join(map(str, option.type.choices))}."
    if option.required:
        said += " Required."
    if has_default(option):
        said += f" Default: {option.default}."
    return f"- `{names}`: {said}\n"


def has_default(option: click.Option) -> bool:
    """Tell whether the default is a value somebody could type; a flag's help says what it does without."""
    return not option.is_flag and isinstance(option.default, str | int) and option.default != ""


def value_name(parameter: click.Parameter) -> str:
    """Give the word that stands for the value, such as ``FILE`` or ``[yaml|json]``."""
    if parameter.metavar:
        return parameter.metavar
    if isinstance(parameter.type, click.Choice):
        return f"[{'|'.join(map(str, parameter.type.choices))}]"
    return str(parameter.name or "").upper()


def summary(name: str, command: click.Command) -> str:
    """Give the one line that help lists a command with."""
    if name in COMMANDS:
        return COMMANDS[name][1]
    return inspect.cleandoc(command.help or "").partition("\n")[0]
