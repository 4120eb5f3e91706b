"""Changes of limits written safely: tried on the server, asked about, sent with a precondition, read back, undoable."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import click

from kubectl_c9s.cluster import kinds
from kubectl_c9s.cluster.errors import ApiError, ClusterError, Unreachable
from kubectl_c9s.cluster.patching import Patch, is_outdated, lacks_rollout, send_patch
from kubectl_c9s.cluster.reading import read_object
from kubectl_c9s.files.undo import Record, UndoStore
from kubectl_c9s.output.safe_text import safe_text
from kubectl_c9s.resources.errors import C9sError
from kubectl_c9s.rollout.guards import guard_refusal
from kubectl_c9s.rollout.patches import block_of, guarded_patch, merge_patch

if TYPE_CHECKING:
    from kubectl_c9s.cluster.connection import Connection
    from kubectl_c9s.resources.objects import KubeObject
    from kubectl_c9s.rollout.proposal import Proposal

# A write of something else is no reason to be refused: those who write all the time are met by a patch that looks at
# the limits alone. It can be in vain, too, when the server itself has to give way too often.
_PATCHES: Final = (merge_patch, *(guarded_patch,) * 4)
_SERVER_ERROR: Final = 500
_RESOURCES: Final = {one.kind: one for one in (kinds.CONFIGS, kinds.TOPOLOGIES)}
# What the server changes by itself with every write.
_MOVING: Final = ("managedFields", "resourceVersion", "generation")


class Writer:
    """Writes proposals on one cluster, as one field manager."""

    def __init__(self, connection: Connection, manager: str) -> None:
        self._connection = connection
        self._manager = manager
        self._store = UndoStore(os.environ)

    def try_out(self, proposal: Proposal) -> list[str]:
        """Let the server check a change without writing; give what it would change besides.

        Raises GuardRefusal when the object has changed, or its kind knows no rollout.
        """
        read, reply = self._send(proposal, dry_run=True)
        # A dry run keeps the version: with another one, others have written, and what differs may be theirs.
        same = read["metadata"]["resourceVersion"] == reply["metadata"]["resourceVersion"]
        return _besides(read, reply) if same else []

    def write(self, proposal: Proposal) -> Record:
        """Write a change, read it back, and give the record by which it can be undone."""
        record = self._record(proposal)
        saved = self._prepare(record)
        try:
            self._send(proposal)
        except C9sError as error:
            # What may have been written must stay undoable.
            if saved and not _is_unsure(error):
                self._store.drop(record)
            raise
        if saved:
            self._confirm(record)
        self._verify(proposal)
        return record

    def take_back(self, proposal: Proposal, record: Record) -> None:
        """Undo what a record says; it is forgotten then."""
        self._send(proposal, drop_spec=not record.had_spec)
        self._store.forget(record)
        self._verify(proposal)

    def _record(self, proposal: Proposal) -> Record:
        obj, meta = proposal.obj, proposal.obj["metadata"]
        before, after = (
            dict(b) if b is not None else None for b in (proposal.before, proposal.after)
        )
        return Record(
            self._connection.server, obj["kind"], meta["namespace"], meta["name"], meta["uid"],
            before, after, obj.get("spec") is not None, datetime.now(UTC).isoformat(),
        )  # fmt: skip

    def _prepare(self, record: Record) -> bool:
        try:
            self._store.prepare(record)
        except OSError as error:
            _warn_of_record("will not know of this", error)
            return False
        return True

    def _confirm(self, record: Record) -> None:
        """Keep the record; what was written stays written when that fails, and its end is looked up by undo."""
        try:
            self._store.confirm(record)
        except OSError as error:
            _warn_of_record("may not know of this", error)

    def _send(
        self, proposal: Proposal, *, dry_run: bool = False, drop_spec: bool = False
    ) -> tuple[KubeObject, KubeObject]:
        """Send the patch; give the object it was made for, and what the server made of it.

        A concurrent write of something else is stepped around, one of the limits is not.
        """
        obj = proposal.obj
        for attempt, make in enumerate(_PATCHES, 1):
            body: Any = make(obj, proposal.after, drop_spec=drop_spec)
            patch = Patch(_RESOURCES[obj["kind"]], obj, body, self._manager)
            try:
                return obj, send_patch(
                    self._connection,
                    patch,
                    lambda live: block_of(live) == proposal.after,
                    dry_run=dry_run,
                )
            except ApiError as error:
                if lacks_rollout(error):
                    raise _unsupported(proposal) from None
                if not is_outdated(error, patch):
                    raise
                obj = self._again(obj)
                if obj["metadata"]["uid"] != proposal.obj["metadata"]["uid"] or (
                    block_of(obj) != proposal.before
                ):
                    raise _changed(proposal, block_of(obj)) from None
                if attempt == len(_PATCHES):
                    raise
        raise AssertionError  # pragma: no cover - the loop ends by return or raise

    def _again(self, obj: KubeObject) -> KubeObject:
        meta = obj["metadata"]
        return read_object(
            self._connection, _RESOURCES[obj["kind"]], meta["namespace"], meta["name"]
        )

    def _verify(self, proposal: Proposal) -> None:
        try:
            live = block_of(self._again(proposal.obj))
        except ClusterError as error:
            text = f"the change was written, but cannot be read back: {error.message}"
            raise C9sError(text, hint=error.hint) from None
        if live != proposal.after:
            text = f"the change was written, but reads back as {_shown(live)}: somebody else has changed it since"
            hint = "look who owns the field: 'kubectl c9s rollout show'"
            raise guard_refusal("changed-since-read", text, hint)


def _warn_of_record(what: str, error: OSError) -> None:
    text = f"warning: 'rollout undo' {what}: {error.strerror}"
    print(f"{text}: {safe_text(str(error.filename))}", file=sys.stderr)


def _is_unsure(error: C9sError) -> bool:
    """Tell whether a write may have been carried out all the same."""
    if isinstance(error, Unreachable):
        return error.sent
    return isinstance(error, ApiError) and error.status >= _SERVER_ERROR


def _changed(proposal: Proposal, live: Any) -> C9sError:
    name = proposal.obj["metadata"]["name"]
    text = f"spec.rollout of {proposal.obj['kind']} {name} was {_shown(proposal.before)} when it was read"
    text += f" and is {_shown(live)} now: nothing written"
    return guard_refusal("changed-since-read", text, "look at it again, then repeat the command")


def _unsupported(proposal: Proposal) -> C9sError:
    text = f"this release's {proposal.obj['kind']} has no spec.rollout: nothing written"
    hint = "upgrade clabernetes with its CRDs; 'kubectl c9s check' says what is installed"
    return guard_refusal("rollout-unsupported", text, hint)


def _shown(block: Any) -> str:
    if block is None:
        return "absent"
    return ", ".join(f"{key}={value}" for key, value in sorted(block.items())) or "empty"


def _besides(before: KubeObject, after: KubeObject) -> list[str]:
    """Name what a dry run changed apart from the limits, such as by a webhook."""
    old, new = _rest(before), _rest(after)
    return sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))


def _rest(obj: KubeObject) -> dict[str, Any]:
    """Give everything but the limits, by path: the parts of metadata and spec, and the rest as it is."""
    found = {key: value for key, value in obj.items() if key not in {"metadata", "spec"}}
    for part, left_out in (("metadata", _MOVING), ("spec", ("rollout",))):
        for key, value in (obj.get(part) or {}).items():
            if key not in left_out:
                found[f"{part}.{key}"] = value
    return found


def confirm(question: str, *, yes: bool) -> None:
    """Ask at a terminal; a script is not asked, because guards keep back what may do harm."""
    if not yes and sys.stdin.isatty():
        click.confirm(question, abort=True, err=True)
