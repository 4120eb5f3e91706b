"""What ``fn`` does with the objects it is given, in whichever envelope they came (conventions.md §5).

The kind of the configuration decides: ``C9sValidate`` only looks; ``C9sSplit``, also without a configuration, puts
a Topology's objects in its place and adds those of the labs that the configuration itself holds or names.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from kubectl_c9s.cli import doors
from kubectl_c9s.cli.inputs import Item
from kubectl_c9s.cli.krmconfig import INLINE, Configuration, read_configuration
from kubectl_c9s.output.krm import Placed
from kubectl_c9s.resources.errors import RefusedInput
from kubectl_c9s.resources.findings import Findings
from kubectl_c9s.topology.manifest import is_topology

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.yamlio.members import Member

_OUTER: Final = frozenset(
    {"apiVersion", "kind", "metadata", "spec", "status", "data", "binaryData"}
)
_DEFINITION: Final = "spec.definition.containerlab"


class Outcome(NamedTuple):
    """What is to change: objects in the place of members, objects behind them; and what is worth telling."""

    replaced: dict[int, list[KubeObject]]
    added: list[KubeObject]
    notes: list[str]


class Function:
    """One run of the function; ``placed`` has its findings, also when ``run`` raises.

    ``namespace`` is that of the command line, for a configuration without one.
    """

    def __init__(
        self, members: Sequence[Member], config: Member | None, namespace: str | None
    ) -> None:
        self.placed: list[Placed] = []
        self._members = members
        self._config = config
        self._namespace = namespace

    def run(self) -> Outcome:
        """Do the work.

        Raises RefusedInput for what is in ``placed`` and when there is no lab at all, UsageError for settings
        and paths that cannot be used.
        """
        config = self._configuration()
        if config.only_validates:
            self._validate(config)
            return Outcome({}, [], [])
        topologies = [
            index for index, one in enumerate(self._members) if is_topology(one.document.root)
        ]
        sources = list(self._sources(config))
        labs = len(topologies) + len(sources)
        if not labs and not self._members:
            self._refuse(strict=False)
            hint = f"give the function Topologies, or name labs in {INLINE} or spec.paths of its configuration"
            raise RefusedInput("the input has no lab", hint=hint)
        doors.refuse_one_name_for_many(config.values, labs)
        replaced = {index: self._split(self._members[index], config) for index in topologies}
        added, notes = self._generate(sources, config)
        self._check_unique(replaced, added)
        self._refuse(strict=config.values["fail-on-warning"])
        return Outcome(replaced, added, notes)

    def _configuration(self) -> Configuration:
        findings = Findings()
        config = read_configuration(self._config, self._namespace, findings)
        self.placed += [Placed(one, self._config, one.path) for one in findings.errors]
        self._refuse(strict=False)
        return config

    def _validate(self, config: Configuration) -> None:
        """Check the members as ``validate`` does; a list without anything of ours is a sound one."""
        from kubectl_c9s.validation import run as validation  # noqa: PLC0415 - for this role only

        values = config.values
        options = validation.Options(
            values["namespace"], values["max-object-bytes"], frozenset(values["ignore"])
        )
        inputs = [validation.Input(one.document) for one in self._members]
        report = validation.validate(inputs, [], options)
        for member, verdict in zip(self._members, report.verdicts, strict=True):
            self.placed += [Placed(one, member, _field(one.path)) for one in verdict.issues]
        self._refuse(strict=values["fail-on-warning"])

    def _sources(self, config: Configuration) -> Iterator[tuple[Item, Member | None]]:
        """Give the labs the configuration holds and names, those it holds with itself as their object."""
        findings = Findings()
        inline = (
            list(doors.items_of(config.inline.encode(), INLINE, ".", findings))
            if config.inline
            else []
        )
        self._take(findings, self._config, INLINE)
        findings = Findings()
        read = doors.read_labs(config.values, findings)
        self._take(findings)
        for item, member in [
            *((one, self._config) for one in inline),
            *((one, None) for one in read),
        ]:
            if doors.is_lab(item):
                yield item, member
            else:
                findings = Findings()
                place = item.document.position(item.document.root)
                findings.warning("not-a-lab", "", "the document is no lab and is left out", place)
                self._take(findings, member, INLINE)

    def _split(self, member: Member, config: Configuration) -> list[KubeObject]:
        """Split a Topology among the members; nothing comes of one with errors."""
        work, findings = doors.new_work(config.values), Findings()
        doors.split_lab(Item(member.document, ".", own_text=False), config.values, work, findings)
        self._take(findings, member)
        return list(work.objects())

    def _generate(
        self, sources: Sequence[tuple[Item, Member | None]], config: Configuration
    ) -> tuple[list[KubeObject], list[str]]:
        work = doors.new_work(config.values)
        for item, member in sources:
            findings = Findings()
            doors.split_lab(item, config.values, work, findings)
            self._take(findings, member, INLINE)
        if any(one.level == "error" for one in self.placed):
            return [], []
        return list(work.objects()), work.notes()

    def _check_unique(self, replaced: dict[int, list[KubeObject]], added: list[KubeObject]) -> None:
        kept = (one for index, one in enumerate(self._members) if index not in replaced)
        new = [obj for objects in replaced.values() for obj in objects]
        findings = Findings()
        doors.check_unique([*new, *added], [_as_object(one) for one in kept], findings)
        self._take(findings)

    def _take(self, findings: Findings, member: Member | None = None, field: str = "") -> None:
        """Keep findings; without ``field`` their own paths say which field of the member they are about."""
        for one in [*findings.errors, *findings.warnings]:
            own = field if member and field else _field(one.path)
            self.placed.append(Placed(one, member, own))

    def _refuse(self, *, strict: bool) -> None:
        levels = Counter(one.level for one in self.placed)
        doors.refuse(levels["error"], levels["warning"] if strict else 0)


def _field(path: str) -> str:
    """Give the field of an object that a finding's path is, or lies inside."""
    return path if not path or re.split(r"[.\[]", path)[0] in _OUTER else _DEFINITION


def _as_object(member: Member) -> KubeObject:
    known = member.reference()
    return {**known, "metadata": known}
