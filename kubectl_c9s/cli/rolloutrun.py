"""From proposals to writes: show all, refuse all or none, ask once, write one after the other."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

from kubectl_c9s.cli.rolloutflags import SUFFIXES
from kubectl_c9s.cli.rolloutwriting import Writer, confirm
from kubectl_c9s.output.rollouttexts import (
    difference,
    finding_lines,
    impact_lines,
    proposal_json,
)
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.output.structured import structured
from kubectl_c9s.resources.errors import GuardRefusal
from kubectl_c9s.rollout.patches import undo_patch
from kubectl_c9s.rollout.proposal import block_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.files.undo import Record
    from kubectl_c9s.rollout.proposal import Proposal


class Run:
    """One command's changes; ``given`` has its flags (dry_run, yes, output, field_manager)."""

    def __init__(self, connection: Connection, given: dict[str, Any]) -> None:
        self._given = given
        self._writer = Writer(connection, given["field_manager"])
        self._suffix = SUFFIXES[given["dry_run"]]
        self._structured = given["output"] is not None

    def show(self, proposals: Sequence[Proposal], stream: TextIO) -> None:
        """Print differences and impacts to the stream; warnings, guards and hints are for stderr."""
        for proposal in proposals:
            before, after = block_lines(proposal.before), block_lines(proposal.after)
            stream.writelines(difference(safe_text(_full_name(proposal)), before, after))
            stream.writelines(f"{line}\n" for line in impact_lines(proposal))
            stream.flush()
            sys.stderr.writelines(f"{line}\n" for line in finding_lines(proposal))

    def print_all(self, proposals: Sequence[Proposal]) -> None:
        """Print what would be done, and do nothing."""
        if self._structured:
            self._print([proposal_json(proposal) for proposal in proposals])
        else:
            self.show(proposals, sys.stdout)

    def refuse(self, proposals: Sequence[Proposal]) -> None:
        """Raise GuardRefusal if anything stands against any of them."""
        codes = [guard.code for proposal in proposals for guard in proposal.guards]
        if codes:
            raise GuardRefusal(f"nothing written, refused by {', '.join(dict.fromkeys(codes))}")

    def carry_out(self, proposals: Sequence[Proposal], *, undoing: Record | None = None) -> int:
        """Show everything, then write it; nothing is written when anything is refused."""
        if not self._structured:
            self.show(proposals, sys.stdout)
        changing = [proposal for proposal in proposals if proposal.changes]
        results: list[dict[str, Any]] = []
        missing = "failed"
        try:
            self.refuse(changing)
            self._try_out(changing)
            if changing and self._given["dry_run"] == "none":
                confirm("Write this?", yes=self._given["yes"])
            for proposal in proposals:
                results.append(self._one(proposal, undoing))  # noqa: PERF401 - what was written is shown
        except GuardRefusal:
            missing = "refused"
            raise
        finally:
            if self._structured:
                self._print(self._rows(proposals, results, missing))
        return 0

    def _try_out(self, proposals: Sequence[Proposal]) -> None:
        if self._given["dry_run"] == "client":
            return
        for proposal in proposals:
            for path in self._writer.try_out(proposal):
                text = f"warning: the server would change {path} as well, perhaps by a webhook"
                print(safe_text(text), file=sys.stderr)

    def _one(self, proposal: Proposal, undoing: Record | None) -> dict[str, Any]:
        result, record = "unchanged", None
        if proposal.changes:
            result = "configured"
            if self._given["dry_run"] == "none":
                if undoing is None:
                    record = self._writer.write(proposal)
                else:
                    self._writer.take_back(proposal, undoing)
        if not self._structured:
            sys.stdout.write(f"{safe_text(_full_name(proposal))} {result}{self._suffix}\n")
            sys.stdout.flush()
            if record is not None:
                self._say_undo(record)
        undo = undo_patch(record.before, record.after) if record else None
        return {"result": result, "dryRun": self._given["dry_run"], "undo": undo}

    def _say_undo(self, record: Record) -> None:
        patch = json.dumps(undo_patch(record.before, record.after))
        print(f"undo: 'kubectl c9s rollout undo', or merge patch {patch}", file=sys.stderr)

    def _rows(
        self, proposals: Sequence[Proposal], results: list[dict[str, Any]], missing: str
    ) -> list[dict[str, Any]]:
        rest = {"result": missing, "dryRun": self._given["dry_run"], "undo": None}
        return [
            proposal_json(proposal) | (results[index] if index < len(results) else rest)
            for index, proposal in enumerate(proposals)
        ]

    def _print(self, rows: list[dict[str, Any]]) -> None:
        sys.stdout.write(structured({"changes": rows}, self._given["output"]))


def _full_name(proposal: Proposal) -> str:
    metadata = proposal.obj["metadata"]
    kind = proposal.obj["kind"].lower()
    return f"{kind}.c9s.run/{metadata['name']} in {metadata['namespace']}"
